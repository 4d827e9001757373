"""Data sets for a study of coverage: many small samples from a large pool of runs, numbered.

Two designs.

resample : each data set is drawn from the pools with replacement. The pools' empirical distributions are the truth,
    which is therefore known. What data set number d of a size holds depends on the seed, the names of cell and
    environment, the size, d and the cell's pool, and on nothing else: all methods see the same data sets.
cut : data sets are consecutive pieces of a long run table, none of which overlap: first all the data sets of the
    first size, then those of the second (Jordan et al. 2020, appendix H). They are independent, as fresh runs are.
"""

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
import pandas as pd
from numba import njit

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats
from surefoot.statistics.runs.samples import Samples, samples_from_runs
from surefoot.streams import below, start_stream, stream_key


def runs_of_block(start: int, size: int, first: int, count: int) -> tuple[int, int]:
    """Numbers of the first run, and of the one after the last, that the data sets first..first+count-1 are cut from."""
    begin = start + first * size
    return begin, begin + count * size


def data_sets(
    pools: pd.DataFrame, design: str, seed: int, size: int, first: int, count: int, start: int = 0
) -> Iterator[Samples]:
    """Data sets number first, ..., first + count - 1 of `size` runs a pair.

    Parameters
    ----------
    pools : columns algorithm, environment, score, cell; for "cut" also run, the numbers of the runs
    design, seed : "resample" or "cut"; only the first draws numbers
    start : for "cut", number of the run at which data set number 0 begins; see `cut_start`

    Raises
    ------
    ValueError : see `samples_from_runs`; a pool with fewer runs than the size; for "cut", runs that a piece
        needs and the table lacks
    """
    pool = samples_from_runs(pools)
    draw = _resampler(pools, pool, seed, size) if design == "resample" else _cutter(pools, pool, size, start)
    n, m = pool.sizes.shape
    starts = np.ascontiguousarray(size * np.arange(m * n).reshape(m, n).T)
    sizes = np.full((n, m), size, np.int64)
    for number in range(first, first + count):
        scores = np.concatenate([draw(i, j, number) for j in range(m) for i in range(n)])
        scores.reshape(m * n, size).sort(axis=1)
        yield pool._replace(scores=scores, starts=starts, sizes=sizes)


def _resampler(pools: pd.DataFrame, pool: Samples, seed: int, size: int) -> Callable[[int, int, int], Floats]:
    """Draws a pair's runs of a data set: the runs with the drawn numbers in the pool sorted by score."""
    if pool.smallest_size() < size:
        i, j = np.argwhere(pool.sizes < size)[0]
        raise HintedError(
            "cover",
            f"data sets of {size} runs, but {pool.algorithms[i]} in {pool.environments[j]} has {pool.sizes[i, j]}",
            "pools need at least as many runs as the largest data set",
        )
    pairs = pools[["algorithm", "environment", "cell"]].drop_duplicates()
    cells = {(str(a), str(e)): str(c) for a, e, c in pairs.itertuples(index=False)}
    keys = {
        (i, j): stream_key(seed, "cover", environment, cells[algorithm, environment], size)
        for i, algorithm in enumerate(pool.algorithms)
        for j, environment in enumerate(pool.environments)
    }

    def draw(i: int, j: int, number: int) -> Floats:
        scores = np.empty(size)
        resample(keys[i, j], number, pool.pair(i, j), scores)
        return scores

    return draw


@njit(cache=True, nogil=True, error_model="numpy")
def resample(key: npt.NDArray[np.uint64], number: int, pool: Floats, scores: Floats) -> None:
    """Fill `scores` with draws from `pool`, float64[runs], by stream `number` of the family `key`."""
    stream = np.empty(4, np.uint64)
    start_stream(key, number, stream)
    for t in range(scores.size):
        scores[t] = pool[below(stream, pool.size)]


def _cutter(pools: pd.DataFrame, pool: Samples, size: int, start: int) -> Callable[[int, int, int], Floats]:
    """Cuts a pair's runs of a data set out of the pool, in the order of the runs' numbers."""
    ordered = {
        tuple(map(str, pair)): table.sort_values("run")[["run", "score"]].to_numpy(np.float64)
        for pair, table in pools.groupby(["algorithm", "environment"], sort=False, observed=True)
    }

    def draw(i: int, j: int, number: int) -> Floats:
        table = ordered[pool.algorithms[i], pool.environments[j]]
        begin, end = runs_of_block(start, size, number, 1)
        low, high = np.searchsorted(table[:, 0], [begin, end])
        if not np.array_equal(table[low:high, 0], np.arange(begin, end)):
            raise HintedError(
                "cover",
                f"{pool.algorithms[i]} in {pool.environments[j]}: data set {number} is to be runs {begin} to "
                f"{end - 1}, and they are not all there",
                "make more runs, or ask for fewer data sets",
            )
        return table[low:high, 1]

    return draw
