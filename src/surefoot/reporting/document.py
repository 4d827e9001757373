"""The Markdown that pandoc gets: a page's prose, with the outputs of its cells in their places.

Every line of it knows the line of the page that it stems from, so that whatever pandoc finds can be told as a line of
the page. HTML that the cells made never passes through pandoc: a mark stands in for it.
"""

import logging
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from surefoot.reporting.cells import CellError, Cells, Outputs, surroundings
from surefoot.reporting.errors import ContentError, PageError, shown_path
from surefoot.reporting.front_matter import default_parameters
from surefoot.reporting.inline import embedded_value
from surefoot.reporting.source import Cell, Prose, Source, inline_expressions, replace_inline

logger = logging.getLogger("surefoot")

_RAW_HTML = re.compile(r"^```\{=html\}\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
MARK = "<!--output {}-->"


class Document(NamedTuple):
    """Markdown, the page's line for each of its lines, and the HTML that belongs in the places of the marks."""

    markdown: str
    lines: list[int]
    html: list[str]


def run_page(
    source: Source, parameters: Mapping[str, Any], echo: bool, folder: Path, environment: Mapping[str, str]
) -> Document:
    """Run a page's cells and put what they show into its text.

    Raises
    ------
    PageError
        at a cell that fails or shows what the written subset has no place for
    """
    given = {name: value for name, value in parameters.items() if name in default_parameters(source)}
    cells = Cells(source.page)
    lines: list[int] = []
    markdown: list[str] = []
    html: list[str] = []
    with surroundings(folder, environment):
        for piece in source.pieces:
            if isinstance(piece, Prose):
                text = piece.text if piece.literal else _with_values(source, cells, piece)
                parts = [(line, piece.line + offset) for offset, line in enumerate(text.split("\n"))]
            else:
                outputs = _run(source, cells, piece, given)
                parts = [(line, piece.line) for line in _cell_markdown(source, piece, outputs, echo, html)]
            markdown.extend(line for line, _ in parts)
            lines.extend(origin for _, origin in parts)
    return Document("\n".join(markdown) + "\n", lines, html)


def cell_count(source: Source) -> int:
    """How many cells a page has."""
    return sum(isinstance(piece, Cell) for piece in source.pieces)


def _run(source: Source, cells: Cells, cell: Cell, given: Mapping[str, Any]) -> Outputs:
    code = cell.code
    if "tags" in cell.options:
        code += "".join(f"\n{name} = {value!r}" for name, value in given.items())
    try:
        outputs = cells.run(code, cell.line + 1)
    except CellError as failure:
        raise _page_error(source, failure, cell.line) from None
    if outputs.warned:
        logger.warning("%s:%d: the cell warned: %s", shown_path(source.page), cell.line, outputs.warned.rstrip())
    return outputs


def _with_values(source: Source, cells: Cells, piece: Prose) -> str:
    """The prose with the values of its expressions."""
    values = []
    for offset, expression in inline_expressions(piece.text):
        line = piece.line + offset
        try:
            values.append(embedded_value(cells.value(expression, line)))
        except CellError as failure:
            raise _page_error(source, failure, line) from None
        except ValueError as error:
            raise PageError(source.page, line, f"the expression failed: {error}", "show it in a cell") from None
    return replace_inline(piece.text, values)


def _page_error(source: Source, failure: CellError, first_line: int) -> PageError:
    logger.info(failure.trace)
    error, line = failure.__cause__, failure.line or first_line
    if isinstance(error, ContentError):
        return PageError(source.page, line, error.what, error.hint)
    what = f"the cell failed: {type(error).__name__}: {' '.join(str(error).split())}"
    return PageError(source.page, line, what, "the log has the traceback")


def _cell_markdown(source: Source, cell: Cell, outputs: Outputs, echo: bool, html: list[str]) -> list[str]:
    options = cell.options
    if not options.get("include", True):
        return []
    parts = []
    if options.get("echo", echo):
        code = "\n".join(line for line in cell.code.split("\n") if not line.startswith("#|"))
        parts.append(f"```python\n{code}\n```")
    shown = _shown(source, cell, outputs, html) if options.get("output", True) else []
    label = options.get("label")
    if label is None:
        parts.extend(shown)
    elif shown:
        caption = options.get("fig-cap") or options["tbl-cap"]
        parts.extend([f"::: {{#{label}}}", *shown, " ".join(caption.split()), ":::"])
    else:
        hint = "end the cell with page.figure(…) or page.table(…)"
        raise PageError(source.page, cell.line, f'the cell of "{label}" shows nothing', hint)
    return "\n\n".join(["", *parts, ""]).split("\n")


def _shown(source: Source, cell: Cell, outputs: Outputs, html: list[str]) -> list[str]:
    def mark(found: re.Match[str]) -> str:
        html.append(found[1])
        return f"```{{=html}}\n{MARK.format(len(html) - 1)}\n```"

    asis = cell.options.get("output") == "asis"
    shown = []
    if outputs.printed:
        shown.append(_RAW_HTML.sub(mark, outputs.printed) if asis else f"````\n{outputs.printed.rstrip()}\n````")
    if data := outputs.displayed:
        if "text/markdown" in data:
            shown.append(_RAW_HTML.sub(mark, data["text/markdown"]))
        elif set(data) == {"text/plain"}:
            shown.append(f"````\n{data['text/plain']}\n````")
        else:
            kinds = ", ".join(kind for kind in data if kind != "text/plain")
            hint = "show charts with page.figure(…), tables with page.table(…), text as Markdown"
            raise PageError(source.page, cell.line, f"the cell shows {kinds}, which the written subset has not", hint)
    return shown
