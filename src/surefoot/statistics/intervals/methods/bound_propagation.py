"""pbp: distribution-free limits of the payoffs propagated through the game (Jordan et al. 2020, section 5)."""

from typing import Any

import pandas as pd

from surefoot.errors import HintedError
from surefoot.statistics.intervals.estimation import Options
from surefoot.statistics.intervals.methods.propagation import propagate
from surefoot.statistics.intervals.methods.scores import score_intervals
from surefoot.statistics.intervals.payoff_limits import distribution_free_limits
from surefoot.statistics.runs.samples import Samples


def limits(samples: Samples, method: str, options: Options, variants: tuple[str, ...]) -> dict[str, Any]:
    """Limits (low, high) of the scores, float64[n] each, by variant; pbp_known_bounds takes `options.bounds`."""
    if method == "pbp_known_bounds" and options.bounds is None:
        raise HintedError("pbp_known_bounds", "no bounds are given", "`bounds` has (low, high) by environment")
    bounds = options.bounds if method == "pbp_known_bounds" else None
    found = {}
    for variant in variants:
        payoff_limits = distribution_free_limits(samples, options.delta, variant, bounds)
        found[variant] = propagate(*payoff_limits, method, options, variant)
    return found


def estimate(samples: Samples, method: str, options: Options) -> pd.DataFrame:
    """Intervals for the aggregate scores; see `surefoot.statistics.intervals.estimation.estimate`."""
    return score_intervals(samples, method, options, limits)
