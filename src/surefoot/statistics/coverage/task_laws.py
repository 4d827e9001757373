"""Laws of the scores of fixed tasks, to count how often intervals of metrics miss the truth.

Task m of M has the level z_m, the (m + 1/2) / M quantile of the normal distribution; a run draws a uniform number u:

alike : 1 + Phi^-1(u), the same in all tasks
different : 1 + 3 z_m + Phi^-1(u): tasks differ three times as much as runs do
skewed : exp(z_m) times an exponential number, -log(1 - u)
two_point : 1 with the probability 0.1 to 0.9, at equal distances, else 0
failures : 1 + z_m + Phi^-1, and 12 less in one run of ten
tied : which fifth of its own distribution a run of `alike` is in, so that many runs have equal scores
dominated : 1 + Phi^-1(u), but for the last task, 30 times an exponential number: it decides the spread of all
"""

from collections.abc import Sequence

import numpy as np
from scipy.special import ndtri

from surefoot.statistics.arrays import Floats
from surefoot.statistics.metrics.catalogue import Metric, metric
from surefoot.statistics.resampling.stratified_bootstrap import metric_values
from surefoot.streams import open_uniforms, stream_key

LAWS = ("alike", "different", "skewed", "two_point", "failures", "tied", "dominated")
_GRID = 4_000


def scores_of(law: str, uniforms: Floats) -> Floats:
    """Scores float64[..., runs, tasks] from uniform numbers in (0, 1) of that shape."""
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
        failed = uniforms < 0.1
        rest = np.where(failed, uniforms / 0.1, (uniforms - 0.1) / 0.9)
        return 1.0 + level + ndtri(rest.clip(1e-12, 1.0 - 1e-12)) - 12.0 * failed
    if law == "dominated":
        return np.append(1.0 + ndtri(uniforms[..., :-1]), -30.0 * np.log1p(-uniforms[..., -1:]), axis=-1)
    return np.floor(5.0 * uniforms) / 4.0


def true_values(law: str, tasks: int, metrics: Sequence[str | Metric]) -> Floats:
    """The metrics of the distributions themselves, float64[metrics].

    Each task is represented by 4,000 scores at the middles of equal parts of its distribution; the trimmed mean takes
    exactly a quarter of the mass from each side. What is left of an error, below 1e-3 of a run's standard deviation, is
    far below the width of any interval that is studied.
    """
    middles = np.repeat(((np.arange(_GRID) + 0.5) / _GRID)[:, None], tasks, axis=1)
    exact = [Metric("exact_iqm") if metric(one).name == "iqm" else metric(one) for one in metrics]
    return metric_values(scores_of(law, middles), exact)


def uniform_numbers(shape: tuple[int, ...], seed: int, name: str, number: int) -> Floats:
    """Uniform numbers in (0, 1) of data set `number` of the case `name`, which no other has."""
    return open_uniforms(stream_key(seed, "trust", name), number, int(np.prod(shape))).reshape(shape)
