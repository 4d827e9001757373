"""Scores, means and ranks of the paper: Figure 5, Table 1 and the tables of Appendix I."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.intervals import PUBLISHED, score_chart
from surefoot.charts.selection import (
    mean_intervals,
    published_values,
    recorded_scores,
    score_intervals,
    with_titles,
)
from surefoot.papers.jordan2020.selection import POINTS, has_published_selection
from surefoot.result_tables import Tables
from surefoot.statistics.reproduction.comparison import items
from surefoot.statistics.reproduction.items import item_texts

_RANKS = ("rank", "rank_low", "rank_high")
_PRINTED = ("pbp", "pbp_t", "bootstrap")


def figure_5(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Aggregate scores with their intervals (Figure 5).

    The published ones stand below ours where the study has the published algorithms and environments, because the
    score of an algorithm depends on all of them.
    """
    numbers = printed_methods(score_intervals(tables)).assign(source="this study")
    if has_published_selection(tables):
        numbers = pd.concat([numbers, _published_scores(tables["published"], numbers)], ignore_index=True)
    numbers = with_titles(numbers, settings)
    chart = score_chart(numbers, "aggregate score (performance percentile; higher is better)")
    return theme.finish(chart, "Aggregate score of each algorithm, best first, with three kinds of intervals"), numbers


def figure_5_record(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The same of the large run that is kept as a record; no rows where there is none of this selection."""
    numbers = recorded_scores(tables)
    if numbers is None:
        columns = ["method", "algorithm", "value", "low", "high"]
        message = theme.message("No record of a large run of these algorithms and environments is here.")
        return theme.finish(message, "No record of aggregate scores"), pd.DataFrame(columns=columns)
    numbers = printed_methods(numbers).assign(source="the large run")
    numbers = pd.concat([numbers, _published_scores(tables["published"], numbers)], ignore_index=True)
    numbers = with_titles(numbers, settings)
    chart = score_chart(numbers, "aggregate score (performance percentile; higher is better)")
    return theme.finish(chart, "Aggregate score of each algorithm by the large run, best first"), numbers


def table_1(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Aggregate score and rank by PBP, best first (Table 1), with the published score where it can be compared."""
    numbers = printed_methods(score_intervals(tables))
    numbers = numbers[numbers["method"] == numbers["method"].iloc[0]].sort_values("rank", kind="stable")
    scores = published_values(tables["published"], "game_score", ["algorithm"]).set_index("algorithm")["value"]
    known = has_published_selection(tables)
    published = [scores[name] if known else None for name in numbers["algorithm"]]
    numbers = numbers.drop(columns="replicates").assign(published=published)
    for rank in _RANKS:
        values = published_values(tables["published"], f"game_score_{rank}", ["method", "algorithm"])
        values = values[values["method"] == "pbp"].set_index("algorithm")["value"]
        numbers[f"published_{rank}"] = [values[name] if known else None for name in numbers["algorithm"]]
    return None, with_titles(numbers, settings)


def table_environment(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Mean return and rank in `settings["environment"]`, best first, with the published mean (Appendix I).

    Column runs holds the trials of the pair; published, published_low, published_high and the three published ranks
    are empty where the paper has none. No rows where the study does not have that environment.
    """
    numbers = mean_intervals(tables)
    numbers = numbers[numbers["environment"] == settings["environment"]].sort_values("rank", kind="stable")
    printed = {"mean": "published", "mean_low": "published_low", "mean_high": "published_high"}
    printed |= {f"mean_{rank}": f"published_{rank}" for rank in _RANKS}
    for name, column in printed.items():
        published = published_values(tables["published"], name, ["environment", "algorithm"])
        published = published.rename(columns={"value": column})
        numbers = numbers.merge(published, on=["environment", "algorithm"], how="left", validate="1:1")
    record = tables.get("record", pd.DataFrame(columns=["item", "ours", "trials"])).set_index("item")
    named = item_texts("mean", numbers["environment"], numbers["algorithm"])
    trials = named.map(items(tables[POINTS]).set_index("item")["runs"])  # those of the intervals are the fewest of all
    numbers = numbers.assign(runs=trials, record=named.map(record["ours"]), record_trials=named.map(record["trials"]))
    return None, with_titles(numbers, settings)


def printed_methods(intervals: pd.DataFrame) -> pd.DataFrame:
    """The rows of the methods that the paper shows, PBP first; all rows where the study has none of these methods."""
    printed = intervals[intervals["method"].isin(_PRINTED)]
    return intervals if printed.empty else printed.reset_index(drop=True)


def _published_scores(published: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    """Published scores and limits in the rows (method, algorithm) of ours."""
    value = published_values(published, "game_score", ["algorithm"])
    rows = ours[["method", "algorithm"]].assign(source=PUBLISHED).merge(value, on="algorithm", validate="m:1")
    for limit in ("low", "high"):
        limits = published_values(published, f"game_score_{limit}", ["method", "algorithm"])
        rows = rows.merge(limits.rename(columns={"value": limit}), on=["method", "algorithm"], validate="1:1")
    return rows
