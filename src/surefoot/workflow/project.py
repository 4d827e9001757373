"""Location of the project: workflow, configuration, pages and records, and the packages that it needs.

In a checkout, these files are around the source folder. An installed package contains them in a separate folder, into
which nothing is ever written.
"""

import os
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from surefoot.errors import InputError

PACKAGE = "surefoot"
SOURCE = Path(__file__).parents[2]
"""The folder that contains the package."""
CARRIED = SOURCE / PACKAGE / "project"
"""The folder into which a wheel puts the project (see `hatch_build.py`)."""
INSTALLED = CARRIED.is_dir()
PROJECT = CARRIED if INSTALLED else SOURCE.parent


def check_checkout(where: str) -> None:
    """Raise an InputError if the project is part of an installed package, which must not be changed.

    where : the command that would write, such as ``surefoot schemas``
    """
    if INSTALLED:
        what = f"it would write into the project, which is part of an installed package here ({CARRIED})"
        raise InputError(where, what, "run it in a clone of Surefoot")


REPORT = ("altair", "jinja2", "pypandoc", "snakemake", "vl_convert")
"""Modules of the packages that pyproject.toml lists under the extra `report`."""
HINT = 'pip install "surefoot[report]"'


def lacking(modules: Iterable[str]) -> list[str]:
    """Return the names of the modules that are not installed."""
    return [module for module in modules if find_spec(module) is None]


def check_report(where: str) -> None:
    """Raise an InputError if a package of the extra `report` is not installed.

    where : the command that needs it, such as ``surefoot run``
    """
    if missing := lacking(REPORT):
        raise InputError(where, f"it needs packages that are not installed ({', '.join(missing)})", HINT)


SNAKEFILES = ("Snakefile", "snakefile", "workflow/Snakefile", "workflow/snakefile")
"""Files that Snakemake uses as the workflow of the folder in which it is started."""


def has_workflow() -> bool:
    """Return True if the working folder has a workflow, which is then run instead of the project's workflow."""
    return any(Path(name).is_file() for name in SNAKEFILES)


PAGES = PROJECT / "reports"
DOCS = PROJECT / "docs"
CHANGELOG = PROJECT / "CHANGELOG.md"
"""A page of the documentation that is outside its folder."""
PUBLISHED = PROJECT / "config" / "published"
RECORDS = PAGES / "records"


def kept(path: Path) -> str | None:
    """Return the relative path of a file of the project, or None if the file does not exist."""
    return relative(path) if path.is_file() else None


def short_path(path: Path) -> str:
    """Return a path relative to the working folder if it is inside that folder, otherwise the absolute path."""
    path = Path(path).absolute()
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def relative(path: Path) -> str:
    """Return the path relative to the working folder, so that nothing changes when a checkout is moved."""
    return os.path.relpath(path)
