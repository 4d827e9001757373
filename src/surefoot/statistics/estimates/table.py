"""The table of intervals that all methods but the bands share."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from surefoot.statistics.game import play
from surefoot.statistics.percentile import payoffs
from surefoot.statistics.ranks import ranks
from surefoot.statistics.samples import Samples


def score_intervals(samples: Samples, method: str, options, limits: Callable, replicates: int | None = None):
    """The table of a method that limits the aggregate scores; `limits` is the method module's function."""
    scores = play(payoffs(samples)).scores
    low, high = limits(samples, method, options, (options.variant,))[options.variant]
    table = score_table(samples, scores, low, high, 1.0 - options.delta)
    return finished(table, method, samples.smallest_size(), replicates)


def score_table(samples: Samples, scores: np.ndarray, low: np.ndarray, high: np.ndarray, confidence: float):
    """Aggregate scores (float64[n] each) with their limits and ranks; `finished` adds the rest."""
    table = pd.DataFrame({"aggregate": "game_score", "algorithm": samples.algorithms, "environment": ""})
    return with_limits(table, scores, low, high, confidence)


def with_limits(
    table: pd.DataFrame, values: np.ndarray, low: np.ndarray, high: np.ndarray, confidence: float
) -> pd.DataFrame:
    """The table with values, limits and the ranks that they allow."""
    rank, rank_low, rank_high = ranks(values, low, high)
    columns = {"rank": rank, "rank_low": rank_low, "rank_high": rank_high, "confidence": confidence}
    return table.assign(value=values, low=low, high=high, **columns)


def finished(table: pd.DataFrame, method: str, runs: int, replicates: int | None = None) -> pd.DataFrame:
    """The table with its method, the smallest number of runs, and the replicates where there are any."""
    table.insert(0, "method", method)
    drawn = pd.NA if replicates is None else replicates
    order = ["method", "aggregate", "algorithm", "environment", "value", "low", "high", "rank", "rank_low", "rank_high"]
    table = table.assign(runs=runs, replicates=pd.array([drawn] * len(table), dtype="Int64"))
    return table[[*order, "confidence", "runs", "replicates"]]
