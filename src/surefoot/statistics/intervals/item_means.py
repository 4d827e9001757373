"""Means over a sample of items, such as questions or an agent's tasks, which may come in clusters.

An item counts with its mean over the samples that were drawn of it, so that what samples vary by is counted once: it is
part of what items vary by. With N items, the clustered standard error of their mean is that of Miller ("Adding Error
Bars to Evals", arXiv 2411.00640, 2024): the root of the sum over clusters of (the sum of the deviations of a cluster's
items)^2, divided by N. Limits take it times sqrt(G / (G - 1)) for G clusters, so that with clusters of one item it is
the standard error of N independent items, and Student's distribution with G - 1 degrees of freedom.

Limits of values from 0 to 1 are those of Clopper and Pearson for as many independent outcomes as have this standard
error, adjusted for its degrees of freedom (Korn and Graubard, Survey Methodology 24, 1998), since a multiple of a
standard error promises too much of rates near 0 or 1: where all items have the same value, it is 0.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv, gammaln, ndtri, stdtrit

from surefoot.statistics.arrays import Floats, Integers

_ENOUGH, _UNLIKE = 40.0, 0.9
"""Clusters beyond which, and the share of them from which on, their unlike sizes do not matter."""


class ItemMean(NamedTuple):
    """The mean of items, its clustered standard error as published, limits, the number of clusters, and how many
    clusters of one size they are worth: (sum of sizes)^2 / (sum of squared sizes) (Kish, "Survey Sampling", 1965)."""

    value: float
    standard_error: float
    low: float
    high: float
    clusters: int
    alike: float


def item_mean(values: Floats, clusters: Sequence[str], answers: int, confidence: float = 0.95) -> ItemMean:
    """The mean of independent clusters of items, with limits.

    Parameters
    ----------
    values : float64[items]
    clusters : name of the cluster of each item
    answers : how many samples there are of all items, which bound how many outcomes they are worth
    confidence : of the limits, which are NaN of a single cluster
    """
    _, cluster = np.unique(np.asarray(clusters), return_inverse=True)
    count, mean = int(cluster.max()) + 1, float(values.mean())
    alike = float(values.size**2 / (np.bincount(cluster) ** 2).sum())
    error = float(clustered_errors(values, cluster))
    if count == 1:
        return ItemMean(mean, error, np.nan, np.nan, count, alike)
    larger, tail = error * np.sqrt(count / (count - 1.0)), (1.0 - confidence) / 2.0
    quantile = -stdtrit(count - 1.0, tail)
    if values.min() < 0.0 or values.max() > 1.0:
        return ItemMean(mean, error, mean - quantile * larger, mean + quantile * larger, count, alike)
    worth = float(count)
    if larger > 0.0 and 0.0 < mean < 1.0:
        worth = min(mean * (1.0 - mean) / larger**2 * (ndtri(tail) / quantile) ** 2, float(answers))
    hits, misses = mean * worth, (1.0 - mean) * worth
    low = float(betaincinv(hits, misses + 1.0, tail)) if mean > 0.0 else 0.0
    high = float(betaincinv(hits + 1.0, misses, 1.0 - tail)) if mean < 1.0 else 1.0
    return ItemMean(mean, error, low, high, count, alike)


def cluster_remark(clusters: int, alike: float) -> str:
    """A reservation about limits of this many clusters of unlike sizes; empty where there is none."""
    if alike >= _ENOUGH or alike > _UNLIKE * clusters:
        return ""
    return f"the {clusters} clusters are worth {alike:.0f} of one size, so the interval may be too narrow"


def clustered_errors(values: Floats, clusters: Integers) -> Floats:
    """Miller's clustered standard errors of means over the last axis, without a factor for few clusters.

    Parameters
    ----------
    values : float64[..., items]
    clusters : int64[items], 0 and up
    """
    deviations = values - values.mean(axis=-1, keepdims=True)
    starts = np.searchsorted(np.sort(clusters), np.arange(clusters.max() + 1))
    sums = np.add.reduceat(deviations[..., np.argsort(clusters, kind="stable")], starts, axis=-1)
    return np.asarray(np.sqrt((sums**2).sum(axis=-1)) / values.shape[-1])


def all_of(successes: npt.ArrayLike, samples: npt.ArrayLike, attempts: int) -> Floats:
    """The share of choices of `attempts` samples of each item that all succeed: without bias, the probability that as
    many new ones do (pass^k). With failures in place of successes, one less this is pass@k.

    successes, samples : float64[items], at least as many samples as attempts
    """
    successes, samples = np.asarray(successes, np.float64), np.asarray(samples, np.float64)
    enough = np.maximum(successes, attempts)
    logarithm = gammaln(enough + 1.0) - gammaln(enough - attempts + 1.0)
    logarithm -= gammaln(samples + 1.0) - gammaln(samples - attempts + 1.0)
    return np.where(successes >= attempts, np.exp(logarithm), 0.0)
