"""Figures and tables of the home page: the main study's answer, what was reproduced, what took how long."""

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

_STAGES = ("simulate", "collect", "normalize", "aggregate", "estimate", "draw", "render")


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


def durations(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Seconds of each study and stage, jobs added up."""
    studies = dict(settings["studies"])
    numbers = tables["durations"].groupby(["study", "stage"], sort=False, as_index=False)["seconds"].sum()
    numbers.insert(1, "title", numbers["study"].map(studies).fillna("home page"))
    known = {stage: position for position, stage in enumerate(_STAGES)}
    numbers = numbers.sort_values("stage", key=lambda stages: stages.map(known), kind="stable", ignore_index=True)
    stages = list(dict.fromkeys(numbers["stage"]))
    chart = (
        alt.Chart(numbers.round({"seconds": 2}))
        .mark_bar(height=16)
        .encode(
            x=alt.X("seconds:Q", title="seconds, added over jobs"),
            y=alt.Y("stage:N", sort=stages, title=None),
            color=alt.Color("title:N", title="study", scale=alt.Scale(scheme="tableau10")),
            order=alt.Order("title:N"),
            tooltip=["title:N", "stage:N", alt.Tooltip("seconds:Q", format=",.2f")],
        )
        .properties(width=theme.WIDTH - 240, height=26 * len(stages))
    )
    return theme.finish(chart, "Seconds of each stage of each study"), numbers


def verdict(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Sentences and counts for the page: columns item, text, value."""
    seconds = float(tables["durations"]["seconds"].sum())
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
    rows += [published_item(tables, settings), item("seconds", f"{seconds:,.0f} seconds", seconds)]
    return None, pd.DataFrame(rows)
