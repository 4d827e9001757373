"""A page's source: front matter, prose, and python cells with their options, each with its line.

What the written subset (`surefoot.reporting.render`) leaves out is an error here, as far as the text alone shows it.
"""

import functools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from surefoot.build.errors import nearest
from surefoot.reporting.errors import PageError

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
OWN_KEYS = ("title", "subtitle", "description", "toc", "page-layout", "reads")
# Quarto reads these and they change only looks, so the embedded renderer passes over them.
LOOKS = (
    "anchor-sections",
    "embed-resources",
    "html-math-method",
    "jupyter",
    "lang",
    "smooth-scroll",
    "title-block-banner",
    "title-block-style",
    "toc-depth",
    "toc-location",
    "toc-title",
)
CELL_OPTIONS = ("label", "fig-cap", "tbl-cap", "echo", "output", "include", "tags")

_FENCE = re.compile(r"^(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>.*?)[ \t]*$")
_INLINE_CELL = re.compile(r"(?<!`)`\{(?P<language>\w+)\}[ \t]+(?P<expression>[^`]+)`(?!`)")
_SHORTCODE = re.compile(r"\{\{<\s*(\S+)")


class Prose(NamedTuple):
    """Markdown. `line` is its first line; a literal block of code is `literal` and holds no expressions."""

    line: int
    text: str
    literal: bool = False


class Cell(NamedTuple):
    """A python cell. `line` is that of its fence; `code` begins in the line after it, options included."""

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
        at unknown keys, options, languages and shortcodes, and at fences that are not closed
    """
    state = Path(page).stat()
    return _source(Path(page), state.st_mtime_ns, state.st_size)


@functools.lru_cache(maxsize=64)
def _source(page: Path, time: int, size: int) -> Source:
    """The page, read once for each version of it: planning asks several times."""
    lines = page.read_text(encoding="utf-8").split("\n")
    front_matter, key_lines, end = _front_matter(page, lines)
    return Source(page, front_matter, key_lines, _pieces(page, lines, end))


def inline_expressions(text: str) -> list[tuple[int, str]]:
    """Offset in lines, and expression, of every ``{python} x`` in a piece of prose."""
    return [(text.count("\n", 0, found.start()), found["expression"]) for found in _INLINE_CELL.finditer(text)]


def with_expressions(text: str, change: Callable[[str], str]) -> str:
    """The prose with each of its expressions changed."""
    return _INLINE_CELL.sub(lambda found: f"`{{{found['language']}}} {change(found['expression'])}`", text)


def replace_inline(text: str, values: list[str]) -> str:
    """The prose with the values in the places of its expressions."""
    following = iter(values)
    return _INLINE_CELL.sub(lambda _: next(following), text)


def load_yaml(path: Path, text: str, first_line: int) -> tuple[Any, dict[Any, int]]:
    """Content of a YAML mapping, and the lines of its keys and of the items of its lists as (key, item).

    Raises
    ------
    PageError
        where the text is no YAML, no mapping, or says a key twice
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


def _front_matter(page: Path, lines: list[str]) -> tuple[dict[str, Any], dict[str, Any], int]:
    if not lines or lines[0].rstrip() != "---":
        raise PageError(page, 1, "no front matter", "begin the page with a line ---, `title: …`, and a line ---")
    end = next((number for number, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), None)
    if end is None:
        raise PageError(page, 1, "the front matter does not end", "close it with a line ---")
    content, key_lines = load_yaml(page, "\n".join(lines[1:end]), 2)
    for key in content:
        if key not in OWN_KEYS + LOOKS:
            hint = nearest(key, OWN_KEYS + LOOKS)
            raise PageError(page, key_lines[key], f'unknown key "{key}" in the front matter', hint)
    _check_types(page, content, key_lines)
    return content, key_lines, end + 1


