"""Text as LaTeX writes it: names with any characters, Markdown with formulas, and tables in the style of booktabs."""

import math
import re
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

_ESCAPED = {character: f"\\{character}" for character in "_%&#${}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    "\N{MINUS SIGN}": "$-$",
    "\N{EN DASH}": "--",
    "\N{EM DASH}": "---",
    "…": r"\ldots{}",
    "\N{MULTIPLICATION SIGN}": r"$\times$",
    "±": r"$\pm$",
    "·": r"$\cdot$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "→": r"$\to$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "∞": r"$\infty$",
    "ς": r"$\varsigma$",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{LEFT SINGLE QUOTATION MARK}": "`",
    "“": "``",
    "”": "''",
    "\u00a0": "~",
}
_GREEK = re.compile(r"GREEK (SMALL|CAPITAL) LETTER (\w+)")
_AS_LATIN = {"OMICRON": "o", "ALPHA": "A", "BETA": "B", "EPSILON": "E", "ZETA": "Z", "ETA": "H", "IOTA": "I"}
_AS_LATIN_CAPITALS = _AS_LATIN | {"KAPPA": "K", "MU": "M", "NU": "N", "RHO": "P", "TAU": "T", "CHI": "X"}
MOST_COLUMNS = 5
"""Of a table that may stand in one column of a page; a wider one takes both."""
LONGEST_TEXT = 30
"""Characters of a cell that stands on one line."""
SMALLEST = 6.0
"""Points of letters in a table that is made narrower: smaller ones are hard to read in print."""
_SIZE_OF_MANY, _SIZE_OF_FEW = 8.0, 9.0
"""Points of the sizes footnotesize and small."""
_LETTER_OF_MANY, _LETTER_OF_FEW = 4.0, 4.6
"""Points of a letter in a table, on average, in the sizes footnotesize and small."""
_SURELY_FITS = 0.75
"""Of the room: what is as wide, by letters on average, fits whatever its letters are."""
_PARTS = re.compile(r"(\$[^$]+\$|`[^`]+`|\[[^\]]+\]\([^)]*\)|\*\*[^*]+\*\*|\*[^*]+\*)")
_LAST_OF_LATIN = "\u017f"


def escaped(text: str) -> str:
    """The text letter for letter, for pdfLaTeX with its usual fonts; a character that these do not have, such as a
    Chinese one, becomes its number in Unicode."""
    return "".join(map(_character, unicodedata.normalize("NFC", text)))


def _character(character: str) -> str:
    if character in _ESCAPED:
        return _ESCAPED[character]
    if character <= _LAST_OF_LATIN:
        return character if character.isprintable() else " "
    name = unicodedata.name(character, "")
    if greek := _GREEK.fullmatch(name.replace("LAMDA", "LAMBDA")):
        small = greek[1] == "SMALL"
        latin = {"OMICRON": "o"} if small else _AS_LATIN_CAPITALS | {"OMICRON": "O"}
        if greek[2] in latin:
            return latin[greek[2]]
        if greek[2] != "FINAL":
            return f"$\\{greek[2].lower() if small else greek[2].capitalize()}$"
    plain = unicodedata.normalize("NFKD", character)
    return plain if plain.isascii() else f"\\texttt{{U+{ord(character):04X}}}"


def with_letters_of_latex(text: str) -> str:
    """LaTeX whose letters beyond the Latin ones, such as Greek, are written as commands."""
    return "".join(character if character <= _LAST_OF_LATIN else _character(character) for character in text)


def from_markdown(text: str) -> str:
    """Markdown of a docstring, with formulas, code, emphasis and links, whose texts alone are kept."""
    return "".join(map(_part, _PARTS.split(text)))


def without_links(text: str) -> str:
    """Markdown whose links, which lead to places on pages, are their texts alone."""
    return re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)


def _part(part: str) -> str:
    if part.startswith("$") and part.endswith("$") and len(part) > 1:
        return with_letters_of_latex(part)
    if part.startswith("`") and part.endswith("`") and len(part) > 1:
        return f"\\texttt{{{escaped(part[1:-1])}}}"
    if part.startswith("**") and part.endswith("**") and len(part) > 4:
        return f"\\textbf{{{from_markdown(part[2:-2])}}}"
    if part.startswith("*") and part.endswith("*") and len(part) > 2:
        return f"\\emph{{{from_markdown(part[1:-1])}}}"
    if part.startswith("[") and part.endswith(")"):
        return from_markdown(part[1:].partition("](")[0])
    return escaped(part)


