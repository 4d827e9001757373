"""Figures and tables of the home page: the main study's answer, and what was reproduced."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.headline import headline
from surefoot.charts.intervals import score_chart
from surefoot.charts.published_counts import published_item
from surefoot.charts.selection import METHOD_TITLES, recorded_scores, score_intervals, with_titles
from surefoot.charts.sentences import (
    QUESTION,
    caption_items,
    item,
    run_items,
    score_headline,
    score_items,
    why_quoted,
)
from surefoot.protocol.sentences import REMARK, unlike_remark
from surefoot.result_tables import Tables

_ROW = 38  # pixels an algorithm: the chart is about as high as the cards beside it


def answer(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Aggregate scores of the main study, with the intervals to quote: of the record of a large run, where there is
    one."""
    numbers = with_titles(_quoted(_answers(tables)[0]), settings)
    chart = score_chart(numbers, "aggregate score (performance percentile; higher is better)", _ROW)
    said = {row["item"]: row["text"] for row in score_items(_quoted(_answers(tables)[0]), settings)}
    titled = headline(chart, score_headline(_quoted(_answers(tables)[0]), settings))
    return theme.finish(titled, f"{said['best']} {said['lead']}"), numbers


def _answers(tables: Tables) -> tuple[pd.DataFrame, bool]:
    """Scores of the main study with all kinds of intervals, and whether they are from the record."""
    record = recorded_scores(tables)
    return (score_intervals(tables), False) if record is None else (record, True)


def _quoted(intervals: pd.DataFrame) -> pd.DataFrame:
    """Those of the first kind, the one to quote."""
    return intervals[intervals["method"] == intervals["method"].iloc[0]]


def _without_method(text: str, intervals: pd.DataFrame) -> str:
    """A sentence without the title of the method to quote, which the caption names."""
    method = intervals["method"].iloc[0]
    return text.replace(f" ({METHOD_TITLES[method]})", "") if method in METHOD_TITLES else text


def verdict(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Sentences and counts for the page: columns item, text, value."""
    rows = [item("title", settings["title"]), item("question", settings["question"] or QUESTION)]
    remark = unlike_remark(settings.get("protocol", {}), settings["algorithm_titles"])
    rows += [item("remark", remark), item("mark", REMARK if remark else "")]
    intervals, recorded = _answers(tables)
    rows.append(item("why_quoted", why_quoted(str(intervals["method"].iloc[0]), recorded)))
    rows += [
        item("source", "a large run, recorded earlier" if recorded else "the runs made here"),
        *run_items(tables["collect/runs"], "run"),
        *[row | {"text": _without_method(row["text"], intervals)} for row in score_items(_quoted(intervals), settings)],
        *caption_items(tables, _quoted(intervals), settings, "run", recorded),
        published_item(tables, settings),
    ]
    return None, pd.DataFrame(rows)
