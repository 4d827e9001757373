"""Rank distributions (Agarwal et al. 2021, Figure 11 and appendix A.33): how probable each rank of each algorithm is.

On a task, one run of each algorithm is drawn and they are ranked by score; rank 1 is the best, and ties are broken at
random. The probabilities follow exactly from counting: for a run of one algorithm, the numbers of rivals above it and
tied with it are sums of independent draws, one a rival.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats, Integers
from surefoot.statistics.choices import is_count
from surefoot.statistics.resampling.draws import SPARE, draw_indices
from surefoot.statistics.runs.score_pool import Scores, score_pool, task_columns
from surefoot.statistics.ties import RELATIVE, score_places
from surefoot.streams import below, start_stream, stream_key


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

    Raises
    ------
    ValueError : see `score_pool`; different numbers of tasks
    """
    return np.array([_task_distribution(samples) for samples in _by_task(scores, decimals)])


def _by_task(scores: Sequence[Scores], decimals: int | str | None) -> list[list[Integers]]:
    """For each task, where the scores of each algorithm stand among all of them, ascending."""
    columns = [task_columns(one) for one in scores]
    counts = sorted({len(one) for one in columns})
    if len(counts) != 1:
        raise HintedError("ranks", f"algorithms on {counts} tasks", "rank them on the same tasks")
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


def simulated_rank_distributions(
    scores: Sequence[Scores],
    draws: int = 200_000,
    seed: int = 0,
    tasks: Sequence[Any] | None = None,
    decimals: int | str | None = RELATIVE,
) -> Floats:
    """The same by drawing runs `draws` times, as the paper does: a check of the exact ones."""
    if not is_count(draws):
        raise HintedError("ranks", f"{draws} draws", "a whole number, at least 1; the paper takes 200000")
    by_task = _by_task(scores, decimals)
    tasks = range(len(by_task)) if tasks is None else tasks
    parts = []
    for task, samples in zip(tasks, by_task, strict=True):
        indices = np.empty((len(samples), draws + SPARE), np.uint32)
        for a, sample in enumerate(samples):
            draw_indices(stream_key(seed, "ranks", task), a, sample.size, draws, indices[a])
        drawn = np.array([sample[index[:draws]] for sample, index in zip(samples, indices, strict=True)])
        parts.append(_count_ranks(drawn, stream_key(seed, "rank_ties", task)) / draws)
    return np.array(parts)


@njit(cache=True, nogil=True, error_model="numpy")
def _count_ranks(drawn: Integers, key: npt.NDArray[np.uint64]) -> Integers:
    """int64[k, k], how often each algorithm has each rank, from the places of drawn scores, int64[k, draws]."""
    k, draws = drawn.shape
    counts, stream, order = np.zeros((k, k), np.int64), np.empty(4, np.uint64), np.arange(k)
    start_stream(key, 0, stream)
    for t in range(draws):
        for i in range(k - 1, 0, -1):  # a random order breaks the ties
            j = below(stream, i + 1)
            order[i], order[j] = order[j], order[i]
        for i in range(k):
            rank = 0
            for j in range(k):
                other, own = drawn[order[j], t], drawn[order[i], t]
                rank += other > own or (other == own and j < i)
            counts[order[i], rank] += 1
    return counts
