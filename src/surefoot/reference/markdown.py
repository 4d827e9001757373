"""Plain sentences of docstrings and models as Markdown."""

import re

_MARKUP = re.compile(r"([\\`*<>\[\]{}$@|~^#]|(?<![^\W_])_|_(?![^\W_])|-(?=-)|(?<=-)-)")


def literal(text: str) -> str:
    """The text in one line, so that it comes out as it is; code in backticks stays code."""
    parts = re.split(r"(`[^`]+`)", " ".join(text.split()))
    return "".join(part if part.startswith("`") else _MARKUP.sub(r"\\\1", part) for part in parts)


def code(text: str) -> str:
    """The text as code within a sentence."""
    return f"`{text}`"
