"""Subsamples of many runs: what a study of fewer runs would have found (Agarwal et al. 2021, section 3, appendix A.2).

Whole runs are drawn with replacement, the same numbers of runs in all tasks, as the authors do; or runs of each task on
their own. Where a table has unequal numbers of runs, only the latter is possible.
"""

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from surefoot.statistics.arrays import Floats
from surefoot.statistics.metrics.catalogue import Metric
from surefoot.statistics.runs.samples_of_tasks import scores_of, tasks_of

TAILS = (0.025, 0.975)
"""The quantiles that a range of 95 % lies between."""


class Draws(NamedTuple):
    """How subsamples are drawn and what is taken of them: `datasets` of them, each of `resampled` "runs" or
    "whole_runs"."""

    metrics: Sequence[str | Metric]
    datasets: int
    resampled: str
    seed: int
    threads: int


def subsampled(table: pd.DataFrame, algorithm: str, size: int, draws: Draws) -> Floats:
    """Metrics of subsamples of `size` runs of an algorithm, float64[datasets, metrics]."""
    return subsampled_scores(scores_of(table, algorithm), tasks_of(table), f"{algorithm}/{size}/", size, draws)


def subsampled_scores(scores: Sequence[Floats], tasks: Sequence[str], name: str, size: int, draws: Draws) -> Floats:
    """Metrics of subsamples of `size` runs, float64[datasets, metrics].

    scores : float64[runs] of each task; name : keys what is drawn
    """
    from surefoot.statistics.resampling.stratified_bootstrap import replicate_metrics

    metrics, datasets, resampled, seed, threads = draws
    return replicate_metrics(scores, metrics, datasets, seed, name, tasks, resampled, size, threads)
