"""Run the cells and inline expressions of a page, and insert the Markdown that they produce.

The cells run in this process, in order. They share a namespace, and the folder of the page is the working directory.
Code is compiled with the line numbers of the page, so that errors and tracebacks refer to lines of the page.

HTML produced by cells is not passed through pandoc: a placeholder (a mark) takes its place.
"""

import ast
import contextlib
import io
import logging
import re
import traceback
import warnings
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from surefoot.reporting.page import LIVE, Surroundings, surrounded
from surefoot.reporting.page_source import (
    EXPRESSION,
    Cell,
    ContentError,
    PageError,
    Prose,
    Source,
    escape_markup,
)
from surefoot.workflow.project import short_path

logger = logging.getLogger("surefoot")

MARK = "<!--output {}-->"
_RAW_HTML = re.compile(r"^```\{=html\}\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
_NUMBER = re.compile(r"[-+]?\d+([.,]\d+)*")  # pandoc leaves these unchanged, even in formulas


class Document(NamedTuple):
    """Markdown with marks, and the HTML that replaces each mark."""

    markdown: str
    html: list[str]


def has_live_charts(document: Document) -> bool:
    """Return True if a page has charts with controls."""
    return any(f'class="{LIVE}"' in content for content in document.html)


def run_page(source: Source, parameters: Mapping[str, Any], surroundings: Surroundings) -> Document:
    """Run a page's cells, and put their output into its text.

    Parameters
    ----------
    source : the page
    parameters : values for the names in its parameter cell
    surroundings : context of the page, including the results that it may read

    Raises
    ------
    PageError
        if a cell fails or has unsupported output
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    parts: list[str] = []
    html: list[str] = []
    with contextlib.chdir(source.page.parent), surrounded(surroundings):
        for piece in source.pieces:
            if isinstance(piece, Cell):
                parts.append(_cell_markdown(source, piece, parameters, names, html))
            else:
                parts.append(piece.text if piece.literal else _with_values(source, piece, names))
    return Document("\n".join(parts) + "\n", html)


def _with_values(source: Source, piece: Prose, names: dict[str, Any]) -> str:
    """Return prose in which inline expressions are replaced by their values, as Markdown for either renderer.

    As in Quarto, plain text is escaped, and objects with a Markdown representation are inserted unchanged.
    """

    def markdown(found: re.Match[str]) -> str:
        line = piece.line + piece.text.count("\n", 0, found.start())
        with _failures(source, line):
            value = eval(compile("\n" * (line - 1) + f"({found[1]})", str(source.page), "eval"), names)
            shown = getattr(value, "_repr_markdown_", None)
            text: str = shown() if shown else str(value)
            if "\n" in text:
                raise ContentError("the value of the expression has more than one line", "show it in a cell")
        return text if shown or _NUMBER.fullmatch(text) else escape_markup(text)

    return EXPRESSION.sub(markdown, piece.text)


@contextlib.contextmanager
def _failures(source: Source, first_line: int) -> Iterator[None]:
    """Convert errors in the code of a page to errors with the line of the page."""
    try:
        yield
    except (Exception, SystemExit) as error:
        logger.info("".join(traceback.format_exception(error)))
        path = str(source.page)
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
        if isinstance(error, SyntaxError) and error.filename == path:
            lines.append(error.lineno)
        line = next(filter(None, reversed(lines)), first_line)
        if isinstance(error, ContentError):
            raise PageError(source.page, line, error.what, error.hint) from None
        what = f"the cell failed: {type(error).__name__}: {' '.join(str(error).split())}"
        raise PageError(source.page, line, what, "see the traceback in the log") from None


def _cell_markdown(source: Source, cell: Cell, given: Mapping[str, Any], names: dict[str, Any], html: list[str]) -> str:
    """Return the Markdown that replaces a cell, and append the HTML of its output to `html`."""
    options = cell.options
    parameters = "".join(f"\n{name} = {value!r}" for name, value in given.items()) if "tags" in options else ""
    printed, value = _run(source, cell, cell.code + parameters, names)
    if not options.get("include", True):
        return ""
    shown = _shown(source, cell, printed, value, html) if options.get("output", True) else []
    if (label := options.get("label")) is not None:
        if not shown:
            hint = "end the cell with page.figure(…) or page.table(…)"
            raise PageError(source.page, cell.line, f'the cell of "{label}" shows nothing', hint)
        caption = options.get("fig-cap") or options["tbl-cap"]
        shown = [f"::: {{#{label}}}", *shown, " ".join(caption.split()), ":::"]
    return "\n\n".join(["", *shown, ""])


def _run(source: Source, cell: Cell, code: str, names: dict[str, Any]) -> tuple[str, Any]:
    """Return the output of a cell, and the value of its last expression; warnings are logged."""
    printed = io.StringIO()
    warned = io.StringIO()
    value = None
    with (
        _failures(source, cell.line),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(warned),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("default")
        path = str(source.page)
        statements = ast.parse("\n" * cell.line + code, path)
        last = statements.body.pop() if statements.body and isinstance(statements.body[-1], ast.Expr) else None
        exec(compile(statements, path, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), path, "eval"), names)
    if warned.getvalue():
        logger.warning("%s:%d: the cell warned: %s", short_path(source.page), cell.line, warned.getvalue().rstrip())
    return printed.getvalue(), value


def _shown(source: Source, cell: Cell, printed: str, value: Any, html: list[str]) -> list[str]:
    def mark(match: re.Match[str]) -> str:
        html.append(match[1])
        return f"```{{=html}}\n{MARK.format(len(html) - 1)}\n```"

    shown = []
    if printed:
        asis = cell.options.get("output") == "asis"
        shown.append(_RAW_HTML.sub(mark, printed) if asis else f"````\n{printed.rstrip()}\n````")
    if hasattr(value, "_repr_markdown_"):
        shown.append(_RAW_HTML.sub(mark, value._repr_markdown_()))
    elif hasattr(value, "_repr_html_") or hasattr(value, "_repr_mimebundle_"):
        what = f"the cell shows a {type(value).__name__}, which is not supported"
        hint = "show charts with page.figure(…), tables with page.table(…), text as Markdown"
        raise PageError(source.page, cell.line, what, hint)
    elif value is not None:
        shown.append(f"````\n{value!r}\n````")
    return shown
