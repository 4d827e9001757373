"""Scores and times of the agents.

The module has scores by times (Figures 6, 7, 10 and 11), the influence of each parameter on times (Table 1), the best
agents within limits on both times, as strips of online time (Figures 8 and 12), and the lists in the paper's text.
"""

import math
from collections.abc import Iterable, Sequence

import altair as alt
import numpy as np
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.forms import panels_of, row_axis
from surefoot.charts.names import Titles, titles_of
from surefoot.papers.castronovo2016.orders import (
    OPPS_DS,
    PUBLISHED_ORDERS,
    before_learning,
    bounded_cells,
    common_places,
    lists_of,
    orders,
)
from surefoot.rounding import duration, joined

JITTER = 1e-3
"""Offline time in seconds below which an algorithm counts as having no offline phase."""
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


def figure_times_numbers(
    agents: pd.DataFrame, *, case: str, phase: str, titles: Titles = None, environment_titles: Titles = None
) -> pd.DataFrame:
    """Tabulate the mean score of every agent and its offline or online time.

    If there are several variants, as_published is used.

    Parameters
    ----------
    agents : table of agents
    case : "accurate" or "inaccurate"
    phase : "offline" or "online"
    titles, environment_titles : titles of algorithms and environments by name
    """
    column, _ = _AXES[phase]
    kept = agents["variant"].isin(["", "as_published"]) & (agents["algorithm"] != "formula")
    kept &= agents["environment"].astype(str).str.startswith(f"{case}/")
    agents = agents[kept & agents["estimate"].notna()].reset_index(drop=True)
    agents["title"] = agents["algorithm"].map(titles_of(agents["algorithm"], titles))
    agents["environment_title"] = agents["environment"].map(titles_of(agents["environment"], environment_titles))
    columns = ["environment", "environment_title", "algorithm", "title", "parameters", column, "estimate", "runs"]
    # A time below the clock's resolution cannot be drawn on a logarithmic axis.
    numbers = agents.assign(**{column: agents[column].clip(lower=1e-9)})[columns]
    return numbers if numbers.empty else numbers.assign(time=numbers[column].map(duration))


def figure_times(
    agents: pd.DataFrame, *, case: str, phase: str, titles: Titles = None, environment_titles: Titles = None
) -> alt.TopLevelMixin:
    """Draw the mean score of every agent against its offline or online time, one panel per experiment.

    The parameters are those of `figure_times_numbers`.
    """
    numbers = figure_times_numbers(agents, case=case, phase=phase, titles=titles, environment_titles=environment_titles)
    column, label = _AXES[phase]
    if numbers.empty:
        text = f"No agent of the {case} case was played."
        return theme.finish(theme.message(text), text)
    shown = titles_of(sorted(numbers["algorithm"].unique()), titles)
    colours = theme.colour_scale(shown)
    width = (theme.WIDTH - 130) / 3
    tooltip = {
        "title": "algorithm",
        "parameters": "parameters",
        "time": label,
        "estimate": "mean score",
        "runs": "MDPs",
    }
    data = theme.with_tooltips(numbers, tooltip).assign(panel=numbers["environment_title"])
    points = (
        alt.Chart(theme.chart_data(data))
        .mark_point(filled=True, size=55, opacity=0.85, aria=True)
        .encode(
            x=alt.X(f"{column}:Q", scale=alt.Scale(type="log"), title=label, axis=_DECADES),
            y=alt.Y("estimate:Q", scale=alt.Scale(zero=False, padding=_ROOM), title="mean score"),
            color=alt.Color("title:N", scale=colours, title=None, legend=alt.Legend(orient="bottom", columns=5)),
            # The domain is that of the colours; otherwise, shapes would get a separate legend.
            shape=alt.Shape("title:N", scale=alt.Scale(domain=list(shown.values())), title=None),
            **theme.TOOLTIP,
        )
        .properties(width=width, height=220)
    )
    chart = theme.in_panels(points, list(dict.fromkeys(numbers["environment_title"])), 3, width, ("x", "y"))
    best = numbers.loc[numbers.groupby("environment")["estimate"].idxmax()].sort_values(column)
    texts = [f"{row.title} in {row.environment_title} ({row.time})" for row in best.itertuples()]
    chart = theme.headline(chart, f"Best score: {joined(texts)}")
    return theme.finish(chart, f"Mean score of each agent against the {label}, {case} case")


def table_plays(plays: pd.DataFrame) -> pd.DataFrame:
    """Return the number of plays, the number that ended in a domain error, and the machine that timed most of them.

    The columns are plays, failures, machine.
    """
    row = {"plays": len(plays), "failures": int(plays["failed"].sum()), "machine": plays["machine"].mode()[0]}
    return pd.DataFrame([row])


