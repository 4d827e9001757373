"""Simulated scores with known distributions, to count how often intervals miss the truth.

For intervals of metrics (`scores_of`), task m of M has the level z_m, the (m + 1/2) / M quantile of the normal
distribution, and each score is a function of a uniform variate u:

alike : 1 + Phi^-1(u), the same distribution on all tasks
different : 1 + 3 z_m + Phi^-1(u), where tasks differ three times as much as runs
skewed : -exp(z_m) log(1 - u), exponential
two_point : 1 with a probability that increases evenly from 0.1 to 0.9 over the tasks, else 0
failures : 1 + z_m + Phi^-1(u), and 12 less in one run of ten
tied : 0, 1/4, 1/2, 3/4 or 1, equally likely, so that many runs have equal scores
dominated : 1 + Phi^-1(u), except for the last task: 30 times an exponential variate, which dominates the variance

For bands of profiles (`simulated_runs`), task m has the mean mu_m, which is `spread` times a normal variate, so tasks
differ `spread` times as much as runs:

normal : mu_m + a standard normal variate
skewed : mu_m + an exponential variate - 1
uneven : mu_m + sigma_m times a normal variate, where log sigma_m is also normal
collapsing : mu_m + a normal variate, and 12 less in a tenth of the runs
tied : number of successes in four attempts, each with the probability Phi(mu_m)

For effects of a run on all tasks (`simulated_scores`), scores are functions of standard normal variates z, which are
correlated between the tasks of a run:

normal : 1 + z / 2
skewed : exp((3 z - 1/2) / 4), log-normal
two_point : 1/2 if z < 0, else 3/2, for tasks that are either solved or not
rare_failure : 0 for the lowest 5 % of runs; the other scores are normal with mean 1 and standard deviation 0.2
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import bdtr, betaincinv, ndtr, ndtri, stdtrit

from surefoot.statistics.arrays import Booleans, Floats
from surefoot.statistics.metrics.metric_catalogue import Metric, metric
from surefoot.statistics.resampling.resampling_kernels import draw_indices
from surefoot.statistics.resampling.stratified_bootstrap import metric_values
from surefoot.streams import open_uniforms, stream_key

TASK_LAWS = ("alike", "different", "skewed", "two_point", "failures", "tied", "dominated")
_GRID = 4_000
_COLLAPSE = 0.1
_FALL = 12.0


def _collapsing(uniforms: Floats) -> tuple[Booleans, Floats]:
    """Return True for a tenth of the runs, which collapse, and independent standard normal variates."""
    collapsed: Booleans = np.asarray(uniforms < _COLLAPSE)
    rest = np.where(collapsed, uniforms / _COLLAPSE, (uniforms - _COLLAPSE) / (1.0 - _COLLAPSE))
    return collapsed, ndtri(rest.clip(1e-12, 1.0 - 1e-12))


def scores_of(law: str, uniforms: Floats) -> Floats:
    """Transform uniform variates in (0, 1), float64[..., runs, tasks], to scores of the same shape."""
    tasks = uniforms.shape[-1]
    level = ndtri((np.arange(tasks) + 0.5) / tasks)
    if law == "alike":
        return 1.0 + ndtri(uniforms)
    if law == "different":
        return 1.0 + 3.0 * level + ndtri(uniforms)
    if law == "skewed":
        return -np.exp(level) * np.log1p(-uniforms)
    if law == "two_point":
        success = np.linspace(0.1, 0.9, tasks) if tasks > 1 else np.array([0.5])
        return (uniforms < success).astype(np.float64)
    if law == "failures":
        failed, noise = _collapsing(uniforms)
        return 1.0 + level + noise - _FALL * failed
    if law == "dominated":
        return np.append(1.0 + ndtri(uniforms[..., :-1]), -30.0 * np.log1p(-uniforms[..., -1:]), axis=-1)
    return np.floor(5.0 * uniforms) / 4.0


def true_values(law: str, tasks: int, metrics: Sequence[str | Metric]) -> Floats:
    """Compute the true values of metrics for a distribution of `scores_of`, float64[metrics].

    Each task is represented by 4,000 scores at the middles of equal parts of its distribution, and the IQM by the exact
    IQM. The error is below 1e-3 of the standard deviation of a run, which is far below the width of all studied
    intervals.
    """
    middles = np.repeat(((np.arange(_GRID) + 0.5) / _GRID)[:, None], tasks, axis=1)
    exact = [Metric("exact_iqm") if metric(one).name == "iqm" else metric(one) for one in metrics]
    return metric_values(scores_of(law, middles), exact)


def uniform_numbers(shape: tuple[int, ...], seed: int, name: str, number: int) -> Floats:
    """Draw uniform variates in (0, 1) for data set `number` of the case `name`, from a separate stream."""
    return open_uniforms(stream_key(seed, "trust", name), number, int(np.prod(shape))).reshape(shape)


_STANDARD_QUANTILES: dict[str, Callable[..., Floats]] = {
    "point": np.zeros_like,
    "normal": ndtri,
    "exponential": lambda uniforms: -np.log1p(-uniforms),
    "lognormal": lambda uniforms, sigma: np.exp(sigma * ndtri(uniforms)),
    "t": lambda uniforms, degrees: stdtrit(degrees, uniforms),
    "beta": lambda uniforms, a, b: betaincinv(a, b, uniforms),
}
"""Quantile function of each distribution with location 0 and scale 1, as a function of probabilities and shape
parameters.
"""


class Part(NamedTuple):
    """Component of a mixture: location + scale times a variate of the distribution `law` with parameters `shape`.

    For the distribution "point", the component is always `location`.
    """

    weight: float
    law: str
    location: float
    scale: float = 0.0
    shape: tuple[float, ...] = ()

    def quantiles(self, uniforms: Floats) -> Floats:
        """Transform uniform variates in (0, 1) to scores of the component."""
        return self.location + self.scale * _STANDARD_QUANTILES[self.law](uniforms, *self.shape)


def from_mixture(parts: Sequence[Part], component: Floats, within: Floats) -> Floats:
    """Transform uniform variates to scores of a mixture, float64[runs].

    component : float64[runs], variates that choose the component of each run
    within : float64[runs], variates that determine the score within the component
    """
    ends = np.cumsum([part.weight for part in parts])
    chosen = np.minimum(np.searchsorted(ends, component * ends[-1], side="right"), len(parts) - 1)
    scores = np.empty(within.size)
    for place, part in enumerate(parts):
        scores[chosen == place] = part.quantiles(within[chosen == place])
    return scores


_ATTEMPTS = 4


class Runs(NamedTuple):
    """Simulated runs, and the parameters of their distributions.

    law : name of the distribution
    scores : one array per task
    means, scales : float64[M], means and scales of the tasks
    """

    law: str
    scores: list[Floats]
    means: Floats
    scales: Floats

    def profile(self, thresholds: Floats, kind: str) -> Floats:
        """Return the true profile at the thresholds, float64[T]."""
        if kind == "average_scores":
            means = self.means - (_COLLAPSE * _FALL if self.law == "collapsing" else 0.0)
            means = _ATTEMPTS * ndtr(self.means) if self.law == "tied" else means
            return (means > thresholds[:, None]).mean(axis=1)
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


def simulated_runs(law: str, sizes: Sequence[int], spread: float, seed: int, name: str, number: int) -> Runs:
    """Simulate data set `number` of the case `name`, with sizes[m] runs of task m."""
    uniforms = uniform_numbers((2 * len(sizes) + sum(sizes),), seed, name, number)
    means = spread * ndtri(uniforms[: len(sizes)])
    rest = uniforms[len(sizes) :]
    scales = np.exp(ndtri(rest[: len(sizes)])) if law == "uneven" else np.ones(len(sizes))
    drawn = np.split(rest[len(sizes) :], np.cumsum(sizes)[:-1])
    return Runs(law, [_scores(law, *task) for task in zip(drawn, means, scales, strict=True)], means, scales)


def _scores(law: str, u: Floats, mean: float, scale: float) -> Floats:
    if law == "skewed":
        return mean - np.log1p(-u) - 1.0
    if law == "tied":
        return np.sum(u[:, None] > bdtr(np.arange(_ATTEMPTS), _ATTEMPTS, ndtr(mean)), axis=1).astype(np.float64)
    if law == "collapsing":
        fallen, noise = _collapsing(u)
        return mean + noise - _FALL * fallen
    return mean + scale * ndtri(u)


LAWS = ("normal", "skewed", "two_point", "rare_failure")
_FAILED = 0.05
_STEPS = 2**31


def scores_of_law(law: str, z: Floats) -> Floats:
    """Transform standard normal variates to scores of the same shape, by an increasing function."""
    z = np.asarray(z, np.float64)
    if law == "normal":
        return 1.0 + 0.5 * z
    if law == "skewed":
        return np.exp(0.75 * z - 0.125)
    if law == "two_point":
        return np.where(z < 0.0, 0.5, 1.5)
    place = ndtr(z)
    return np.where(place < _FAILED, 0.0, 1.0 + 0.2 * ndtri(np.maximum(place - _FAILED, 1e-12) / (1.0 - _FAILED)))


def simulated_scores(law: str, runs: int, tasks: int, correlation: float, seed: int, name: str, number: int) -> Floats:
    """Simulate scores of one algorithm, float64[runs, tasks].

    Parameters
    ----------
    law : str
        One of `LAWS`.
    runs, tasks : int
    correlation : float
        Correlation of z between two tasks of a run, from 0 (independent) to 1.
    seed, name, number : int, str, int
        Seed, name of the case, and number of the data set, which identify the random stream.
    """
    key = stream_key(seed, "simulated_scores", name)
    size = runs * (tasks + 1)
    z = ndtri((draw_indices(key, number, _STEPS, size) + 0.5) / _STEPS).reshape(runs, tasks + 1)
    return scores_of_law(law, np.sqrt(correlation) * z[:, :1] + np.sqrt(1.0 - correlation) * z[:, 1:])


def population(law: str, size: int = 4000) -> Floats:
    """Return `size` equally probable scores, in ascending order, that represent a distribution, float64[size]."""
    return scores_of_law(law, ndtri((np.arange(size) + 0.5) / size))
