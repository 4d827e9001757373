"""Source of a page: front matter, prose, and Python cells with their options, each with its line number.

Unsupported syntax (see `surefoot.reporting.render`) is an error here, as far as it can be detected from the text.
"""

import ast
import functools
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from surefoot.errors import HintedError, InputError, nearest
from surefoot.workflow.project import short_path

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
EVERYTHING = "/*"
"""Suffix of an item of `reads` that stands for everything in a folder."""
CELL_OPTIONS = ("label", "fig-cap", "tbl-cap", "include", "output", "tags")
_BLOCK = re.compile(
    r"^(?P<indent>[ \t]*)(?P<fence>(?P<sign>[`~])(?P=sign){2,})[ \t]*(?P<info>[^`\n]*?)[ \t]*\n"
    r"(?P<body>.*?)^[ \t]*(?P=fence)(?P=sign)*[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
_OPENING = re.compile(r"^[ \t]*(`{3,}[^`\n]*|~{3,}.*)$", re.MULTILINE)
"""Pattern of the opening of a code block; in prose, it means that the block is not closed."""
EXPRESSION = re.compile(r"(?<!`)`\{python\}[ \t]+([^`]+)`(?!`)")
_LABEL = re.compile(r"(fig|tbl)-[A-Za-z0-9_-]+")
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


class PageError(InputError):
    """Error in a page, or in the site's `_quarto.yml`.

    Parameters
    ----------
    page : path of the file
    line : line of the file, counted from 1
    what : the problem, with the value
    hint : allowed values, or the nearest name
    """

    def __init__(self, page: Path, line: int, what: str, hint: str):
        super().__init__(f"{short_path(page)}:{line}", what, hint)
        self.page = page
        self.line = line


class ContentError(HintedError):
    """Error in a call by a cell, such as an unknown table; the renderer converts it to a `PageError` with a line."""

    def __init__(self, what: str, hint: str):
        super().__init__("", what, hint)


class Prose(NamedTuple):
    """Markdown; `line` is the number of its first line, and `literal` is True for a code block to show unchanged."""

    line: int
    text: str
    literal: bool = False


class Cell(NamedTuple):
    """A Python cell. `line` is the line of its fence; `code` begins on the next line and includes options."""

    line: int
    code: str
    options: dict[str, Any]


class Source(NamedTuple):
    """A page as read from its file."""

    page: Path
    front_matter: dict[str, Any]
    pieces: list[Prose | Cell]


def read_source(page: Path) -> Source:
    """Read a page and split it into prose and cells, with all checks that are possible before its cells run.

    Raises
    ------
    PageError
        for unknown options, cells in other languages, and unclosed fences
    """
    return _source(Path(page), Path(page).read_text(encoding="utf-8"))


def default_parameters(source: Source) -> dict[str, Any]:
    """Return the names and values in the cell tagged `parameters`; empty if there is none.

    Raises
    ------
    PageError
        if the cell contains anything but names with literal values
    """
    parameters: dict[str, Any] = {}
    for cell in source.pieces:
        if isinstance(cell, Cell) and "tags" in cell.options:
            try:
                for statement in ast.parse(cell.code).body:
                    (target,) = statement.targets  # type: ignore[attr-defined]
                    parameters[target.id] = ast.literal_eval(statement.value)  # type: ignore[attr-defined]
            except (AttributeError, SyntaxError, ValueError):
                what = "a parameter cell may only contain names with literal values"
                raise PageError(source.page, cell.line, what, 'write lines such as study = "mine"') from None
    return parameters


def texts(source: Source, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return title, subtitle and description (if present) and reads, with parameters filled in.

    These texts are Markdown, but parameters are plain text, so they are escaped. Items of reads are paths
    relative to results/, without suffix.

    Raises
    ------
    PageError
        if a text refers to an unknown parameter
    """
    values = default_parameters(source) | dict(parameters)

    def filled(text: str, escape: Callable[[str], str]) -> str:
        for field in re.findall(r"\{(\w+)\}", text):
            if field not in values:
                what = f'unknown parameter "{field}"'
                hint = nearest(field, values)
                raise PageError(source.page, line_of(source.page, f"{{{field}}}"), what, hint)
        return re.sub(r"\{(\w+)\}", lambda field: escape(str(values[field[1]])), text)

    front = source.front_matter
    shown = {key: filled(front[key], escape_markup) for key in ("title", "subtitle", "description") if key in front}
    return shown | {"reads": [filled(item, str) for item in front.get("reads", [])]}


def escape_markup(text: str) -> str:
    """Escape plain text for one line of Markdown, with backslashes before its punctuation."""
    return _PUNCTUATION.sub(r"\\\1", " ".join(text.split()))


def check_known(name: str, allowed: Iterable[str], noun: str) -> None:
    """Raise a ContentError if a name, such as a column, is not among the allowed ones."""
    allowed = list(allowed)
    if name not in allowed:
        raise ContentError(f'unknown {noun} "{name}"', nearest(name, allowed))


def line_of(page: Path, token: str) -> int:
    """Return the line number of the first occurrence of `token`, preferring occurrences in braces or as a whole word.

    The line number is 1 if the page does not contain `token`, because the output of a cell does.
    """
    text = page.read_text(encoding="utf-8")
    word = rf"(?<![\w-]){re.escape(token)}(?![\w-])"
    for pattern in (rf"^:::.*{word}|\{{[^}}\n]*{word}", word, re.escape(token)):
        if found := re.search(pattern, text, re.MULTILINE):
            return _line(text, found.start())
    return 1


def load_yaml(path: Path, text: str, first_line: int) -> dict[str, Any]:
    """Return the content of a YAML mapping that begins at some line of a file.

    Raises
    ------
    PageError
        if the text is not valid YAML, or not a mapping
    """
    try:
        content = yaml.load(text, _Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        hint = "put strings that contain a colon, a # or a brace in double quotes"
        raise PageError(path, first_line + (mark.line if mark else 0), f"invalid YAML: {error.problem}", hint) from None
    if not isinstance(content, dict):
        raise PageError(path, first_line, "not a mapping of keys to values", "write lines such as `title: Text`")
    return content


@functools.lru_cache(maxsize=64)
def _source(page: Path, text: str) -> Source:
    """Split the page, with caching by its text, since planning needs it several times."""
    parts = re.match(r"---[ \t]*\n(.*?)^---[ \t]*$\n?", text, re.MULTILINE | re.DOTALL)
    if parts is None:
        hint = "begin the page with a line ---, `title: …`, and a line ---"
        raise PageError(page, 1, "the front matter is missing or not closed", hint)
    front = load_yaml(page, parts[1], 2)
    if "title" not in front:
        raise PageError(page, 1, "the front matter has no title", "add a line such as `title: Home`")
    return Source(page, front, _pieces(page, text, parts.end()))


def _pieces(page: Path, text: str, start: int) -> list[Prose | Cell]:
    pieces: list[Prose | Cell] = []
    for block in [*_BLOCK.finditer(text, start), None]:
        end = block.start() if block else len(text)
        if start < end:
            if unclosed := _OPENING.search(text, start, end):
                what = f"this code block is not closed: {unclosed[1]}"
                raise PageError(page, _line(text, unclosed.start()), what, "close it with a line like its first one")
            pieces.append(Prose(_line(text, start), text[start : end - 1 if block else end]))
        if block is None:
            break
        line = _line(text, block.start())
        info = block["info"]
        if not info.startswith("{") or info.startswith("{."):
            pieces.append(Prose(line, block[0], literal=True))
        elif info == "{python}" and not block["indent"]:
            code = block["body"].removesuffix("\n")
            pieces.append(Cell(line, code, _options(page, line, code)))
        else:
            what = f'"{block["indent"]}{info}" is not a supported cell'
            hint = "start `{python}` cells in the first column, with options in `#|` lines, and show code as ```python"
            raise PageError(page, line, what, hint)
        start = block.end() + 1
    return pieces


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _options(page: Path, line: int, code: str) -> dict[str, Any]:
    """Return the options at the beginning of a cell."""
    written = re.match(r"(#\|.*(\n|$))*", code)
    text = re.sub(r"^#\| ?", "", written[0] if written else "", flags=re.MULTILINE)
    options = load_yaml(page, text, line + 1) if text else {}
    for key in options:
        if key not in CELL_OPTIONS:
            raise PageError(page, line, f'unknown key "{key}"', nearest(key, CELL_OPTIONS))
    label = options.get("label")
    caption = f"{label[:3]}-cap" if label else ""
    if label and not _LABEL.fullmatch(label):
        what = f'the label "{label}" begins with neither fig- nor tbl-'
        hint = "write a label such as fig-scores"
        raise PageError(page, line, what, hint)
    if label and not options.get(caption):
        raise PageError(page, line, f'"{label}" has no caption', f'add `#| {caption}: "What it shows"`')
    return options
