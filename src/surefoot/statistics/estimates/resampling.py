"""bootstrap: percentile intervals for the aggregate scores (Jordan et al. 2020, appendix on the bootstrap)."""

import pandas as pd

from surefoot.statistics.bootstrap import bootstrap_limits
from surefoot.statistics.estimates.table import finished, score_table
from surefoot.statistics.estimation import Options
from surefoot.statistics.game import play
from surefoot.statistics.percentile import payoffs
from surefoot.statistics.samples import Samples


def estimate(samples: Samples, method: str, options: Options) -> pd.DataFrame:
    """Intervals for the aggregate scores; see `surefoot.statistics.estimation.estimate`."""
    scores = play(payoffs(samples)).scores
    low, high = bootstrap_limits(
        samples,
        options.delta,
        options.seed,
        options.replicates,
        options.variant,
        options.threads,
        options.progress,
    )
    table = score_table(samples, scores, low, high, 1.0 - options.delta)
    return finished(table, method, samples.smallest_size(), options.replicates)
