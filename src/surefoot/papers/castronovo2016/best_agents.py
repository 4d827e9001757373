"""Which agent is best: by its scores, whatever time it takes, and within bounds on both times (Figures 8 and 12), with
the orders that the paper's text names.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from scipy import ndimage

from surefoot.charts import theme
from surefoot.charts.intervals import interval_bars, published_rings, row_marks, value_axis
from surefoot.charts.selection import rounded, titles
from surefoot.papers.castronovo2016.comparison import MEAN, in_case, scored_agents
from surefoot.papers.castronovo2016.scores import larger_comparison, named
from surefoot.result_tables import Tables
from surefoot.rounding import duration
from surefoot.statistics.arrays import Booleans
from surefoot.statistics.comparison.plays import NORMAL_QUANTILE
from surefoot.statistics.reproduction.items import of_quantity

BOUNDS = "aggregate/time_bounds"
RADIUS = 0.15
"""The radius of the circle of several markers, in powers of ten."""

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

_DECADES = "abs(log(datum.value) / LN10 - round(log(datum.value) / LN10)) < 1e-6 ? datum.label : ''"
"""The expression for labels of an axis: powers of ten alone, or else as many others stay as have room, in no order."""


def bounded_cells(tables: Tables, variant: str = "as_published") -> pd.DataFrame:
    """Grid points of one variant, bounds in milliseconds of a decision and in minutes, algorithms as a sorted list."""
    table = tables[BOUNDS].fillna({"algorithms": "", "variant": ""})
    table = table[table["variant"].isin(["", variant])] if variant in set(table["variant"]) else table
    names = table["algorithms"].map(lambda text: ", ".join(sorted(text.split(", "))) if text else "")
    return table.assign(names=names)


def figure_bounds(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Regions of bounds with the same best algorithms, a panel an experiment of the case `settings["case"]`.

    A grid point stands for the cell from it up to the next point; both axes are of whole trajectories.
    """
    case = settings["case"]
    cells = bounded_cells(tables)
    cells = cells[in_case(cells["environment"], case)].reset_index(drop=True)
    description = f"Best algorithms under bounds on offline and online time, {case} case"
    if cells.empty:
        return theme.finish(theme.message(f"No agent of the {case} case was played."), description), cells
    shown = titles(cells["environment"], settings, "environment")
    best = {name for names in cells["names"] for name in names.split(", ") if name}
    among = [name for name in settings["algorithm_titles"] if name in best]
    panels = [
        _panel(group, shown[environment], settings, among)
        for environment, group in cells.groupby("environment", sort=False)
    ]
    chart = alt.vconcat(*panels).resolve_scale(x="independent", y="independent", color="shared", shape="shared")
    return theme.finish(chart, description), cells.drop(columns="names")


def _panel(
    cells: pd.DataFrame, title: str, settings: Mapping[str, Any], among: list[str]
) -> alt.LayerChart | alt.FacetChart:
    """A chart of one environment; `among` are the algorithms that the legend of all panels names."""
    log, decades = alt.Scale(type="log", nice=False), alt.Axis(labelExpr=_DECADES)
    x = alt.X("x:Q", scale=log, axis=decades, title="limit of online time per trajectory, in ms")
    y = alt.Y("y:Q", scale=log, axis=decades, title="limit of offline time, in ms")
    columns, rows = (sorted(cells[name].unique()) for name in ("milliseconds_online", "milliseconds_offline"))
    names = cells.set_index(["milliseconds_online", "milliseconds_offline"])["names"]
    grid = [[names.get((online, offline), "") for offline in rows] for online in columns]
    lines = alt.Chart(_borders(grid, columns, rows)).mark_rule(color=theme.INK, strokeWidth=1)
    lines = lines.encode(x=x, x2="x2:Q", y=y, y2="y2:Q")
    markers = _markers(grid, columns, rows, settings)
    shown = titles(among, settings, "algorithm")
    scales = theme.scales(shown, sorted({*shown, *settings["algorithm_titles"]}))
    legend = alt.Legend(orient="top", columns=theme.legend_columns(shown.values()))
    points = (
        alt.Chart(markers)
        .mark_point(filled=True, size=60, opacity=1)
        .encode(
            x=x,
            y=y,
            color=alt.Color("title:N", scale=scales.colour, title=None, legend=legend),
            shape=alt.Shape("title:N", scale=scales.shape, title=None),
            tooltip=["title:N", "names:N"],
        )
    )
    return alt.layer(lines, points, title=title).properties(width=theme.WIDTH - 90, height=210)


