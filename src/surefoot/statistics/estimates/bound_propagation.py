"""pbp and pbp_t: limits of the payoffs propagated through the game (Jordan et al. 2020, section 5)."""

import pandas as pd

from surefoot.statistics.estimates.propagation import propagate
from surefoot.statistics.estimates.table import score_intervals
from surefoot.statistics.estimation import Options
from surefoot.statistics.payoff_limits import distribution_free_limits, t_limits
from surefoot.statistics.samples import Samples

PAYOFF_LIMITS = {"pbp": distribution_free_limits, "pbp_t": t_limits}


def limits(samples: Samples, method: str, options: Options, variants: tuple[str, ...]) -> dict:
    """Limits (low, high) of the scores, float64[n] each, by variant."""
    return {v: propagate(*PAYOFF_LIMITS[method](samples, options.delta, v), method, options, v) for v in variants}


def estimate(samples: Samples, method: str, options: Options) -> pd.DataFrame:
    """Intervals for the aggregate scores; see `surefoot.statistics.estimation.estimate`."""
    return score_intervals(samples, method, options, limits)
