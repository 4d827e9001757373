"""Compare several algorithms after every group of new runs, controlling the probability of any false separation.

The design is fixed before the first run: n runs of each algorithm are added at each of K looks, and at most alpha
k / K of the level alpha has been spent by look k. This is the design of AdaStop (Mathieu, Della Vecchia, Shilova,
Centa, Kohler, Maillard and Preux, "AdaStop: adaptive statistical testing for sound comparisons of deep RL agents",
TMLR 2024), with two changes. The statistic of a pair is the absolute difference of the sums so far, as in the paper,
and not the signed difference, as in the released package, whose error rate is twice the stated level. And pairs are
decided by closed testing instead of step-down: a pair is separated once every hypothesis in which its two algorithms
are equal is rejected.

A hypothesis is a partition of the algorithms into blocks of equal algorithms. Within a block, all assignments of the
runs of a look to its algorithms are equally likely. The statistic of a hypothesis is the greatest absolute difference
within any block. A path consists of one assignment at each look, and the first path is the observed one. At each look,
the paths with the greatest statistics are rejected, as many as the level spent so far allows (Lan and DeMets,
Biometrika 70, 1983). Ties with the boundary are not rejected. A hypothesis is rejected with the observed path, so the
probability of rejecting a true hypothesis at any look is at most alpha, for any number of paths.

The hypotheses are about distributions: a separated pair has different distributions, but its means may be equal, for
example if one algorithm collapses in a few runs and the other never does. A studentized statistic, which tests equal
means in large samples (Janssen, Statistics and Probability Letters 36, 1997), was tried with 5 to 20 runs per look. It
separates pairs with equal means about as often: in 30, 24 and 14 % of 200 studies, instead of 33, 18 and 13 %.

An algorithm whose pairs are all separated gets no further runs. With two algorithms and up to five runs per look, all
pairs of assignments at the first two looks are enumerated, so that decisions at these looks do not depend on the seed.
With more algorithms, every assignment of runs to a given pair of algorithms occurs in the same number of paths at each
look.
"""

from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from surefoot.errors import HintedError, counted
from surefoot.statistics.arrays import Booleans, Floats, Integers
from surefoot.streams import below, start_stream, stream_key

MOST_ALGORITHMS = 7
"""Largest number of algorithms; seven algorithms have 877 partitions."""
_PATHS = 20_000
_MOST_ENUMERATED = 100_000
_ROUNDING = 1e-9  # relative difference up to which sums count as equal


class GroupSequential(NamedTuple):
    """Result of a group-sequential comparison.

    x, y : int64[pairs], indices of the two algorithms of each pair, x < y
    separated : int64[pairs], number of the look at which the pair was separated, from 1; 0 if it was not
    value : float64[pairs], difference of the means x - y at this look, or at the last look if it was not separated
    groups : int64[algorithms], number of groups of runs used for each algorithm
    looks : number of looks
    """

    x: Integers
    y: Integers
    separated: Integers
    value: Floats
    groups: Integers
    looks: int


def group_sequential(
    scores: npt.ArrayLike, planned: int, confidence_level: float = 0.95, seed: int = 0
) -> GroupSequential:
    """Compare all pairs of algorithms with the available groups of runs.

    Parameters
    ----------
    scores : float64[algorithms, groups, runs of a group], for up to 7 algorithms, in the order of collection; NaN if an
        algorithm lacks a group. Groups of an algorithm whose pairs are all separated are ignored. A look takes place if
        all other algorithms have its group
    planned : number of looks of the design
    confidence_level : 1 minus the probability of any false separation, between 0 and 1
    seed : seed of the paths

    Raises
    ------
    ValueError : if there are more groups than planned looks
    """
    scores = np.asarray(scores, np.float64)
    algorithms, groups, _ = scores.shape
    if groups > planned:
        raise HintedError(
            "group_sequential",
            f"got {groups} groups of runs for {counted(planned, 'planned look')}",
            f"plan at least one look per group, such as looks: {groups}",
        )
    pairs = list(combinations(range(algorithms), 2))
    separated = np.zeros(len(pairs), np.int64)
    value = np.zeros(len(pairs))
    used = np.zeros(algorithms, np.int64)
    active = np.ones(algorithms, bool)
    paths = _Paths(scores, seed)
    hypotheses = [_Hypothesis(partition, paths.count) for partition in _partitions(algorithms)]
    look = 0
    while look < groups and active.any() and not np.isnan(scores[active, look]).any():
        used += active
        paths.add(look, active)
        look += 1
        spreads = paths.spreads()
        for hypothesis in hypotheses:
            hypothesis.look(spreads, (1.0 - confidence_level) * look / planned)
        for p, (x, y) in enumerate(pairs):
            if not separated[p]:
                value[p] = scores[x, :look].mean() - scores[y, :look].mean()
                if all(one.rejected for one in hypotheses if one.equates(x, y)):
                    separated[p] = look
        undecided = [pair for pair, at in zip(pairs, separated, strict=True) if not at]
        active = np.isin(np.arange(algorithms), undecided)
    x, y = np.array(pairs, np.int64).T
    return GroupSequential(x, y, separated, value, used, look)