def table_1(agents: pd.DataFrame, *, titles: Titles = None) -> pd.DataFrame:
    """Compute the factors by which times change from the smallest to the greatest value of a parameter.

    The columns are title, parameter, least, greatest, pairs (of agents in one environment that differ only in this
    parameter), offline and online (geometric means of the ratios of their times; the offline one is missing for an
    algorithm without an offline phase).
    """
    agents = agents[agents["variant"].isin(["", "as_published"]) & (agents["parameters"] != "")]
    rows = []
    for algorithm, group in agents.groupby("algorithm", sort=False):
        values = pd.DataFrame(
            [dict(part.split("=", 1) for part in text.split(", ")) for text in group["parameters"]], index=group.index
        )
        learns = group["seconds_offline"].max() >= JITTER
        for name in values:
            numbers = pd.to_numeric(values[name], errors="coerce")
            least = numbers.min()
            greatest = numbers.max()
            times = group.assign(others=[tuple(row) for row in values.drop(columns=name).to_numpy()])
            low, high = (
                times[numbers == value].set_index(["environment", "others"])[["seconds_offline", "seconds_decision"]]
                for value in (least, greatest)
            )
            ratios = (high / low).dropna()
            if least < greatest and len(ratios):
                offline, online = np.exp(np.log(ratios).mean())
                title = titles_of([algorithm], titles)[algorithm]
                rows.append((title, name, least, greatest, len(ratios), offline if learns else None, online))
    columns = ["title", "parameter", "least", "greatest", "pairs", "offline", "online"]
    return pd.DataFrame(rows, columns=columns)


_ALWAYS = "whatever the offline time"
_BEFORE = "only before OPPS-DS has learnt"
_AFTER = "only with offline time"
_SHADES = {_ALWAYS: theme.STRONG, _BEFORE: "#9cc0ea", _AFTER: "#6a9a72"}
_STRIP_ROW = 20  # height of an agent's row in a strip, in pixels


def figure_bounds_numbers(
    bounds: pd.DataFrame, *, case: str, titles: Titles = None, environment_titles: Titles = None
) -> pd.DataFrame:
    """Return the agents that are among the best at each limit on online time, in the environments of a case.

    Offline time matters only for OPPS-DS, so two offline limits suffice: the greatest at which OPPS-DS is never among
    the best, and the greatest of all.

    Returns
    -------
    DataFrame
        Columns environment, experiment (its title), milliseconds_online (start of the cell), online_end (end of the
        cell), algorithm, title, when (at which of the two offline limits), milliseconds_offline (for OPPS-DS, the
        smallest limit at which it is among the best; else missing), named (True if the paper's text has the list for
        this limit, in the same position).
    """
    cells = bounded_cells(bounds)
    experiments = titles_of(cells["environment"], environment_titles)
    rows = []
    cells["online_end"] = cells.groupby("environment")["milliseconds_online"].transform(_next_bounds)
    cells["best"] = [names.split(", ") if names else [] for names in cells["names"]]
    for environment, group in cells.groupby("environment", sort=False):
        before = before_learning(group)
        named = set() if before is None else _named_bounds(group, before, PUBLISHED_ORDERS.get(str(environment), ()))
        greatest = group["milliseconds_offline"].max()
        for (bound, end), cell in group.groupby(["milliseconds_online", "online_end"]):
            lists = dict(zip(cell["milliseconds_offline"], cell["best"], strict=True))
            early = lists.get(before, [])
            late = lists[greatest]
            for algorithm in dict.fromkeys(name for names in lists.values() for name in names):
                if algorithm == OPPS_DS:
                    when = _AFTER
                elif algorithm in early:
                    when = _ALWAYS if algorithm in late else _BEFORE
                elif algorithm in late:
                    when = _AFTER
                else:
                    continue
                least = min(offline for offline, names in lists.items() if algorithm in names)
                row = {"environment": environment, "experiment": experiments[environment]}
                row |= {"milliseconds_online": bound, "online_end": end, "algorithm": algorithm, "when": when}
                row |= {"milliseconds_offline": least if algorithm == OPPS_DS else math.nan}
                rows.append(row | {"named": bound in named and algorithm in early})
    columns = ["environment", "experiment", "milliseconds_online", "online_end", "algorithm", "title", "when"]
    table = pd.DataFrame(
        rows, columns=[name for name in columns if name != "title"] + ["milliseconds_offline", "named"]
    )
    table["title"] = table["algorithm"].map(titles_of(table["algorithm"], titles))
    of_case = table["environment"].astype(str).str.startswith(f"{case}/")
    return table.loc[of_case, [*columns, "milliseconds_offline", "named"]].reset_index(drop=True)


