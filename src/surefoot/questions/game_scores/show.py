"""How the scores of the game are shown, with their intervals where the study asks for such."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.headline import headline
from surefoot.charts.intervals import rank_texts, score_chart
from surefoot.charts.selection import (
    METHOD_TITLES,
    remarks,
    rounded,
    score_intervals,
    titles,
    with_titles,
)
from surefoot.charts.sentences import counted, score_headline
from surefoot.result_tables import Tables
from surefoot.rounding import written

_HALF = 0.5 - 1e-9  # of all weights, however they are summed


def chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Aggregate scores with the intervals that the study asks for, and a remark where these runs let a method's promise
    down."""
    numbers = with_titles(score_intervals(tables), settings)
    remarked = remarks(numbers, settings)
    numbers["remark"] = [remarked.get(method, "") for method in numbers["method"]]
    chart = score_chart(numbers, "aggregate score (performance percentile; higher is better)")
    titled = headline(chart, score_headline(numbers, settings))
    return theme.finish(titled, "Aggregate score of each algorithm, best first, with intervals"), numbers


def ranks_table(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Scores, best first, and for each method the rank with the worst and the best that its intervals allow."""
    numbers = with_titles(score_intervals(tables), settings)
    numbers["ranks"] = rank_texts(numbers)
    methods = {method: METHOD_TITLES.get(method, "rank") for method in dict.fromkeys(numbers["method"])}
    ranks = numbers.pivot(index="title", columns="method", values="ranks")[list(methods)].rename(columns=methods)
    first = numbers[numbers["method"] == next(iter(methods))].sort_values("rank", kind="stable")
    shown = first[["title", "value"]].rename(columns={"title": "algorithm", "value": "score"})
    return None, shown.join(ranks, on="algorithm").reset_index(drop=True)


def weights_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
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
        .mark_text(fontSize=theme.TEXT)
        .encode(
            text="written:N",
            color=alt.condition(dark, alt.value("white"), alt.value(theme.INK)),
        )
    )
    width, height = min(theme.WIDTH - theme.LABEL, 70 * len(opponents)), 22 * len(environments)
    chart = headline(alt.layer(cells, text).properties(width=width, height=height), weights_finding(numbers))
    return theme.finish(chart, "Weight of each environment and opponent in the aggregate score"), numbers


def weights_finding(numbers: pd.DataFrame) -> str:
    """Which pairs of an environment and an opponent make up half of the score, or more, and how many there are.

    numbers : columns environment_title, opponent_title, weight
    """
    heaviest = numbers.sort_values("weight", ascending=False, kind="stable")
    so_far = heaviest["weight"].cumsum()
    half = int((so_far < _HALF * so_far.iloc[-1]).sum()) + 1
    share = written(100 * so_far.iloc[half - 1] / so_far.iloc[-1], ".0f")
    first = heaviest.iloc[0]
    most = f"{first['opponent_title']} in {first['environment_title']}"
    if half == 1:
        return f"One cell, {most}, makes up {share} % of the score"
    return f"{half} of {counted(len(numbers), 'cell')} make up {share} % of the score, above all {most}"
