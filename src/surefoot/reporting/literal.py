"""Plain texts within Markdown: names and titles that must come out as they are, whatever markup they hold.

Within the embedded renderer their punctuation passes through pandoc as letters that nobody writes with, so that neither
pandoc nor the filter can take it for markup, a list, a dash or a quotation mark. In what Quarto gets it is escaped.
"""

import html
import string

_FIRST = 0xF0000  # of a plane of Unicode for private use
_HIDDEN = {ord(sign): chr(_FIRST + ord(sign)) for sign in string.punctuation}
_SHOWN = {_FIRST + ord(sign): sign for sign in string.punctuation}
_SHOWN_IN_HTML = {code: html.escape(sign) for code, sign in _SHOWN.items()}
_ESCAPED = {ord(sign): f"\\{sign}" for sign in string.punctuation}


def hide_markup(text: str) -> str:
    """The text in one line, with its punctuation as letters of private use."""
    return " ".join(text.split()).translate(_HIDDEN)


def show_in_html(text: str) -> str:
    """HTML with hidden punctuation back in its place."""
    return text.translate(_SHOWN_IN_HTML)


def show(text: str) -> str:
    """Text, for people, with hidden punctuation back in its place."""
    return text.translate(_SHOWN)


def escape_markup(text: str) -> str:
    """The text in one line, with a backslash before its punctuation, as Markdown has it."""
    return " ".join(text.split()).translate(_ESCAPED)
