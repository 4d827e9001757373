"""What the workflow asks of a page before it is rendered: its title, its parameters, and the files that it reads."""

import ast
import contextlib
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from surefoot.build.errors import nearest
from surefoot.reporting.errors import PageError
from surefoot.reporting.literal import escape_markup
from surefoot.reporting.source import Cell, Prose, Source, read_source

EVERYTHING = "/*"
"""What an item of `reads` ends with that stands for all that there is in a folder."""


def title(page: Path, parameters: Mapping[str, Any] | None = None) -> str:
    """The page's title, with every ``{name}`` in it replaced by the parameter of that name."""
    found: str = texts(read_source(page), parameters or {})["title"]
    return found


def reads(page: Path, parameters: Mapping[str, Any]) -> list[str]:
    """The files that the page reads: paths below results/ without suffix, with its parameters put in.

    Raises
    ------
    PageError
        where the page's front matter is wrong, or names a parameter that there is not
    """
    found: list[str] = texts(read_source(page), parameters)["reads"]
    return found


def items_read(written: Iterable[str], made: Iterable[str]) -> list[str]:
    """The items of `reads`, with everything in the folder in place of ``folder/*``.

    Parameters
    ----------
    made : what there is, as paths below results/ without suffix
    """
    made = sorted(made)
    found: dict[str, None] = {}
    for item in written:
        folder = item.removesuffix(EVERYTHING)
        found |= dict.fromkeys([item] if folder == item else (one for one in made if one.rpartition("/")[0] == folder))
    return list(found)


def parameter_names(page: Path) -> list[str]:
    """Names that the page's cell of parameters gives values to."""
    return list(default_parameters(read_source(page)))


def texts(source: Source, parameters: Mapping[str, Any], literal: Callable[[str], str] = str) -> dict[str, Any]:
    """Title, subtitle and description (those that stand there) and reads, with the parameters put in.

    The page's own words are Markdown and its parameters are not, so `literal` makes of a parameter's text what comes
    out as it is.
    """
    known = default_parameters(source) | dict(parameters)
    found: dict[str, Any] = {}
    for key in ("title", "subtitle", "description"):
        if key in source.front_matter:
            found[key] = _fill(source, source.lines[key], source.front_matter[key], known, literal)
    items = source.front_matter.get("reads", [])
    found["reads"] = [_fill(source, source.lines["reads", item], item, known) for item in items]
    return found


def filled_text(source: Source, parameters: Mapping[str, Any], prose: Callable[[str], str] = str) -> str:
    """The text of the page as Quarto gets it, line by line the same: with the parameters in its front matter and at the
    end of their cell, with what `prose` makes of each piece of its prose, and with expressions in blocks of code, which
    Quarto would run, marked as code."""
    lines = source.page.read_text(encoding="utf-8").split("\n")
    end = next(number for number, line in enumerate(lines[1:], 1) if line.rstrip() == "---")
    content = source.front_matter | texts(source, parameters, escape_markup)
    front = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=100_000)
    for piece in source.pieces:
        if isinstance(piece, Prose):
            text = piece.text.replace("`{python} ", "`{{python}} ") if piece.literal else prose(piece.text)
            changed = text.split("\n")
            lines[piece.line - 1 : piece.line - 1 + len(changed)] = changed
        if isinstance(piece, Cell) and "tags" in piece.options:
            last = piece.line + piece.code.count("\n")
            lines[last] += "".join(f"\n{name} = {value!r}" for name, value in parameters.items())
    return "\n".join(["---", front.rstrip("\n"), *lines[end:]])


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
            for statement in _statements(source, cell):
                parameters |= _assignment(source, cell, statement)
    return parameters


def _statements(source: Source, cell: Cell) -> list[ast.stmt]:
    try:
        return ast.parse(cell.code).body
    except SyntaxError as error:
        line = cell.line + (error.lineno or 1)
        raise PageError(source.page, line, f"no Python: {error.msg}", 'write lines such as study = "mine"') from None


def _assignment(source: Source, cell: Cell, statement: ast.stmt) -> dict[str, Any]:
    if isinstance(statement, ast.Assign):
        names = [target.id for target in statement.targets if isinstance(target, ast.Name)]
        if len(names) == len(statement.targets):
            with contextlib.suppress(ValueError):
                return dict.fromkeys(names, ast.literal_eval(statement.value))
    what = "a cell of parameters holds names with literal values only"
    raise PageError(source.page, cell.line + statement.lineno, what, 'write lines such as study = "mine"')


def _fill(
    source: Source, line: int, text: str, parameters: Mapping[str, Any], literal: Callable[[str], str] = str
) -> str:
    def value(found: re.Match[str]) -> str:
        if found[1] not in parameters:
            hint = nearest(found[1], parameters) if parameters else "give the page a cell tagged parameters"
            raise PageError(source.page, line, f'unknown parameter "{found[1]}"', hint)
        return literal(str(parameters[found[1]]))

    return re.sub(r"\{(\w+)\}", value, text)
