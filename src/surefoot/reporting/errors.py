"""The error of a page: it names the file and the line, and says what to do."""

from pathlib import Path

from surefoot.pipeline.errors import InputError


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


def shown_path(path: Path) -> str:
    """The path as a person writes it: from the working directory where the file lies below it."""
    path, here = Path(path).absolute(), Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
