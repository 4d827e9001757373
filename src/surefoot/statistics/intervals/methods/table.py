"""The table of intervals that all methods but the bands share."""

import numpy as np
import pandas as pd

from surefoot.statistics.arrays import Floats
from surefoot.statistics.comparison.ranks import ranks


def with_limits(table: pd.DataFrame, values: Floats, low: Floats, high: Floats, confidence: float) -> pd.DataFrame:
    """The table with values, limits and the ranks that they allow."""
    rank, rank_low, rank_high = ranks(values, low, high)
    columns = {"rank": rank, "rank_low": rank_low, "rank_high": rank_high, "confidence": confidence}
    return table.assign(value=values, low=low, high=high, **columns)


def finished(table: pd.DataFrame, method: str, runs: int, replicates: int | None = None) -> pd.DataFrame:
    """The table with its method, the smallest number of runs, and the replicates where there are any.

    The column standard_error is left empty.
    """
    table.insert(0, "method", method)
    drawn = pd.NA if replicates is None else replicates
    order = ["method", "aggregate", "algorithm", "environment", "value", "low", "high", "standard_error"]
    order += ["rank", "rank_low", "rank_high", "confidence", "runs", "replicates"]
    table = table.assign(standard_error=np.nan, runs=runs, replicates=pd.array([drawn] * len(table), dtype="Int64"))
    return table[order]
