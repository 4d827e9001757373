"""pbp_t: Student's t limits of the payoffs propagated through the game (Jordan et al. 2020, section 6.3)."""

from typing import Any

import pandas as pd

from surefoot.statistics.intervals.estimation import Options
from surefoot.statistics.intervals.methods.propagation import propagate
from surefoot.statistics.intervals.methods.scores import score_intervals
from surefoot.statistics.intervals.t_limits import t_limits
from surefoot.statistics.runs.samples import Samples


def limits(samples: Samples, method: str, options: Options, variants: tuple[str, ...]) -> dict[str, Any]:
    """Limits (low, high) of the scores, float64[n] each, by variant."""
    return {v: propagate(*t_limits(samples, options.delta, v), method, options, v) for v in variants}


def estimate(samples: Samples, method: str, options: Options) -> pd.DataFrame:
    """Intervals for the aggregate scores; see `surefoot.statistics.intervals.estimation.estimate`."""
    return score_intervals(samples, method, options, limits)