def _check_types(page: Path, content: dict[str, Any], lines: dict[str, Any]) -> None:
    if "title" not in content:
        raise PageError(page, 1, "no title in the front matter", "add a line such as `title: Home`")
    for key in ("title", "subtitle", "description"):
        if not isinstance(content.get(key, ""), str):
            raise PageError(page, lines[key], f"{key} must be a text", "put it into double quotes")
    if not isinstance(content.get("toc", True), bool):
        raise PageError(page, lines["toc"], "toc must be true or false", "write `toc: true`")
    reads = content.get("reads", [])
    if not isinstance(reads, list) or not all(isinstance(item, str) for item in reads):
        hint = "write a list of paths below results/ without suffix, such as `- draw/jordan2020/figure_5`"
        raise PageError(page, lines["reads"], "reads must be a list of texts", hint)


def _pieces(page: Path, lines: list[str], start: int) -> list[Prose | Cell]:
    pieces: list[Prose | Cell] = []
    begin = number = start
    while number < len(lines):
        found = _FENCE.match(lines[number])
        if found is None or (found["fence"][0] == "`" and "`" in found["info"]):
            _check_prose(page, number + 1, lines[number])
            number += 1
            continue
        end = _closing(page, lines, number, found["fence"])
        if begin < number:
            pieces.append(Prose(begin + 1, "\n".join(lines[begin:number])))
        if _is_cell(page, number + 1, found):
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


def _is_cell(page: Path, line: int, found: re.Match[str]) -> bool:
    info = found["info"]
    if not info.startswith("{") or info.startswith("{."):
        return False
    if info != "{python}":
        what = f'"{info}" is not a cell of the written subset'
        raise PageError(
            page, line, what, "run `{python}` cells, with options in `#|` lines, and show code as ```python"
        )
    if found["indent"]:
        raise PageError(page, line, "an indented cell", "begin the fence of a cell in the first column")
    return True


def _check_prose(page: Path, line: int, text: str) -> None:
    shortcode = _SHORTCODE.search(text)
    if shortcode:
        hint = "write plain Markdown; the written subset has no shortcodes"
        raise PageError(page, line, f'unknown shortcode "{shortcode[1]}"', hint)
    for found in _INLINE_CELL.finditer(text):
        if found["language"] != "python":
            raise PageError(page, line, f"an inline expression in {found['language']}", "write `{python} expression`")


def _options(page: Path, first_line: int, code: list[str]) -> dict[str, Any]:
    count = next((number for number, line in enumerate(code) if not line.startswith("#|")), len(code))
    if count == 0:
        return {}
    text = "\n".join(line[2:].removeprefix(" ") for line in code[:count])
    content, lines = load_yaml(page, text, first_line)
    options: dict[str, Any] = content
    for key in options:
        if key not in CELL_OPTIONS:
            raise PageError(page, lines[key], f'unknown cell option "{key}"', nearest(key, CELL_OPTIONS))
    _check_options(page, options, lines)
    return options


def _check_options(page: Path, options: dict[str, Any], lines: dict[str, int]) -> None:
    def refuse(key: str, what: str, hint: str) -> None:
        raise PageError(page, lines[key], what, hint)

    for key in ("echo", "include"):
        if not isinstance(options.get(key, True), bool):
            refuse(key, f"{key} must be true or false", f"write `#| {key}: false`")
    if options.get("output", True) not in (True, False, "asis"):
        refuse("output", "output must be true, false or asis", "write `#| output: asis`")
    if options.get("tags", ["parameters"]) != ["parameters"]:
        refuse("tags", "the one tag is parameters", "write `#| tags: [parameters]`")
    label = options.get("label")
    if label is not None and not re.fullmatch(r"(fig|tbl)-[A-Za-z0-9_-]+", str(label)):
        refuse("label", f'the label "{label}" is neither fig-… nor tbl-…', "write a label such as fig-scores")
    for kind in ("fig", "tbl"):
        caption, labelled = options.get(f"{kind}-cap"), str(label).startswith(f"{kind}-")
        if caption is not None and not (labelled and isinstance(caption, str) and caption.strip()):
            refuse(f"{kind}-cap", f"{kind}-cap must be a text, for a label {kind}-…", f"add `#| label: {kind}-name`")
        if labelled and caption is None:
            refuse("label", f'"{label}" has no caption', f'add `#| {kind}-cap: "What it shows"`')
