"""The Markdown that pandoc gets: a page's prose, with the outputs of its cells in their places.

Every line of it knows the line of the page that it stems from, so that whatever pandoc finds can be told as a line of
the page. HTML that the cells made never passes through pandoc: a mark stands in for it.
"""

import json
import logging
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from surefoot.reporting.errors import PageError, shown_path
from surefoot.reporting.front_matter import default_parameters
from surefoot.reporting.inline import print_values
from surefoot.reporting.kernel import CellError, Outputs, run_steps
from surefoot.reporting.source import Cell, Prose, Source, inline_expressions, replace_inline

logger = logging.getLogger("surefoot")

_RAW_HTML = re.compile(r"^```\{=html\}\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
MARK = "<!--output {}-->"


class Document(NamedTuple):
    """Markdown, the page's line for each of its lines, and the HTML that belongs in the places of the marks."""

    markdown: str
    lines: list[int]
    html: list[str]


class _Step(NamedTuple):
    """Code for the kernel, the piece of the page that it belongs to, and the page's line for each of its lines."""

    piece: int
    code: str
    lines: list[int]


def run_page(
    source: Source, parameters: Mapping[str, Any], echo: bool, folder: Path, environment: Mapping[str, str]
) -> Document:
    """Run a page's cells and put what they show into its text.

    Raises
    ------
    PageError
        at a cell that fails or shows what the written subset has no place for
    """
    steps = _steps(source, parameters)
    try:
        results = run_steps([step.code for step in steps], folder, environment)
    except CellError as failure:
        raise _cell_error(source, steps[failure.step], failure) from None
    outputs = {step.piece: result for step, result in zip(steps, results, strict=True)}
    lines: list[int] = []
    markdown: list[str] = []
    html: list[str] = []
    for number, piece in enumerate(source.pieces):
        if isinstance(piece, Prose):
            text = _fill_prose(piece, outputs.get(number))
            parts = [(line, piece.line + offset) for offset, line in enumerate(text.split("\n"))]
        else:
            _log_warnings(source, piece, outputs[number])
            parts = [(line, piece.line) for line in _cell_markdown(source, piece, outputs[number], echo, html)]
        markdown.extend(line for line, _ in parts)
        lines.extend(origin for _, origin in parts)
    return Document("\n".join(markdown) + "\n", lines, html)


def cell_count(source: Source) -> int:
    """How many cells a page has."""
    return sum(isinstance(piece, Cell) for piece in source.pieces)


def _steps(source: Source, parameters: Mapping[str, Any]) -> list[_Step]:
    steps = []
    given = {name: value for name, value in parameters.items() if name in default_parameters(source)}
    for number, piece in enumerate(source.pieces):
        if isinstance(piece, Cell):
            code, count = piece.code, piece.code.count("\n") + 1
            if "tags" in piece.options:
                code += "".join(f"\n{name} = {value!r}" for name, value in given.items())
            lines = [piece.line + 1 + offset for offset in range(count)] + [piece.line] * len(given)
            steps.append(_Step(number, code, lines))
        elif not piece.literal and (found := inline_expressions(piece.text)):
            expressions = [expression for _, expression in found]
            module = f"__import__('importlib').import_module({print_values.__module__!r})"
            code = f"{module}.print_values({expressions!r}, globals())"
            steps.append(_Step(number, code, [piece.line + at for at, _ in found]))
    return steps


def _cell_error(source: Source, step: _Step, failure: CellError) -> PageError:
    logger.info(failure.traceback)
    error, number = failure.error, failure.error.get("number")
    line = step.lines[min(failure.line - 1 if number is None else number, len(step.lines) - 1)]
    if "hint" in error:
        return PageError(source.page, line, error["what"], error["hint"])
    what = f"the cell failed: {error['name']}: {' '.join(error['text'].split())}"
    return PageError(source.page, line, what, "the log has the traceback")


def _fill_prose(piece: Prose, outputs: Outputs | None) -> str:
    if outputs is None:
        return piece.text
    return replace_inline(piece.text, json.loads(outputs.printed))


def _log_warnings(source: Source, cell: Cell, outputs: Outputs) -> None:
    if outputs.warned:
        logger.warning("%s:%d: the cell warned: %s", shown_path(source.page), cell.line, outputs.warned.rstrip())


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
    for data in outputs.displayed:
        if "text/markdown" in data:
            shown.append(_RAW_HTML.sub(mark, data["text/markdown"]))
        elif set(data) == {"text/plain"}:
            shown.append(f"````\n{data['text/plain']}\n````")
        else:
            kinds = ", ".join(kind for kind in data if kind != "text/plain")
            hint = "show charts with page.figure(…), tables with page.table(…), text as Markdown"
            raise PageError(source.page, cell.line, f"the cell shows {kinds}, which the written subset has not", hint)
    return shown
