"""Densities of a metric of fewer runs."""

import numpy as np
import pandas as pd

from surefoot.questions.answering import Sets, Shared
from surefoot.questions.subsample_densities.settings import Settings
from surefoot.questions.subsampling import Draws, subsampled
from surefoot.statistics.arrays import Floats

POINTS = 200


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """The density of a metric of N runs of each algorithm.

    Returns
    -------
    columns algorithm, size, score, value (the density)
    """
    (table,) = sets.values()
    draws = Draws(settings.metrics, settings.datasets, settings.resampled, shared)
    parts = []
    for algorithm, size in zip(settings.algorithms, settings.sizes_of, strict=True):
        drawn = subsampled(table, algorithm, size, draws)[:, 0]
        score, value = density(drawn)
        parts.append(pd.DataFrame({"algorithm": algorithm, "size": size, "score": score, "value": value}))
    return pd.concat(parts, ignore_index=True)


def density(values: Floats) -> tuple[Floats, Floats]:
    """Gaussian kernel density at 200 points, with Silverman's bandwidth; values are binned first.

    Returns
    -------
    (points, density), float64[200] each
    """
    spread = min(values.std(ddof=1), np.subtract(*np.quantile(values, (0.75, 0.25))) / 1.349) or 1e-9
    bandwidth = 0.9 * spread * values.size**-0.2
    points = np.linspace(values.min() - 3 * bandwidth, values.max() + 3 * bandwidth, POINTS)
    counts, edges = np.histogram(values, 10 * POINTS)
    middles = (edges[:-1] + edges[1:]) / 2
    kernel = np.exp(-0.5 * ((points[:, None] - middles) / bandwidth) ** 2)
    return points, kernel @ counts / (values.size * bandwidth * np.sqrt(2 * np.pi))
