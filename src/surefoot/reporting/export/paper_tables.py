"""Tables of a study for readers: display names, meaningful digits, and limits combined into intervals."""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from surefoot.charts.names import METHODS, METRICS, named
from surefoot.charts.selection import METHOD_TITLES
from surefoot.charts.sentences import joined_remarks
from surefoot.reporting.export.latex import escaped, rendered
from surefoot.reporting.table import is_number
from surefoot.rounding import column_format, written, yes_or_no

_NAMED_BY = {"environment_title": "environment", "opponent_title": "opponent", "label": "item", "agent": "title"}
"""Columns of display names, each with the column of names that it replaces."""
_TITLED = ("algorithm", "method", "environment", "normalization", "kind")
"""Columns that a column `title` may replace; the first one that a table has is replaced."""
_HEADINGS = {"item": "published number or claim", "p value": "p", "group letters": "letters"}
_KEPT = frozenset(("estimate", "title", "remark"))
"""Columns that are kept even if all rows are equal."""
MOST_ROWS = 55
"""Largest number of rows of a table that fits on a page."""
MOST_COLUMNS = 5
"""Largest number of columns of a table in one column of a two-column page; wider tables span both."""
MOST_COLUMNS_OF_A_PAGE = 10
"""Largest number of columns of a table that fits on a page in a readable font size."""
_STANDINGS = {"metric", "estimate", "verdict", "detectable"}
"""Columns of a table of `multiple_comparisons`."""
_ONLY_IN_CSV = [
    *("tasks", "tier", "tied_with_best", "is_better", "within_margin", "lower_is_better", "runs", "metric"),
    *("shared_runs", "shared_runs_p_value", "low_whole_runs", "high_whole_runs", "baseline"),
]
"""Columns of a table of `multiple_comparisons` that are only written to the CSV file."""
_OF_PAGES = (
    {"item", "text", "value"},
    {"question", "kind", "about", "drawing"},
    {"finding"},
    {"note"},
    {"symbol", "meaning"},
)
"""Columns of tables that only contain sentences for a page."""
_NUMBER = re.compile(r"[-\u2212]?[\d,]*\.?\d+ ?%?( [(\[].*)?")
_FEWEST_ROWS = 3
"""Smallest number of rows for which a constant column is replaced by a sentence."""
_FEWEST_COLUMNS = 2
"""Smallest number of columns that must remain if constant ones are replaced by a sentence."""


class Presented(NamedTuple):
    """A table with cells formatted as text.

    head : headings of the columns
    rows : texts of the cells
    numbers : for each column, True if it contains numbers
    bold : for each row, True if it is the best or not separated from the best
    notes : sentences to print below the table
    """

    head: list[str]
    rows: list[list[str]]
    numbers: list[bool]
    bold: list[bool]
    notes: list[str]


def is_for_papers(table: pd.DataFrame) -> bool:
    """Return True if a table contains more than sentences for a page."""
    return len(table) > 0 and not any(set(table.columns) <= columns for columns in _OF_PAGES)


def presented(
    table: pd.DataFrame,
    best: Sequence[bool] | None = None,
    notes: Sequence[str] = (),
    names: Collection[str] = (),
) -> Presented:
    """Format the cells of a table as text.

    Parameters
    ----------
    table : as in results/draw: `low` and `high`, or `<name>_low` and `<name>_high`, are limits
    best : for each row, True to print it in bold
    notes : sentences to print below the table
    names : names (of algorithms, for example) that are used in headings unchanged
    """
    if set(table.columns) >= _STANDINGS:
        metric = METRICS.get(table["metric"].iloc[0], table["metric"].iloc[0])
        table = table.drop(columns=_ONLY_IN_CSV, errors="ignore").rename(columns={"estimate": metric})
        table.insert(0, "title", table.pop("title"))
    table, headings = _with_display_names(table, names)
    remarks = dict.fromkeys(joined_remarks(filter(None, table.get("remark", pd.Series()).dropna().unique())).values())
    table, constants = _without_constants(table, headings, names)
    table = table.drop(columns="remark", errors="ignore").dropna(axis="columns", how="all")
    value_form = _form_of_values(table)
    head = []
    columns = []
    numbers = []
    for name in map(str, table.columns):
        if name.endswith("high") and f"{name.removesuffix('high')}low" in table.columns:
            continue  # the upper limit is shown in the column of the lower limit
        if name.endswith("low") and f"{name.removesuffix('low')}high" in table.columns:
            head.append(_heading_of_limits(name, table))
            columns.append(_intervals(table, name, value_form))
            numbers.append(True)
        else:
            values = table[name].tolist()
            form = value_form if value_form and name == _value_column(table) else _form(values)
            head.append(headings[name])
            columns.append([_cell(value, form) for value in values])
            numbers.append(any(columns[-1]) and all(_NUMBER.fullmatch(cell) for cell in columns[-1] if cell))
    rows = [list(row) for row in zip(*columns, strict=True)]
    all_notes = [*notes, *constants, *(f"{text[:1].upper()}{text[1:].rstrip('.')}." for text in remarks)]
    return Presented(head, rows, numbers, list(best) if best else [False] * len(rows), all_notes)


