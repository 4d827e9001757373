"""Scores against times (Figures 6, 7, 10 and 11), and how each time varies with each parameter (Table 1)."""

from collections.abc import Callable, Mapping
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.selection import rounded, titles
from surefoot.papers.castronovo2016.scored_agents import in_case
from surefoot.result_tables import Tables

AGENTS = "aggregate/agents"

_AXES: dict[str, tuple[str, str, Callable[[pd.DataFrame], pd.Series]]] = {
    "offline": ("minutes", "offline time in minutes", lambda agents: agents["seconds_offline"] / 60.0),
    "online": ("milliseconds", "online time of a decision in ms", lambda agents: 1e3 * agents["seconds_decision"]),
}

_DECADES = alt.Axis(tickCount=5, format="~e", labelOverlap="greedy", labelSeparation=10)


def published_agents(tables: Tables, case: str, settings: Mapping[str, Any]) -> pd.DataFrame:
    """Agents of a case with a score, in the variant as_published where there are two, with their titles."""
    agents = tables[AGENTS]
    kept = agents["variant"].isin(["", "as_published"]) & (agents["algorithm"] != "formula")
    kept &= in_case(agents["environment"], case)
    agents = agents[kept & agents["value"].notna()].reset_index(drop=True)
    for kind, column in (("algorithm", "title"), ("environment", "environment_title")):
        agents[column] = agents[kind].map(titles(agents[kind], settings, kind))
    return agents


def figure_times(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Mean score of every agent against its offline or online time, a panel an experiment.

    `settings["panel"]` is the case, and offline or online.
    """
    case, axis = settings["panel"]
    column, label, times = _AXES[axis]
    agents = published_agents(tables, case, settings)
    description = f"Mean score of each agent against its {axis} time, {case} case"
    columns = ["environment", "environment_title", "algorithm", "title", "parameters", column, "value", "runs"]
    # A time below the clock's resolution has no place on a logarithmic axis.
    numbers = agents.assign(**{column: times(agents).clip(lower=1e-9)})[columns]
    if numbers.empty:
        return theme.finish(theme.message(f"No agent of the {case} case was played."), description), numbers
    shown = titles(numbers["algorithm"], settings, "algorithm")
    scales = theme.scales(shown, settings["algorithm_titles"])
    points = (
        alt.Chart(rounded(numbers))
        .mark_point(filled=True, size=55, opacity=0.85)
        .encode(
            x=alt.X(f"{column}:Q", scale=alt.Scale(type="log"), title=label, axis=_DECADES),
            y=alt.Y("value:Q", scale=alt.Scale(zero=False), title="mean score"),
            color=alt.Color("title:N", scale=scales.colour, title=None, legend=alt.Legend(orient="bottom", columns=5)),
            shape=alt.Shape("title:N", scale=scales.shape, title=None),
            tooltip=["title:N", "parameters:N", alt.Tooltip(f"{column}:Q", title=label), "value:Q", "runs:Q"],
        )
        .properties(width=(theme.WIDTH - 130) / 3, height=220)
    )
    order = list(dict.fromkeys(numbers["environment_title"]))
    chart = points.facet(alt.Facet("environment_title:N", sort=order, title=None), columns=3)
    return theme.finish(chart.resolve_scale(x="independent", y="independent"), description), numbers


def table_1(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """By which factor each time changes from the least to the greatest value of a parameter, others being equal.

    Columns title, parameter, least, greatest (both as texts: whole numbers are written as such), pairs (of agents in
    one environment that differ in this alone), offline and online (geometric means of the ratios of their times).
    """
    agents = tables[AGENTS]
    agents = agents[agents["variant"].isin(["", "as_published"]) & (agents["parameters"] != "")]
    rows = []
    for algorithm, group in agents.groupby("algorithm", sort=False):
        values = pd.DataFrame(
            [dict(part.split("=", 1) for part in text.split(", ")) for text in group["parameters"]], index=group.index
        )
        for name in values:
            numbers = pd.to_numeric(values[name], errors="coerce")
            least, greatest = numbers.min(), numbers.max()
            if not least < greatest:
                continue
            times = group.assign(rest=values.drop(columns=name).agg("/".join, axis=1) if values.shape[1] > 1 else "")
            keys = ["environment", "rest"]
            low, high = (times[numbers == value].set_index(keys) for value in (least, greatest))
            ratios = high[["seconds_offline", "seconds_decision"]] / low[["seconds_offline", "seconds_decision"]]
            ratios = ratios.dropna()
            if len(ratios):
                row = {"title": titles([algorithm], settings, "algorithm")[algorithm], "parameter": name}
                row |= {"least": f"{least:.12g}", "greatest": f"{greatest:.12g}", "pairs": len(ratios)}
                means = np.exp(np.log(ratios).mean())
                rows.append(row | {"offline": means["seconds_offline"], "online": means["seconds_decision"]})
    columns = ["title", "parameter", "least", "greatest", "pairs", "offline", "online"]
    return None, pd.DataFrame(rows, columns=columns)
