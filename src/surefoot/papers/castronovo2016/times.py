"""Scores against times (Figures 6, 7, 10 and 11), and how each time varies with each parameter (Table 1)."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.drawing import AGENTS
from surefoot.charts.names import titles_of
from surefoot.papers.castronovo2016.comparison import in_case
from surefoot.result_tables import Tables
from surefoot.rounding import duration

JITTER = 1e-3
"""Seconds: an algorithm whose offline phases are all shorter learns nothing there that takes time."""
_AXES = {
    "offline": ("seconds_offline", "time of the offline phase"),
    "online": ("seconds_decision", "time of a decision"),
}

_DECADES = alt.Axis(
    tickCount=4,
    labelExpr="replace(format(datum.value, '~s'), /([^0-9.]*)$/, ' $1s')",
    labelOverlap="greedy",
    labelSeparation=8,
)
_ROOM = 8  # pixels from the outermost marks to the edges of a panel


def published_agents(tables: Tables, case: str, settings: Mapping[str, Any]) -> pd.DataFrame:
    """Agents of a case with a score, in the variant as_published where there are two, with their titles."""
    agents = tables[AGENTS]
    kept = agents["variant"].isin(["", "as_published"]) & (agents["algorithm"] != "formula")
    kept &= in_case(agents["environment"], case)
    agents = agents[kept & agents["value"].notna()].reset_index(drop=True)
    for kind, column in (("algorithm", "title"), ("environment", "environment_title")):
        agents[column] = agents[kind].map(titles_of(agents[kind], settings, kind))
    return agents


def figure_times(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Mean score of every agent against its offline or online time, a panel an experiment.

    `settings["panel"]` is the case, and offline or online.
    """
    case, axis = settings["panel"]
    column, label = _AXES[axis]
    agents = published_agents(tables, case, settings)
    columns = ["environment", "environment_title", "algorithm", "title", "parameters", column, "value", "runs"]
    # A time below the clock's resolution has no place on a logarithmic axis.
    numbers = agents.assign(**{column: agents[column].clip(lower=1e-9)})[columns]
    if numbers.empty:
        text = f"No agent of the {case} case was played."
        return theme.finish(theme.message(text), text), numbers
    numbers["time"] = numbers[column].map(duration)
    shown = titles_of(sorted(numbers["algorithm"].unique()), settings, "algorithm")
    scales = theme.scales(shown, settings["algorithm_titles"])
    width = (theme.WIDTH - 130) / 3
    told = {"title": "algorithm", "parameters": "parameters", "time": label, "value": "mean score", "runs": "MDPs"}
    data = numbers.assign(panel=numbers["environment_title"], told=theme.told(numbers, told))
    points = (
        alt.Chart(theme.chart_data(data))
        .mark_point(filled=True, size=55, opacity=0.85, aria=True)
        .encode(
            x=alt.X(f"{column}:Q", scale=alt.Scale(type="log"), title=label, axis=_DECADES),
            y=alt.Y("value:Q", scale=alt.Scale(zero=False, padding=_ROOM), title="mean score"),
            color=alt.Color("title:N", scale=scales.colour, title=None, legend=alt.Legend(orient="bottom", columns=5)),
            # With the domain of the colours, or else it has a legend of its own.
            shape=alt.Shape("title:N", scale=alt.Scale(domain=list(shown.values())), title=None),
            **theme.TOLD,
        )
        .properties(width=width, height=220)
    )
    chart = theme.in_panels(points, list(dict.fromkeys(numbers["environment_title"])), 3, width, ("x", "y"))
    return theme.finish(chart, f"Mean score of each agent against the {label}, {case} case"), numbers


def table_plays(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """How many plays there are, how many of them ended in a domain error, and the machine that most were timed on:
    columns plays, failures, machine."""
    plays = tables["collect/plays"]
    row = {"plays": len(plays), "failures": int(plays["failed"].sum()), "machine": plays["machine"].mode()[0]}
    return None, pd.DataFrame([row])


def table_1(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """By which factor each time changes from the least to the greatest value of a parameter, others being equal.

    Columns title, parameter, least, greatest, pairs (of agents in one environment that differ in this alone), offline
    and online (geometric means of the ratios of their times; no offline one of an algorithm that learns nothing there).
    """
    agents = tables[AGENTS]
    agents = agents[agents["variant"].isin(["", "as_published"]) & (agents["parameters"] != "")]
    rows = []
    for algorithm, group in agents.groupby("algorithm", sort=False):
        values = pd.DataFrame(
            [dict(part.split("=", 1) for part in text.split(", ")) for text in group["parameters"]], index=group.index
        )
        learns = group["seconds_offline"].max() >= JITTER
        for name in values:
            numbers = pd.to_numeric(values[name], errors="coerce")
            least, greatest = numbers.min(), numbers.max()
            times = group.assign(others=[tuple(row) for row in values.drop(columns=name).to_numpy()])
            low, high = (
                times[numbers == value].set_index(["environment", "others"])[["seconds_offline", "seconds_decision"]]
                for value in (least, greatest)
            )
            ratios = (high / low).dropna()
            if least < greatest and len(ratios):
                offline, online = np.exp(np.log(ratios).mean())
                title = titles_of([algorithm], settings, "algorithm")[algorithm]
                rows.append((title, name, least, greatest, len(ratios), offline if learns else None, online))
    columns = ["title", "parameter", "least", "greatest", "pairs", "offline", "online"]
    return None, pd.DataFrame(rows, columns=columns)
