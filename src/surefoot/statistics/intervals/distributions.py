r"""Bands around empirical distribution functions: Dvoretzky, Kiefer and Wolfowitz, with Massart's (1990) constant.

dkw
    about : Bands of whole distributions, one for each algorithm in each environment.
    formula : $\hat F(x) \mp \sqrt{\ln(2 / \delta') / (2 N)}$, cut at 0 and 1, with the share $\hat F(x)$ of the $N$
        runs that score at most $x$, and $\delta' = \delta / (nm)$.
    assumes : The runs of an algorithm in an environment are independent.
    guarantee : Theorem: all whole distribution functions together, for any distributions and any numbers of runs.
    not for : Tails of few runs, where the band is wider than the tail.
    source : dvoretzky1956; massart1990
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats
from surefoot.statistics.coverage.data_sets import resample
from surefoot.statistics.intervals.catalogue import Options
from surefoot.statistics.runs.samples import Samples
from surefoot.streams import stream_key


class Band(NamedTuple):
    """An empirical distribution function and its band, float64[points] each.

    score : ascending, without repeats
    probability : proportion of the sample that is at most `score`
    low, high : limits of the probability
    """

    score: Floats
    probability: Floats
    low: Floats
    high: Floats


def band_half_width(size: npt.ArrayLike, delta: float) -> Any:
    """sqrt(ln(2/delta) / (2 N)): the true distribution function leaves a band of it with probability <= delta."""
    return np.sqrt(np.log(2.0 / delta) / (2.0 * np.asarray(size, np.float64)))


def distribution_band(sample: Floats, delta: float) -> Band:
    """Band at level 1 - delta around the empirical distribution function of an ascending sample.

    It holds for every distribution and all scores at once, so no range of the scores is assumed.
    """
    score, counts = np.unique(sample, return_counts=True)
    probability = np.cumsum(counts) / sample.size
    half_width = band_half_width(sample.size, delta)
    return Band(
        score, probability, np.maximum(probability - half_width, 0.0), np.minimum(probability + half_width, 1.0)
    )


def thin(band: Band, points: int) -> Band:
    """At most `points` (two or more) of a band's points: both ends, and between them regular in probability."""
    if band.score.size <= points:
        return band
    wanted = np.linspace(band.probability[0], 1.0, points)
    kept = np.unique(np.searchsorted(band.probability, wanted, side="left").clip(max=band.score.size - 1))
    return Band(*(column[kept] for column in band))


def dkw(samples: Samples, options: Options) -> pd.DataFrame:
    """Bands around the distribution of each algorithm in each environment, each at level delta/(n m), thinned to
    `options.points` points; see `surefoot.statistics.intervals.estimation.estimate`."""
    n, m = samples.sizes.shape
    tables = []
    for j, environment in enumerate(samples.environments):
        for i, algorithm in enumerate(samples.algorithms):
            band = thin(distribution_band(samples.pair(i, j), options.delta / (n * m)), options.points)
            table = pd.DataFrame(band._asdict())
            tables.append(table.assign(method="dkw", algorithm=algorithm, environment=environment))
    order = ["method", "algorithm", "environment", "probability", "score", "low", "high"]
    return pd.concat(tables, ignore_index=True)[order]


def subsample_bands(
    runs: pd.DataFrame,
    algorithm: str,
    environment: str,
    sizes: Iterable[int],
    confidence: float = 0.95,
    seed: int = 0,
    points: int = 100,
) -> pd.DataFrame:
    """Distribution functions, with bands, of samples drawn with replacement from the runs, and of all runs.

    Parameters
    ----------
    runs : columns algorithm, environment, score; one row per run
    sizes : numbers of runs to draw; those that are not below the number of all runs are left out
    confidence : of each band on its own, by Dvoretzky, Kiefer and Wolfowitz
    seed : of what is drawn; what a sample holds does not depend on the other sizes
    points : greatest number of points of a curve

    Returns
    -------
    columns algorithm, environment, size, probability, score, low, high, confidence, runs (all that there are); the
    last size is that of all runs

    Raises
    ------
    ValueError : the algorithm has no runs in the environment
    """
    chosen = (runs["algorithm"] == algorithm) & (runs["environment"].astype(str) == environment)
    pool = np.sort(runs.loc[chosen, "score"].to_numpy(np.float64))
    if pool.size == 0:
        raise HintedError("subsamples", f"{algorithm} in {environment} has no runs", "a pair of the study")
    sizes = sorted(set(sizes))
    key, tables = stream_key(seed, "subsamples", environment, algorithm), []
    for size in [*(size for size in sizes if size < pool.size), pool.size]:
        sample = pool
        if size < pool.size:
            sample = np.empty(size)
            resample(key, size, pool, sample)
            sample.sort()
        band = thin(distribution_band(sample, 1.0 - confidence), points)
        tables.append(pd.DataFrame({"size": size, **band._asdict()}))
    table = pd.concat(tables, ignore_index=True)
    table = table.assign(algorithm=algorithm, environment=environment, confidence=confidence, runs=pool.size)
    order = ["algorithm", "environment", "size", "probability", "score", "low", "high", "confidence", "runs"]
    return table[order]
