"""Probability of improvement (Agarwal et al. 2021, section 4.3): how often a run of X beats one of Y on a task.

P(X > Y) is the mean over the tasks of the fraction of pairs of runs in which X scores more, ties counting half: the
statistic of Mann and Whitney (1947) divided by the number of pairs. Scores that differ by rounding alone are ties (see
`ties`).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats, Integers
from surefoot.statistics.resampling.stratified_bootstrap import check_design, in_threads, resampling_keys
from surefoot.statistics.runs.score_pool import ScorePool, Scores, score_pool, task_columns
from surefoot.statistics.ties import RELATIVE, score_places

_TOGETHER = 128


class Improvement(NamedTuple):
    """probability : P(X > Y); ties : fraction of pairs that are equal, mean over tasks; by_task : float64[M]."""

    probability: float
    ties: float
    by_task: Floats


def probability_of_improvement(x: Scores, y: Scores, decimals: int | str | None = RELATIVE) -> Improvement:
    """P(X > Y) of the runs themselves.

    Parameters
    ----------
    x, y : scores of two algorithms on the same tasks, float64[runs, tasks] each or one array a task
    decimals : which scores are ties; see `ties.score_places`

    Raises
    ------
    ValueError : see `score_pool`; different numbers of tasks
    """
    by_task, ties = [], []
    for a, b in task_places(x, y, decimals):
        below = np.searchsorted(b, a, side="left")
        equal = np.searchsorted(b, a, side="right") - below
        by_task.append((2 * below.sum() + equal.sum()) / (2 * a.size * b.size))
        ties.append(equal.sum() / (a.size * b.size))
    return Improvement(float(np.mean(by_task)), float(np.mean(ties)), np.array(by_task))


def replicate_improvement(
    x: Scores,
    y: Scores,
    replicates: int = 2_000,
    seed: int = 0,
    names: tuple[str, str] = ("x", "y"),
    tasks: Sequence[Any] | None = None,
    decimals: int | str | None = RELATIVE,
    threads: int = 1,
) -> Floats:
    """P(X > Y) of resampled runs, float64[replicates]: the runs of both and of each task are drawn independently.

    The other parameters and errors are those of `probability_of_improvement` and `replicate_metrics`; the two names
    must differ, since the streams are keyed by them. The resamples of an algorithm are those of its metrics with the
    same seed and names.
    """
    if names[0] == names[1]:
        raise HintedError("improvement", f'both algorithms are called "{names[0]}"', "give them different names")
    pools = _pools(x, y, tasks)
    for pool in pools:
        check_design(pool, replicates, "runs", None)
    from surefoot.statistics.comparison.improvement_kernels import improvement_replicates
    from surefoot.statistics.metrics.kernels import BLOCK

    places = tuple(np.concatenate(column).astype(np.uint32) for column in zip(*_places(pools, decimals), strict=True))
    keys = [resampling_keys(pool, seed, name) for pool, name in zip(pools, names, strict=True)]
    found, together = np.empty(replicates), BLOCK * _TOGETHER

    def part(first: int) -> None:
        rows = found[first : first + together]
        improvement_replicates(places, pools[0].sizes, pools[1].sizes, keys[0], keys[1], first, rows)

    in_threads(part, range(0, replicates, together), threads)
    return found


def task_places(x: Scores, y: Scores, decimals: int | str | None = RELATIVE) -> list[list[Integers]]:
    """For each task, where the ascending scores of x and of y stand among their distinct values; see
    `probability_of_improvement`."""
    return _places(_pools(x, y, None), decimals)


def _pools(x: Scores, y: Scores, tasks: Sequence[Any] | None) -> list[ScorePool]:
    columns = [task_columns(scores) for scores in (x, y)]
    if len(columns[0]) != len(columns[1]):
        raise HintedError(
            "improvement",
            f"{len(columns[0])} tasks of one algorithm and {len(columns[1])} of the other",
            "compare them on the same tasks",
        )
    return [score_pool(scores, tasks) for scores in columns]


def _places(pools: Sequence[ScorePool], decimals: int | str | None) -> list[list[Integers]]:
    """For each task, where the ascending scores of x and of y stand among their distinct values."""
    by_task = zip(*(pool.task_scores() for pool in pools), strict=True)
    return [score_places(samples, decimals) for samples in by_task]
