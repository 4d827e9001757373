"""The tables of a study as people read them: names in words, digits that mean something, limits as one interval."""

import math
import re
import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import ceil
from typing import Any, NamedTuple

import pandas as pd

from surefoot.charts.names import METHODS, named
from surefoot.charts.selection import METHOD_TITLES
from surefoot.export.latex import escaped, rendered
from surefoot.export.venues import POINTS_AN_INCH, VENUES, Venue
from surefoot.rounding import column_format, written, yes_or_no

_NAMED_BY = {"environment_title": "environment", "opponent_title": "opponent", "label": "item", "agent": "title"}
"""Columns with what a name is called, and the column with the name that they stand for."""
_TITLED = ("algorithm", "method", "environment", "normalization", "kind")
"""What the column title says the names of: the first of these that a table has."""
_COMPARED = ("item", "label", "claim", "verdict", "published", "ours", "record_ours", "record_verdict", "reason")
"""Columns that a paper shows of published numbers beside ours."""
_HEADINGS = {"item": "published number or claim", "p value": "p", "record ours": "large run"}
_NAMES_OF_KEYS = ("study", "variant")
"""Columns that hold names of the configuration."""
_OF_THE_MAKING = ("configuration", "environments", "seed")
"""Columns that say the same of all rows of a record: how it was made, which is told with the methods."""
_LONGEST_CONSTANT = 60
"""Characters of what is said once of all rows."""
_WITHOUT_BOUNDS = "all"
"""What a column says where its row is of all algorithms: of every row, it says nothing."""
MOST_ROWS = 55
"""Rows of a table that fits on a page."""
MOST_COLUMNS = 5
"""Columns of a table that may stand in one column of a page; a wider one takes both."""
LONGEST_TEXT = 30
"""Characters of a cell that stands on one line."""
SMALLEST = 6.0
"""Points of letters in a table that is made narrower: smaller ones are hard to read in print."""
_SENTENCES = 0.6
"""The part of the width that columns of sentences share, whose lines break."""
_MANY_COMPARED = 20
"""Published numbers: of more, those that are reproduced are counted."""
_OF_PAGES = (
    {"item", "text", "value"},
    {"question", "kind", "about", "drawing"},
    {"finding"},
    {"note"},
    {"symbol", "meaning"},
)
"""Columns of tables that only hold sentences of a page."""
_NUMBER = re.compile(r"[-\u2212]?[\d,]*\.?\d+ ?%?( [(\[].*)?")
_FEWEST_ROWS = 3
"""In which the same number is worth saying once."""
_BEST_RANK = re.compile(r"\d+ \(\d+, 1\)")


class Presented(NamedTuple):
    """A table as texts.

    head : of the columns
    rows : of cells
    numbers : for each column, whether it holds numbers
    bold : for each row, whether it is the best or not separated from the best
    notes : sentences that belong below it
    """

    head: list[str]
    rows: list[list[str]]
    numbers: list[bool]
    bold: list[bool]
    notes: list[str]

    def sentences(self) -> list[bool]:
        """For each column, whether its texts are too long for one line."""
        return [
            not number and max((len(row[place]) for row in self.rows), default=0) > LONGEST_TEXT
            for place, number in enumerate(self.numbers)
        ]

    def heads(self) -> list[list[str]]:
        """The lines of each head, which is no wider than its column's cells and its own longest word."""
        lines = []
        for place, name in enumerate(self.head):
            width = max([1, *map(len, (*name.split(), *(row[place] for row in self.rows)))])
            lines.append(textwrap.wrap(name, width, break_long_words=False, break_on_hyphens=False) or [""])
        return lines


def is_for_papers(table: pd.DataFrame) -> bool:
    """Whether a table holds more than the sentences of a page."""
    return len(table) > 0 and not any(set(table.columns) <= columns for columns in _OF_PAGES)


