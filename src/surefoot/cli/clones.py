"""A command that is typed in a clone of Surefoot runs the code of that clone, whose workflow it runs as well."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from surefoot.build.project import PACKAGE, SOURCE


def use_clone_here(arguments: Sequence[str]) -> None:
    """Start the same command anew with the code of the clone in this folder, where there is one and it is not this
    code's: planned by one and run by the other, jobs would not be what was planned."""
    source = Path("src").absolute()
    is_clone = Path("Snakefile").is_file() and (source / PACKAGE / "__main__.py").is_file()
    if is_clone and source.resolve() != SOURCE.resolve():
        paths = [str(source), *filter(None, [os.environ.get("PYTHONPATH")])]
        variables = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
        os.execve(sys.executable, [sys.executable, "-m", PACKAGE, *arguments], variables)
