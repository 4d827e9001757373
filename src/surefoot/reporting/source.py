"""A page's source: front matter, prose, and Python cells with their options, each with its line.

What the written subset (`surefoot.reporting.render`) leaves out is an error here, as far as the text alone shows it.
"""

import ast
import functools
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from surefoot.build.errors import InputError, nearest
from surefoot.errors import HintedError

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
EVERYTHING = "/*"
"""What an item of `reads` ends with that stands for all that there is in a folder."""
_Rule = tuple[Callable[[Any], bool], str, str]
"""Whether a value is right, what it must be in words, and a hint."""
_TEXT: _Rule = (lambda value: isinstance(value, str), "a text", "put it into double quotes")
_ANSWER: _Rule = (
    lambda value: isinstance(value, bool),
    "true or false",
    "write it without quotation marks",
)
_TEXTS: _Rule = (
    lambda value: isinstance(value, list) and all(isinstance(item, str) for item in value),
    "a list of texts",
    "write paths below results/ without suffix, such as `- draw/jordan2020/figure_5`",
)
_OUTPUT: _Rule = (lambda value: value in (True, False, "asis"), "true, false or asis", "write `#| output: asis`")
_TAGS: _Rule = (lambda value: value == ["parameters"], "the one tag parameters", "write `#| tags: [parameters]`")
FRONT_MATTER = {
    **dict.fromkeys(("title", "subtitle", "description", "page-layout"), _TEXT),
    "toc": _ANSWER,
    "reads": _TEXTS,
}
"""The keys that the embedded renderer reads, with what their values must be; Quarto knows many more."""
CELL_OPTIONS = {
    **dict.fromkeys(("label", "fig-cap", "tbl-cap"), _TEXT),
    **dict.fromkeys(("echo", "include"), _ANSWER),
    "output": _OUTPUT,
    "tags": _TAGS,
}
_FENCE = re.compile(r"^(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>.*?)[ \t]*$")
_INLINE_CELL = re.compile(r"(?<!`)`\{(?P<language>\w+)\}[ \t]+(?P<expression>[^`]+)`(?!`)")
_SHORTCODE = re.compile(r"\{\{<\s*(\S+)")
_LABEL = re.compile(r"(fig|tbl)-[A-Za-z0-9_-]+")
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


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


class Prose(NamedTuple):
    """Markdown. `line` is its first line; a literal block of code is `literal` and holds no expressions."""

    line: int
    text: str
    literal: bool = False


class Cell(NamedTuple):
    """A Python cell. `line` is that of its fence; `code` begins in the line after it, options included."""

    line: int
    code: str
    options: dict[str, Any]


class Source(NamedTuple):
    """A page. `lines` maps front matter keys, and ("reads", item), to their lines."""

    page: Path
    front_matter: dict[str, Any]
    lines: dict[Any, int]
    pieces: list[Prose | Cell]


def read_source(page: Path) -> Source:
    """Split a page and check what can be checked before its cells run.

    Raises
    ------
    PageError
        at unknown options, languages and shortcodes, and at fences that are not closed
    """
    state = Path(page).stat()
    return _source(Path(page), state.st_mtime_ns, state.st_size)


def reads(page: Path, parameters: Mapping[str, Any]) -> list[str]:
    """The files that the page reads: paths below results/ without suffix, with its parameters put in.

    Raises
    ------
    PageError
        where the page's front matter is wrong, or names a parameter that does not exist
    """
    items: list[str] = texts(read_source(page), parameters)["reads"]
    return items


def items_read(written: Iterable[str], available: Iterable[str]) -> list[str]:
    """The items of `reads`, with everything in the folder in place of ``folder/*``.

    Parameters
    ----------
    available : paths below results/ without suffix
    """
    available = sorted(available)
    items: dict[str, None] = {}
    for item in written:
        folder = item.removesuffix(EVERYTHING)
        items |= dict.fromkeys(
            [item] if folder == item else (path for path in available if path.rpartition("/")[0] == folder)
        )
    return list(items)