def presented(
    table: pd.DataFrame,
    best: Sequence[bool] | None = None,
    notes: Sequence[str] = (),
    names: Collection[str] = (),
) -> Presented:
    """The table as texts.

    Parameters
    ----------
    table : as results/draw has it: `low` and `high`, or `<name>_low` and `<name>_high`, are limits
    best : for each row, whether it stands in bold
    notes : sentences that belong below it
    names : of algorithms and the like, which heads of columns show as they are
    """
    is_compared = {"item", "label", "claim", "verdict"} <= set(table.columns)
    table, of_all = _compared(table) if is_compared else (table, [])
    named_by = _NAMED_BY | {"title": next((name for name in _TITLED if name in table.columns), "algorithm")}
    titled = {name for title, name in named_by.items() if title in table.columns}
    table = table.drop(columns=[name for name in titled if name in table.columns])
    if "method" in table.columns:
        table = table.assign(method=named(METHOD_TITLES, table["method"]))
    for key in _NAMES_OF_KEYS:
        if key in table.columns:
            table[key] = table[key].astype(str).str.replace("_", " ")
    remarks = [text for text in table.get("remark", pd.Series()).dropna().unique() if text]
    table, constant = _without_constants(table, names, named_by)
    table = table.drop(columns="remark", errors="ignore").dropna(axis="columns", how="all")
    shared = _value_and_limits(table)
    shared_form = _form_of_limits([table[name].tolist() for name in shared])
    head, columns, numbers = [], [], []
    for name in map(str, table.columns):
        if _low_of(name) in table.columns:
            continue  # it stands with its lower limit
        values, high = table[name].tolist(), _high_of(name)
        if high in table.columns:
            highs = table[high].tolist()
            form = shared_form if name in shared else _form([*values, *highs])
            columns.append([_interval(*limits, form) for limits in zip(values, highs, strict=True)])
            head.append(_of_interval(name.removesuffix("low").rstrip("_"), set(table.columns)))
            numbers.append(True)
        else:
            form = shared_form if name in shared else _form(values)
            columns.append([_cell(value, form) for value in values])
            head.append(name if name in names else _of_column(name, named_by))
            numbers.append(any(columns[-1]) and all(_NUMBER.fullmatch(cell) for cell in columns[-1] if cell))
    rows = [list(row) for row in zip(*columns, strict=True)]
    all_notes = [*notes, *of_all, *constant, *(f"{text[:1].upper()}{text[1:].rstrip('.')}." for text in remarks)]
    return Presented(head, rows, numbers, list(best) if best and not is_compared else [False] * len(rows), all_notes)


def _value_and_limits(table: pd.DataFrame) -> list[str]:
    """The column value and those of its limits, whose numbers have the same digits."""
    names = list(map(str, table.columns))
    ends = [name for name in names if _low_of(name) in names or _high_of(name) in names]
    of_others = {f"{name}_{end}" for name in names for end in ("low", "high")}
    return ["value", *(name for name in ends if name not in of_others)] if "value" in names else []


