"""Mean scores of single algorithms in single environments, with the intervals of Student (Biometrika 6, 1908)."""

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from surefoot.statistics.choices import check_confidence


def task_means(runs: pd.DataFrame, confidence: float = 0.95) -> pd.DataFrame:
    """The mean over runs of each algorithm in each environment.

    The interval mean -+ t s / sqrt(N), with the quantile t of N - 1 degrees of freedom, is of this one mean alone, and
    exact for scores that are normal; for a few runs of skewed scores, or where some runs fail, it is too narrow.

    Parameters
    ----------
    runs : columns algorithm, environment, score, a row a run
    confidence : of each interval, between 0 and 1

    Returns
    -------
    columns environment, algorithm, runs, mean, standard_deviation, low, high, least, greatest, in the order of their
        first appearance and in units of the scores; standard_deviation, low and high are empty for a single run

    Raises
    ------
    ValueError : a confidence outside (0, 1)
    """
    check_confidence("task_means", confidence)
    names = ["environment", "algorithm"]
    found = runs.groupby(names, sort=False, observed=True)["score"].agg(
        runs="size", mean="mean", standard_deviation="std", least="min", greatest="max"
    )
    size = found["runs"].to_numpy(np.float64)
    quantile = stdtrit(np.maximum(size - 1.0, 1.0), (1.0 + confidence) / 2.0)
    reach = quantile * found["standard_deviation"] / np.sqrt(size)
    found = found.assign(low=found["mean"] - reach, high=found["mean"] + reach).reset_index()
    columns = ["runs", "mean", "standard_deviation", "low", "high", "least", "greatest"]
    return found[[*names, *columns]]
