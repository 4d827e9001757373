"""Our side of the printed limits of means (Appendix I)."""

import numpy as np
import pandas as pd

from surefoot.papers.jordan2020.spreads import printed_half_width
from surefoot.statistics.intervals.anderson import limits_at
from surefoot.statistics.reproduction.comparison import FEWEST_RUNS
from surefoot.statistics.reproduction.items import item_text


def limit_items(runs: pd.DataFrame, environments: list[str]) -> pd.DataFrame:
    """Limits of means as those of the paper's 10,000 trials, from ours.

    An interval from fewer trials is wider, so ours is made with the half-width of the paper's band; then it estimates
    the printed one: a mean of trials of which the highest (or lowest) 2.1 % count as the least (or greatest) return of
    any algorithm in that environment. It says what a mean alone does not: where the worst and the best trials lie.

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
        smallest, greatest = here["score"].min(), here["score"].max()
        for algorithm, scores in here.groupby("algorithm", sort=False)["score"]:
            if len(scores) < FEWEST_RUNS:
                continue
            sample = np.sort(scores.to_numpy(np.float64))
            # A limit is an average of trials cut at a quantile, which vary no more than the trials themselves.
            error = sample.std(ddof=1) / np.sqrt(sample.size)
            for end, value in zip(("low", "high"), limits_at(sample, smallest, greatest, half_width), strict=True):
                item = item_text(f"mean_{end}", environment, algorithm)
                rows.append({"item": item, "ours": value, "standard_error": error, "runs": sample.size})
    return pd.DataFrame(rows, columns=["item", "ours", "standard_error", "runs"])
