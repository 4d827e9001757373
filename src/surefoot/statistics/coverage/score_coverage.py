"""Coverage, width and power of intervals of aggregate scores, by method and sample size.

The data sets are many small numbered samples from a large pool of runs. `cover_block` computes the intervals of a block
of data sets, and `summarize_coverage` combines the blocks. Blocks can be computed anywhere and in any order, and more
can be added later. There are two designs:

resample : each data set is drawn from the pool with replacement. The truth is known, since the pool is the population.
    Data set number d of a size depends only on the seed, the names of cell and environment, the size, d and the pool of
    the cell, so all methods use the same data sets.
cut : data sets are consecutive pieces of a long run table that do not overlap, first all data sets of the first size,
    then those of the second (Jordan et al. 2020, appendix H). They are independent, like fresh runs.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Booleans, Floats
from surefoot.statistics.game.evaluation_game import play
from surefoot.statistics.game.percentile import payoffs
from surefoot.statistics.intervals.estimation import VARIANTS, limits_of_scores, variants_of
from surefoot.statistics.intervals.interval_catalogue import Options
from surefoot.statistics.resampling.resampling_kernels import resample
from surefoot.statistics.runs.samples import Samples, samples_from_runs
from surefoot.streams import stream_key

_GROUP = ["method", "variant", "size"]


def summarize_coverage(blocks: pd.DataFrame, truth: pd.DataFrame | None = None) -> pd.DataFrame:
    """Compute failure rates of intervals, by method, variant and size.

    Parameters
    ----------
    blocks : DataFrame
        Results of `cover_block` for any number of blocks.
    truth : DataFrame, optional
        Columns algorithm, score: the true scores, if known.

    Returns
    -------
    DataFrame
        One row for each method, variant and size, with columns method, variant, size, datasets and the columns
        described below.

    Notes
    -----
    failure_rate : over all ordered pairs of different data sets, how often the score of any algorithm in one data set
        lies strictly outside its interval in the other (Jordan et al. 2020, appendix H). This differs from the rate of
        missing the truth, since a score with a large error also counts against an interval that contains the truth.
    failure_rate_truth : how often the true score of any algorithm lies outside its interval (empty without a truth)
    significance : proportion of pairs of algorithms with disjoint intervals, over all data sets. As in the paper, an
        algorithm whose own interval is reversed (low > high) counts as a pair
    wrong_order : proportion of pairs of algorithms with disjoint intervals in the wrong order (empty without a truth)
    mean_width : mean width of the intervals, over algorithms and data sets

    Each of these columns is followed by its standard error over data sets, with the suffix `_error` (for failure_rate,
    the jackknife's). The error is exactly 0 if all data sets have the same value, for example if no interval fails. By
    the rule of three, the data are then compatible with rates that differ by up to 3/datasets, at 95 %.
    """
    order = pd.unique(blocks["algorithm"])
    true_scores = None
    if truth is not None:
        true_scores = truth.set_index("algorithm")["score"].reindex(order).to_numpy(np.float64)
    rows = []
    for group, table in blocks.groupby(_GROUP, sort=False):
        name = dict(zip(_GROUP, group, strict=True))
        wide = table.pivot(index="dataset", columns="algorithm")
        score, low, high = (wide[column][list(order)].to_numpy(np.float64) for column in ("score", "low", "high"))
        rows.append(name | {"datasets": len(score)} | _measures(score, low, high, true_scores))
    return pd.DataFrame(rows)


def _measures(score: Floats, low: Floats, high: Floats, true_scores: Floats | None) -> dict[str, float]:
    n = score.shape[1]
    pairs = n * (n - 1) / 2
    above = low[:, :, None] > high[:, None, :]
    apart = (above | above.swapaxes(1, 2))[:, *np.triu_indices(n)].sum(axis=1) / pairs
    missed = (np.nan, np.nan)
    wrong = (np.nan, np.nan)
    if true_scores is not None:
        missed = _mean(np.any((true_scores < low) | (true_scores > high), axis=1))
        wrong = _mean((above & (true_scores[:, None] < true_scores[None, :])).sum(axis=(1, 2)) / pairs)
    measures = {"failure_rate": failure_rate(score, low, high), "failure_rate_truth": missed}
    measures |= {"significance": _mean(apart), "wrong_order": wrong, "mean_width": _mean((high - low).mean(axis=1))}
    return {f"{name}{end}": each[e] for name, each in measures.items() for e, end in enumerate(("", "_error"))}


def _mean(values: Floats | Booleans) -> tuple[float, float]:
    """Return the mean over data sets and its standard error, which is exactly 0 if all values are equal."""
    if len(values) < 2:
        return float(np.mean(values)), np.nan
    if (values == values[0]).all():
        return float(values[0]), 0.0
    return float(np.mean(values)), float(np.std(values, ddof=1) / np.sqrt(len(values)))


def failure_rate(score: Floats, low: Floats, high: Floats) -> tuple[float, float]:
    """Return the failure rate over pairs of data sets, and its standard error; NaN if there are too few data sets.

    The failure rate is a U-statistic. Its error is the jackknife's, which leaves out one data set at a time, with all
    of its pairs (Arvesen 1969).

    score, low, high : float64[datasets, n], scores and limits of n algorithms
    """
    count = len(score)
    if count < 2:
        return np.nan, np.nan
    as_score = np.zeros(count)
    as_interval = np.zeros(count)
    for r in range(count):
        failed = ((score < low[r]) | (score > high[r])).any(axis=1)
        failed[r] = False
        as_interval[r] = failed.sum()
        as_score += failed
    total = as_score.sum()
    rate = total / (count * (count - 1))
    if count < 3:
        return float(rate), np.nan
    without = (total - as_score - as_interval) / ((count - 1) * (count - 2))
    if (without == without[0]).all():
        return float(rate), 0.0
    return float(rate), float(np.sqrt((count - 1) / count * ((without - without.mean()) ** 2).sum()))


class CoverageOptions(NamedTuple):
    """Options of a study of the coverage of intervals of aggregate scores.

    design : "resample" or "cut"; see `surefoot.statistics.coverage.score_coverage`
    seed : seed of the data sets and of the methods
    confidence_level : simultaneous confidence level of the intervals of all algorithms
    n_resamples : number of resamples, for methods that resample
    variants : some of "as_published" and "corrected"; methods that were not published have only "corrected"
    start : for "cut", number of the first run of data set number 0
    """

    design: str = "resample"
    seed: int = 0
    confidence_level: float = 0.95
    n_resamples: int = 1000
    variants: tuple[str, ...] = VARIANTS
    start: int = 0


def pool_scores(pools: Iterable[Samples]) -> pd.DataFrame:
    """Compute the aggregate scores of pools, which are the truth if data sets are drawn from the pools.

    Parameters
    ----------
    pools : iterable of Samples
        Samples of the same algorithms in different environments, which are concatenated.

    Returns
    -------
    DataFrame
        Columns algorithm, score.
    """
    parts = [(samples.algorithms, payoffs(samples)) for samples in pools]
    algorithms = parts[0][0]
    return pd.DataFrame({"algorithm": algorithms, "score": play(np.concatenate([z for _, z in parts], axis=1)).scores})


def cover_block(
    pools: pd.DataFrame, methods: list[str], size: int, first: int, count: int, options: CoverageOptions
) -> pd.DataFrame:
    """Compute the intervals of aggregate scores by several methods for a block of data sets; see `data_sets`.

    Parameters
    ----------
    pools : DataFrame
        Columns algorithm, environment, score, cell, and run if data sets are cut; one row per run.
    methods : list of str
        Some of `surefoot.statistics.intervals.estimation.SCORE_METHODS`.
    size, first, count : int
    options : CoverageOptions

    Returns
    -------
    DataFrame
        Columns dataset, size, method, variant, algorithm, score, low, high. A row does not depend on the block or on
        the other methods.

    Raises
    ------
    ValueError
        See `data_sets`.
    """
    parts = []
    for number, samples in enumerate(data_sets(pools, options, size, first, count), first):
        scores = play(payoffs(samples)).scores
        # The key of the draws includes the number of the data set, so that data sets are independent.
        key = int(stream_key(options.seed, "cover", size, number)[0])
        settings = Options(1.0 - options.confidence_level, key, options.n_resamples)
        for method in methods:
            variants = tuple(v for v in options.variants if v in variants_of(method)) or variants_of(method)
            limits = limits_of_scores(samples, method, settings, variants)
            for variant in variants:
                low, high, *_ = limits[variant]
                columns = {"dataset": number, "size": size, "method": method, "variant": variant}
                parts.append(columns | {"algorithm": samples.algorithms, "score": scores, "low": low, "high": high})
    return pd.concat(map(pd.DataFrame, parts), ignore_index=True)


def runs_of_block(start: int, size: int, first: int, count: int) -> tuple[int, int]:
    """Return the range of run numbers (first, end) from which data sets first, ..., first + count - 1 are cut."""
    begin = start + first * size
    return begin, begin + count * size


def data_sets(pools: pd.DataFrame, options: CoverageOptions, size: int, first: int, count: int) -> Iterator[Samples]:
    """Yield data sets number first, ..., first + count - 1, with `size` runs of each algorithm in each environment.

    Parameters
    ----------
    pools : DataFrame
        Columns algorithm, environment, score, cell; for "cut" also run, the numbers of the runs.
    options : CoverageOptions
        Only the design, the seed for "resample", and the start for "cut" are used.
    size, first, count : int

    Raises
    ------
    ValueError
        See `samples_from_runs`; or if a pool has fewer runs than the size; or, for "cut", if runs are missing.
    """
    pool = samples_from_runs(pools)
    is_cut = options.design == "cut"
    draw = _cutter(pools, pool, size, options.start) if is_cut else _resampler(pools, pool, options.seed, size)
    n, m = pool.sizes.shape
    sizes = np.full((n, m), size, np.int64)
    for number in range(first, first + count):
        scores = tuple([np.sort(draw(i, j, number)) for i in range(n)] for j in range(m))
        yield pool._replace(scores=scores, sizes=sizes)


def _resampler(pools: pd.DataFrame, pool: Samples, seed: int, size: int) -> Callable[[int, int, int], Floats]:
    """Return a function draw(i, j, number) that draws the scores of algorithm i in environment j for a data set."""
    if pool.sizes.min() < size:
        i, j = np.argwhere(pool.sizes < size)[0]
        raise HintedError(
            "cover",
            f"data sets have {size} runs, but {pool.algorithms[i]} in {pool.environments[j]} has {pool.sizes[i, j]}",
            "use pools with at least as many runs as the largest data set",
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


def _cutter(pools: pd.DataFrame, pool: Samples, size: int, start: int) -> Callable[[int, int, int], Floats]:
    """Return a function draw(i, j, number) that cuts the scores of algorithm i in environment j for a data set."""
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
                f"{pool.algorithms[i]} in {pool.environments[j]}: data set {number} needs runs {begin} to "
                f"{end - 1}, but some are missing",
                "add the missing runs, or request fewer data sets",
            )
        return table[low:high, 1]

    return draw