def default_parameters(source: Source) -> dict[str, Any]:
    """Names and values of the cell that is tagged `parameters`; empty where the page has none.

    Raises
    ------
    PageError
        where that cell is more than names with literal values
    """
    parameters: dict[str, Any] = {}
    for cell in source.pieces:
        if isinstance(cell, Cell) and "tags" in cell.options:
            try:
                for statement in ast.parse(cell.code).body:
                    (target,) = statement.targets  # type: ignore[attr-defined]
                    parameters[target.id] = ast.literal_eval(statement.value)  # type: ignore[attr-defined]
            except (AttributeError, SyntaxError, ValueError):
                what = "a cell of parameters holds names with literal values only"
                raise PageError(source.page, cell.line, what, 'write lines such as study = "mine"') from None
    return parameters


def texts(source: Source, parameters: Mapping[str, Any], literal: Callable[[str], str] = str) -> dict[str, Any]:
    """Title, subtitle and description (those that the page has) and reads, with the parameters put in.

    The page's own words are Markdown and its parameters are not, so `literal` makes of a parameter's text what comes
    out as it is.
    """
    values = default_parameters(source) | dict(parameters)

    def filled(text: str, line: int, escape: Callable[[str], str]) -> str:
        def value(field: re.Match[str]) -> str:
            if field[1] not in values:
                hint = nearest(field[1], values) if values else "give the page a cell tagged parameters"
                raise PageError(source.page, line, f'unknown parameter "{field[1]}"', hint)
            return escape(str(values[field[1]]))

        return re.sub(r"\{(\w+)\}", value, text)

    front, lines = source.front_matter, source.lines
    result: dict[str, Any] = {
        key: filled(front[key], lines[key], literal) for key in ("title", "subtitle", "description") if key in front
    }
    return result | {"reads": [filled(item, lines["reads", item], str) for item in front.get("reads", [])]}


def with_expressions(text: str, change: Callable[[str, int], str]) -> str:
    """The prose with each ``{python} x`` in it replaced.

    Parameters
    ----------
    change : makes what stands there, of the expression and its offset in lines
    """
    return _INLINE_CELL.sub(lambda match: change(match["expression"], text.count("\n", 0, match.start())), text)


def escape_markup(text: str) -> str:
    """Plain text in one line of Markdown, as it is: with a backslash before its punctuation."""
    return _PUNCTUATION.sub(r"\\\1", " ".join(text.split()))


def check_known(name: str, allowed: Iterable[str], noun: str) -> None:
    """Refuse a name, of a column for instance, that is not among the allowed ones."""
    allowed = list(allowed)
    if name not in allowed:
        raise ContentError(f'unknown {noun} "{name}"', nearest(name, allowed))


def shown_path(path: Path) -> str:
    """The path as a person writes it: from the working directory where the file lies below it."""
    path, here = Path(path).absolute(), Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def load_yaml(path: Path, text: str, first_line: int) -> tuple[Any, dict[Any, int]]:
    """Content of a YAML mapping, and the lines of its keys and of the items of its lists as (key, item).

    Raises
    ------
    PageError
        where the text is no YAML, no mapping, or has a key twice
    """
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        content = loader.construct_document(node) if node is not None else None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        hint = "put texts that hold a colon, a # or a brace into double quotes"
        raise PageError(path, first_line + (mark.line if mark else 0), f"no YAML: {error.problem}", hint) from None
    if not isinstance(content, dict):
        raise PageError(path, first_line, "not a mapping of keys to values", "write lines such as `title: Text`")
    lines: dict[Any, int] = {}
    for key, value in node.value:
        line = first_line + key.start_mark.line
        if key.value in lines:
            raise PageError(path, line, f'the key "{key.value}" stands twice', "remove one of the two")
        lines[key.value] = line
        if isinstance(value, yaml.SequenceNode):
            lines |= {(key.value, item.value): first_line + item.start_mark.line for item in reversed(value.value)}
    return content, lines


@functools.lru_cache(maxsize=64)
def _source(page: Path, time: int, size: int) -> Source:
    """The page, read once for each version of it: planning asks several times."""
    lines = page.read_text(encoding="utf-8").split("\n")
    if lines[0].rstrip() != "---":
        raise PageError(page, 1, "no front matter", "begin the page with a line ---, `title: …`, and a line ---")
    end = next((number for number, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), None)
    if end is None:
        raise PageError(page, 1, "the front matter does not end", "close it with a line ---")
    front, key_lines = load_yaml(page, "\n".join(lines[1:end]), 2)
    _check_keys(page, {key: front[key] for key in FRONT_MATTER if key in front}, key_lines, FRONT_MATTER)
    if "title" not in front:
        raise PageError(page, 1, "no title in the front matter", "add a line such as `title: Home`")
    return Source(page, front, key_lines, _pieces(page, lines, end + 1))


