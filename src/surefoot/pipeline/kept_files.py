"""Files that are kept with the project: pages, documentation, published numbers, and records of large runs."""

import os
from pathlib import Path

from surefoot.build.project import PROJECT

PAGES = PROJECT / "reports"
DOCS = PROJECT / "docs"
PUBLISHED = PROJECT / "config" / "published"
RECORDS = PAGES / "records"


def kept(path: Path) -> str | None:
    """Path of a file that is kept with the project, where there is one."""
    return relative(path) if path.is_file() else None


def relative(path: Path) -> str:
    """The path as seen from the working folder, so that specs do not change when a checkout moves."""
    return os.path.relpath(path)