def _ends(bounds: list[float]) -> list[float]:
    """Where the cells begin, and where the last one ends."""
    factor = bounds[1] / bounds[0] if len(bounds) > 1 else 5.0
    return [*bounds, bounds[-1] * factor]


def _borders(grid: list[list[str]], columns: list[float], rows: list[float]) -> pd.DataFrame:
    """Sides of cells whose neighbours have other best algorithms, the outer sides among them."""
    x, y = _ends(columns), _ends(rows)

    def at(i: int, j: int) -> str | None:
        inside = 0 <= i < len(columns) and 0 <= j < len(rows)
        return grid[i][j] if inside else None

    lines = []
    for i in range(len(columns) + 1):
        for j in range(len(rows) + 1):
            if j < len(rows) and at(i - 1, j) != at(i, j):
                lines.append({"x": x[i], "x2": x[i], "y": y[j], "y2": y[j + 1]})
            if i < len(columns) and at(i, j - 1) != at(i, j):
                lines.append({"x": x[i], "x2": x[i + 1], "y": y[j], "y2": y[j]})
    return pd.DataFrame(lines)


def _markers(
    grid: list[list[str]], columns: list[float], rows: list[float], settings: Mapping[str, Any]
) -> pd.DataFrame:
    """One marker for each best algorithm of each region, around the middle of its innermost cell."""
    x, y = ([math.log10(bound) for bound in _ends(bounds)] for bounds in (columns, rows))
    markers = []
    for names, region in regions(grid):
        column, row = innermost(region)
        middle_x, middle_y = 0.5 * (x[column] + x[column + 1]), 0.5 * (y[row] + y[row + 1])
        algorithms = names.split(", ")
        shown = titles(algorithms, settings, "algorithm")
        for place, algorithm in enumerate(algorithms):
            angle = 2.0 * math.pi * place / len(algorithms)
            radius = RADIUS if len(algorithms) > 1 else 0.0
            markers.append(
                {
                    "x": 10 ** (middle_x + radius * math.cos(angle)),
                    "y": 10 ** (middle_y + radius * math.sin(angle)),
                    "title": shown[algorithm],
                    "names": ", ".join(shown.values()),
                }
            )
    return pd.DataFrame(markers, columns=["x", "y", "title", "names"])


def innermost(region: Booleans) -> tuple[int, int]:
    """The cell of a region that is farthest from other regions; of several, the one nearest to the region's middle.

    The middle itself may lie outside: regions are often bent round a corner.

    region : bool[columns, rows]
    """
    reach = ndimage.distance_transform_cdt(np.pad(region, 1), metric="chessboard")[1:-1, 1:-1]
    middle = np.argwhere(region).mean(axis=0)
    farthest = np.argwhere(reach == reach.max())
    column, row = min(farthest.tolist(), key=lambda cell: (math.dist(cell, middle), cell))
    return column, row


def regions(grid: list[list[str]]) -> Iterator[tuple[str, Booleans]]:
    """Cells that hang together by their sides and have the same best algorithms: these, and bool[columns, rows]."""
    cells = np.array(grid)
    for names in filter(None, np.unique(cells)):
        labels, count = ndimage.label(cells == names)
        for number in range(1, count + 1):
            yield str(names), labels == number


