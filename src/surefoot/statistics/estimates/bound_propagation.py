"""pbp and pbp_t: limits of the payoffs propagated through the game (Jordan et al. 2020, section 5)."""

import pandas as pd

from surefoot.statistics.estimates.table import finished, score_table
from surefoot.statistics.estimation import Options
from surefoot.statistics.game import play
from surefoot.statistics.payoff_limits import distribution_free_limits, t_limits
from surefoot.statistics.percentile import payoffs
from surefoot.statistics.samples import Samples
from surefoot.statistics.score_limits import score_limits
from surefoot.streams import stream_key

PAYOFF_LIMITS = {"pbp": distribution_free_limits, "pbp_t": t_limits}


def estimate(samples: Samples, method: str, options: Options) -> pd.DataFrame:
    """Intervals for the aggregate scores; see `surefoot.statistics.estimation.estimate`."""
    scores = play(payoffs(samples)).scores
    limits = PAYOFF_LIMITS[method](samples, options.delta, options.variant)
    key = stream_key(options.seed, "score_limits", method)
    low, high = score_limits(*limits, options.variant, key, options.threads, options.progress)
    return finished(score_table(samples, scores, low, high, 1.0 - options.delta), method, samples.smallest_size())
