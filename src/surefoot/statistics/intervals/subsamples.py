"""Distributions of samples of several sizes of one algorithm in one environment (Jordan et al. 2020, Figure 4)."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.statistics.coverage.data_sets import resample
from surefoot.statistics.intervals.bands import distribution_band, thin
from surefoot.streams import stream_key


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
    ValueError : the algorithm has no runs in the environment; a size below 1
    """
    chosen = (runs["algorithm"] == algorithm) & (runs["environment"] == environment)
    pool = np.sort(runs.loc[chosen, "score"].to_numpy(np.float64))
    if pool.size == 0:
        raise HintedError("subsamples", f"{algorithm} in {environment} has no runs", "a pair of the study")
    sizes = sorted(set(sizes))
    if sizes and sizes[0] < 1:
        raise HintedError("subsamples", f"a size of {sizes[0]} runs", "a sample has at least one run")
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