def _with_display_names(table: pd.DataFrame, names: Collection[str]) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return the table with display names in place of names, and the heading of each column.

    Parameters
    ----------
    names : names, such as those of algorithms, that headings show unchanged
    """
    named_by = _NAMED_BY | {"title": next((name for name in _TITLED if name in table.columns), "algorithm")}
    replaced = {name for title, name in named_by.items() if title in table.columns}
    table = table.drop(columns=[name for name in replaced if name in table.columns])
    if "method" in table.columns:
        table = table.assign(method=named(METHOD_TITLES, table["method"]))
    headings = {str(name): str(name) if name in names else _heading(named_by.get(name, name)) for name in table.columns}
    return table, headings


def _heading_of_limits(name: str, table: pd.DataFrame) -> str:
    """Return the heading of the intervals whose lower limits are the column `name`."""
    of = name.removesuffix("low").rstrip("_")
    if of in METHODS:
        return METHODS[of][:1].upper() + METHODS[of][1:]
    return f"{_heading(of)}, interval" if of in table.columns else _heading(of) or "Interval"


def _intervals(table: pd.DataFrame, name: str, value_form: str | None) -> list[str]:
    """Return the intervals whose lower limits are the column `name`; limits have the same format as the values."""
    of = name.removesuffix("low").rstrip("_")
    lows = table[name].tolist()
    highs = table[f"{name.removesuffix('low')}high"].tolist()
    has_own_form = of in {*table.columns} - {_value_column(table)}
    form = value_form if value_form and not has_own_form else _form([*lows, *highs])
    return [_interval(low, high, form) for low, high in zip(lows, highs, strict=True)]


def _without_constants(
    table: pd.DataFrame, headings: Mapping[str, str], names: Collection[str]
) -> tuple[pd.DataFrame, list[str]]:
    """Return the table without its constant columns, and a sentence with their values."""
    constants = [
        name
        for name in map(str, table.columns)
        if name not in _KEPT
        and name not in names
        and not re.search(r"(^|_)(low|high)$", name)
        and table[name].notna().all()
        and table[name].nunique() == 1
    ]
    if len(table) < _FEWEST_ROWS or not constants or len(table.columns) - len(constants) < _FEWEST_COLUMNS:
        return table, []
    parts = [f"{headings[name].lower()} {_cell(table[name].tolist()[0], 'figures')}" for name in constants]
    return table.drop(columns=constants), [f"In every row: {'; '.join(parts)}."]


def environments_by_algorithms(shown: Presented) -> Presented:
    """Return a table of environments x algorithms as papers print it; return other tables unchanged.

    A table with one row for each algorithm in each environment, with estimates and possibly intervals, is converted to
    one row per environment and one column per algorithm, with cells such as "17.5 [16.7, 18.4]".
    """
    if shown.head[:2] != ["Environment", "Algorithm"] or len(shown.head) not in (3, 4) or any(shown.bold):
        return shown
    cells = {(row[0], row[1]): " ".join(filter(None, row[2:])) for row in shown.rows}
    environments = list(dict.fromkeys(row[0] for row in shown.rows))
    algorithms = list(dict.fromkeys(row[1] for row in shown.rows))
    if len(cells) < len(shown.rows) or len(algorithms) < 2 or len(algorithms) >= MOST_COLUMNS_OF_A_PAGE:
        return shown
    rows = [[name, *(cells.get((name, each), "") for each in algorithms)] for name in environments]
    content = " and ".join(text.lower() for text in shown.head[2:])
    notes = [f"Cells: {content}.", *shown.notes]
    return Presented(["Environment", *algorithms], rows, [False] + [True] * len(algorithms), [False] * len(rows), notes)


def rows_of_the_best(table: pd.DataFrame, compared: pd.DataFrame | None) -> list[bool]:
    """Return True for rows whose algorithm is tied with the best in the row's metric; all False if unknown.

    This depends on the comparison of each algorithm with the best, not on whether intervals overlap.

    Parameters
    ----------
    table : with a column tied_with_best, or columns algorithm, metric_title and estimate; other tables have no best
        rows
    compared : columns metric, algorithm, tied_with_best: results of `multiple_comparisons`
    """
    if "tied_with_best" in table:
        return [bool(tied) for tied in table["tied_with_best"]]
    if compared is None or not {"algorithm", "metric_title", "estimate"} <= set(table.columns):
        return [False] * len(table)
    tied = compared[compared["tied_with_best"]]
    best = set(zip(tied["metric"], tied["algorithm"], strict=True))
    return [row in best for row in zip(table["metric_title"], table["algorithm"], strict=True)]


def why_not_in_latex(shown: Presented) -> str:
    """Return the reason why a table does not fit on a page; empty if it does."""
    for count, noun, most in (
        (len(shown.rows), "rows", MOST_ROWS),
        (len(shown.head), "columns", MOST_COLUMNS_OF_A_PAGE),
    ):
        if count > most:
            return f"it has {count:,} {noun}, but only {most} fit on a page"
    return ""


def as_latex(shown: Presented, caption: str, name: str) -> str:
    """Return the table as a LaTeX float with booktabs rules, scaled down if it is wider than the text.

    Parameters
    ----------
    caption : plain text, before the notes
    name : name in the label `tab:<name>`
    """
    caption = " ".join([caption, *shown.notes])
    cells = escaped([caption, *shown.head, *(cell for row in shown.rows for cell in row)])
    is_of_page = len(shown.head) > MOST_COLUMNS
    values = {
        "name": name,
        "float": "table*" if is_of_page else "table",
        "size": r"\footnotesize\setlength{\tabcolsep}{3pt}" if is_of_page else r"\small",
        "caption": cells[caption],
        "columns": "".join("r" if number else "l" for number in shown.numbers),
        "head": [cells[text] for text in shown.head],
        "rows": [
            [f"\\textbf{{{cells[text]}}}" if strong and text else cells[text] for text in row]
            for row, strong in zip(shown.rows, shown.bold, strict=True)
        ],
    }
    return rendered("table.tex.j2", values)


def _heading(name: str) -> str:
    name = str(name).removesuffix("_title").replace("_", " ").strip()
    text = _HEADINGS.get(name, name)
    return text[:1].upper() + text[1:] if text.islower() else text


def _form(values: Sequence[Any]) -> str:
    """Return one format for all numbers of a column."""
    return column_format(float(value) for value in values if is_number(value))


def _form_of_values(table: pd.DataFrame) -> str | None:
    """Return a common format for values and limits, or the values' format if some limit is too close to 0 for it."""
    value = _value_column(table)
    if value is None:
        return None
    limits = [name for name in table.columns if re.search(r"(^|_)(low|high)$", name)]
    of_values = [name for name in limits if re.sub(r"_?(low|high)$", "", name) not in {*table.columns} - {value}]
    form = _form([number for name in (value, *of_values) for number in table[name].tolist()])
    return _form(table[value].tolist()) if form == "figures" else form


def _value_column(table: pd.DataFrame) -> str | None:
    """Return the column with the values of the limits `low` and `high`, or None if there is no such column."""
    return next((name for name in ("estimate", "mean") if name in table.columns), None)


def _cell(value: Any, form: str) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return yes_or_no(value)
    return written(float(value), form) if is_number(value) else str(value)


def _interval(low: Any, high: Any, form: str) -> str:
    if is_number(low) and is_number(high) and low > high:
        low, high = high, low  # for ranks, the best limit is the lower one
    ends = _cell(low, form), _cell(high, form)
    return f"[{ends[0]}, {ends[1]}]" if all(ends) else ""
