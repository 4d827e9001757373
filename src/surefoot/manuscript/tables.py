"""The tables of a study as people read them: names in words, digits that mean something, limits as one interval."""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from surefoot.rounding import written

_NAMED_BY = {"title": "algorithm", "environment_title": "environment", "opponent_title": "opponent"}
"""Columns with what a name is called, and the column with the name that they stand for."""
_OF_PAGES = ({"item", "text", "value"}, {"question", "kind", "about", "drawing"}, {"finding"}, {"note"})
"""Columns of tables that only hold sentences of a page."""
_NUMBER = re.compile(r"[-\u2212]?[\d,]*\.?\d+ ?%?( [(\[].*)?")
_MOST_DIGITS = 3
_BEST_RANK = re.compile(r"\d+ \(\d+, 1\)")


class Presented(NamedTuple):
    """A table as texts.

    head : of the columns
    rows : of cells
    numbers : of each column, whether it holds numbers
    bold : of each row, whether it is the best or not told apart from the best
    notes : sentences that belong below it
    """

    head: list[str]
    rows: list[list[str]]
    numbers: list[bool]
    bold: list[bool]
    notes: list[str]


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
    best : of each row, whether it stands in bold
    notes : sentences that belong below it
    names : of algorithms and the like, which heads of columns show as they are
    """
    titled = {name for title, name in _NAMED_BY.items() if title in table.columns}
    head, columns, numbers = [], [], []
    remarks: list[str] = []
    for name in map(str, table.columns):
        values = table[name].tolist()
        low = _low_of(name)
        if name in titled or (low is not None and low in table.columns) or values == [None] * len(values):
            continue
        if name == "remark":
            remarks = [str(remark) for remark in dict.fromkeys(values) if isinstance(remark, str) and remark]
            continue
        high = _high_of(name)
        if high is not None and high in table.columns:
            pairs = [*values, *table[high].tolist()]
            forms = _form(pairs)
            cells = [_interval(a, b, forms) for a, b in zip(values, table[high].tolist(), strict=True)]
            head.append(_heading(name.removesuffix("low").rstrip("_") or "interval"))
            numbers.append(True)
        else:
            form = _form(values)
            cells = [_cell(value, form) for value in values]
            head.append(name if name in names else _heading(_NAMED_BY.get(name, name).removesuffix("_title")))
            numbers.append(any(cells) and all(_NUMBER.fullmatch(cell) for cell in cells if cell))
        columns.append(cells)
    rows = [list(row) for row in zip(*columns, strict=True)]
    said = [*notes, *(f"{remark[:1].upper()}{remark[1:].rstrip('.')}." for remark in remarks)]
    return Presented(head, rows, numbers, list(best or [False] * len(rows)), said)


def rows_of_the_best(table: pd.DataFrame, differences: pd.DataFrame | None, lower: Mapping[str, bool]) -> list[bool]:
    """Of each row, whether its algorithm is the best by the row's metric or not told apart from it; false everywhere
    where nothing tells that.

    Whether intervals of two algorithms overlap does not tell it: only intervals of their difference do.

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
            known = None if differences is None else differences[differences["metric"] == title]
            if known is None or known.empty or title not in lower:
                continue
            place = rows["value"].idxmin() if lower[title] else rows["value"].idxmax()
            first = rows["algorithm"][place]
            apart = known[(known["low"] > 0) | (known["high"] < 0)]
            beaten = {y if x == first else x for x, y in zip(apart["x"], apart["y"], strict=True) if first in (x, y)}
            for row, name in rows["algorithm"].items():
                best[row] = name not in beaten
        return best
    if len(table.columns) > 2 and table.columns[1] == "score":
        return [_BEST_RANK.fullmatch(str(cell)) is not None for cell in table.iloc[:, 2]]
    return [False] * len(table)


def as_markdown(shown: Presented, caption: str) -> str:
    """The table with its caption and notes as Markdown."""
    ends = ["---:" if number else ":---" for number in shown.numbers]
    lines = [f"{caption}\n", _pipes([*map(_plain, shown.head)]), f"| {' | '.join(ends)} |"]
    for row, strong in zip(shown.rows, shown.bold, strict=True):
        cells = [_plain(cell) for cell in row]
        lines.append(_pipes([f"**{cell}**" if strong and cell else cell for cell in cells]))
    return "\n".join([*lines, *(f"\n{note}" for note in shown.notes), ""])


def _pipes(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _plain(cell: str) -> str:
    """The cell letter for letter in Markdown."""
    return re.sub(r"[\\`*_|<]", r"\\\g<0>", cell)


def _low_of(name: str) -> str | None:
    return f"{name.removesuffix('high')}low" if name == "high" or name.endswith("_high") else None


def _high_of(name: str) -> str | None:
    return f"{name.removesuffix('low')}high" if name == "low" or name.endswith("_low") else None


def _heading(name: str) -> str:
    text = name.replace("_", " ").strip() if name.islower() or "_" in name else name
    return text[:1].upper() + text[1:] if text.islower() else text


def _form(values: Sequence[Any]) -> str:
    """One format for all numbers of a column, so that they stand in line: three digits of the largest, and no less than
    three decimals below 1."""
    numbers = [float(value) for value in values if _is_number(value) and math.isfinite(value)]
    if all(number == round(number) for number in numbers):
        return ",.0f"
    largest = max(map(abs, numbers))
    digits = _MOST_DIGITS if largest < 10 else max(0, _MOST_DIGITS - int(math.log10(largest)))
    return f",.{digits}f"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _cell(value: Any, form: str) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return written(float(value), form).replace("-", "\N{MINUS SIGN}") if _is_number(value) else str(value)


def _interval(low: Any, high: Any, form: str) -> str:
    ends = _cell(low, form), _cell(high, form)
    return f"[{ends[0]}, {ends[1]}]" if all(ends) else ""
