"""pbp_u_statistic: limits of the payoffs as U-statistics, propagated through the game."""

from typing import Any

import pandas as pd

from surefoot.statistics.intervals.estimation import Options
from surefoot.statistics.intervals.methods.propagation import propagate
from surefoot.statistics.intervals.methods.scores import score_intervals
from surefoot.statistics.intervals.u_statistic_limits import u_statistic_limits
from surefoot.statistics.runs.samples import Samples


def limits(samples: Samples, method: str, options: Options, variants: tuple[str, ...]) -> dict[str, Any]:
    """Limits (low, high) of the scores, float64[n] each, by variant; there is only "corrected"."""
    payoff_limits = u_statistic_limits(samples, options.delta)
    return dict.fromkeys(variants, propagate(*payoff_limits, method, options, "corrected"))


def estimate(samples: Samples, method: str, options: Options) -> pd.DataFrame:
    """Intervals for the aggregate scores; see `surefoot.statistics.intervals.estimation.estimate`."""
    return score_intervals(samples, method, options, limits)
