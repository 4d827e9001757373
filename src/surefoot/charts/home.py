"""Figures and tables of the home page: the main study's answer, and what was reproduced."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.intervals import score_chart
from surefoot.charts.published_counts import published_item
from surefoot.charts.selection import recorded_scores, score_intervals, with_titles
from surefoot.charts.sentences import QUESTION, caption_items, item, run_items, score_items
from surefoot.result_tables import Tables


def answer(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Aggregate scores of the main study, with the intervals that need no assumption: of the large run that is kept as
    a record, where there is one."""
    numbers, _ = _answer(tables)
    numbers = with_titles(numbers, settings)
    chart = score_chart(numbers, "aggregate score (performance percentile; higher is better)")
    return theme.finish(chart, "Aggregate score of each algorithm of the main study, best first"), numbers


def _answer(tables: Tables) -> tuple[pd.DataFrame, bool]:
    """Scores of the main study with its first kind of intervals, and whether they are from the record."""
    record = recorded_scores(tables)
    intervals = score_intervals(tables) if record is None else record
    return intervals[intervals["method"] == intervals["method"].iloc[0]], record is not None


def verdict(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Sentences and counts for the page: columns item, text, value."""
    rows = [item("title", settings["title"]), item("question", settings["question"] or QUESTION)]
    intervals, recorded = _answer(tables)
    source = "the large run that is kept as a record" if recorded else "these runs"
    rows += [
        item("whose", f"The answer of {source}."),
        item("source", source),
        *run_items(tables["collect/runs"], "run"),
        *score_items(intervals, settings),
    ]
    rows += caption_items(tables, intervals, settings, "run", recorded)
    return None, pd.DataFrame([*rows, published_item(tables, settings)])
