"""Percentile bootstrap of the aggregate scores (Jordan et al. 2020, section 4.3; Efron and Tibshirani 1993).

A replicate draws as many runs of every pair of algorithm and environment as there are, with replacement, and plays the
game again with the payoffs of what was drawn. Only how often each run was drawn matters. So the samples are sorted and
merged once, and one walk through the merged order counts the pairs of runs of all algorithms, for a block of replicates
at once: the same few additions for each of them, which the processor does several at a time.

How often each run of a pair's sorted sample is drawn comes from the pair's stream, which is keyed by the seed and its
names and numbered by the block of replicates: neither the other pairs, nor the number of threads, nor that of
replicates change it.

Two variants.

as_published : algorithms that share a sample are drawn separately; the level of each interval is delta/(n m).
corrected : a shared sample is drawn once; the level is delta/n, one part for each of the n scores.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from surefoot.statistics.arrays import Booleans, Floats, Integers
from surefoot.statistics.game.evaluation_game import opponent_weights, play, refuse_one_algorithm
from surefoot.statistics.intervals.catalogue import Options
from surefoot.statistics.metrics.kernels import BLOCK, add_counts
from surefoot.statistics.resampling.kernels import draw_counts
from surefoot.statistics.runs.samples import Samples
from surefoot.streams import stream_key


class _Merged(NamedTuple):
    """The samples of all environments, merged: an entry is the runs of one sample that have one score.

    keys : uint64[samples, 4], sizes : int64[samples], of each distinct sample, those of an environment together
    firsts : int64[m + 1], where the samples of each environment begin
    numbers : int64[n, m], the sample of each pair
    owners : int32[entries], which of the environment's samples the entry belongs to; ascending in score
    runs : int32[entries], number of runs of the entry
    last : bool[entries], is it the last entry with its score?
    entries : int64[m + 1], where the entries of each environment begin
    """

    keys: npt.NDArray[np.uint64]
    sizes: Integers
    firsts: Integers
    numbers: Integers
    owners: npt.NDArray[np.int32]
    runs: npt.NDArray[np.int32]
    last: Booleans
    entries: Integers


def bootstrap(samples: Samples, options: Options, variants: Sequence[str]) -> dict[str, tuple[Floats, ...]]:
    """Limits (low, high) and standard errors of the scores, float64[n] each, by variant.

    Where no algorithms share a sample, the variants draw the same replicates and differ in the level alone.
    """
    drawn: Floats | None = None
    by_variant: dict[str, tuple[Floats, ...]] = {}
    for variant in variants:
        if drawn is None or not samples.distinct_cells().all():
            drawn = replicate_scores(samples, options.seed, options.replicates, variant, options.threads)
        error = drawn.std(axis=0, ddof=1) if len(drawn) > 1 else np.full(drawn.shape[1], np.nan)
        by_variant[variant] = (*score_quantiles(drawn, samples, options.delta, variant), error)
    return by_variant


def score_quantiles(scores: Floats, samples: Samples, delta: float, variant: str) -> tuple[Floats, Floats]:
    """The quantiles of replicates' scores, float64[replicates, n], that `bootstrap_limits` takes for limits."""
    n, m = samples.sizes.shape
    level = delta / (n if variant == "corrected" else n * m)
    low, high = np.quantile(scores, [level / 2.0, 1.0 - level / 2.0], axis=0)
    return low, high


def replicate_scores(samples: Samples, seed: int, replicates: int, variant: str, threads: int = 1) -> Floats:
    """Aggregate scores of bootstrap replicates, float64[replicates, n]; the same bytes for any number of threads."""
    refuse_one_algorithm(len(samples.algorithms))
    merged = _merge(samples, seed, variant)
    count = np.diff(merged.firsts).max()
    # Pairs of runs are counted in 32 bits if no count can exceed them.
    counter: type = np.int32 if merged.sizes.max() ** 2 < 2**31 else np.float64
    scores = np.empty((replicates, len(samples.algorithms)))

    def block(first: int) -> None:
        part = scores[first : first + BLOCK]
        z = _block_payoffs(merged, samples.cells, first // BLOCK, np.empty((count, count, BLOCK), counter))[: len(part)]
        for r in np.flatnonzero(~_play_block(z, part)):
            part[r] = play(z[r]).scores

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(block, range(0, replicates, BLOCK)))
    return scores


