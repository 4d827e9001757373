"""The folders that options of commands name."""

import argparse
import os
from pathlib import Path

from surefoot.build.errors import InputError

HAS_RESULTS = "the one that has results/, such as that of a report"


def enter_folder(options: argparse.Namespace) -> None:
    """Go to the folder that has the results.

    Raises
    ------
    InputError
        where there is no such folder
    """
    folder = getattr(options, "directory", Path())
    if not folder.is_dir():
        raise InputError("command line: --directory", f"{folder} is not a folder", HAS_RESULTS)
    os.chdir(folder)


def refuse_files(output: Path) -> None:
    """Raise an InputError where a file stands at the place of a folder that is to be made."""
    if output.exists() and not output.is_dir():
        raise InputError("command line: -o", f"{output} is not a folder", "the name of a folder that is made")
