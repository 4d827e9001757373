"""Published numbers of the post beside ours."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from surefoot.charts.selection import numbers_of_analysis
from surefoot.result_tables import Tables
from surefoot.statistics.arrays import Integers
from surefoot.statistics.reproduction.comparison import COLUMNS, compare
from surefoot.statistics.reproduction.items import item_text

PAIRS = {"figure_r1": ("Blob-PROST 200M", "DQN 200M"), "figure_r2": ("Blob-PROST 200M", "DQN 10M")}
"""The two curves of the published figures."""
CURVES = PAIRS | {"figure_100m": ("Blob-PROST 100M", "DQN 100M")}
"""The same, and those of a further plot of the notebook."""


_SEVERAL = 3
"""Fewer crossings than this are not several."""


def comparison(tables: Tables, settings: Mapping[str, Any]) -> pd.DataFrame:
    """The published numbers that this run or the record can be compared with, by the formula that made them."""
    return compared(tables, "notebook")


def compared(tables: Tables, formula: str) -> pd.DataFrame:
    """The same by either formula of the degrees of freedom: "notebook", by which they were made, or "welch"."""
    ends = [(key, *end) for key in PAIRS for end in curve_ends(tables, key, formula)]
    ours = [(item_text("count", key, method, end), count) for key, method, end, count in ends]
    ours += [(item_text("claim", key), float(holds)) for key, holds in _claims(tables, formula).items()]
    table = pd.DataFrame(ours, columns=["item", "ours"]).assign(standard_error=float("nan"), runs=float("nan"))
    if table.empty:
        return pd.DataFrame(columns=list(COLUMNS))
    return compare(tables["published"], table)


def table_curves(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """How the two curves of each figure lie, by each formula.

    Columns figure, formula, first, second (the methods), first_higher, second_higher, neither (points of the grid), and
    crossings.
    """
    rows = []
    for key, (first, second) in CURVES.items():
        for formula in ("notebook", "welch"):
            higher = points_higher(tables, key, formula)
            if higher is not None:
                rows.append((key, formula, first, second, *higher, count_crossings(tables, key, formula)))
    columns = ["figure", "formula", "first", "second", "first_higher", "second_higher", "neither", "crossings"]
    return None, pd.DataFrame(rows, columns=columns)


def curve_ends(tables: Mapping[str, pd.DataFrame], key: str, formula: str) -> Iterator[tuple[str, str, float]]:
    """(method, end of the grid, count of games) of the published curves."""
    for method, counts in _curves(tables, key, formula).items():
        yield str(method), "first", float(counts.iloc[0])
        yield str(method), "last", float(counts.iloc[-1])


def _claims(tables: Mapping[str, pd.DataFrame], formula: str) -> dict[str, bool]:
    """What the post says of its two figures: the curves of the first cross several times, those of the second never."""
    claims = {}
    for key in PAIRS:
        higher = points_higher(tables, key, formula)
        if higher is not None:
            claims[key] = count_crossings(tables, key, formula) >= _SEVERAL if key == "figure_r1" else higher[1] == 0
    return claims


def points_higher(tables: Mapping[str, pd.DataFrame], key: str, formula: str) -> tuple[int, int, int] | None:
    """Number of grid points where the first, the second and neither of the two curves is higher; None without them."""
    signs = _signs(tables, key, formula)
    first, second, neither = (int((signs == sign).sum()) for sign in (1, -1, 0))
    return (first, second, neither) if len(signs) else None


def count_crossings(tables: Mapping[str, pd.DataFrame], key: str, formula: str) -> int:
    """How often the curve that is higher changes along the grid; places where both are equal do not count."""
    signs = _signs(tables, key, formula)
    signs = signs[signs != 0]
    return int((signs[1:] != signs[:-1]).sum())


def _signs(tables: Mapping[str, pd.DataFrame], key: str, formula: str) -> Integers:
    """1 where the first curve is higher, -1 where the second is, 0 where they are equal: int64[grid points]."""
    curves = _curves(tables, key, formula)
    if curves.empty:
        return np.empty(0, np.int64)
    first, second = (curves[name].to_numpy() for name in CURVES[key])
    return np.sign(first - second).astype(np.int64)


def _curves(tables: Mapping[str, pd.DataFrame], key: str, formula: str) -> pd.DataFrame:
    """The count of games of each method (columns) along the grid; empty where there are no such numbers."""
    table = numbers_of_analysis(tables, key)
    if table is None:
        return pd.DataFrame()
    curves = table[table["degrees_of_freedom"] == formula].pivot(index="threshold", columns="method", values="count")
    return curves[[name for name in table["method"].unique() if name in curves]]
