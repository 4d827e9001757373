"""Which agents are best within bounds on both times: regions of bounds (Figures 8 and 12), the orders that the paper's
text names, and in how many environments an agent is among the best.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import ndimage

from surefoot.charts import theme
from surefoot.charts.drawing import BOUNDS
from surefoot.charts.forms import heat_table
from surefoot.charts.names import titles_of
from surefoot.charts.theme import of_classes
from surefoot.papers.castronovo2016.comparison import in_case
from surefoot.result_tables import Tables
from surefoot.rounding import duration
from surefoot.statistics.arrays import Booleans

Texts = npt.NDArray[np.str_]

_WITHOUT, _WITH = "before OPPS-DS has learnt", "with any offline time"
_RADIUS = 0.15
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
        panels=[title for title in (_WITHOUT, _WITH) if title in set(cells["panel"])],
    )
    description = "In how many environments each agent is among the best within a bound on its time"
    return theme.finish(of_classes(chart), description), numbers


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
    experiments = titles_of(cells["environment"], settings, "environment")
    best = {name for names in cells["names"] for name in names.split(", ") if name}
    shown = titles_of(sorted(best), settings, "algorithm")
    colours = theme.scales(shown, settings["algorithm_titles"]).colour
    panels = [
        _panel(group, shown, colours).properties(title=experiments[environment])
        for environment, group in cells.groupby("environment", sort=False)
    ]
    chart = alt.vconcat(*panels).resolve_scale(x="independent", y="independent", color="shared", shape="shared")
    return theme.finish(chart, description), cells.drop(columns="names")


def _panel(cells: pd.DataFrame, shown: Mapping[str, str], colours: alt.Scale) -> alt.LayerChart | alt.FacetChart:
    """The regions of one environment; `shown` are the titles of all algorithms that the panels' common legend names."""
    names = cells.pivot(index="milliseconds_online", columns="milliseconds_offline", values="names").fillna("")
    grid, x_ends, y_ends = names.to_numpy(dtype=str), _ends(names.index), _ends(names.columns)
    log, decades = alt.Scale(type="log", nice=False), alt.Axis(labelExpr=_DECADES)
    x = alt.X("x:Q", scale=log, axis=decades, title="limit of online time per trajectory, in ms")
    y = alt.Y("y:Q", scale=log, axis=decades, title="limit of offline time, in ms")
    lines = alt.Chart(_borders(grid, x_ends, y_ends)).mark_rule(color=theme.INK, strokeWidth=1)
    legend = alt.Legend(orient="top", columns=theme.legend_columns(shown.values()))
    points = (
        alt.Chart(_markers(grid, x_ends, y_ends, shown))
        .mark_point(filled=True, size=60, opacity=1)
        .encode(
            x=x,
            y=y,
            color=alt.Color("title:N", scale=colours, title=None, legend=legend),
            # With the domain of the colours, or else it has a legend of its own.
            shape=alt.Shape("title:N", scale=alt.Scale(domain=list(shown.values())), title=None),
            tooltip=theme.tooltip(title="agent", names="best here"),
        )
    )
    sides = lines.encode(x=x, x2="x2:Q", y=y, y2="y2:Q")
    return alt.layer(sides, points).properties(width=theme.WIDTH - 90, height=210)


def _ends(bounds: Iterable[float]) -> list[float]:
    """Where the cells begin, and where the last one ends."""
    begins = list(bounds)
    factor = begins[1] / begins[0] if len(begins) > 1 else 5.0
    return [*begins, begins[-1] * factor]


def _borders(grid: Texts, x: Sequence[float], y: Sequence[float]) -> pd.DataFrame:
    """Sides of cells whose neighbours have other best algorithms, the outer sides among them."""
    around = np.pad(grid.astype(object), 1, constant_values="outside")
    upright = np.argwhere(around[1:, 1:-1] != around[:-1, 1:-1])
    level = np.argwhere(around[1:-1, 1:] != around[1:-1, :-1])
    lines = [(x[i], x[i], y[j], y[j + 1]) for i, j in upright] + [(x[i], x[i + 1], y[j], y[j]) for i, j in level]
    return pd.DataFrame(lines, columns=["x", "x2", "y", "y2"])


def _markers(grid: Texts, x: Sequence[float], y: Sequence[float], shown: Mapping[str, str]) -> pd.DataFrame:
    """One marker for each best algorithm of each region, around the middle of its innermost cell."""
    markers = []
    for names, region in regions(grid):
        column, row = innermost(region)
        middle_x, middle_y = math.sqrt(x[column] * x[column + 1]), math.sqrt(y[row] * y[row + 1])
        best = [shown.get(name, name) for name in names.split(", ")]
        radius = _RADIUS if len(best) > 1 else 0.0
        for place, title in enumerate(best):
            angle = 2.0 * math.pi * place / len(best)
            across, up = radius * math.cos(angle), radius * math.sin(angle)
            markers.append((middle_x * 10**across, middle_y * 10**up, title, ", ".join(best)))
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


def regions(grid: Texts) -> Iterator[tuple[str, Booleans]]:
    """Cells that hang together by their sides and have the same best algorithms: these, and bool[columns, rows]."""
    for names in filter(None, np.unique(grid)):
        labels, count = ndimage.label(grid == names)
        for number in range(1, count + 1):
            yield str(names), labels == number


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