def figure_bounds(
    agents: pd.DataFrame, bounds: pd.DataFrame, *, case: str, titles: Titles = None, environment_titles: Titles = None
) -> alt.TopLevelMixin:
    """Draw which agents are among the best at each limit on online time, for the environments of a case.

    There is one panel per environment, with one row per agent. A grid point represents the cell up to the next
    point; times are for whole trajectories.
    """
    numbers = figure_bounds_numbers(bounds, case=case, titles=titles, environment_titles=environment_titles)
    description = f"Best agents within bounds on their online time, {case} case"
    if numbers.empty:
        return theme.finish(theme.message(f"No agent of the {case} case was played."), description)
    of_case = agents["environment"].astype(str).str.startswith(f"{case}/")
    played = [name for name in agents.loc[of_case, "algorithm"].unique() if name != "formula"]
    order = list(titles_of([*numbers["algorithm"].value_counts().index, *played], titles).values())
    data = numbers[["title", "when"]].assign(
        panel=numbers["experiment"],
        seconds=numbers["milliseconds_online"] / 1e3,
        end=numbers["online_end"] / 1e3,
        outline=np.where(numbers["named"], "#d7500f", "white"),
        until=[duration(end / 1e3) for end in numbers["online_end"]],
        offline=["" if np.isnan(bound) else duration(bound / 1e3) for bound in numbers["milliseconds_offline"]],
        paper=np.where(numbers["named"], "names this list", "does not name this list here"),
    )
    named = {"title": "agent", "panel": "environment", "until": "online time below", "when": "among the best"}
    data = theme.with_tooltips(data, named | {"offline": "offline time from", "paper": "the paper"})
    scale = alt.Scale(type="log", nice=False)
    base = alt.Chart().encode(y=alt.Y("title:N", sort=order, title=None, axis=row_axis()), **theme.TOOLTIP)
    x = alt.X("seconds:Q", scale=scale, axis=_DECADES, title="online time of a trajectory")
    colours = alt.Scale(domain=list(_SHADES), range=list(_SHADES.values()))
    legend = alt.Legend(orient="bottom", title="among the best", direction="horizontal")
    boxes = base.mark_rect(height=_STRIP_ROW - 4, strokeWidth=2, aria=True).encode(
        x=x,
        x2="end:Q",
        color=alt.Color("when:N", scale=colours, legend=legend),
        stroke=alt.Stroke("outline:N", scale=None),
    )
    texts = base.mark_text(align="left", dx=3, fontSize=theme.TEXT - 2, color=theme.INK).encode(x=x, text="offline:N")
    width = theme.WIDTH - theme.LABEL - 20
    chart = alt.layer(boxes, texts, data=theme.chart_data(data)).properties(width=width, height=_STRIP_ROW * len(order))
    limits = len(numbers.drop_duplicates(["environment", "milliseconds_online"]))
    most = numbers["title"].value_counts()
    finding = f"{most.index[0]} is among the best most often: within {most.iloc[0]} of {limits} limits on online time"
    whole = theme.headline(theme.in_panels(chart, panels_of(data), 1, width), finding)
    return theme.finish(whole, description)


def _named_bounds(cells: pd.DataFrame, offline: float, named: Sequence[str]) -> set[float]:
    """Return the limits on online time for which our list of best agents matches one of the paper's lists."""
    lists = lists_of(cells, offline)
    matched = {ours for _, ours in common_places(named, [names for _, names in lists])}
    return {bound for place, (bounds, _) in enumerate(lists) if place in matched for bound in bounds}


def _next_bounds(bounds: pd.Series) -> pd.Series:
    """Return the upper end of each cell.

    It is the next limit; for the last cell, its limit times the ratio of the last two limits.
    """
    begins = sorted(bounds.unique())
    factor = begins[-1] / begins[-2] if len(begins) > 1 else 5.0
    return bounds.map(dict(zip(begins, [*begins[1:], begins[-1] * factor], strict=True)))


def table_orders(bounds: pd.DataFrame, *, titles: Titles = None, environment_titles: Titles = None) -> pd.DataFrame:
    """Return the paper's lists of best algorithms and ours, with less offline time than OPPS-DS needs.

    The columns are environment_title, published, ours (lists separated by arrows, by increasing online limit), named
    (number of lists in the paper) and agree (number of these that are also ours, in the same order).
    """
    played = list(orders(bounds))
    shown = titles_of([environment for environment, *_ in played], environment_titles)
    rows = []
    for environment, named, ours in played:
        row = {"environment_title": shown[environment]}
        row |= {"published": _written(named, titles), "ours": _written(ours, titles)}
        rows.append(row | {"named": len(named), "agree": len(common_places(named, ours))})
    return pd.DataFrame(rows, columns=["environment_title", "published", "ours", "named", "agree"])


def _written(lists: Iterable[str], titles: Titles) -> str:
    """Format lists of algorithms by their titles, separated by arrows."""
    parts = [names.split(", ") for names in lists]
    shown = titles_of([name for part in parts for name in part], titles)
    return " \N{RIGHTWARDS ARROW} ".join(", ".join(shown[name] for name in part) for part in parts)
