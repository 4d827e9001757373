"""Figures and tables of any study: aggregate scores, means, distributions, weights, numbers of runs."""

from collections.abc import Mapping

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.distributions import distribution_chart
from surefoot.charts.intervals import mean_chart, rank_texts, score_chart
from surefoot.charts.metrics import metric_items
from surefoot.charts.selection import (
    METHOD_TITLES,
    bands,
    mean_intervals,
    remarks,
    rounded,
    score_intervals,
    titles,
    with_titles,
)
from surefoot.charts.sentences import QUESTION, caption_items, failure_item, item, run_items, score_items
from surefoot.rounding import written

Tables = Mapping[str, pd.DataFrame]


def scores(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Aggregate scores with the intervals that the study asks for, and a remark where these runs let a method's promise
    down."""
    numbers = with_titles(score_intervals(tables), settings)
    remarked = remarks(numbers, settings)
    numbers["remark"] = [remarked.get(method, "") for method in numbers["method"]]
    chart = score_chart(numbers, "aggregate score (performance percentile; higher is better)")
    return theme.finish(chart, "Aggregate score of each algorithm, best first, with intervals"), numbers


def table_ranks(tables: Tables, settings: Mapping) -> tuple[None, pd.DataFrame]:
    """Scores, best first, and for each method the rank with the worst and the best that its intervals allow."""
    numbers = with_titles(score_intervals(tables), settings)
    numbers["ranks"] = rank_texts(numbers)
    methods = {method: METHOD_TITLES.get(method, "rank") for method in dict.fromkeys(numbers["method"])}
    ranks = numbers.pivot(index="title", columns="method", values="ranks")[list(methods)].rename(columns=methods)
    first = numbers[numbers["method"] == next(iter(methods))].sort_values("rank", kind="stable")
    shown = first[["title", "value"]].rename(columns={"title": "algorithm", "value": "score"})
    return None, shown.join(ranks, on="algorithm").reset_index(drop=True)


def means(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Mean score of each algorithm in each environment, with Anderson's limits."""
    numbers = with_titles(mean_intervals(tables), settings)
    chart = mean_chart(numbers, "mean score", columns=_panel_columns(numbers))
    return theme.finish(chart, "Mean score of each algorithm in each environment, with intervals"), numbers


def distributions(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Distribution of scores of each algorithm in each environment, with DKW bands."""
    description = "Distribution of scores of each algorithm in each environment, with bands"
    numbers = bands(tables)
    if numbers.empty:
        message = "This study asks for no distributions: add dkw to the methods of its question game_intervals."
        return theme.finish(theme.message(message), description), numbers
    columns = _panel_columns(numbers)
    chart = distribution_chart(numbers, settings, "score", columns=columns, height=220 if columns < 3 else 150)
    return theme.finish(chart, description), numbers


def weights(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Weight of each environment and opponent in the aggregate score, as a table of coloured cells."""
    numbers = with_titles(tables["aggregate/game_scores_weights"], settings)
    opponents = titles(numbers["opponent"], settings, "algorithm")
    numbers["opponent_title"] = numbers["opponent"].map(opponents)
    environments = list(dict.fromkeys(numbers["environment_title"]))
    data = rounded(numbers, 4).assign(written=[written(weight, ".3f") for weight in numbers["weight"]])
    base = alt.Chart(data).encode(
        x=alt.X(
            "opponent_title:N",
            sort=list(opponents.values()),
            title="measured against",
            axis=alt.Axis(orient="top", labelAngle=-35),
        ),
        y=alt.Y("environment_title:N", sort=environments, title=None),
    )
    colour = alt.Color("weight:Q", scale=alt.Scale(range=["white", theme.INK], domainMin=0), legend=None)
    cells = base.mark_rect(stroke=theme.PALE).encode(
        color=colour,
        tooltip=[
            alt.Tooltip("environment_title:N", title="environment"),
            alt.Tooltip("opponent_title:N", title="measured against"),
            alt.Tooltip("weight:Q", title="weight", format=".3~g"),
        ],
    )
    dark = alt.datum.weight > 0.5 * float(numbers["weight"].max())
    text = (
        base.transform_filter(alt.datum.weight >= 0.0005)
        .mark_text(fontSize=10)
        .encode(
            text="written:N",
            color=alt.condition(dark, alt.value("white"), alt.value(theme.INK)),
        )
    )
    width, height = min(theme.WIDTH - theme.LABEL, 70 * len(opponents)), 22 * len(environments)
    chart = alt.layer(cells, text).properties(width=width, height=height)
    return theme.finish(chart, "Weight of each environment and opponent in the aggregate score"), numbers


def table_runs(tables: Tables, settings: Mapping) -> tuple[None, pd.DataFrame]:
    """Number of runs in each environment (rows) of each algorithm (columns), both by title."""
    runs = with_titles(tables["collect/runs"], settings)
    numbers = pd.crosstab(runs["environment_title"], runs["title"])
    numbers = numbers.reindex(index=runs["environment_title"].unique(), columns=runs["title"].unique())
    numbers = numbers.rename_axis(index="environment", columns=None)
    return None, numbers.rename(columns={"environment": "environment (algorithm)"}).reset_index()


def verdict(tables: Tables, settings: Mapping) -> tuple[None, pd.DataFrame]:
    """Sentences and counts for the page: columns item, text, value."""
    rows = [item("question", settings["question"] or QUESTION)]
    if "collect/runs" in tables:
        rows += run_items(tables["collect/runs"], "run")
    if {"collect/runs", "aggregate/game_scores"} <= tables.keys():
        intervals = score_intervals(tables)
        rows += score_items(intervals, settings) + caption_items(tables, intervals, settings, "run")
    rows += metric_items(tables, settings)
    if "collect/plays" in tables:
        rows.append(failure_item(tables["collect/plays"]))
    return None, pd.DataFrame(rows)


def _panel_columns(numbers: pd.DataFrame) -> int:
    environments = numbers["environment"].nunique()
    return 1 if environments == 1 else 2 if environments <= 8 else 3
