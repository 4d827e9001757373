"""The errors of a page: they say what is wrong, where, and what to do."""

from collections.abc import Iterable
from pathlib import Path

from surefoot.build.errors import InputError, nearest
from surefoot.errors import HintedError


class PageError(InputError):
    """Something in a page, or in the site's `_quarto.yml`, is wrong.

    Parameters
    ----------
    page : path of the file
    line : line of the file, counted from 1
    what : what is wrong, with the value
    hint : what is allowed, or the nearest name
    """

    def __init__(self, page: Path, line: int, what: str, hint: str):
        super().__init__(f"{shown_path(page)}:{line}", what, hint)
        self.page, self.line = page, line


class ContentError(HintedError):
    """A cell asks for something that is not there; the renderer makes it a `PageError` with the cell's line."""

    def __init__(self, what: str, hint: str):
        super().__init__("", what, hint)


def check_known(name: str, allowed: Iterable[str], noun: str) -> None:
    """Refuse a name, of a column for instance, that is not among the allowed ones."""
    allowed = list(allowed)
    if name not in allowed:
        raise ContentError(f'unknown {noun} "{name}"', nearest(name, allowed))


def shown_path(path: Path) -> str:
    """The path as a person writes it: from the working directory where the file lies below it."""
    path, here = Path(path).absolute(), Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
