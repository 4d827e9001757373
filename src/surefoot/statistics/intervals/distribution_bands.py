r"""Bands around distribution functions, and intervals of means.

The bands are those of Dvoretzky, Kiefer and Wolfowitz, with Massart's (1990) constant.

dkw
    about : Bands around whole distributions, one for each algorithm in each environment.
    formula : $\hat F(x) \mp \sqrt{\ln(2 / \delta') / (2 N)}$, clipped to 0 and 1, with the share $\hat F(x)$ of the $N$
        runs that score at most $x$, and $\delta' = \delta / (nm)$.
    assumes : The runs of an algorithm in an environment are independent.
    guarantee : Theorem: for all distribution functions together, with any distributions and any numbers of runs.
    not for : Tails that few runs reach, where the band is wider than the tail.
    source : Dvoretzky et al. 1956; Massart 1990

Intervals of means are Anderson's (1969), for scores in a known range (Jordan et al. 2020, appendix I), and Student's
(Biometrika 6, 1908), from runs or from published means and standard deviations.

anderson
    about : Limits of the mean score of each algorithm in each environment, for scores in a known range.
    formula : The least and the greatest mean of distributions on $[a, b]$ within $\varepsilon = \min(1, \sqrt{\ln(2 /
        \delta') / (2 N)})$, $\delta' = \delta / (nm)$, of the empirical one: $\varepsilon a + \int_0^{1 - \varepsilon}
        x(u)\, du$ and $\varepsilon b + \int_\varepsilon^1 x(u)\, du$ with the $u$-quantile $x(u)$ of the runs and the
        lowest and highest score $a$ and $b$ of any algorithm in the environment.
    assumes : The runs of an algorithm in an environment are independent; no run can score outside the observed range.
    guarantee : Theorem for a range known beforehand: for all means together, with any distribution on the range and any
        number of runs. As the range is taken from the runs, it holds only if no score can lie outside.
    not for : Scores that may leave the observed range; wide ranges, which make the interval wide.
    source : Anderson 1969; Jordan et al. 2020, appendix I
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import stdtrit

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats
from surefoot.statistics.intervals.estimation import interval_table
from surefoot.statistics.intervals.interval_catalogue import Options
from surefoot.statistics.resampling.resampling_kernels import resample
from surefoot.statistics.runs.samples import Samples, score_range
from surefoot.statistics.runs.score_arrays import possible_scores
from surefoot.streams import stream_key


def band_half_width(size: npt.ArrayLike, delta: float) -> Any:
    """Return sqrt(ln(2/delta) / (2 N)): the true distribution function leaves this band with probability <= delta."""
    return np.sqrt(np.log(2.0 / delta) / (2.0 * np.asarray(size, np.float64)))


_POINTS = 100


def distribution_band(sample: Floats, delta: float) -> pd.DataFrame:
    """Compute a band at level 1 - delta around the empirical distribution function of a sample.

    The band holds for every distribution and for all scores at once, without assuming a range of the scores.

    Returns
    -------
    columns score (ascending, without repeats), probability (proportion of the sample at or below the score), low, high
    (limits of the probability). If there are more than 100 points, at most 100 of them are kept, evenly spaced in
    probability, including both ends
    """
    score, counts = np.unique(sample, return_counts=True)
    probability = np.cumsum(counts) / sample.size
    half_width = band_half_width(sample.size, delta)
    limits = {"low": np.maximum(probability - half_width, 0.0), "high": np.minimum(probability + half_width, 1.0)}
    band = pd.DataFrame({"score": score, "probability": probability} | limits)
    if score.size <= _POINTS:
        return band
    wanted = np.linspace(probability[0], 1.0, _POINTS)
    return band.iloc[np.unique(np.searchsorted(probability, wanted).clip(max=score.size - 1))]


def dkw(samples: Samples, options: Options) -> pd.DataFrame:
    """Compute a band for the distribution of each algorithm in each environment, each at level delta/(n m).

    Bands have at most 100 points. See `surefoot.statistics.intervals.estimation.estimate` for the columns.
    """
    n, m = samples.sizes.shape
    tables = []
    for j, environment in enumerate(samples.environments):
        for i, algorithm in enumerate(samples.algorithms):
            band = distribution_band(samples.pair(i, j), options.delta / (n * m))
            tables.append(band.assign(method="dkw", algorithm=algorithm, environment=environment))
    order = ["method", "algorithm", "environment", "probability", "score", "low", "high"]
    return pd.concat(tables, ignore_index=True)[order]


def subsample_bands(
    runs: pd.DataFrame,
    algorithm: str,
    environment: str,
    sizes: Iterable[int],
    confidence_level: float = 0.95,
    seed: int = 0,
) -> pd.DataFrame:
    """Compute bands of distribution functions from subsamples of the runs of an algorithm, and from all runs.

    Parameters
    ----------
    runs : columns algorithm, environment, score; one row per run
    sizes : numbers of runs to draw with replacement; only numbers below the number of all runs are used
    confidence_level : confidence level of each band separately
    seed : seed of the draws; a sample does not depend on the other sizes

    Returns
    -------
    columns algorithm, environment, size, probability, score, low, high, confidence_level, runs (number of all runs),
    with at most 100 points per size; the last size is the number of all runs

    Raises
    ------
    ValueError : if the algorithm has no runs in the environment
    """
    chosen = (runs["algorithm"] == algorithm) & (runs["environment"].astype(str) == environment)
    pool = np.sort(runs.loc[chosen, "score"].to_numpy(np.float64))
    if pool.size == 0:
        what = f"{algorithm} has no runs in {environment}"
        raise HintedError("subsamples", what, "choose an algorithm and an environment with runs")
    key = stream_key(seed, "subsamples", environment, algorithm)
    tables = []
    for size in sorted({size for size in sizes if size < pool.size} | {pool.size}):
        sample = pool
        if size < pool.size:
            sample = np.empty(size)
            resample(key, size, pool, sample)
        tables.append(distribution_band(sample, 1.0 - confidence_level).assign(size=size))
    table = pd.concat(tables, ignore_index=True)
    table = table.assign(
        algorithm=algorithm, environment=environment, confidence_level=confidence_level, runs=pool.size
    )
    order = ["algorithm", "environment", "size", "probability", "score", "low", "high", "confidence_level", "runs"]
    return table[order]


class PrintedIntervals(NamedTuple):
    """Published means of n algorithms in one environment, with Anderson's intervals.

    mean, low, high : float64[n], means and limits of the intervals
    smallest, greatest : lowest and highest possible score. The intervals were computed with the highest observed score
        in place of `greatest`. The highest observed score is unknown, but it is at least the mean of the upper tail of
        each algorithm (see `deviation_range`)
    half_width : half-width of the bands from which the intervals were computed
    rounding : largest rounding error of the published numbers
    """

    mean: Floats
    low: Floats
    high: Floats
    smallest: float
    greatest: float
    half_width: float
    rounding: float = 0.0


def anderson(samples: Samples, options: Options) -> pd.DataFrame:
    """Compute Anderson's interval for the mean score of each algorithm in each environment, each at level delta/(n m).

    Scores are assumed to lie between the lowest and the highest observed score. See
    `surefoot.statistics.intervals.estimation.estimate` for the columns.
    """
    n, m = samples.sizes.shape
    level = options.delta / (n * m)
    tables = []
    for j, environment in enumerate(samples.environments):
        scores = [samples.pair(i, j) for i in range(n)]
        ends = score_range(samples, j)
        low, high = np.array([limits_at(x, *ends, band_half_width(x.size, level)) for x in scores]).T
        means = np.array([x.mean() for x in scores])
        tables.append(interval_table(samples, "anderson", "mean", environment, means, low, high, 1.0 - level))
    return pd.concat(tables, ignore_index=True)


def limits_at(sample: Floats, smallest: float, greatest: float, half_width: float) -> tuple[float, float]:
    """Return Anderson's limits (low, high) of a mean, for a given half-width of the band around the distribution.

    With the half-width `band_half_width` for N and delta, the limits contain the mean of any distribution on [smallest,
    greatest] with probability at least 1 - delta. The lower limit is the integral of the quantile function up to 1 -
    half_width, plus half_width * smallest. The upper limit is the integral from half_width on, plus half_width *
    greatest. With the half-width for a larger sample, the result estimates the limits for a sample of that size.

    Parameters
    ----------
    sample : float64[N], independent scores, ascending
    smallest, greatest : lowest and highest possible score. Without a range, the mean of a distribution has no bounds
        (Bahadur and Savage 1956). If the range is taken from the data, the guarantee holds only if no score could lie
        outside
    half_width : half-width of the band, between 0 and 1
    """
    size = sample.size
    share = np.arange(size) / size
    below = np.diff(sample, prepend=smallest)
    above = np.diff(sample, append=greatest)
    # Not a product of vectors: the order in which BLAS adds depends on the processor.
    low = sample[-1] - (below * np.minimum(1.0, share + half_width)).sum()
    high = greatest - (above * np.maximum(0.0, share + 1.0 / size - half_width)).sum()
    return float(low), float(high)


def deviation_range(printed: PrintedIntervals) -> tuple[Floats, Floats]:
    """Return the smallest and the largest possible standard deviation of scores with given intervals, float64[n] each.

    By `limits_at`, each interval determines the means of the upper and of the lower tail, which are the fractions
    `half_width` of the scores that are highest and lowest: U = (mean - low)/half_width + smallest and
    L = greatest - (high - mean)/half_width. The scores between the tails have a known mean and lie between L and U. The
    variance is smallest if all scores of a part are equal. It is largest if all are at the ends of the range of their
    part, in one of four cases.
    """
    mean = printed.mean
    smallest = printed.smallest
    greatest = printed.greatest
    half_width = printed.half_width
    low_tail, middle, high_tail = _parts(printed, greatest, -2.0 * printed.rounding)
    tails = (low_tail - mean) ** 2 + (high_tail - mean) ** 2
    least = np.sqrt(half_width * tails + (1.0 - 2.0 * half_width) * (middle - mean) ** 2)

    low_tail, middle, high_tail = _parts_farthest_apart(printed)
    squares = [
        half_width * ((smallest + start) * low_tail - smallest * start)
        + (1.0 - 2.0 * half_width) * ((start + end) * middle - start * end)
        + half_width * ((end + greatest) * high_tail - end * greatest)
        for start in (low_tail, middle)
        for end in (middle, high_tail)
    ]
    # The range alone also bounds the deviation (Bhatia and Davis 2000).
    ranged = (mean - smallest) * (greatest - mean)
    largest = np.sqrt(np.clip(np.minimum(np.max(squares, axis=0) - mean**2, ranged), 0.0, None))
    return np.minimum(least, largest), largest


def likely_deviation(printed: PrintedIntervals) -> Floats:
    """Return a plausible standard deviation of scores with given intervals, float64[n].

    In the tails (see `deviation_range`), all scores are assumed to be at the ends of their range, so that their
    variance is as large as possible. Between the tails, scores are assumed to have the distribution of maximum entropy
    with their mean, which is a truncated exponential distribution (Cover and Thomas 2006, chapter 12).
    """
    mean = printed.mean
    half_width = printed.half_width
    low_tail, middle, high_tail = _parts_farthest_apart(printed)
    ends = (low_tail - printed.smallest) * (middle - low_tail) + (printed.greatest - high_tail) * (high_tail - middle)
    tails = ends + (low_tail - mean) ** 2 + (high_tail - mean) ** 2
    others = truncated_exponential_variance(low_tail, high_tail, middle) + (middle - mean) ** 2
    return np.sqrt(half_width * tails + (1.0 - 2.0 * half_width) * others)


def truncated_exponential_variance(start: Floats, end: Floats, mean: Floats) -> Floats:
    """Return the variance of the truncated exponential distribution on [start, end] with the given mean.

    All arrays are float64[n], with start <= mean <= end. The density may rise or fall. The variance is 0 if the mean
    equals `start` or `end`. On [-1, 1] with rate k, the mean is coth(k) - 1/k, which is at least 1 - 1/k, and the
    variance is 1/k^2 - 1/sinh(k)^2.
    """
    half = (end - start) / 2.0
    off_centre = np.abs(mean - (start + end) / 2.0)
    place = np.divide(off_centre, half, out=np.ones_like(half), where=half > 0).clip(max=1.0 - 1e-9)
    low = np.zeros_like(place)
    high = 1.0 / (1.0 - place)
    for _ in range(60):
        rate = (low + high) / 2.0
        below = 1.0 / np.tanh(rate) - 1.0 / rate < place
        low = np.where(below, rate, low)
        high = np.where(below, high, rate)
    rate = (low + high) / 2.0
    # For small rates, the two terms are large and almost equal; their difference is nearly 1/3 - k^2/15.
    plain = rate < 1e-2
    safe = np.clip(np.where(plain, 1.0, rate), None, 300.0)
    sharp = 1.0 / np.where(plain, 1.0, rate) ** 2 - 1.0 / np.sinh(safe) ** 2
    return half**2 * np.where(plain, 1.0 / 3.0 - rate**2 / 15.0, sharp)


def _parts_farthest_apart(printed: PrintedIntervals) -> tuple[Floats, Floats, Floats]:
    """Return the result of `_parts` if the means of the tails are as far apart as rounding errors allow.

    The highest observed score is at least the mean of the upper tail of each algorithm, and is assumed to be equal to
    the greatest of these means.
    """
    off = 2.0 * printed.rounding
    highest = (printed.mean - printed.low + off) / printed.half_width + printed.smallest
    return _parts(printed, min(float(highest.max()), printed.greatest), off)


def _parts(printed: PrintedIntervals, seen: float, off: float) -> tuple[Floats, Floats, Floats]:
    """Return the means of the scores in the lower tail, between the tails, and in the upper tail, float64[n] each.

    seen : highest observed score
    off : distance by which the ends of each interval are moved away from the mean
    """
    mean, low, high, smallest, greatest, half_width, _ = printed
    high_tail = np.clip((mean - low + off) / half_width + smallest, mean, greatest)
    low_tail = np.clip(seen - (high - mean + off) / half_width, smallest, mean)
    middle = (mean - half_width * (low_tail + high_tail)) / (1.0 - 2.0 * half_width)
    return low_tail, np.clip(middle, low_tail, high_tail), high_tail


def mean_t_interval(
    means: npt.ArrayLike,
    standard_deviations: npt.ArrayLike,
    runs: int,
    confidence_level: float = 0.95,
    tasks_independent: bool = False,
) -> tuple[float, float, float]:
    """Return the mean over tasks and the limits of Student's t interval, as (mean, low, high).

    Parameters
    ----------
    means, standard_deviations : float64[M], mean and standard deviation of each task's runs
    runs : number of runs of each task
    tasks_independent : if False, the standard deviation of the mean over tasks is the root mean square of the tasks'
        standard deviations, as in Agarwal et al. 2021. If True, this is divided by sqrt(M), for runs that are
        independent across tasks
    """
    means = np.asarray(means, np.float64)
    deviations = np.asarray(standard_deviations, np.float64)
    spread = np.sqrt(np.mean(deviations**2) / runs / (means.size if tasks_independent else 1))
    half_width = stdtrit(runs - 1, (1.0 + confidence_level) / 2.0) * spread
    return means.mean(), means.mean() - half_width, means.mean() + half_width


def task_means(runs: pd.DataFrame, confidence_level: float = 0.95) -> pd.DataFrame:
    """Compute the mean score of each algorithm in each environment, with Student's t interval.

    Each interval, mean -+ t s / sqrt(N), is valid separately. It is exact for normal scores, and too narrow for a few
    runs with skewed scores or if some runs fail. It is clipped to the lowest and the highest possible score, if these
    are declared or all scores are 0 or 1.

    Parameters
    ----------
    runs : columns algorithm, environment, score; one row per run
    confidence_level : confidence level of each interval, between 0 and 1

    Returns
    -------
    columns environment, algorithm, runs, mean, standard_deviation, low, high, least, greatest, in order of first
    appearance and in units of the scores; standard_deviation, low and high are empty for a single run
    """
    names = ["environment", "algorithm"]
    table = runs.groupby(names, sort=False, observed=True)["score"].agg(
        runs="size", mean="mean", standard_deviation="std", least="min", greatest="max"
    )
    size = table["runs"].to_numpy(np.float64)
    quantile = stdtrit(np.maximum(size - 1.0, 1.0), (1.0 + confidence_level) / 2.0)
    reach = quantile * table["standard_deviation"] / np.sqrt(size)
    ends = {name: possible_scores(scores) for name, scores in runs.groupby("environment", observed=True)}
    least, greatest = np.array([ends[environment] for environment, _ in table.index]).T
    low = (table["mean"] - reach).clip(lower=least)
    high = (table["mean"] + reach).clip(upper=greatest)
    table = table.assign(low=low, high=high).reset_index()
    columns = ["runs", "mean", "standard_deviation", "low", "high", "least", "greatest"]
    return table[[*names, *columns]]
