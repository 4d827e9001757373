"""Published numbers of the post beside ours, which need no charts."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from surefoot.charts.selection import numbers_of_analysis
from surefoot.result_tables import Tables
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
    ours = []
    for key in PAIRS:
        for method, counts in _curves(tables, key, formula).items():
            ours.append((item_text("count", key, method, "first"), float(counts.iloc[0])))
            ours.append((item_text("count", key, method, "last"), float(counts.iloc[-1])))
        # The post says that the curves of its first figure cross several times, those of the second never.
        if (lie := how_curves_lie(tables, key, formula)) is not None:
            _, second_higher, _, crossings = lie
            holds = crossings >= _SEVERAL if key == "figure_r1" else second_higher == 0
            ours.append((item_text("claim", key), float(holds)))
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
            lie = how_curves_lie(tables, key, formula)
            if lie is not None:
                rows.append((key, formula, first, second, *lie))
    columns = ["figure", "formula", "first", "second", "first_higher", "second_higher", "neither", "crossings"]
    return None, pd.DataFrame(rows, columns=columns)


def how_curves_lie(tables: Mapping[str, pd.DataFrame], key: str, formula: str) -> tuple[int, int, int, int] | None:
    """Number of grid points where the first, the second and neither of the two curves is higher, and how often the
    higher curve changes along the grid, where places at which both are equal do not count; None without the curves."""
    curves = _curves(tables, key, formula)
    if curves.empty:
        return None
    first, second = (curves[name].to_numpy() for name in CURVES[key])
    signs = np.sign(first - second).astype(np.int64)
    counts = [int((signs == sign).sum()) for sign in (1, -1, 0)]
    signs = signs[signs != 0]
    return counts[0], counts[1], counts[2], int((signs[1:] != signs[:-1]).sum())


def _curves(tables: Mapping[str, pd.DataFrame], key: str, formula: str) -> pd.DataFrame:
    """The count of games of each method (columns) along the grid; empty where there are no such numbers."""
    table = numbers_of_analysis(tables, key)
    if table is None:
        return pd.DataFrame()
    curves = table[table["degrees_of_freedom"] == formula].pivot(index="threshold", columns="method", values="count")
    return curves[[name for name in table["method"].unique() if name in curves]]