def _check_keys(page: Path, content: Mapping[str, Any], lines: Mapping[Any, int], rules: Mapping[str, _Rule]) -> None:
    for key, value in content.items():
        if key not in rules:
            raise PageError(page, lines[key], f'unknown key "{key}"', nearest(key, rules))
        is_right, words, hint = rules[key]
        if not is_right(value):
            raise PageError(page, lines[key], f"{key} must be {words}", hint)


def _pieces(page: Path, lines: list[str], start: int) -> list[Prose | Cell]:
    pieces: list[Prose | Cell] = []
    begin = number = start
    while number < len(lines):
        fence = _FENCE.match(lines[number])
        if fence is None or (fence["fence"][0] == "`" and "`" in fence["info"]):
            _check_prose(page, number + 1, lines[number])
            number += 1
            continue
        end = _closing(page, lines, number, fence["fence"])
        if begin < number:
            pieces.append(Prose(begin + 1, "\n".join(lines[begin:number])))
        if _is_cell(page, number + 1, fence):
            code = lines[number + 1 : end]
            pieces.append(Cell(number + 1, "\n".join(code), _options(page, number + 2, code)))
        else:
            pieces.append(Prose(number + 1, "\n".join(lines[number : end + 1]), literal=True))
        begin = number = end + 1
    if begin < len(lines):
        pieces.append(Prose(begin + 1, "\n".join(lines[begin:])))
    return pieces


def _closing(page: Path, lines: list[str], opening: int, fence: str) -> int:
    closing = re.compile(rf"^[ \t]*{re.escape(fence[0])}{{{len(fence)},}}[ \t]*$")
    for number in range(opening + 1, len(lines)):
        if closing.match(lines[number]):
            return number
    raise PageError(page, opening + 1, "this block of code does not end", f"close it with a line {fence}")


def _is_cell(page: Path, line: int, fence: re.Match[str]) -> bool:
    info = fence["info"]
    if not info.startswith("{") or info.startswith("{."):
        return False
    if info != "{python}" or fence["indent"]:
        what = f'"{fence["indent"]}{info}" is not a cell of the written subset'
        hint = "run `{python}` cells, in the first column, with options in `#|` lines, and show code as ```python"
        raise PageError(page, line, what, hint)
    return True


def _check_prose(page: Path, line: int, text: str) -> None:
    shortcode = _SHORTCODE.search(text)
    if shortcode:
        hint = "write plain Markdown; the written subset has no shortcodes"
        raise PageError(page, line, f'unknown shortcode "{shortcode[1]}"', hint)
    for inline in _INLINE_CELL.finditer(text):
        if inline["language"] != "python":
            what = f"an inline expression in {inline['language']}"
            raise PageError(page, line, what, "write `{python} expression`")


def _options(page: Path, first_line: int, code: list[str]) -> dict[str, Any]:
    count = next((number for number, line in enumerate(code) if not line.startswith("#|")), len(code))
    if count == 0:
        return {}
    text = "\n".join(line[2:].removeprefix(" ") for line in code[:count])
    content, lines = load_yaml(page, text, first_line)
    options: dict[str, Any] = content
    _check_keys(page, options, lines, CELL_OPTIONS)
    label = options.get("label")
    caption = f"{label[:3]}-cap" if label else ""
    if label and not _LABEL.fullmatch(label):
        what, hint = f'the label "{label}" is neither fig-… nor tbl-…', "write a label such as fig-scores"
        raise PageError(page, lines["label"], what, hint)
    if label and not options.get(caption):
        raise PageError(page, lines["label"], f'"{label}" has no caption', f'add `#| {caption}: "What it shows"`')
    for key in {"fig-cap", "tbl-cap"} & {*options} - {caption}:
        raise PageError(page, lines[key], f"{key} belongs to a label {key[:3]}-…", f"add `#| label: {key[:3]}-name`")
    return options
