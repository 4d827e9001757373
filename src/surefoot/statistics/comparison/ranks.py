"""Ranks of algorithms, and the ranks that their intervals leave open (Jordan et al. 2020, section 4.3, Table 1); and
rank distributions (Agarwal et al. 2021, Figure 11 and appendix A.33): how probable each rank of each algorithm is.

On a task, one run of each algorithm is drawn and they are ranked by score; rank 1 is the best, and ties are broken at
random. The probabilities follow exactly from counting: for a run of one algorithm, the numbers of rivals above it and
tied with it are sums of independent draws, one a rival.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from surefoot.statistics.arrays import Floats, Integers
from surefoot.statistics.runs.score_pool import Scores, score_pool, task_columns
from surefoot.statistics.ties import RELATIVE, score_places


class Ranks(NamedTuple):
    """Ranks, int64[n] each, 1 is best.

    rank : by value; equal values share the better rank
    low : pessimistic, every algorithm that may be better is
    high : optimistic, only those that must be better are
    """

    rank: Floats
    low: Floats
    high: Floats


def rank_values(values: Floats, decimals: int | str = RELATIVE) -> Floats:
    """Ranks of `values`, float64[n]: 1 for the greatest; equal values share the better rank; decimals : what counts as
    equal, as in `score_places`."""
    (places,) = score_places([np.asarray(values, np.float64)], decimals)
    return places.size + 1 - (places[:, None] >= places[None, :]).sum(axis=1)


def ranks(values: Floats, low: Floats, high: Floats) -> Ranks:
    """Ranks of algorithms with scores `values` and limits `low` and `high`, float64[n] each.

    An algorithm is surely better than another where its lower limit exceeds the other's upper limit, and may be as good
    where its upper limit reaches the other's lower one. (The published program wants it to exceed it, which makes no
    difference but between intervals of no width: there it would leave two equal algorithms no rank of their own.)
    """
    low, high = np.asarray(low, np.float64), np.asarray(high, np.float64)
    surely = low[:, None] > high[None, :]
    maybe = high[:, None] >= low[None, :]
    n = low.size
    return Ranks(rank_values(values), n - surely.sum(axis=1), n + 1 - maybe.sum(axis=1))


def rank_distributions(scores: Sequence[Scores], decimals: int | str | None = RELATIVE) -> Floats:
    """Exact rank distributions.

    Parameters
    ----------
    scores : of each of k algorithms on the same M tasks, float64[runs, tasks] or one array a task
    decimals : which scores are ties; see `ties.score_places`

    Returns
    -------
    float64[M, k, k], probability that algorithm a has rank r + 1; rows and columns sum to 1. Their mean over the tasks
    is the distribution of an algorithm's rank on a task drawn at random.
    """
    return np.array([_task_distribution(samples) for samples in _by_task(scores, decimals)])


def _by_task(scores: Sequence[Scores], decimals: int | str | None) -> list[list[Integers]]:
    """For each task, where the scores of each algorithm stand among all of them, ascending."""
    columns = [task_columns(one) for one in scores]
    by_task = zip(*(score_pool(one).task_scores() for one in columns), strict=True)
    return [score_places(samples, decimals) for samples in by_task]


def _task_distribution(samples: list[Integers]) -> Floats:
    k = len(samples)
    found = np.zeros((k, k))
    for a, own in enumerate(samples):
        joint = np.zeros((own.size, k, k))  # run, rivals above it, rivals tied with it
        joint[:, 0, 0] = 1.0
        for rival in samples[:a] + samples[a + 1 :]:
            lower = np.searchsorted(rival, own, side="left") / rival.size
            upper = np.searchsorted(rival, own, side="right") / rival.size
            lower, above, tied = (p[:, None, None] for p in (lower, 1.0 - upper, upper - lower))
            before, joint = joint, joint * lower
            joint[:, 1:] += before[:, :-1] * above
            joint[:, :, 1:] += before[:, :, :-1] * tied
        mean = joint.mean(axis=0)
        for better in range(k):
            for ties in range(k - better):
                found[a, better : better + ties + 1] += mean[better, ties] / (ties + 1)
    return found