def _merge(samples: Samples, seed: int, variant: str) -> _Merged:
    n, m = samples.sizes.shape
    keys, sizes, firsts, numbers, parts = [], [], [0], np.empty((n, m), np.int64), []
    distinct = samples.distinct_cells() if variant == "corrected" else np.ones((n, m), bool)
    for j in range(m):
        members = np.flatnonzero(distinct[:, j])
        for i in map(int, members):
            keys.append(stream_key(seed, "bootstrap", samples.environments[j], samples.algorithms[i]))
            sizes.append(samples.sizes[i, j])
        for i in range(n):
            same = samples.cells[members, j] == samples.cells[i, j] if not distinct[i, j] else members == i
            numbers[i, j] = firsts[-1] + np.flatnonzero(same)[0]
        firsts.append(firsts[-1] + members.size)
        parts.append(_entries([samples.pair(int(i), j) for i in members]))
    entries = np.cumsum([0] + [part[0].size for part in parts])
    owners, runs, last = (np.concatenate(column) for column in zip(*parts, strict=True))
    return _Merged(np.array(keys), np.array(sizes), np.array(firsts), numbers, owners, runs, last, entries)


def _entries(ascending: Sequence[Floats]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], Booleans]:
    """Entries of one environment: (owners, runs, last), see `_Merged`."""
    distinct = [np.unique(x, return_counts=True) for x in ascending]
    owners = np.repeat(np.arange(len(distinct), dtype=np.int32), [x.size for x, _ in distinct])
    scores = np.concatenate([x for x, _ in distinct])
    runs = np.concatenate([counts for _, counts in distinct]).astype(np.int32)
    order = np.lexsort((owners, scores))
    last = np.append(scores[order][1:] != scores[order][:-1], True)
    return owners[order], runs[order], last


@njit(cache=True, nogil=True, error_model="numpy")
def _play_block(z: Floats, scores: Floats) -> Booleans:
    """Fill scores, float64[replicates, n], from payoffs float64[replicates, n, m, n]; bool[replicates]: solved?"""
    replicates, n, m, _ = z.shape
    solved = np.empty(replicates, np.bool_)
    for r in range(replicates):
        payoffs = z[r].reshape(n, m * n)
        weights, solved[r] = opponent_weights(payoffs)
        for i in range(n):
            scores[r, i] = 0.0
            for c in range(m * n):
                scores[r, i] += weights[c] * payoffs[i, c]
    return solved


@njit(cache=True, nogil=True, error_model="numpy")
def _block_payoffs(merged: _Merged, cells: Integers, block: int, pairs: npt.NDArray[Any]) -> Floats:
    """Payoffs of the replicates of a block, float64[BLOCK, n, m, n]; pairs: see `_counters`."""
    n, m = merged.numbers.shape
    z = np.full((BLOCK, n, m, n), 0.5)
    for j in range(m):
        first, end = merged.firsts[j], merged.firsts[j + 1]
        sizes = merged.sizes[first:end]
        draws, heads = np.empty((sizes.sum(), BLOCK), np.uint8), np.cumsum(sizes) - sizes
        for u in range(sizes.size):
            own = draws[heads[u] : heads[u] + sizes[u]]
            draw_counts(merged.keys[first + u], block, sizes[u], sizes[u], own)
        begin, end = merged.entries[j], merged.entries[j + 1]
        _count_pairs(
            merged.owners[begin:end], merged.runs[begin:end], merged.last[begin:end], draws, heads, sizes, pairs
        )
        for i in range(n):
            for k in range(n):
                if cells[i, j] != cells[k, j]:
                    u, v = merged.numbers[i, j] - first, merged.numbers[k, j] - first
                    z[:, i, j, k] = pairs[u, v] / (sizes[u] * sizes[v])
    return z


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
    """pairs[u, v, r] = in replicate r, number of pairs of a run of u and one of v whose score is not greater.

    draws : how often each run was drawn, those of sample u from row heads[u] on; `heads` is changed

    Only the pairs with v < u are counted all the way: those of v and u are what remains of all pairs, and the ties.
    Counts are whole numbers below 2**53, so the order in which they are added does not matter.
    """
    samples = sizes.size
    pairs[:samples] = 0
    seen, drawn = np.zeros_like(pairs[0]), np.zeros_like(pairs[0])
    begin = 0
    while begin < owners.size:
        end = begin + 1
        while not last[end - 1]:
            end += 1
        for e in range(begin, end):
            u, w = owners[e], drawn[e - begin]
            w[:] = 0
            for t in range(heads[u], heads[u] + runs[e]):
                add_counts(draws[t], w)
            heads[u] += runs[e]
            add_counts(w, seen[u])
        for e in range(begin, end):
            u, w = owners[e], drawn[e - begin]
            for v in range(u):
                _add_products(w, seen[v], pairs[u, v])
            for other in range(begin, e):
                _add_products(w, drawn[other - begin], pairs[owners[other], u])
        begin = end
    for u in range(samples):
        for v in range(u):
            pairs[v, u] += sizes[u] * sizes[v] - pairs[u, v]


@njit(cache=True, nogil=True, error_model="numpy")
def _add_products(x: npt.NDArray[Any], y: npt.NDArray[Any], totals: npt.NDArray[Any]) -> None:
    for r in range(totals.size):
        totals[r] += x[r] * y[r]
