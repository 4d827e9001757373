"""pbp_u_statistic: limits of the payoffs as U-statistics, propagated through the game."""

import pandas as pd

from surefoot.statistics.estimates.propagation import propagate
from surefoot.statistics.estimates.scores import score_intervals
from surefoot.statistics.estimation import Options
from surefoot.statistics.samples import Samples
from surefoot.statistics.u_statistic_limits import u_statistic_limits


def limits(samples: Samples, method: str, options: Options, variants: tuple[str, ...]) -> dict:
    """Limits (low, high) of the scores, float64[n] each, by variant; there is only "corrected"."""
    payoff_limits = u_statistic_limits(samples, options.delta)
    return dict.fromkeys(variants, propagate(*payoff_limits, method, options, "corrected"))


def estimate(samples: Samples, method: str, options: Options) -> pd.DataFrame:
    """Intervals for the aggregate scores; see `surefoot.statistics.estimation.estimate`."""
    return score_intervals(samples, method, options, limits)
