"""Resamples given as counts of scores, as metrics are computed from them."""

from typing import Any, NamedTuple

import numpy as np

from surefoot.statistics.metrics.metric_catalogue import BLOCK, metric
from surefoot.statistics.resampling.stratified_bootstrap import ascending_counts, pool_recipe, task_sums
from surefoot.statistics.runs.samples import ScorePool, score_pool

COUNTED = [([4] * 3, 9), ([4] * 3, 0), ([9] * 7, 1), ([3, 7, 20], 9), ([1, 2, 5, 5], 1)]
"""Numbers of scores of tasks, and decimals of the scores: few make ties."""


class Resamples(NamedTuple):
    """A block of resamples: the pool, counts of its scores, and the arguments of the functions that compute metrics."""

    pool: ScorePool
    drawn: Any
    arguments: tuple[Any, ...]


def counted(sizes, decimals, metrics):
    """Draw a block of resamples with six scores of each task."""
    random = np.random.default_rng([*sizes, decimals])
    pool = score_pool([random.normal(size=size).round(decimals) for size in sizes])
    draws = np.full(len(sizes), 6)
    drawn = np.concatenate([random.multinomial(6, np.full(size, 1 / size), BLOCK).T for size in sizes])
    named = [metric(written) for written in metrics]
    recipe = pool_recipe(named, pool, draws, int(draws.sum()))
    counts = np.ascontiguousarray(ascending_counts(drawn, pool).astype(np.uint8))
    numbers = np.full(BLOCK, draws.sum())
    means = task_sums(drawn, pool) / draws[:, None]
    return Resamples(pool, drawn, (counts, numbers, means, pool.values, recipe))


def written_out(resamples, number):
    """Return the scores of one resample, an array for each task."""
    parts = np.split(resamples.drawn[:, number], resamples.pool.starts[1:])
    return [np.repeat(scores, counts) for scores, counts in zip(resamples.pool.task_scores(), parts, strict=True)]
