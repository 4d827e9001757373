"""Test whether runs with the same name do similarly well on all tasks.

Runs share an effect across tasks if one run is trained on all tasks, or if the same seed or machine is used for several
tasks. With N runs of M tasks and the ranks of the runs within each task, Kendall's W is the variance of the runs' mean
ranks divided by its maximum (Friedman's test). Two transformations of W are used here:

inflation : M W, the variance of the run means divided by its value if tasks were independent. It measures the error of
    a method that assumes independent tasks: it is 1 if they are, and M if each run has the same rank on all tasks
correlation : (M W - 1) / (M - 1), the mean rank correlation of two tasks, an intraclass correlation

The test permutes the runs within each task, so it is exact for all scores and ties. Limits of the effect follow from F
= (M - 1) W / (1 - W). With independent tasks, F is close to an F distribution with N - 1 and (N - 1)(M - 1) degrees of
freedom (Iman and Davenport, "Approximations of the critical region of the Friedman statistic", Communications in
Statistics A 9, 1980), and with an effect it scales with the ratio of the variances (Shrout and Fleiss, "Intraclass
correlations", Psychological Bulletin 86, 1979).

Effects that do not occur in the runs cannot be detected, such as a rare failure on all tasks at once.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from surefoot.statistics.arrays import Floats
from surefoot.streams import stream_key

TOLERATED = 1.25
"""Largest upper limit of the inflation with which tasks are treated as independent."""
FEWEST = 10
"""Smallest number of runs or rounds with which tasks can be treated as independent."""
NEGLIGIBLE = "negligible"
FOUND = "found"
CANNOT_TELL = "cannot tell"
_KEYS = 2**31
_AT_ONCE = 2**20
_PERMUTATIONS = 999


class RunEffect(NamedTuple):
    """Result of a test of whether runs share an effect across tasks; see the module docstring.

    runs, tasks : numbers of runs and tasks
    inflation, inflation_low, inflation_high : estimate and one-sided limits, from 0 to `tasks`
    p_value : probability of at least this much agreement between tasks if tasks are independent
    finding : "negligible" if there are at least `FEWEST` runs and the upper limit is at most `TOLERATED`; "found" if
        the p-value is at most 1 - confidence; else "cannot tell"
    """

    runs: int
    tasks: int
    inflation: float
    inflation_low: float
    inflation_high: float
    p_value: float
    finding: str

    def correlation(self, end: str = "") -> float:
        """Return the mean rank correlation of two tasks, or its limit "_low" or "_high"; NaN for a single task."""
        inflation: float = getattr(self, f"inflation{end}")
        return (inflation - 1.0) / (self.tasks - 1.0) if self.tasks > 1 else np.nan


def run_effect(scores: Floats, confidence_level: float = 0.95, permutations: int = 999, seed: int = 0) -> RunEffect:
    """Test whether the runs of an algorithm share an effect across tasks, and estimate it.

    Parameters
    ----------
    scores : float64[runs, tasks]
        Each row is one run on all tasks.
    confidence_level : float, default 0.95
        Confidence of each limit separately; 1 - confidence is the level of the test.
    permutations : int, default 999
        Number of permutations of the runs within each task, for the p-value.
    seed : int, default 0
        Seed of the permutations.

    Returns
    -------
    RunEffect
        If there are fewer than two runs or tasks, or no task has two different scores, the finding is "cannot tell",
        the limits are 0 and `tasks`, and the p-value is 1.
    """
    runs, tasks = scores.shape
    centred = centred_ranks(scores)
    if min(runs, tasks) < 2 or not centred.any():
        return RunEffect(runs, tasks, np.nan, 0.0, float(tasks), 1.0, CANNOT_TELL)
    inflation = inflation_of(centred)
    low, high = (
        float(inflation_limit(inflation, runs, tasks, side)) for side in (1.0 - confidence_level, confidence_level)
    )
    permuted = permuted_inflations(centred, permutations, stream_key(seed, "run_effect", runs, tasks))
    p_value = _p_value(inflation, permuted)
    finding = FOUND if p_value <= 1.0 - confidence_level + 1e-12 else CANNOT_TELL
    finding = NEGLIGIBLE if runs >= FEWEST and high <= TOLERATED else finding
    return RunEffect(runs, tasks, inflation, low, high, p_value, finding)


def inflation_limit(inflation: Any, runs: Any, tasks: int, confidence_level: float) -> Any:
    """Compute a one-sided limit of the inflation.

    Parameters
    ----------
    inflation, runs : float or array
        Estimated inflation and number of runs (at least two).
    tasks : int
        Number of tasks, at least two.
    confidence_level : float
        Probability that the true inflation is below the limit; for example, 0.05 for a lower limit.
    """
    from scipy.special import fdtri

    freedom = np.asarray(runs) - 1.0
    w = np.clip(np.asarray(inflation) / tasks, 0.0, 1.0 - 1e-12)
    ratio = (tasks - 1.0) * w / (1.0 - w) / fdtri(freedom, freedom * (tasks - 1.0), 1.0 - confidence_level)
    return tasks * ratio / (ratio + tasks - 1.0)


def running_inflation(values: Floats) -> tuple[Floats, Floats, Floats]:
    """Compute the inflation of the first 1, 2, ... rows, with one-sided 95 % limits (low, high), float64[rows] each.

    As long as no column has two different values, the inflation is NaN, and the limits are 0 and the number of tasks.

    Parameters
    ----------
    values : float64[rows, tasks]
        Values such as outcomes of rounds, which are used without ranking.
    """
    rows, tasks = values.shape
    inflation = np.full(rows, np.nan)
    low = np.zeros(rows)
    high = np.full(rows, float(tasks))
    if tasks < 2:
        return inflation, low, high
    count = np.arange(1, rows + 1)
    sums = values.sum(axis=1)
    squares = (np.cumsum(values**2, axis=0) - np.cumsum(values, axis=0) ** 2 / count[:, None]).sum(axis=1)
    between = np.cumsum(sums**2) - np.cumsum(sums) ** 2 / count
    varied = squares > 1e-9
    inflation[varied] = between[varied] / squares[varied]
    low[varied] = inflation_limit(inflation[varied], count[varied], tasks, 0.05)
    high[varied] = inflation_limit(inflation[varied], count[varied], tasks, 0.95)
    return inflation, low, high


def centred_ranks(scores: Floats) -> Floats:
    """Rank the runs within each task and subtract the mean rank, float64[runs, tasks]; ties get their mean rank."""
    centred = np.empty(scores.shape)
    for task, column in enumerate(scores.T):
        ascending = np.sort(column)
        lower = np.searchsorted(ascending, column, side="left")
        upper = np.searchsorted(ascending, column, side="right")
        centred[:, task] = (lower + upper - len(column)) / 2.0
    return centred


def inflation_of(centred: Floats) -> float:
    """Compute the inflation from the result of `centred_ranks`, which must not be all 0."""
    return float((centred.sum(axis=1) ** 2).sum() / (centred**2).sum())


def permuted_inflations(centred: Floats, permutations: int, key: Any) -> Floats:
    """Return the inflation after each of some random permutations of runs within tasks, float64[permutations].

    centred : result of `centred_ranks`
    """
    from surefoot.statistics.resampling.resampling_kernels import draw_indices

    runs, tasks = centred.shape
    together = max(1, _AT_ONCE // centred.size)
    columns = centred.T
    squares = (centred**2).sum()
    inflations = np.empty(permutations)
    for block, first in enumerate(range(0, permutations, together)):
        count = min(together, permutations - first)
        drawn = draw_indices(key, block, _KEYS, count * centred.size)
        order = np.argsort(drawn.reshape(count, tasks, runs), axis=2)
        sums = np.take_along_axis(np.broadcast_to(columns, order.shape), order, axis=2).sum(axis=1)
        inflations[first : first + count] = (sums**2).sum(axis=-1) / squares
    return inflations


class SharingTest(NamedTuple):
    """Result of a test of whether tasks share runs, for several algorithms.

    alone : p-value of the test of each algorithm
    together : p-value of the test of the sum over all algorithms
    degrees : sum of N - 1 over the algorithms whose scores vary, with N runs each
    inflation : mean over these algorithms, weighted by N - 1, of the variance of the run means divided by its value for
        independent tasks; NaN if there are none
    """

    alone: dict[str, float]
    together: float
    degrees: int
    inflation: float


def sharing_test(matched: Mapping[str, Floats], seed: int) -> SharingTest:
    """Test whether tasks share runs, for each algorithm and for all algorithms together.

    Parameters
    ----------
    matched : mapping of str to float64[runs, tasks]
        Scores of each algorithm; each row is one run on all tasks.
    seed : int
        Seed of the permutations of the runs within each task.
    """
    alone = {}
    degrees = 0
    observed = 0.0
    drawn = np.zeros(_PERMUTATIONS)
    for name, scores in matched.items():
        ranks = centred_ranks(scores) if min(scores.shape) > 1 else np.zeros((0, 0))
        if not ranks.any():
            alone[name] = 1.0
            continue
        inflation = inflation_of(ranks)
        permuted = permuted_inflations(ranks, _PERMUTATIONS, stream_key(seed, "sharing", name, *scores.shape))
        alone[name] = _p_value(inflation, permuted)
        # The sums are of Friedman's statistics, which give more weight to algorithms with many runs.
        degrees += len(ranks) - 1
        observed += (len(ranks) - 1) * inflation
        drawn += (len(ranks) - 1) * permuted
    if degrees == 0:
        return SharingTest(alone, 1.0, 0, np.nan)
    together = _p_value(observed, drawn) if observed else 1.0
    return SharingTest(alone, together, degrees, observed / degrees)


def _p_value(observed: float, permuted: Floats) -> float:
    return (1 + int((permuted >= observed * (1.0 - 1e-9)).sum())) / (len(permuted) + 1)
