"""Lists of best agents with increasing limits on online time, from the paper's text and from our plays."""

from collections.abc import Iterator, Sequence
from itertools import product

import pandas as pd

OPPS_DS = "opps_ds"

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
"""Best algorithms for increasing online limits, with less offline time than OPPS-DS needs (section 5.3)."""


def bounded_cells(bounds: pd.DataFrame) -> pd.DataFrame:
    """Return the pairs of time limits for the variant as_published, each with a sorted list of best algorithms."""
    table = bounds.fillna({"algorithms": "", "variant": ""})
    if "as_published" in set(table["variant"]):
        table = table[table["variant"].isin(["", "as_published"])]
    names = table["algorithms"].map(lambda text: ", ".join(sorted(text.split(", "))) if text else "")
    return table.assign(names=names)


def before_learning(cells: pd.DataFrame) -> float | None:
    """Return the largest offline limit at which OPPS-DS is never among the best; None if there is no such limit."""
    without = cells.groupby("milliseconds_offline")["names"].agg(
        lambda lists: not any(OPPS_DS in names.split(", ") for names in lists) and any(lists)
    )
    return float(without[without].index.max()) if without.any() else None


def lists_of(cells: pd.DataFrame, offline: float) -> list[tuple[list[float], str]]:
    """Return the distinct lists of best algorithms for increasing online limits, each with its limits."""
    lists: list[tuple[list[float], str]] = []
    row = cells[cells["milliseconds_offline"] == offline].sort_values("milliseconds_online")
    for bound, names in zip(row["milliseconds_online"], row["names"], strict=True):
        if names and lists and lists[-1][1] == names:
            lists[-1][0].append(bound)
        elif names:
            lists.append(([bound], names))
    return lists


def common_places(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    """Return the index pairs of a longest common subsequence."""
    lengths = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, j in product(reversed(range(len(first))), reversed(range(len(second)))):
        same = first[i] == second[j]
        lengths[i][j] = lengths[i + 1][j + 1] + 1 if same else max(lengths[i + 1][j], lengths[i][j + 1])
    places = []
    i = 0
    j = 0
    while i < len(first) and j < len(second):
        if first[i] == second[j]:
            places.append((i, j))
            i += 1
            j += 1
        elif lengths[i + 1][j] >= lengths[i][j + 1]:
            i += 1
        else:
            j += 1
    return places


def orders(bounds: pd.DataFrame) -> Iterator[tuple[str, Sequence[str], list[str]]]:
    """Yield (environment, the paper's lists, our lists) for each environment of the paper that was played.

    The lists are for increasing online limits, with less offline time than OPPS-DS needs.
    """
    for environment, cells in bounded_cells(bounds).groupby("environment", sort=False):
        if environment in PUBLISHED_ORDERS:
            before = before_learning(cells)
            ours = [] if before is None else [names for _, names in lists_of(cells, before)]
            yield str(environment), PUBLISHED_ORDERS[str(environment)], ours
