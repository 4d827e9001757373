"""Percentile bootstrap of aggregate scores (Jordan et al. 2020, section 4.3; Efron and Tibshirani 1993).

In each replicate, the runs of each algorithm in each environment are resampled with replacement, and the game with the
resulting payoffs is solved. Only the number of times each run was drawn matters. So the samples are sorted and merged
once, and one pass through the merged order counts the pairs of runs of all algorithms, for a block of replicates at
once, so that the additions can be vectorized.

Each sample has its own random stream, identified by the seed, the names of the algorithm and the environment, and the
number of the block of replicates. So resamples do not depend on the other samples, the number of threads, or the number
of replicates.

There are two variants.

as_published : a sample that algorithms share is resampled separately for each; the level of each interval is
    delta/(n m).
corrected : a shared sample is resampled once; the level of the interval of each of the n scores is delta/n.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from surefoot.statistics.arrays import Booleans, Floats, Integers
from surefoot.statistics.game.evaluation_game import (
    SMALL,
    eliminated_weights,
    opponent_weights,
    play,
    refuse_one_algorithm,
)
from surefoot.statistics.intervals.interval_catalogue import Options
from surefoot.statistics.metrics.metric_catalogue import BLOCK
from surefoot.statistics.metrics.metric_kernels import add_counts
from surefoot.statistics.resampling.array_draws import draw_few_counts, worth_compiling
from surefoot.statistics.resampling.resampling_kernels import draw_counts
from surefoot.statistics.resampling.stratified_bootstrap import blocks_together, counter_type, in_threads
from surefoot.statistics.runs.samples import Samples
from surefoot.streams import stream_key


class _Merged(NamedTuple):
    """Merged samples of one environment; an entry stands for all runs of one sample with the same score.

    keys : uint64[samples, 4], key of the random stream of each distinct sample
    sizes : int64[samples], number of runs of each distinct sample
    numbers : int64[n], index of the sample of each algorithm
    owners : int32[entries], index of the sample of each entry; the entries ascend by score
    runs : int32[entries], number of runs of each entry
    last : bool[entries], False if the next entry has the same score
    """

    keys: npt.NDArray[np.uint64]
    sizes: Integers
    numbers: Integers
    owners: npt.NDArray[np.int32]
    runs: npt.NDArray[np.int32]
    last: Booleans


def bootstrap(samples: Samples, options: Options, variants: Sequence[str]) -> dict[str, tuple[Floats, ...]]:
    """Compute limits (low, high) and standard errors of the aggregate scores, float64[n] each, by variant."""
    drawn: Floats | None = None
    by_variant: dict[str, tuple[Floats, ...]] = {}
    for variant in variants:
        if drawn is None or not samples.distinct_cells().all():
            drawn = replicate_scores(samples, options.seed, options.n_resamples, variant, options.threads)
        error = drawn.std(axis=0, ddof=1) if len(drawn) > 1 else np.full(drawn.shape[1], np.nan)
        by_variant[variant] = (*score_quantiles(drawn, samples, options.delta, variant), error)
    return by_variant


def score_quantiles(scores: Floats, samples: Samples, delta: float, variant: str) -> tuple[Floats, Floats]:
    """Return limits (low, high) of aggregate scores, float64[n] each, from replicates, float64[replicates, n]."""
    n, m = samples.sizes.shape
    level = delta / (n if variant == "corrected" else n * m)
    low, high = np.quantile(scores, [level / 2.0, 1.0 - level / 2.0], axis=0)
    return low, high


def replicate_scores(samples: Samples, seed: int, n_resamples: int, variant: str, threads: int = 1) -> Floats:
    """Return the aggregate scores of bootstrap replicates, float64[replicates, n]."""
    refuse_one_algorithm(len(samples.algorithms))
    environments = [_merge(samples, j, seed, variant) for j in range(len(samples.environments))]
    scores = np.empty((n_resamples, len(samples.algorithms)))

    def part(first: int, last: int) -> None:
        blocks = range(first // BLOCK, -(-last // BLOCK))
        z = np.full((len(blocks) * BLOCK, *samples.shared().shape), 0.5)
        for j, merged in enumerate(environments):
            if worth_compiling("payoffs", _numpy_work(merged.sizes), len(z)):
                _fill_payoffs(merged, samples, j, blocks, z)
            else:
                _fill_few_payoffs(merged, samples, j, blocks, z)
        _play_games(z[: last - first], scores[first:last])

    counts = max(samples.shared().size, int(samples.sizes.sum(axis=0).max()))
    in_threads(part, blocks_together(counts, n_resamples), threads)
    return scores


def _numpy_work(sizes: Integers) -> int:
    """Return the work of numpy for the payoffs of one replicate, measured in drawn numbers."""
    return int(sizes.sum()) * sizes.size * (1 + int(sizes.max()) // 16)


def _merge(samples: Samples, environment: int, seed: int, variant: str) -> _Merged:
    cells = samples.cells[:, environment] if variant == "corrected" else np.arange(len(samples.algorithms))
    _, members, numbers = np.unique(cells, return_index=True, return_inverse=True)
    names = [(samples.environments[environment], samples.algorithms[i]) for i in members]
    distinct = [np.unique(samples.pair(i, environment), return_counts=True) for i in members]
    owners = np.repeat(np.arange(members.size, dtype=np.int32), [x.size for x, _ in distinct])
    scores, runs = (np.concatenate(column) for column in zip(*distinct, strict=True))
    order = np.lexsort((owners, scores))
    return _Merged(
        keys=np.array([stream_key(seed, "bootstrap", *pair) for pair in names]),
        sizes=samples.sizes[members, environment],
        numbers=numbers,
        owners=owners[order],
        runs=runs[order].astype(np.int32),
        last=np.append(scores[order][1:] != scores[order][:-1], True),
    )


def _play_games(z: Floats, scores: Floats) -> None:
    """Fill `scores`, float64[replicates, n], from payoffs z, float64[replicates, n, m, n]."""
    if z[0].size > SMALL:
        for r in np.flatnonzero(~_solve_games(z, scores)):
            scores[r] = play(z[r]).scores
        return
    for first in range(0, len(z), BLOCK):
        block = z[first : first + BLOCK]
        games = block.reshape(len(block), z.shape[1], -1)
        scores[first : first + BLOCK] = (games * eliminated_weights(games)[:, None]).sum(axis=2)


@njit(cache=True, nogil=True, error_model="numpy")
def _solve_games(z: Floats, scores: Floats) -> Booleans:
    """Fill `scores`, float64[replicates, n], from payoffs z, float64[replicates, n, m, n].

    Returns
    -------
    bool[replicates], True if the solution of the game converged
    """
    n_resamples, n, m, _ = z.shape
    solved = np.empty(n_resamples, np.bool_)
    for r in range(n_resamples):
        payoffs = z[r].reshape(n, m * n)
        weights, solved[r] = opponent_weights(payoffs)
        for i in range(n):
            scores[r, i] = 0.0
            for c in range(m * n):
                scores[r, i] += weights[c] * payoffs[i, c]
    return solved


def _fill_few_payoffs(merged: _Merged, samples: Samples, j: int, blocks: range, z: Floats) -> None:
    """Implement `_fill_payoffs` without compiled code."""
    sizes = merged.sizes
    counts = draw_few_counts(merged.keys, blocks, sizes, sizes, counter_type(sizes, sizes))
    draws = np.split(counts.astype(np.float64), np.cumsum(sizes)[:-1])  # doubles count exactly, and multiply faster
    for i, k in np.argwhere(~samples.shared()[:, j]):
        u = merged.numbers[i]
        v = merged.numbers[k]
        reached = np.asarray(samples.pair(i, j))[:, None] >= samples.pair(k, j)
        pairs = (draws[u] * (reached.astype(np.float64) @ draws[v])).sum(axis=0)
        z[:, i, j, k] = pairs / (sizes[u] * sizes[v])


def _fill_payoffs(merged: _Merged, samples: Samples, j: int, blocks: range, z: Floats) -> None:
    """Fill z[:, i, j, k] with the payoffs of replicates in environment j, for algorithms i, k with unlike samples.

    z : float64[replicates, n, m, n]
    """
    # Doubles also count exactly, but need twice the memory of 32-bit integers.
    counter: type = np.int32 if samples.sizes.max() ** 2 < 2**31 else np.float64
    pairs: npt.NDArray[Any] = np.empty((merged.sizes.size, merged.sizes.size, BLOCK), counter)
    for number, block in enumerate(blocks):
        _fill_block(merged, samples.cells, j, block, pairs, z[number * BLOCK : (number + 1) * BLOCK])


@njit(cache=True, nogil=True, error_model="numpy")
def _fill_block(merged: _Merged, cells: Integers, j: int, block: int, pairs: npt.NDArray[Any], z: Floats) -> None:
    """Implement `_fill_payoffs` for the replicates of a block.

    cells : as in `Samples`
    pairs : scratch array, [samples, samples, BLOCK] or larger
    """
    sizes = merged.sizes
    numbers = merged.numbers
    draws = np.empty((sizes.sum(), BLOCK), np.uint8)
    heads = np.cumsum(sizes) - sizes
    for u in range(sizes.size):
        draw_counts(merged.keys[u], block, sizes[u], sizes[u], draws[heads[u] : heads[u] + sizes[u]])
    _count_pairs(merged.owners, merged.runs, merged.last, draws, heads, sizes, pairs)
    for i in range(numbers.size):
        for k in range(numbers.size):
            if cells[i, j] != cells[k, j]:
                u = numbers[i]
                v = numbers[k]
                # A loop, since assigning an array to a slice also compiles the text of an error, which takes seconds.
                for r in range(BLOCK):
                    z[r, i, j, k] = pairs[u, v, r] / (sizes[u] * sizes[v])


@njit(cache=True, nogil=True, error_model="numpy")
def _count_pairs(
    owners: npt.NDArray[np.int32],
    runs: npt.NDArray[np.int32],
    last: Booleans,
    draws: npt.NDArray[np.uint8],
    heads: Integers,
    sizes: Integers,
    pairs: npt.NDArray[Any],
) -> None:
    """Fill pairs[u, v, r] with the number of pairs of drawn runs of u and v in which v scores at most as much as u.

    Only pairs[u, v] with v < u are counted directly; pairs[v, u] follows from the total and the ties. Counts are whole
    numbers below 2**53, so the order of additions does not matter.

    draws : how often each run was drawn in each replicate r
    heads : row in `draws` of the first run of each sample; overwritten
    """
    samples = sizes.size
    pairs[:samples] = 0
    seen = np.zeros_like(pairs[0])
    drawn = np.zeros_like(pairs[0])
    begin = 0
    while begin < owners.size:
        end = begin + 1
        while not last[end - 1]:
            end += 1
        for e in range(begin, end):
            u = owners[e]
            w = drawn[e - begin]
            w[:] = 0
            for t in range(heads[u], heads[u] + runs[e]):
                add_counts(draws[t], w)
            heads[u] += runs[e]
            add_counts(w, seen[u])
        for e in range(begin, end):
            u = owners[e]
            w = drawn[e - begin]
            for v in range(u):
                _add_products(w, seen[v], pairs[u, v])
            for other in range(begin, e):
                _add_products(w, drawn[other - begin], pairs[owners[other], u])
        begin = end
    for u in range(samples):
        for v in range(u):
            # A loop, since assigning an array to a slice also compiles the text of an error, which takes seconds.
            for r in range(BLOCK):
                pairs[v, u, r] += sizes[u] * sizes[v] - pairs[u, v, r]


@njit(cache=True, nogil=True, error_model="numpy")
def _add_products(x: npt.NDArray[Any], y: npt.NDArray[Any], totals: npt.NDArray[Any]) -> None:
    for r in range(totals.size):
        totals[r] += x[r] * y[r]