def _compared(table: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """What a paper shows of a comparison with published numbers: the rows that have a verdict, as texts; of many, those
    that are not reproduced, and a sentence that counts the others."""
    shown = table[[name for name in _COMPARED if name in table.columns]]
    shown = shown[shown["verdict"].notna()].replace({"reason": {"": None}}).dropna(axis="columns", how="all")
    claims = shown.pop("claim")
    for name in shown.columns:
        values = zip(shown[name].tolist(), claims, strict=True)
        cells = [_cell(bool(value) if claim and value in (0, 1) else value, "figures") for value, claim in values]
        shown[name] = pd.Series(cells, shown.index, dtype=object)
    is_reproduced = shown["verdict"] == "reproduced"
    if len(shown) <= _MANY_COMPARED or is_reproduced.all():
        return shown, []
    return shown[~is_reproduced], [f"{is_reproduced.sum():,} more of the {len(shown):,} are reproduced."]


def _without_constants(
    table: pd.DataFrame, names: Collection[str], named_by: Mapping[str, str]
) -> tuple[pd.DataFrame, list[str]]:
    """The table without what is the same in every row, and a sentence of it."""
    if len(table) < _FEWEST_ROWS:
        return table, []
    constants = {}
    table = table.drop(columns=[name for name in _OF_THE_MAKING if _is_constant(table, name)])
    for name in map(str, table.columns):
        values = table[name]
        is_limit = _low_of(name) is not None or _high_of(name) is not None
        has_limits = any(f"{name}{end}" in table.columns for end in ("_low", "_high"))
        is_kept = is_limit or has_limits or name in names or name in ("value", "verdict", "claim", "title", "remark")
        if not is_kept and _is_constant(table, name):
            cell = _cell(values.tolist()[0], "figures")
            if len(cell) <= _LONGEST_CONSTANT:
                constants[name] = cell
    if len(constants) == len(table.columns):
        return table, []
    fewest = {"runs": "fewest runs"} if "runs_in_all" in table.columns else {}
    parts = [
        f"{fewest.get(name, _of_column(name, named_by).lower())} {value}"
        for name, value in constants.items()
        if value != _WITHOUT_BOUNDS
    ]
    return table.drop(columns=list(constants)), [f"In every row: {'; '.join(parts)}."] if parts else []


def _is_constant(table: pd.DataFrame, name: str) -> bool:
    return name in table.columns and bool(table[name].notna().all()) and table[name].nunique() == 1


def rows_of_the_best(table: pd.DataFrame, differences: pd.DataFrame | None, lower: Mapping[str, bool]) -> list[bool]:
    """Whether the algorithm of each row is the best by the row's metric or not separated from it; false everywhere
    where no differences are known.

    Whether intervals of two algorithms overlap does not decide it: only intervals of their difference do.

    Parameters
    ----------
    table : with columns algorithm, metric_title and value; or one whose third column holds ranks with limits, as
        "2 (3, 1)"
    differences : columns metric, x, y, low, high: intervals of the differences that hold together
    lower : by the title of a metric, whether a lower value is the better one
    """
    if {"algorithm", "metric_title", "value"} <= set(table.columns):
        best = [False] * len(table)
        for title, rows in table.reset_index(drop=True).groupby("metric_title", sort=False):
            of_metric = None if differences is None else differences[differences["metric"] == title]
            if of_metric is None or of_metric.empty or title not in lower:
                continue
            place = rows["value"].idxmin() if lower[title] else rows["value"].idxmax()
            first = rows["algorithm"][place]
            apart = of_metric[(of_metric["low"] > 0) | (of_metric["high"] < 0)]
            beaten = {y if x == first else x for x, y in zip(apart["x"], apart["y"], strict=True) if first in (x, y)}
            for row, name in rows["algorithm"].items():
                best[row] = name not in beaten
        return best
    if len(table.columns) > 2 and table.columns[1] == "score":
        return [_BEST_RANK.fullmatch(str(cell)) is not None for cell in table.iloc[:, 2]]
    return [False] * len(table)


def table_files(name: str, title: str, shown: Presented, place: Venue) -> tuple[dict[str, bytes], str]:
    """A table as Markdown and, where it fits on a page of the venue, as LaTeX; and a sentence where it does not.

    Parameters
    ----------
    name : of the files, and of the label
    title : of the table, plain, without a full stop
    """
    files = {f"tables/{name}.md": as_markdown(shown, f"{title}.").encode()}
    is_of_page = len(shown.head) > MOST_COLUMNS
    # A table of many columns takes the whole page where a venue has two columns.
    room = (VENUES[place.wider] if is_of_page and place.wider else place).points
    reason = _why_not(shown, room)
    if reason:
        sentence = f"{name} is left out of LaTeX: {reason}. Hint: tables/{name}.csv and tables/{name}.md have all"
        return files, sentence
    return files | {f"tables/{name}.tex": as_latex(shown, f"{title}.", name).encode()}, ""


def as_latex(shown: Presented, caption: str, name: str) -> str:
    """The table as a float with booktabs's rules, which is made narrower where it is wider than the text.

    Parameters
    ----------
    caption : plain, before the notes
    name : of the label `tab:<name>`
    """
    caption = " ".join([caption, *shown.notes])
    heads = (line for lines in shown.heads() for line in lines)
    cells = escaped([caption, *heads, *(cell for row in shown.rows for cell in row)])
    is_of_page = len(shown.head) > MOST_COLUMNS
    paragraph = f"p{{{_SENTENCES / max(1, sum(shown.sentences())):.2f}\\linewidth}}"
    kinds = zip(shown.numbers, shown.sentences(), strict=True)
    values = {
        "name": name,
        "float": "table*" if is_of_page else "table",
        "size": r"\footnotesize\setlength{\tabcolsep}{3pt}" if is_of_page else r"\small",
        "caption": cells[caption],
        "columns": "".join("r" if number else paragraph if is_long else "l" for number, is_long in kinds),
        "head": [[cells[line] for line in lines] for lines in shown.heads()],
        "numbers": shown.numbers,
        "rows": [
            [f"\\textbf{{{cells[text]}}}" if strong and text else cells[text] for text in row]
            for row, strong in zip(shown.rows, shown.bold, strict=True)
        ],
    }
    return rendered("table.tex.j2", values)


def _why_not(shown: Presented, room: float) -> str:
    """Why a table does not fit on a page, by the widths of letters on average; empty where it does.

    Parameters
    ----------
    room : points of the width that it may take
    """
    if len(shown.rows) > MOST_ROWS:
        return f"it has {len(shown.rows):,} rows, and {MOST_ROWS} fit on a page"
    size, letter, between = (8.0, 4.0, 6.0) if len(shown.head) > MOST_COLUMNS else (9.0, 4.6, 12.0)
    sentences = shown.sentences()
    in_a_line = max(1.0, _SENTENCES * room / max(1, sum(sentences)) / letter)
    lines = sum(
        max(ceil(len(cell) / in_a_line) if is_long else 1 for cell, is_long in zip(row, sentences, strict=True))
        for row in shown.rows
    )
    if lines > MOST_ROWS:
        return f"it has about {lines} lines, and {MOST_ROWS} fit on a page"
    width = sum(
        between + (0.0 if is_long else letter * max(map(len, (*lines, *column))))
        for lines, is_long, *column in zip(shown.heads(), sentences, *shown.rows, strict=True)
    )
    width += _SENTENCES * room if any(sentences) else 0.0
    widest = room * size / SMALLEST
    if width <= widest:
        return ""
    return (
        f"it is about {width / POINTS_AN_INCH:.1f} inches wide, and letters of {SMALLEST:g} points leave room for "
        f"{widest / POINTS_AN_INCH:.1f}"
    )


def as_markdown(shown: Presented, caption: str) -> str:
    """The table with its caption and notes as Markdown."""
    ends = ["---:" if number else ":---" for number in shown.numbers]
    lines = [f"{caption}\n", _pipes(map(_plain, shown.head)), _pipes(ends)]
    for row, strong in zip(shown.rows, shown.bold, strict=True):
        lines.append(_pipes(f"**{_plain(cell)}**" if strong and cell else _plain(cell) for cell in row))
    return "\n".join([*lines, *(f"\n{note}" for note in shown.notes), ""])


def _pipes(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _plain(cell: str) -> str:
    """The cell letter for letter in a table of Markdown."""
    return re.sub(r"[\\`*_|<]", r"\\\g<0>", cell)


def _low_of(name: str) -> str | None:
    return f"{name.removesuffix('high')}low" if name == "high" or name.endswith("_high") else None


def _high_of(name: str) -> str | None:
    return f"{name.removesuffix('low')}high" if name == "low" or name.endswith("_low") else None


def _of_column(name: str, named_by: Mapping[str, str]) -> str:
    return _heading(named_by.get(name, name).removesuffix("_title"))


def _of_interval(name: str, columns: Collection[str]) -> str:
    """The heading of limits: an interval method's title, or what they are limits of."""
    if not name:
        return "Interval"
    if name in METHODS:
        title = METHODS[name]
        return title[:1].upper() + title[1:]
    return f"{_heading(name)}, interval" if name in columns else _heading(name)


def _heading(name: str) -> str:
    name = _HEADINGS.get(name.replace("_", " "), name)
    text = name.replace("_", " ").strip() if name.islower() or "_" in name else name
    return text[:1].upper() + text[1:] if text.islower() else text


def _form(values: Sequence[Any]) -> str:
    """One format for all numbers of a column."""
    return column_format(float(value) for value in values if _is_number(value))


def _form_of_limits(columns: Sequence[Sequence[Any]]) -> str:
    """One format for values, which come first, and their limits: where only a limit is so near to 0 that it would lose
    its first digit, that of the values, which then stand in line."""
    form = _form([number for column in columns for number in column])
    of_values = _form(columns[0]) if columns else form
    return of_values if form == "figures" and of_values != ",.0f" else form


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _cell(value: Any, form: str) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return yes_or_no(value)
    return written(float(value), form).replace("-", "\N{MINUS SIGN}") if _is_number(value) else str(value)


def _interval(low: Any, high: Any, form: str) -> str:
    if _is_number(low) and _is_number(high) and low > high:
        low, high = high, low  # ranks, whose best end is the least
    ends = _cell(low, form), _cell(high, form)
    return f"[{ends[0]}, {ends[1]}]" if all(ends) else ""
