"""Values of inline expressions.

The text of x stands in the place of `{python} x`, under either renderer: Quarto, which would take the quotation marks
of a text for markup and leave the source of an empty one in the page, is handed `quarto_value(x)`.
"""

import re
from collections.abc import Callable
from typing import Any

from surefoot.reporting.literal import escape_markup, hide_markup

_NUMBER = re.compile(r"[-+]?\d+([.,]\d+)*")  # is read as it stands, in formulas too
_NOTHING = "&#8203;"  # a space without width


def embedded_value(value: Any) -> str:
    """The Markdown of a value in the text that the embedded renderer hands to pandoc.

    A text is no markup, as Quarto has it; an object that speaks Markdown is taken at its word.

    Raises
    ------
    ValueError
        where it has more than one line
    """
    return _markdown(value, hide_markup)


class _Shown(str):
    """Markdown, as Jupyter knows it."""

    __slots__ = ()

    def _repr_markdown_(self) -> str:
        return str(self)


def quarto_value(value: Any) -> _Shown:
    """What Quarto shows for a value: the same as `embedded_value`, and never nothing."""
    return _Shown(_markdown(value, escape_markup) or _NOTHING)


def in_quarto(expression: str) -> str:
    """The expression that stands in Quarto's copy of a page for one of the page."""
    return f'__import__("{__name__}", fromlist=["x"]).{quarto_value.__name__}({expression})'


def _markdown(value: Any, literal: Callable[[str], str]) -> str:
    markdown = getattr(value, "_repr_markdown_", None)
    text: str = markdown() if markdown else str(value)
    if "\n" in text:
        raise ValueError("it has more than one line")
    return text if markdown or _NUMBER.fullmatch(text) else literal(text)
