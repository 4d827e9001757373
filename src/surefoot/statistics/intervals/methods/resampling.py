"""bootstrap: percentile intervals for the aggregate scores (Jordan et al. 2020, appendix on the bootstrap)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from surefoot.statistics.intervals.bootstrap import replicate_scores, score_quantiles
from surefoot.statistics.intervals.estimation import Options, replicates_of
from surefoot.statistics.intervals.methods.scores import score_intervals
from surefoot.statistics.runs.samples import Samples


def limits(samples: Samples, method: str, options: Options, variants: tuple[str, ...]) -> dict[str, Any]:
    """Limits (low, high) of the scores, float64[n] each, by variant.

    Where no algorithms share a sample, the variants draw the same replicates and differ in the level alone.
    """
    drawn, found = None, {}
    for variant in variants:
        if drawn is None or not samples.distinct_cells().all():
            drawn = replicate_scores(
                samples, options.seed, replicates_of(options, method), variant, options.threads, options.progress
            )
        found[variant] = score_quantiles(drawn, samples, options.delta, variant)
    return found


def estimate(samples: Samples, method: str, options: Options) -> pd.DataFrame:
    """Intervals for the aggregate scores; see `surefoot.statistics.intervals.estimation.estimate`."""
    drawn = replicate_scores(
        samples, options.seed, replicates_of(options, method), options.variant, options.threads, options.progress
    )

    def limits_of_drawn(samples: Samples, method: str, options: Options, variants: Sequence[str]) -> dict[str, Any]:
        return {variant: score_quantiles(drawn, samples, options.delta, variant) for variant in variants}

    table = score_intervals(samples, method, options, limits_of_drawn, options.replicates)
    return table.assign(standard_error=drawn.std(axis=0, ddof=1) if len(drawn) > 1 else np.nan)
