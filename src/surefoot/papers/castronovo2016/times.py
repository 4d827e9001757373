"""Scores against times (Figures 6, 7, 10 and 11), how each time varies with each parameter (Table 1), and which agents
are best within bounds on both times: regions of bounds (Figures 8 and 12), the orders that the paper's text names, and
in how many environments an agent is among the best.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.drawing import AGENTS, BOUNDS
from surefoot.charts.forms import heat_table
from surefoot.charts.names import titles_of
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


def figure_times(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Mean score of every agent against its offline or online time, a panel an experiment, in the variant as_published
    where there are two.

    `settings["panel"]` is the case, and offline or online.
    """
    case, axis = settings["panel"]
    column, label = _AXES[axis]
    agents = tables[AGENTS]
    kept = agents["variant"].isin(["", "as_published"]) & (agents["algorithm"] != "formula")
    kept &= agents["environment"].astype(str).str.startswith(f"{case}/")
    agents = agents[kept & agents["value"].notna()].reset_index(drop=True)
    for kind, name in (("algorithm", "title"), ("environment", "environment_title")):
        agents[name] = agents[kind].map(titles_of(agents[kind], settings, kind))
    columns = ["environment", "environment_title", "algorithm", "title", "parameters", column, "value", "runs"]
    # A time below the clock's resolution has no place on a logarithmic axis.
    numbers = agents.assign(**{column: agents[column].clip(lower=1e-9)})[columns]
    if numbers.empty:
        text = f"No agent of the {case} case was played."
        return theme.finish(theme.message(text), text), numbers
    numbers["time"] = numbers[column].map(duration)
    shown = titles_of(sorted(numbers["algorithm"].unique()), settings, "algorithm")
    colours = theme.colour_scale(shown, settings["algorithm_titles"])
    width = (theme.WIDTH - 130) / 3
    tooltip = {"title": "algorithm", "parameters": "parameters", "time": label, "value": "mean score", "runs": "MDPs"}
    data = theme.with_tooltips(numbers, tooltip).assign(panel=numbers["environment_title"])
    points = (
        alt.Chart(theme.chart_data(data))
        .mark_point(filled=True, size=55, opacity=0.85, aria=True)
        .encode(
            x=alt.X(f"{column}:Q", scale=alt.Scale(type="log"), title=label, axis=_DECADES),
            y=alt.Y("value:Q", scale=alt.Scale(zero=False, padding=_ROOM), title="mean score"),
            color=alt.Color("title:N", scale=colours, title=None, legend=alt.Legend(orient="bottom", columns=5)),
            # With the domain of the colours, or else it has a legend of its own.
            shape=alt.Shape("title:N", scale=alt.Scale(domain=list(shown.values())), title=None),
            **theme.TOOLTIP,
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


_WITHOUT, _WITH = "before OPPS-DS has learnt", "with any offline time"

PUBLISHED_ORDERS = {
    "accurate/gc": ("random", "sboss", "beb, e_greedy", "beb, bfs3, e_greedy"),
    "accurate/gdl": ("random", "random, sboss", "e_greedy", "beb, e_greedy", "bamcp, beb, e_greedy"),
    "accurate/grid": ("random", "sboss", "e_greedy", "beb, e_greedy"),
    "inaccurate/gc": ("random", "random, sboss", "sboss", "beb, e_greedy, sboss", "beb, bfs3, e_greedy, sboss"),
    "inaccurate/gdl": (
        "random",
        "random, sboss",
        "bamcp, random, sboss",
        "beb, e_greedy, sboss",
        "beb, bfs3, e_greedy, sboss",
        "bamcp, beb, bfs3, e_greedy, sboss",
    ),
    "inaccurate/grid": ("random", "random, sboss", "bamcp, beb, bfs3, random, sboss", "e_greedy"),
}
"""Best algorithms with growing online bound, below the offline time that OPPS-DS needs (section 5.3)."""

_POWERS_OF_TEN = "abs(log(datum.value) / LN10 - round(log(datum.value) / LN10)) < 1e-6 ? datum.label : ''"
"""The expression for labels of an axis: powers of ten alone, or else as many others stay as have room, in no order."""


def bounded_cells(tables: Tables) -> pd.DataFrame:
    """Grid points of the variant as_published where there are two, with the best algorithms as a sorted list."""
    table = tables[BOUNDS].fillna({"algorithms": "", "variant": ""})
    if "as_published" in set(table["variant"]):
        table = table[table["variant"].isin(["", "as_published"])]
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
    learnt = cells.loc[has_offline, "milliseconds_offline"].min()  # NaN, below which there is nothing, if never
    rows = []
    for title, limit in ((_WITHOUT, learnt), (_WITH, math.inf)):
        allowed = cells[cells["milliseconds_offline"] < limit]
        for bound in bounds:
            kept = allowed[allowed["milliseconds_online"] <= bound]
            widest = kept.sort_values(["milliseconds_offline", "milliseconds_online"]).groupby("environment").tail(1)
            best = widest.sort_values("environment", kind="stable")["names"].str.split(", ").explode()
            counts = best[best != ""].value_counts(sort=False)
            within = cells[cells["milliseconds_online"] <= bound].groupby("environment")["agents"].max().sum()
            rows += [(title, bound, name, count, places, within / every) for name, count in counts.items()]
    columns = ["offline", "milliseconds_online", "algorithm", "count", "environments", "share"]
    table = pd.DataFrame(rows, columns=columns)
    shown = titles_of(table["algorithm"], settings, "algorithm")
    table.insert(3, "title", table["algorithm"].map(shown))
    return table


def figure_budget(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The counts of `budget_counts` as a table of coloured cells, a panel without and one with OPPS-DS."""
    numbers = budget_counts(tables, settings)
    if numbers.empty:
        text = "No agent was played under bounds on its time."
        return theme.finish(theme.message(text), text), numbers
    numbers["bound"] = [duration(bound / 1e3) for bound in numbers["milliseconds_online"]]
    best = numbers.groupby("title")["count"].sum().sort_values(ascending=False, kind="stable")
    places = int(numbers["environments"].iloc[0])
    cells = numbers[["bound"]].assign(
        row=numbers["title"],
        column=numbers["bound"],
        value=numbers["count"].astype(float),
        written=numbers["count"].astype(str),
        panel=numbers["offline"],
    )
    chart = heat_table(
        cells,
        list(best.index),
        list(dict.fromkeys(numbers.sort_values("milliseconds_online")["bound"])),
        {"row": "agent", "bound": "at most", "value": f"among the best, of {places} environments"},
        heading="online time of a trajectory, at most",
        strong=(0.0, places),
    )
    description = "In how many environments each agent is among the best within a bound on its time"
    return theme.finish(chart, description), numbers


def figure_bounds(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The bounds within which each agent is among the best, a row of panels an experiment of the case
    `settings["case"]` and a column an agent.

    A grid point stands for the cell from it up to the next point; both axes are of whole trajectories.
    """
    case = settings["case"]
    cells = bounded_cells(tables)
    cells = cells[cells["environment"].astype(str).str.startswith(f"{case}/")].reset_index(drop=True)
    description = f"Best algorithms under bounds on offline and online time, {case} case"
    if cells.empty:
        return theme.finish(theme.message(f"No agent of the {case} case was played."), description), cells
    experiments = titles_of(cells["environment"], settings, "environment")
    data = cells.assign(best=cells["names"].str.split(", ")).explode("best").query("best != ''")
    shown = titles_of(data["best"].value_counts().index, settings, "algorithm")
    for axis in ("online", "offline"):
        data[f"{axis}_end"] = data.groupby("environment")[f"milliseconds_{axis}"].transform(_next_bounds)
    data = data.assign(title=data["best"].map(shown), experiment=data["environment"].map(experiments))
    columns = [
        "title",
        "experiment",
        "online_end",
        "offline_end",
        "milliseconds_online",
        "milliseconds_offline",
    ]
    log, decades = alt.Scale(type="log", nice=False), alt.Axis(labelExpr=_POWERS_OF_TEN)
    panels = alt.Chart(theme.chart_data(data[columns])).mark_rect()
    panels = panels.encode(
        x=alt.X("milliseconds_online:Q", scale=log, axis=decades, title="online, ms"),
        x2="online_end:Q",
        y=alt.Y("milliseconds_offline:Q", scale=log, axis=decades, title="offline, ms"),
        y2="offline_end:Q",
        color=alt.Color("title:N", scale=theme.colour_scale(shown, settings["algorithm_titles"]), legend=None),
    )
    chart = panels.properties(width=(theme.WIDTH - 120) // len(shown), height=110).facet(
        row=alt.Row("experiment:N", title=None, sort=[*experiments.values()]),
        column=alt.Column("title:N", title=None, sort=[*shown.values()]),
        spacing=8,
    )
    return theme.finish(chart, description), cells.drop(columns="names")


def _next_bounds(bounds: pd.Series) -> pd.Series:
    """Where the cells end: at the next bound, and the last one as far beyond as that is from the one before."""
    begins = sorted(bounds.unique())
    factor = begins[-1] / begins[-2] if len(begins) > 1 else 5.0
    return bounds.map(dict(zip(begins, [*begins[1:], begins[-1] * factor], strict=True)))


def table_orders(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """The best algorithms from left to right that the text names, and ours below the offline time of OPPS-DS.

    Columns environment_title, published, ours (lists with arrows between them, in order of growing online bound), named
    (how many lists the paper names) and agree (how many of them are ours too, in this order).
    """
    cells = bounded_cells(tables)
    shown = titles_of(cells["environment"], settings, "environment")
    rows = []
    for environment, group in cells.groupby("environment", sort=False):
        if environment not in PUBLISHED_ORDERS:
            continue
        ours = _order(group)
        named = PUBLISHED_ORDERS[environment]
        row = {"environment_title": shown[environment]}
        row |= {"published": _written(named, settings), "ours": _written(ours, settings)}
        rows.append(row | {"named": len(named), "agree": _common(named, ours)})
    return None, pd.DataFrame(rows, columns=["environment_title", "published", "ours", "named", "agree"])


def _order(cells: pd.DataFrame) -> list[str]:
    """Distinct lists with growing online bound, at the greatest offline bound at which OPPS-DS is in none."""
    without = cells.groupby("milliseconds_offline")["names"].agg(
        lambda names: not any("opps_ds" in text for text in names) and any(names)
    )
    if not without.any():
        return []
    row = cells[cells["milliseconds_offline"] == without[without].index.max()].sort_values("milliseconds_online")
    names = [name for name in row["names"] if name]
    return [name for place, name in enumerate(names) if place == 0 or names[place - 1] != name]


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    """Length of the longest common subsequence."""
    lengths = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            lengths[i + 1][j + 1] = lengths[i][j] + 1 if a == b else max(lengths[i][j + 1], lengths[i + 1][j])
    return lengths[-1][-1]


def _written(lists: Iterable[str], settings: Mapping[str, Any]) -> str:
    """Lists of algorithms by their titles, with arrows between them."""
    parts = [names.split(", ") for names in lists]
    shown = titles_of([name for part in parts for name in part], settings, "algorithm")
    return " \N{RIGHTWARDS ARROW} ".join(", ".join(shown[name] for name in part) for part in parts)
