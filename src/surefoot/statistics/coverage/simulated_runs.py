"""Runs of fixed tasks whose scores have a known distribution, to count how often bands hold the true profile.

Task m has the mean mu_m = spread times a normal number, so spread is how many times more tasks differ than runs do:

normal : mu_m + a standard normal number
skewed : mu_m + an exponential number - 1
uneven : mu_m + sigma_m times a normal number, where log sigma_m is normal, too
collapsing : mu_m + a normal number, less 12 in a tenth of the runs
tied : how many of four attempts succeed, each with the probability Phi(mu_m)
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import bdtr, ndtr, ndtri

from surefoot.statistics.arrays import Floats
from surefoot.statistics.coverage.task_laws import uniform_numbers

LAWS = ("normal", "skewed", "uneven", "collapsing", "tied")
_ATTEMPTS = 4
_COLLAPSE, _FALL = 0.1, 12.0


class Runs(NamedTuple):
    """scores : one array a task; means, scales : float64[M], of the tasks' distributions"""

    law: str
    scores: list[Floats]
    means: Floats
    scales: Floats

    def profile(self, thresholds: Floats, kind: str) -> Floats:
        """The true profile, float64[T]."""
        if kind == "average_scores":
            return (self.true_means() > thresholds[:, None]).mean(axis=1)
        distance = (thresholds[:, None] - self.means) / self.scales
        if self.law == "skewed":
            above = np.exp(-np.maximum(distance + 1.0, 0.0))
        elif self.law == "collapsing":
            above = (1.0 - _COLLAPSE) * ndtr(-distance) + _COLLAPSE * ndtr(-distance - _FALL)
        elif self.law == "tied":
            successes = np.floor(thresholds)[:, None]
            above = 1.0 - bdtr(np.clip(successes, 0, _ATTEMPTS), _ATTEMPTS, ndtr(self.means))
            above = np.where(successes < 0, 1.0, above)
        else:
            above = ndtr(-distance)
        return above.mean(axis=1)

    def true_means(self) -> Floats:
        """True mean score of each task, float64[M]."""
        if self.law == "tied":
            return _ATTEMPTS * ndtr(self.means)
        return self.means - (_COLLAPSE * _FALL if self.law == "collapsing" else 0.0)


def simulated_runs(law: str, sizes: Sequence[int], spread: float, seed: int, name: str, number: int) -> Runs:
    """Data set `number` of the case `name`, with sizes[m] runs of task m."""
    uniforms = uniform_numbers((2 * len(sizes) + sum(sizes),), seed, name, number)
    means, rest = spread * ndtri(uniforms[: len(sizes)]), uniforms[len(sizes) :]
    scales = np.exp(ndtri(rest[: len(sizes)])) if law == "uneven" else np.ones(len(sizes))
    drawn = np.split(rest[len(sizes) :], np.cumsum(sizes)[:-1])
    return Runs(law, [_scores(law, *task) for task in zip(drawn, means, scales, strict=True)], means, scales)


def _scores(law: str, u: Floats, mean: float, scale: float) -> Floats:
    if law == "skewed":
        return mean - np.log1p(-u) - 1.0
    if law == "tied":
        return np.sum(u[:, None] > bdtr(np.arange(_ATTEMPTS), _ATTEMPTS, ndtr(mean)), axis=1).astype(np.float64)
    if law == "collapsing":
        fallen = u < _COLLAPSE
        rest = np.where(fallen, u / _COLLAPSE, (u - _COLLAPSE) / (1.0 - _COLLAPSE))
        return mean + ndtri(np.clip(rest, 1e-12, 1.0 - 1e-12)) - _FALL * fallen
    return mean + scale * ndtri(u)