def booktabs(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    numbers: Sequence[bool],
    caption: str,
    label: str,
    bold: Sequence[bool] | None = None,
    room: float = math.inf,
) -> str:
    r"""A table, with booktabs's rules, as a float.

    Parameters
    ----------
    head, rows : texts as they are, which are escaped here
    numbers : of each column, whether it holds numbers, which stand flush right
    caption : as LaTeX
    label : what \ref takes
    bold : of each row, whether it stands in bold; of none by default
    room : points of the width of a column, or of the page for a table of many columns; what needs more is made smaller
    """
    place = "table*" if len(head) > MOST_COLUMNS else "table"
    lines = [f"\\begin{{{place}}}[tb]", r"\centering", f"\\caption{{{caption}}}", f"\\label{{{label}}}"]
    lines += [r"\footnotesize", r"\setlength{\tabcolsep}{3pt}"] if len(head) > MOST_COLUMNS else [r"\small"]
    is_smaller = natural_width(head, rows, numbers, room) > _SURELY_FITS * room
    lines += [r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"] * is_smaller
    lines += [f"\\begin{{tabular}}{{{_columns(rows, numbers)}}}", r"\toprule"]
    lines += [_row(_heads(_lines_of_heads(head, rows, numbers, room), numbers)), r"\midrule"]
    for row, strong in zip(rows, bold or [False] * len(rows), strict=True):
        cells = [escaped(cell) for cell in row]
        lines.append(_row(f"\\textbf{{{cell}}}" if strong and cell else cell for cell in cells))
    end = r"\end{tabular}" + "}" * is_smaller
    return "\n".join([*lines, r"\bottomrule", end, f"\\end{{{place}}}", ""])


def smallest_scale(head: Sequence[str]) -> float:
    """The factor by which a table of such a head may be made narrower, until its letters have `SMALLEST` points."""
    return SMALLEST / (_SIZE_OF_MANY if len(head) > MOST_COLUMNS else _SIZE_OF_FEW)


def _columns_of(rows: Sequence[Sequence[str]], count: int) -> list[list[str]]:
    return [[row[place] for row in rows] for place in range(count)]


def _lines_of_heads(
    head: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[bool], room: float
) -> list[list[str]]:
    """The lines of each head: where the table may not fit, heads that make their columns wider than cells do break."""
    if _width([[name] for name in head], rows, numbers, room) <= _SURELY_FITS * room:
        return [[name] for name in head]
    found = []
    for name, cells in zip(head, _columns_of(rows, len(head)), strict=True):
        width = max([len(text) for text in (*name.split(), *cells)], default=1)
        found.append(textwrap.wrap(name, width, break_long_words=False, break_on_hyphens=False) or [""])
    return found


def _heads(lines: Sequence[Sequence[str]], numbers: Sequence[bool]) -> Iterator[str]:
    for parts, number in zip(lines, numbers, strict=True):
        told = r"\\".join(map(escaped, parts))
        yield f"\\shortstack[{'r' if number else 'l'}]{{{told}}}" if len(parts) > 1 else told


def natural_width(
    head: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[bool], room: float = math.inf
) -> float:
    """How wide a table is, about, in points; parameters as of `booktabs`."""
    return _width(_lines_of_heads(head, rows, numbers, room), rows, numbers, room)


def _width(
    heads: Sequence[Sequence[str]], rows: Sequence[Sequence[str]], numbers: Sequence[bool], room: float
) -> float:
    letter, between = (_LETTER_OF_MANY, 6.0) if len(heads) > MOST_COLUMNS else (_LETTER_OF_FEW, 12.0)
    columns = zip(heads, _columns_of(rows, len(heads)), strict=True)
    longest = [max(map(len, (*lines, *cells))) for lines, cells in columns]
    words = sum(
        letter * size for size, broken in zip(longest, _are_sentences(rows, numbers), strict=True) if not broken
    )
    broken = 0.6 * room if any(_are_sentences(rows, numbers)) and math.isfinite(room) else 0.0
    return words + broken + between * len(heads)


def natural_lines(head: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[bool], room: float) -> int:
    """How many lines a table has, about, with those of its sentences; parameters as of `booktabs`."""
    letter = _LETTER_OF_MANY if len(head) > MOST_COLUMNS else _LETTER_OF_FEW
    are_sentences = _are_sentences(rows, numbers)
    in_a_line = max(1.0, 0.6 * room / max(sum(are_sentences), 1) / letter)
    heights = (
        max([1, *(math.ceil(len(cell) / in_a_line) for cell, broken in zip(row, are_sentences, strict=True) if broken)])
        for row in rows
    )
    return 1 + sum(heights)


def _columns(rows: Sequence[Sequence[str]], numbers: Sequence[bool]) -> str:
    """Numbers flush right, texts flush left; a column of sentences breaks its lines."""
    are_sentences = _are_sentences(rows, numbers)
    broken = f"p{{{0.6 / max(sum(are_sentences), 1):.2f}\\linewidth}}"
    texts = [broken if sentences else "l" for sentences in are_sentences]
    return "".join("r" if number else text for number, text in zip(numbers, texts, strict=True))


def _are_sentences(rows: Sequence[Sequence[str]], numbers: Sequence[bool]) -> list[bool]:
    longest = [max((len(row[place]) for row in rows), default=0) for place in range(len(numbers))]
    return [length > LONGEST_TEXT and not number for length, number in zip(longest, numbers, strict=True)]


def _row(cells: Iterable[str]) -> str:
    # A row that begins with a bracket would be taken for the length after the \\ before it.
    text = " & ".join(cells)
    return ("{}" if text.startswith("[") else "") + text + r" \\"
