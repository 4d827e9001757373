"""Comparison of the numbers published in the post with ours."""

from collections.abc import Mapping

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
        if (lie := how_curves_lie(answers, key, formula)) is not None:
            _, second_higher, _, crossings = lie
            holds = crossings >= _SEVERAL if key == "figure_r1" else second_higher == 0
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
            lie = how_curves_lie(answers, key, formula)
            if lie is not None:
                rows.append((key, formula, first, second, *lie))
    columns = ["figure", "formula", "first", "second", "first_higher", "second_higher", "neither", "crossings"]
    return pd.DataFrame(rows, columns=columns)


def how_curves_lie(answers: Answers, key: str, formula: str) -> tuple[int, int, int, int] | None:
    """Count the grid points where the first, the second and neither of the two curves is higher, and the crossings.

    A crossing is a change of the higher curve along the grid; points with equal values do not count. Return None if
    there are no curves.
    """
    curves = _curves(answers, key, formula)
    if curves.empty:
        return None
    first, second = (curves[name].to_numpy() for name in CURVES[key])
    signs = np.sign(first - second).astype(np.int64)
    counts = [int((signs == sign).sum()) for sign in (1, -1, 0)]
    signs = signs[signs != 0]
    return counts[0], counts[1], counts[2], int((signs[1:] != signs[:-1]).sum())


def _curves(answers: Answers, key: str, formula: str) -> pd.DataFrame:
    """Return the number of games of each method (columns) along the grid; empty if the analysis is not available."""
    table = answers.get(key)
    if table is None:
        return pd.DataFrame()
    curves = table[table["degrees_of_freedom"] == formula].pivot(index="threshold", columns="method", values="count")
    return curves[[name for name in table["method"].unique() if name in curves]]
