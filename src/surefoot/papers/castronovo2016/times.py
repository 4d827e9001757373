"""Scores against the times of decisions (Figures 7 and 11), and which agents are best within a budget of time."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.selection import rounded, titles
from surefoot.papers.castronovo2016.comparison import in_case
from surefoot.result_tables import Tables
from surefoot.rounding import duration

AGENTS = "aggregate/agents"

BOUNDS = "aggregate/time_bounds"
_WITHOUT, _WITH = "before OPPS-DS has learnt", "with any offline time"

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
        agents[column] = agents[kind].map(titles(agents[kind], settings, kind))
    return agents


def figure_times(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Mean score of every agent of `settings["case"]` against the time of a decision, a panel an experiment."""
    case = settings["case"]
    agents = published_agents(tables, case, settings)
    columns = ["environment", "environment_title", "algorithm", "title", "parameters", "seconds_decision"]
    # A time below the clock's resolution has no place on a logarithmic axis.
    numbers = agents.assign(seconds_decision=agents["seconds_decision"].clip(lower=1e-9))[[*columns, "value", "runs"]]
    if numbers.empty:
        text = f"No agent of the {case} case was played."
        return theme.finish(theme.message(text), text), numbers
    numbers["time"] = numbers["seconds_decision"].map(duration)
    shown = titles(numbers["algorithm"], settings, "algorithm")
    scales = theme.scales(shown, settings["algorithm_titles"])
    points = (
        alt.Chart(rounded(numbers))
        .mark_point(filled=True, size=55, opacity=0.85)
        .encode(
            x=alt.X("seconds_decision:Q", scale=alt.Scale(type="log"), title="time of a decision", axis=_DECADES),
            y=alt.Y("value:Q", scale=alt.Scale(zero=False, padding=_ROOM), title="mean score"),
            color=alt.Color("title:N", scale=scales.colour, title=None, legend=alt.Legend(orient="bottom", columns=5)),
            shape=alt.Shape("title:N", sort=list(shown.values()), title=None),
            tooltip=theme.tooltip(
                title="algorithm", parameters="parameters", time="time of a decision", value="mean score", runs="MDPs"
            ),
        )
        .properties(width=(theme.WIDTH - 130) / 3, height=220)
    )
    order = list(dict.fromkeys(numbers["environment_title"]))
    chart = points.facet(alt.Facet("environment_title:N", sort=order, title=None), columns=3)
    chart = chart.resolve_scale(x="independent", y="independent")
    return theme.finish(chart, f"Mean score of each agent against the time of a decision, {case} case"), numbers


def table_plays(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """How many plays there are, how many of them ended in a domain error, and the machine that most were timed on:
    columns plays, failures, machine."""
    plays = tables["collect/plays"]
    row = {"plays": len(plays), "failures": int(plays["failed"].sum()), "machine": plays["machine"].mode()[0]}
    return None, pd.DataFrame([row])


def bounded_cells(tables: Tables, variant: str = "as_published") -> pd.DataFrame:
    """Grid points of one variant, bounds in milliseconds of a decision and in minutes, algorithms as a sorted list."""
    table = tables[BOUNDS].fillna({"algorithms": "", "variant": ""})
    table = table[table["variant"].isin(["", variant])] if variant in set(table["variant"]) else table
    names = table["algorithms"].map(lambda text: ", ".join(sorted(text.split(", "))) if text else "")
    return table.assign(names=names)


def budget_counts(tables: Tables, settings: Mapping[str, Any]) -> pd.DataFrame:
    """In how many environments an algorithm is among the best within a bound on the time of a trajectory.

    Beyond the greatest bound of an environment, which all of its agents keep, its lists stay the same.

    Returns
    -------
    columns offline ("before OPPS-DS has learnt": at the greatest bound at which that is nowhere among the best; or
    "with any offline time"), milliseconds_online, algorithm, title, count, environments (how many there are),
    share (of all agents, how many keep the bound)
    """
    cells = bounded_cells(tables)
    bounds = sorted(cells["milliseconds_online"].unique())
    places = cells["environment"].nunique()
    every = cells.groupby("environment")["agents"].max().sum()
    has_offline = cells["names"].map(lambda names: "opps_ds" in names.split(", "))
    learnt = cells.loc[has_offline, "milliseconds_offline"].min() if has_offline.any() else None
    rows = []
    for title, limit in ((_WITHOUT, learnt), (_WITH, None)):
        if title == _WITHOUT and learnt is None:
            continue
        allowed = cells if limit is None else cells[cells["milliseconds_offline"] < limit]
        for bound in bounds:
            found: dict[str, int] = {}
            for _, group in allowed[allowed["milliseconds_online"] <= bound].groupby("environment"):
                widest = group.sort_values(["milliseconds_offline", "milliseconds_online"]).iloc[-1]
                for name in filter(None, widest["names"].split(", ")):
                    found[name] = found.get(name, 0) + 1
            within = cells[cells["milliseconds_online"] <= bound].groupby("environment")["agents"].max().sum()
            rows += [(title, bound, name, count, places, within / every) for name, count in found.items()]
    columns = ["offline", "milliseconds_online", "algorithm", "count", "environments", "share"]
    table = pd.DataFrame(rows, columns=columns)
    shown = titles(table["algorithm"], settings, "algorithm")
    table.insert(3, "title", table["algorithm"].map(shown))
    return table


def figure_budget(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The counts of `budget_counts` as a table of coloured cells, a panel without and one with OPPS-DS."""
    numbers = budget_counts(tables, settings)
    if numbers.empty:
        text = "No agent was played under bounds on its time."
        return theme.finish(theme.message(text), text), numbers
    numbers["bound"] = [duration(bound / 1e3) for bound in numbers["milliseconds_online"]]
    order = list(dict.fromkeys(numbers.sort_values("milliseconds_online")["bound"]))
    best = numbers.groupby("title")["count"].sum().sort_values(ascending=False, kind="stable")
    places = int(numbers["environments"].iloc[0])
    base = alt.Chart().encode(
        x=alt.X("bound:O", sort=order, title="online time of a trajectory, at most", axis=alt.Axis(labelAngle=0)),
        y=alt.Y("title:N", sort=list(best.index), title=None, axis=alt.Axis(ticks=False, domain=False)),
        tooltip=theme.tooltip(title="agent", bound="at most", count=f"among the best, of {places} environments"),
    )
    scale = alt.Scale(domain=[0, places], range=["white", theme.INK])
    # Lines of one colour, but of an algorithm each: so that pages can highlight its row.
    whose = alt.Stroke("title:N", scale=alt.Scale(domain=list(best.index), range=[theme.PALE] * len(best)), legend=None)
    cells = base.mark_rect().encode(color=alt.Color("count:Q", scale=scale, legend=None), stroke=whose)
    dark = alt.datum.count > 0.5 * places
    text = base.mark_text(fontSize=12, strokeWidth=0).encode(
        text="count:Q", stroke=whose, color=alt.condition(dark, alt.value("white"), alt.value(theme.INK))
    )
    panels = [title for title in (_WITHOUT, _WITH) if title in set(numbers["offline"])]
    width = min(62 * len(order), theme.WIDTH - theme.LABEL)
    data = numbers[["offline", "bound", "title", "count"]]
    chart = (
        alt.layer(cells, text, data=data)
        .properties(width=width, height=21 * len(best))
        .facet(alt.Facet("offline:N", sort=panels, title=None), columns=1)
    )
    description = "In how many environments each agent is among the best within a bound on its time"
    return theme.finish(chart, description), numbers
