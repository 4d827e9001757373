"""The best algorithms under bounds on both times (Figures 8 and 12), and the orders that the paper's text names."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from scipy import ndimage

from surefoot.charts import theme
from surefoot.charts.selection import titles
from surefoot.papers.castronovo2016.comparison import in_case
from surefoot.result_tables import Tables
from surefoot.statistics.arrays import Booleans

BOUNDS = "aggregate/time_bounds"
RADIUS = 0.15
"""Of the circle of several markers, in powers of ten."""

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
