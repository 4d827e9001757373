"""Where the project stands: the workflow, the configuration, the pages and the records that are kept with the code.

In a checkout they lie around the source; an installed package carries them in a folder of its own, into which nothing
is ever written.
"""

from pathlib import Path

from surefoot.build.errors import InputError

PACKAGE = "surefoot"
SOURCE = Path(__file__).parents[2]
"""The folder that the package lies in."""
CARRIED = SOURCE / PACKAGE / "project"
"""Where a wheel puts the project (see `hatch_build.py`)."""
INSTALLED = CARRIED.is_dir()
PROJECT = CARRIED if INSTALLED else SOURCE.parent


def check_checkout(where: str) -> None:
    """Raise an InputError where the project may not be written to, being part of an installed package.

    where : what would write, such as ``surefoot record``
    """
    if INSTALLED:
        what = f"it writes into the project, which is here part of an installed package ({CARRIED})"
        raise InputError(where, what, "run it in a clone of Surefoot")