class _Paths:
    """Sums of scores by block, algorithm and path; see the module docstring for blocks and paths.

    count : number of paths
    """

    def __init__(self, scores: Floats, seed: int) -> None:
        algorithms, _, size = scores.shape
        assignments = comb(2 * size, size)
        self._scores = scores
        self._seed = seed
        self._enumerated = algorithms == 2 and assignments**2 <= _MOST_ENUMERATED
        balanced = assignments**2 if self._enumerated else max(_PATHS // assignments, 1) * assignments
        self._few = balanced <= _MOST_ENUMERATED
        self.count = balanced if self._few else _PATHS
        members = range(algorithms)
        self._sums = {
            block: np.zeros((len(block), self.count))
            for number in range(2, algorithms + 1)
            for block in combinations(members, number)
        }

    def add(self, look: int, active: Booleans) -> None:
        """Add the scores of a look to the sums on each path, for blocks whose algorithms are all active."""
        for block, sums in self._sums.items():
            if not active[list(block)].all():
                continue
            key = stream_key(self._seed, "group_sequential", *block, look)
            added = self._scores[list(block), look]
            if self._few and len(block) == 2:
                _add_balanced(added, key, look if self._enumerated else None, sums)
            else:
                _add_shuffled(added, key, sums)

    def spreads(self) -> dict[tuple[int, ...], Floats]:
        """Return the greatest difference of sums between algorithms of each block, float64[paths]."""
        return {block: np.ptp(sums, axis=0) for block, sums in self._sums.items()}


def _add_balanced(scores: Floats, key: npt.NDArray[np.uint64], look: int | None, sums: Floats) -> None:
    """Add the scores of two algorithms at one look to `sums`, with each assignment on the same number of paths.

    look : index of the look if the paths enumerate all pairs of assignments at the first two looks, else None
    """
    pool = scores.ravel()
    size = scores.shape[1]
    chosen = np.array(list(combinations(range(pool.size), size)), np.int64)
    first = np.zeros((len(chosen), pool.size), bool)
    np.put_along_axis(first, chosen, True, axis=1)  # the first row is the assignment that was observed
    numbers = np.arange(sums.shape[1])
    if look is not None and look < 2:
        numbers = numbers // len(chosen) ** look
    else:
        _shuffle(numbers, key)
    first_sum = first @ pool
    sums += np.stack([first_sum, pool.sum() - first_sum])[:, numbers % len(chosen)]


class _Hypothesis:
    """The hypothesis that the algorithms within each block of a partition are equal.

    rejected : True if the hypothesis was rejected at any look so far
    """

    def __init__(self, partition: list[tuple[int, ...]], paths: int) -> None:
        self.blocks = [block for block in partition if len(block) > 1]
        self.alive = np.ones(paths, bool)
        self.rejected = False

    def equates(self, x: int, y: int) -> bool:
        """Return True if the algorithms x and y are in the same block."""
        return any(x in block and y in block for block in self.blocks)

    def look(self, spreads: dict[tuple[int, ...], Floats], spent: float) -> None:
        """Reject the paths with the largest statistics at this look, as far as `spent` allows.

        spreads : result of `_Paths.spreads`
        spent : fraction of all paths that may have been rejected after this look
        """
        if self.rejected:
            return
        spread = np.max([spreads[block] for block in self.blocks], axis=0)
        alive = spread[self.alive]
        allowed = int(spent * spread.size + _ROUNDING) - (spread.size - alive.size)
        if allowed < alive.size:
            boundary = np.partition(alive, -1 - allowed)[-1 - allowed]
            self.alive &= spread <= boundary + _ROUNDING * alive.max()
            self.rejected = not self.alive[0]


def _partitions(algorithms: int) -> Iterator[list[tuple[int, ...]]]:
    """Yield all partitions of 0, 1, ..., `algorithms` - 1 into blocks, except the one into single elements."""
    partitions: list[list[tuple[int, ...]]] = [[]]
    for one in range(algorithms):
        joined = [
            [*partition[:place], (*block, one), *partition[place + 1 :]]
            for partition in partitions
            for place, block in enumerate(partition)
        ]
        partitions = [*joined, *([*partition, (one,)] for partition in partitions)]
    return (partition for partition in partitions if len(partition) < algorithms)


@njit(cache=True, nogil=True)
def _add_shuffled(scores: Floats, key: npt.NDArray[np.uint64], sums: Floats) -> None:
    """Add the scores of one look to `sums`: on path 0 as observed, on other paths randomly reassigned to algorithms."""
    algorithms, size = scores.shape
    pool = np.empty(algorithms * size)
    stream = np.empty(4, np.uint64)
    for path in range(sums.shape[1]):
        for place in range(pool.size):
            pool[place] = scores[place // size, place % size]
        if path > 0:
            start_stream(key, path, stream)
            for last in range(pool.size - 1, size - 1, -1):  # the remaining scores are those of the first algorithm
                other = below(stream, last + 1)
                pool[last], pool[other] = pool[other], pool[last]
        for algorithm in range(algorithms):
            total = 0.0
            for place in range(algorithm * size, (algorithm + 1) * size):
                total += pool[place]
            sums[algorithm, path] += total


@njit(cache=True, nogil=True)
def _shuffle(numbers: Integers, key: npt.NDArray[np.uint64]) -> None:
    """Shuffle all numbers except the first."""
    stream = np.empty(4, np.uint64)
    start_stream(key, 0, stream)
    for last in range(numbers.size - 1, 1, -1):
        other = 1 + below(stream, last)
        numbers[last], numbers[other] = numbers[other], numbers[last]
