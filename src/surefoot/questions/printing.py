"""How metrics with intervals are printed: a line an algorithm, no wider than a terminal."""

import textwrap
from html import escape

import pandas as pd

from surefoot.errors import shortened
from surefoot.rounding import written
from surefoot.statistics.runs.sharing import FOUND, sharing_sentence

_WIDTH = 100
_NAME = 40
_ROWS = 40


def summary(table: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """The metric to quote, which is the IQM where it was asked for, with the intervals of the first method.

    Parameters
    ----------
    table : of `Aggregates`

    Returns
    -------
    columns algorithm (after scores, if there are several sets), the metric's name, interval, runs, remark (the number
    of one of the sentences); and the sentences below it
    """
    metric = "iqm" if (table["metric"] == "iqm").any() else table["metric"].iloc[0]
    own = table[(table["metric"] == metric) & (table["method"] == table["method"].iloc[0])]
    remarks = [remark for remark in own["remark"].unique() if remark]
    rows = pd.DataFrame(
        {
            "scores": own["scores"],
            "algorithm": [shortened(name, _NAME) for name in own["algorithm"]],
            _title(metric): [written(value, ".3f") for value in own["value"]],
            "interval": [
                f"{written(low, '.3f')} to {written(high, '.3f')}"
                for low, high in zip(own["low"], own["high"], strict=True)
            ],
            "runs": [f"{runs} x {tasks}" for runs, tasks in zip(own["runs"], own["tasks"], strict=True)],
            "remark": [f"({remarks.index(remark) + 1})" if remark else "" for remark in own["remark"]],
        }
    )
    told = [f"({number}) {remark}" for number, remark in enumerate(remarks, 1)]
    if not (own["shared_runs"] == FOUND).any():  # else the remarks say so
        told += filter(None, [sharing_sentence(own["shared_runs"], int(own["runs"].min()), own["method"].iloc[0])])
    if own["scores"].nunique() == 1:
        rows = rows.drop(columns="scores")
    others = [_title(name) for name in table["metric"].unique() if name != metric]
    if others:
        told.append(f"table() has {', '.join(others)} too.")
    return rows, told


def as_text(table: pd.DataFrame, notes: pd.DataFrame, confidence: float, remark: str = "") -> str:
    """What a prompt shows; notes and remark are those of the result."""
    rows, told = summary(table)
    told += [f"{row.metric}, {row.method}: {row.note}" for row in notes.drop_duplicates("note").itertuples()]
    told += [remark] if remark else []
    head = f"Aggregates with {100 * confidence:g} % intervals ({table['method'].iloc[0]}), runs x tasks"
    printed = rows.to_string(index=False, max_rows=_ROWS, max_colwidth=_NAME)
    return "\n".join([head, printed, *(textwrap.fill(one, _WIDTH, subsequent_indent="    ") for one in told)])


def as_html(table: pd.DataFrame, notes: pd.DataFrame) -> list[str]:
    """What a notebook shows: the table and the sentences below it."""
    rows, told = summary(table)
    told += [f"{row.metric}, {row.method}: {row.note}" for row in notes.drop_duplicates("note").itertuples()]
    return [rows.to_html(index=False, max_rows=_ROWS, border=0), *(f"<p>{escape(one)}</p>" for one in told)]


def _title(metric: str) -> str:
    return "IQM" if metric == "iqm" else metric.replace("_", " ")
