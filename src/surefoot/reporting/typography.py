"""One typography for all that a page says: curved quotation marks and apostrophes, minus signs before numbers, and no
line that breaks between a number and its percent sign or second, or between a formula and the mark after it.

What is said comes from many places: prose, sentences that follow from numbers, cells of tables, titles of figures, and
what Quarto made of them. So it is set where all of it is HTML. Code, formulas and pictures stay as they are.
"""

import re
from collections.abc import Callable

_LEFT_OUT = "code|kbd|math|pre|samp|script|select|style|svg|template|textarea|tt"
# A whole element that is left out, a comment, or a tag; what lies between them is text.
_MARKUP = re.compile(rf"(<({_LEFT_OUT})\b.*?</\2>|<!--.*?-->|<(?:\"[^\"]*\"|'[^']*'|[^<>\"'])*>)", re.DOTALL)
_LEFT_OUT_TAG = re.compile(rf"<(?:{_LEFT_OUT})\b")
_WITHIN_WORDS = re.compile(r"</?(?:a|b|em|i|small|span|strong|sub|sup)\b")
_BEGINS = r"(?<![^\s\0(\[{\u2013\u2014/=\u201c\u2018])"
"""Nothing before it but a space, an opening bracket or mark, or the beginning (\\0) of a block."""
_SIGNS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile("&quot;|&#34;|&#x22;"), '"'),
    (re.compile("&apos;|&#39;|&#x27;"), "'"),
    # The value of an option may be copied from the page, and stays as it is typed.
    (
        re.compile(rf"({_BEGINS}--?[A-Za-z][\w-]*[\s=]-)|{_BEGINS}-(?=\.?\d)"),
        lambda found: found[1] or "\N{MINUS SIGN}",
    ),
    (re.compile(r"(?<=\d) (?=%|[nm\N{MICRO SIGN}\N{GREEK SMALL LETTER MU}]?s\b)"), "\N{NO-BREAK SPACE}"),
    (re.compile(rf'{_BEGINS}"(?!\s)'), "\N{LEFT DOUBLE QUOTATION MARK}"),
    (re.compile('"'), "\N{RIGHT DOUBLE QUOTATION MARK}"),
    (re.compile(rf"{_BEGINS}'(?=[^\W\d])"), "\N{LEFT SINGLE QUOTATION MARK}"),
    (re.compile("'"), "\N{RIGHT SINGLE QUOTATION MARK}"),
)

# A formula within a line, and the marks that stand at either side of it without a space.
_FORMULA = re.compile(
    r'(\(?)(<math display="inline"(?:(?!</math>).)*</math>)([.,;:!?)]+|-[A-Za-z]+|\N{RIGHT SINGLE QUOTATION MARK}s?|)',
    re.DOTALL,
)


def with_typography(html: str) -> str:
    """The page, with the marks in its texts as they are printed."""
    return _FORMULA.sub(_together, _with_signs(html))


def _together(found: re.Match[str]) -> str:
    return f'<span class="formula">{found[0]}</span>' if found[1] or found[3] else found[0]


def _with_signs(html: str) -> str:
    parts, before = [], "\0"
    for number, part in enumerate(_MARKUP.split(html)):
        kind = number % 3
        if kind == 0 and part:
            parts.append(_set(part, before))
            before = part[-1]
        elif kind == 1:
            parts.append(part)
            if _LEFT_OUT_TAG.match(part):
                before = "x"  # code and formulas are words
            elif not _WITHIN_WORDS.match(part):
                before = "\0"
    return "".join(parts)


def _set(text: str, before: str) -> str:
    """A text as it is printed; `before` is the character ahead of it."""
    text = before + text
    for sign, printed in _SIGNS:
        text = sign.sub(printed, text)
    return text[1:]
