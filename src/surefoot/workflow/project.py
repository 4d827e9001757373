"""Where the project stands: the workflow, the configuration, the pages, the records, what it needs.

In a checkout they lie around the source; an installed package carries them in a folder of its own, into which nothing
is ever written.
"""

import os
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from surefoot.errors import InputError

PACKAGE = "surefoot"
SOURCE = Path(__file__).parents[2]
"""The folder that the package lies in."""
CARRIED = SOURCE / PACKAGE / "project"
"""Where a wheel puts the project (see `hatch_build.py`)."""
INSTALLED = CARRIED.is_dir()
PROJECT = CARRIED if INSTALLED else SOURCE.parent


def check_checkout(where: str) -> None:
    """Raise an InputError where the project may not be written to, being part of an installed package.

    where : what would write, such as ``surefoot schemas``
    """
    if INSTALLED:
        what = f"it writes into the project, which is here part of an installed package ({CARRIED})"
        raise InputError(where, what, "run it in a clone of Surefoot")


REPORT = ("altair", "jinja2", "pypandoc", "snakemake", "vl_convert")
"""Modules of the packages that pyproject.toml lists under this extra."""
HINT = 'pip install "surefoot[report]"'


def lacking(modules: Iterable[str]) -> list[str]:
    """Return the names of the modules that are not installed."""
    return [module for module in modules if find_spec(module) is None]


def check_report(where: str) -> None:
    """Raise an InputError where a package of the extra is not installed.

    where : what needs it, such as ``surefoot run``
    """
    if missing := lacking(REPORT):
        raise InputError(where, f"it needs what is not installed ({', '.join(missing)})", HINT)


SNAKEFILES = ("Snakefile", "snakefile", "workflow/Snakefile", "workflow/snakefile")
"""What Snakemake takes for the workflow of the folder in which it is started."""


def has_workflow() -> bool:
    """Whether this folder has a workflow of its own, which is then run in place of the project's."""
    return any(Path(name).is_file() for name in SNAKEFILES)


PAGES = PROJECT / "reports"
DOCS = PROJECT / "docs"
CHANGELOG = PROJECT / "CHANGELOG.md"
"""A page of the documentation that lies outside its folder."""
PUBLISHED = PROJECT / "config" / "published"
RECORDS = PAGES / "records"


def kept(path: Path) -> str | None:
    """Path of a file that is kept with the project, where there is one."""
    return relative(path) if path.is_file() else None


def short_path(path: Path) -> str:
    """Return the path relative to the working folder if it is below it."""
    path = Path(path).absolute()
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def relative(path: Path) -> str:
    """Return the path from the working folder, so that nothing changes when a checkout moves."""
    return os.path.relpath(path)