def table_orders(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """The best algorithms from left to right that the text names, and ours below the offline time of OPPS-DS.

    Columns environment_title, published, ours (lists with arrows between them, in order of growing online bound), named
    (how many lists the paper names) and agree (how many of them are ours too, in this order).
    """
    cells = bounded_cells(tables)
    shown = titles(cells["environment"], settings, "environment")
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
    shown = titles([name for part in parts for name in part], settings, "algorithm")
    return " \N{RIGHTWARDS ARROW} ".join(", ".join(shown[name] for name in part) for part in parts)


_FEWEST = 2  # agents of an environment, else there is nothing to be best of
_COLUMNS = 3
_BEST, _WORSE = "best, or not significantly worse", "worse"
_WITHOUT, _WITH = "before OPPS-DS has learnt", "with any offline time"


def best_scores(tables: Tables, settings: Mapping[str, Any]) -> pd.DataFrame:
    """The paper's agents on the MDPs of the large run or of this one, whichever has more of them.

    `among_best` are those that do not lie below the best of their environment by more than 1.96 standard errors of the
    difference. Agents play the same MDPs, so the errors are taken for larger than they are: an agent is called worse
    only where that is sure.

    Returns
    -------
    columns environment, environment_title, algorithm, title, agent, value, low, high (of 95 % intervals), runs,
    published, among_best
    """
    rows = of_quantity(larger_comparison(tables, settings), MEAN).reset_index(drop=True)
    names = scored_agents(rows["item"])[["environment", "algorithm"]]
    published = tables["published"].set_index("item")
    spread = rows["item"].map(published["standard_error"]).fillna(0.0) * rows["item"].map(published["runs"]) ** 0.5
    error = spread.astype(float) / rows["runs"].astype(float) ** 0.5
    table = names.join(named(rows["item"], settings)).assign(value=rows["ours"].astype(float), error=error)
    table = table.assign(runs=rows["runs"], published=rows["published"])
    table["low"], table["high"] = (table["value"] + side * NORMAL_QUANTILE * error for side in (-1, 1))
    best = table.loc[table.groupby("environment", sort=False)["value"].idxmax()].set_index("environment")
    leader, leader_error = (table["environment"].map(best[name]) for name in ("value", "error"))
    reach = NORMAL_QUANTILE * (error**2 + leader_error**2) ** 0.5
    among = (leader - table["value"] <= reach) | (leader == table["value"])
    order = {name: place for place, name in enumerate(settings["environment_titles"])}
    table = table.assign(among_best=among, place=table["environment"].map(order))
    return table.sort_values("place", kind="stable", ignore_index=True).drop(columns=["place", "parameters", "error"])


def figure_best(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The scores of `best_scores`, a panel an environment; rings are the published scores, diamonds the best."""
    numbers = best_scores(tables, settings)
    if numbers.empty:
        text = "No agent of the paper was played, and no record of a large run is here."
        return theme.finish(theme.message(text), text), numbers
    shown = titles(numbers["algorithm"], settings, "algorithm")
    scales = theme.scales(shown, settings["algorithm_titles"])
    marks = numbers["among_best"].map({True: _BEST, False: _WORSE})
    data = rounded(numbers.assign(standing=marks)).drop(columns=["environment", "algorithm"])
    tooltip = theme.tooltip(
        agent="agent",
        environment_title="environment",
        value="score",
        published="published",
        runs="MDPs",
        standing="standing",
    )
    base, x = row_marks(list(shown.values()), scales.colour, tooltip), value_axis("mean return", 4)
    legend = alt.Legend(orient="top", title=None, symbolSize=80, symbolFillColor=theme.NEUTRAL)
    points = base.mark_point(filled=True, opacity=1).encode(
        x=alt.X("value:Q", **x),
        size=alt.Size(
            "among_best:N",  # not "standing", whose legend the missing one here would take away
            scale=alt.Scale(domain=[True, False], range=[130, 35]),
            legend=None,
        ),
        shape=alt.Shape(
            "standing:N",
            scale=alt.Scale(domain=[_BEST, _WORSE], range=["diamond", "circle"]),
            legend=legend,
        ),
    )
    layers = [interval_bars(base, x, 6, 0.4), points, published_rings(base, x, 60)]
    panels = list(dict.fromkeys(numbers["environment_title"]))
    width = (theme.WIDTH - theme.LABEL - 45 * (_COLUMNS - 1)) // _COLUMNS
    chart = (
        alt.layer(*layers, data=data)
        .properties(width=width, height=22 * len(shown))
        .facet(alt.Facet("environment_title:N", sort=panels, title=None), columns=_COLUMNS)
        .resolve_scale(x="independent")
        .resolve_axis(x="independent")
    )
    return theme.finish(chart, "Mean return of each agent in each environment, with the published ones"), numbers


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
