"""The table of intervals for the aggregate scores, which many methods make."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from surefoot.statistics.estimates.table import finished, with_limits
from surefoot.statistics.game import play
from surefoot.statistics.percentile import payoffs
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
