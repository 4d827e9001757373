"""Inline expressions, evaluated in the kernel: `{python} x` becomes the text of x."""

import json
import re
from collections.abc import Sequence
from typing import Any

from surefoot.reporting.literal import hide_markup

_NUMBER = re.compile(r"[-+]?\d+([.,]\d+)*")  # is read as it stands, in formulas too


class InlineError(Exception):
    """An expression that failed: the JSON of its number in the list, the error's name, and the error's text."""


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
            value = eval(expression, names)
            markdown = getattr(value, "_repr_markdown_", None)
            text = markdown() if markdown else str(value)
            if "\n" in text:
                raise ValueError("it has more than one line; show it in a cell")
            texts.append(text if markdown or _NUMBER.fullmatch(text) else hide_markup(text))
        except Exception as error:
            raise InlineError(json.dumps([number, type(error).__name__, str(error)])) from error
    print(json.dumps(texts))
