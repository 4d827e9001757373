"""Our side of the printed limits of means (Appendix I)."""

import numpy as np
import pandas as pd

from surefoot.papers.jordan2020.spreads import printed_half_width
from surefoot.statistics.intervals.anderson import limits_at
from surefoot.statistics.reproduction.comparison import FEWEST_RUNS
from surefoot.statistics.reproduction.items import item_text

_EXTREME = 25
"""How many of the least, or the greatest, returns say how uncertain an end of the range is."""


def limit_items(runs: pd.DataFrame, environments: list[str]) -> pd.DataFrame:
    """Limits of means as those of the paper's 10,000 trials, from ours.

    An interval from fewer trials is wider, so ours is made with the half-width of the paper's band; then it estimates
    the printed one: a mean of trials of which the highest (or lowest) 2.1 % count as the least (or greatest) return of
    any algorithm in that environment. It says what a mean alone does not: where the worst and the best trials lie.

    The paper's least and greatest returns are those of 110,000 trials. In an exponential tail those of n trials fall
    short of them by ln(110,000 / n) scales of the tail, four at n = 2,000, and lie 3.8 scales beyond the 25th: so that
    distance counts as the standard error of an end of the range.

    Parameters
    ----------
    runs : columns algorithm, environment, score
    environments : those in which all algorithms of the paper ran; in others the range is another one

    Returns
    -------
    columns item, ours, standard_error, runs; no pair of fewer than 200 trials, whose extremes stand for too little
    """
    half_width = printed_half_width()
    rows = []
    for environment in environments:
        here = runs[runs["environment"] == environment]
        distinct = np.unique(here["score"])  # an algorithm and its variant may share their trials
        smallest, greatest = distinct[0], distinct[-1]
        reaches = distinct[:_EXTREME][-1] - smallest, greatest - distinct[-_EXTREME:][0]
        for algorithm, scores in here.groupby("algorithm", sort=False)["score"]:
            if len(scores) < FEWEST_RUNS:
                continue
            sample = np.sort(scores.to_numpy(np.float64))
            # A limit is an average of trials cut at a quantile, which vary no more than the trials themselves.
            error = sample.std(ddof=1) / np.sqrt(sample.size)
            limits = limits_at(sample, smallest, greatest, half_width)
            for end, value, reach in zip(("low", "high"), limits, reaches, strict=True):
                item = item_text(f"mean_{end}", environment, algorithm)
                whole = np.hypot(error, half_width * reach)
                rows.append({"item": item, "ours": value, "standard_error": whole, "runs": sample.size})
    return pd.DataFrame(rows, columns=["item", "ours", "standard_error", "runs"])
