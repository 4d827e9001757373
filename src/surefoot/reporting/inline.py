"""What runs in the kernel beside the cells: inline expressions, and what is told of an error.

The text of x stands in the place of `{python} x`, under either renderer: Quarto, which would take the quotation marks
of a text for markup and leave the source of an empty one in the page, is handed `quarto_value(x)`.
"""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from surefoot.reporting.errors import ContentError
from surefoot.reporting.literal import escape_markup, hide_markup

_NUMBER = re.compile(r"[-+]?\d+([.,]\d+)*")  # is read as it stands, in formulas too
_NOTHING = "&#8203;"  # a space without width


class InlineError(Exception):
    """An expression that failed: its number in the list. The error is the cause of this one."""

    def __init__(self, number: int):
        super().__init__(f"expression {number} failed")
        self.number = number


def print_values(expressions: Sequence[str], names: dict[str, Any]) -> None:
    """Print the Markdown of each expression's value, as one JSON list.

    A text is no markup, as Quarto has it; an object that speaks Markdown is taken at its word.

    Raises
    ------
    InlineError
        at the first expression that fails
    """
    texts: list[str] = []
    for number, expression in enumerate(expressions):
        try:
            texts.append(_markdown(eval(expression, names), hide_markup))
        except Exception as error:
            raise InlineError(number) from error
    print(json.dumps(texts))


class _Shown(str):
    """Markdown, as Jupyter knows it."""

    __slots__ = ()

    def _repr_markdown_(self) -> str:
        return str(self)


def quarto_value(value: Any) -> _Shown:
    """What Quarto shows for a value: the same as `print_values`, and never nothing."""
    return _Shown(_markdown(value, escape_markup) or _NOTHING)


def in_quarto(expression: str) -> str:
    """The expression that stands in Quarto's copy of a page for one of the page."""
    return f'__import__("{__name__}", fromlist=["x"]).{quarto_value.__name__}({expression})'


def _markdown(value: Any, literal: Callable[[str], str]) -> str:
    markdown = getattr(value, "_repr_markdown_", None)
    text: str = markdown() if markdown else str(value)
    if "\n" in text:
        raise ValueError("it has more than one line; show it in a cell")
    return text if markdown or _NUMBER.fullmatch(text) else literal(text)


def print_failure(error: BaseException) -> None:
    """Print what is known of an error that ended a cell or a list of expressions, as JSON: name, text, number of the
    expression (or null), and of a `ContentError` what and hint."""
    number = None
    if isinstance(error, InlineError) and error.__cause__ is not None:
        number, error = error.number, error.__cause__
    hinted = {"what": error.what, "hint": error.hint} if isinstance(error, ContentError) else {}
    print(json.dumps({"name": type(error).__name__, "text": str(error), "number": number} | hinted))
