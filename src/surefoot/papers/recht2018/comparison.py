"""Comparison of the numbers published in the post with ours."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from surefoot.statistics.reproduction.items import item_text
from surefoot.statistics.reproduction.published_comparison import COLUMNS, compare

Answers = Mapping[str, pd.DataFrame]
"""Results of `welch_profile` by the name of the question."""
PAIRS = {"figure_r1": ("Blob-PROST 200M", "DQN 200M"), "figure_r2": ("Blob-PROST 200M", "DQN 10M")}
"""The two curves of each published figure."""
CURVES = PAIRS | {"figure_100m": ("Blob-PROST 100M", "DQN 100M")}
"""The two curves of each published figure, and of another plot in the notebook."""


_SEVERAL = 3
"""Smallest number of crossings that counts as "several"."""


def comparison(published: pd.DataFrame, answers: Answers) -> pd.DataFrame:
    """Compare the published numbers with ours, computed by the same formula."""
    return compared(published, answers, "notebook")


def compared(published: pd.DataFrame, answers: Answers, formula: str) -> pd.DataFrame:
    """Compare the published numbers with ours, computed by one formula for the degrees of freedom.

    formula : "notebook", the formula of the published numbers, or "welch"
    """
    ours = []
    for key in PAIRS:
        for method, counts in _curves(answers, key, formula).items():
            ours.append((item_text("count", key, method, "first"), float(counts.iloc[0])))
            ours.append((item_text("count", key, method, "last"), float(counts.iloc[-1])))
        # According to the post, the curves of its first figure cross several times, and those of the second never.
        if (order := curve_order(answers, key, formula)) is not None:
            holds = order.crossings >= _SEVERAL if key == "figure_r1" else order.second_higher == 0
            ours.append((item_text("claim", key), float(holds)))
    table = pd.DataFrame(ours, columns=["item", "ours"]).assign(standard_error=float("nan"), runs=float("nan"))
    if table.empty:
        return pd.DataFrame(columns=list(COLUMNS))
    return compare(published, table)


def table_curves(answers: Answers) -> pd.DataFrame:
    """Compare the heights of the two curves of each figure, by each formula.

    The columns are figure, formula, first, second (the methods), first_higher, second_higher, neither (numbers of grid
    points), and crossings.
    """
    rows = []
    for key, (first, second) in CURVES.items():
        for formula in ("notebook", "welch"):
            order = curve_order(answers, key, formula)
            if order is not None:
                rows.append((key, formula, first, second, *order))
    return pd.DataFrame(rows, columns=["figure", "formula", "first", "second", *CurveOrder._fields])


class CurveOrder(NamedTuple):
    """Comparison of the heights of two curves on a grid.

    first_higher, second_higher, neither : number of grid points where the first, the second or neither is higher
    crossings : number of changes of the higher curve along the grid; points with equal values do not count
    """

    first_higher: int
    second_higher: int
    neither: int
    crossings: int


def curve_order(answers: Answers, key: str, formula: str) -> CurveOrder | None:
    """Compare the heights of the two curves of a figure along the grid; None if there are no curves."""
    curves = _curves(answers, key, formula)
    if curves.empty:
        return None
    first, second = (curves[name].to_numpy() for name in CURVES[key])
    signs = np.sign(first - second).astype(np.int64)
    unequal = signs[signs != 0]
    return CurveOrder(
        first_higher=int((signs == 1).sum()),
        second_higher=int((signs == -1).sum()),
        neither=int((signs == 0).sum()),
        crossings=int((unequal[1:] != unequal[:-1]).sum()),
    )


def _curves(answers: Answers, key: str, formula: str) -> pd.DataFrame:
    """Return the number of games of each method (columns) along the grid; empty if the analysis is not available."""
    table = answers.get(key)
    if table is None:
        return pd.DataFrame()
    curves = table[table["degrees_of_freedom"] == formula].pivot(index="threshold", columns="method", values="count")
    return curves[[name for name in table["method"].unique() if name in curves]]
