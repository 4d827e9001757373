"""The cells and inline expressions of a page, run in this process one after the other.

They see what they see under Quarto: each other's names, the page's folder as working directory, and the variables by
which `surefoot.reporting.page` knows what it may read. Their lines are numbered as in the page, so that an error and
its traceback name the page's own line.
"""

import ast
import contextlib
import io
import os
import sys
import traceback
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from surefoot.reporting import page

_FORMS = {
    "_repr_markdown_": "text/markdown",
    "_repr_html_": "text/html",
    "_repr_svg_": "image/svg+xml",
    "_repr_png_": "image/png",
}


class CellError(Exception):
    """Code that failed, at a line of the page (or None, where the error came before the code ran), with its traceback.
    The error is the cause of this one."""

    def __init__(self, line: int | None, trace: str):
        super().__init__(trace)
        self.line, self.trace = line, trace


class Outputs(NamedTuple):
    """What a cell showed: printed text, its last value by media type (empty without one), and what went to stderr."""

    printed: str
    displayed: dict[str, Any]
    warned: str


class Cells:
    """Runs the code of one page.

    source : path of the page, which tracebacks name
    """

    def __init__(self, source: Path):
        self._source = str(source)
        self._names: dict[str, Any] = {"__name__": "__main__"}

    def run(self, code: str, line: int) -> Outputs:
        """Run a cell whose first line of code is this line of the page.

        Raises
        ------
        CellError
            where it fails
        """
        printed, warned = io.StringIO(), io.StringIO()
        with (
            self._failures(),
            contextlib.redirect_stdout(printed),
            contextlib.redirect_stderr(warned),
            warnings.catch_warnings(record=True) as caught,
        ):
            warnings.simplefilter("default")
            statements = ast.parse("\n" * (line - 1) + code, self._source)
            last = statements.body[-1] if statements.body else None
            value = None
            if isinstance(last, ast.Expr):
                statements.body.pop()
            exec(compile(statements, self._source, "exec"), self._names)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), self._source, "eval"), self._names)
            displayed = _displayed(value)
        for each in caught:
            warned.write(warnings.formatwarning(each.message, each.category, each.filename, each.lineno))
        return Outputs(printed.getvalue(), displayed, warned.getvalue())

    def value(self, expression: str, line: int) -> Any:
        """The value of an expression that begins in this line of the page.

        Raises
        ------
        CellError
            where it fails
        """
        with self._failures():
            code = compile("\n" * (line - 1) + f"({expression})", self._source, "eval")
            return eval(code, self._names)

    @contextlib.contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except (Exception, SystemExit) as error:
            frames = traceback.extract_tb(error.__traceback__)
            lines = [frame.lineno for frame in frames if frame.filename == self._source]
            at = error.lineno if isinstance(error, SyntaxError) and error.filename == self._source else None
            line = at or (lines[-1] if lines else None)
            raise CellError(line, "".join(traceback.format_exception(error))) from error


def _displayed(value: Any) -> dict[str, Any]:
    """A value in the forms that it offers notebooks, and as plain text."""
    if value is None:
        return {}
    forms = {form: getattr(value, method)() for method, form in _FORMS.items() if hasattr(value, method)}
    if hasattr(value, "_repr_mimebundle_"):
        forms |= value._repr_mimebundle_()
    return forms | {"text/plain": repr(value)}


@contextlib.contextmanager
def surroundings(folder: Path, environment: Mapping[str, str]) -> Iterator[None]:
    """What cells expect around them: working directory, modules beside the page, and variables of the environment."""
    variables, search = dict(os.environ), list(sys.path)
    os.environ.update(environment)
    sys.path.insert(0, str(folder))
    page.forget()
    try:
        with contextlib.chdir(folder):
            yield
    finally:
        os.environ.clear()
        os.environ.update(variables)
        sys.path[:] = search
