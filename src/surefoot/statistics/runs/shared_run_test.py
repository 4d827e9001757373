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

Tasks share runs if one agent was trained on all of them, or one checkpoint was evaluated on all of them. Two statistics
are tested by permutation: Friedman's statistic of one algorithm, and its sum over all algorithms, since the way in
which a study was run affects all algorithms. Runs count as shared if either p-value is at most `LEVEL`.

The table shows how often the test detects shared runs, in percent of 200 normal data sets, by the correlation between
tasks. At a correlation of 0, detections are false alarms, which make the interval wider by the factor in the last
column.

algorithms x runs   26 tasks: 0, .1, .3, .5    5 tasks: 0, .1, .3, .5    factor
1 x 3               6   33   71   84           4    6   19   35          1.8
1 x 5               6   50   90   99           4   10   45   66          1.25
1 x 10              6   84   98  100           6   16   69   92          1.1
3 x 3               6   72   96   99           6   18   46   70          1.8
3 x 5               8   90  100  100          12   30   76   94          1.25
5 x 3               6   84  100  100           6   18   56   88          1.8
5 x 10              8  100  100  100          13   57  100  100          1.1

At a level of 1 %, false alarms would occur in 1 to 3 % of the data sets. For 5 runs of one algorithm on 26 tasks with a
correlation of .1, where intervals for independent tasks miss the truth in 26 % of studies, the detection rate would be
36 % instead of 50 %. At a level of 10 %, it would be 60 %, with false alarms in 9 to 24 % of the data sets.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats
from surefoot.statistics.runs.tables import algorithms_of, matched_scores
from surefoot.streams import stream_key

TOLERATED = 1.25
"""Largest upper limit of the inflation with which tasks are treated as independent."""
FEWEST = 10
"""Smallest number of runs or rounds with which tasks can be treated as independent."""
NEGLIGIBLE = "negligible"
FOUND = "found"
CANNOT_TELL = "cannot tell"


def round_finding(
    tasks_independent: bool | str, apart: int, rounds: int, inflation: tuple[float, float, float], tasks: int
) -> str:
    """Describe how a sequential comparison treated the tasks of its rounds, and warn if the outcomes contradict this.

    A round is one run of each algorithm on every task.

    Parameters
    ----------
    tasks_independent : bool or "auto"
        Setting of the user.
    apart, rounds : int
        Number of rounds in which tasks counted as separate outcomes, and total number of rounds.
    inflation : tuple of float
        Inflation of the outcomes of all rounds, lower limit and upper limit; see `running_inflation`.
    tasks : int
        Number of tasks.
    """
    if tasks < 2:
        return "There is only one task, so tasks cannot share an effect."
    text = f"The tasks counted as separate outcomes in {apart} of {rounds} rounds, and as one outcome in the others."
    if inflation[1] > 1.0 and apart and tasks_independent is True:
        text += " The rounds vary more than they would if tasks were independent, so the limits are too narrow; "
        text += "use tasks_independent: auto or false instead."
    return text


_KEYS = 2**31
_AT_ONCE = 2**20


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
    from surefoot.statistics.resampling.kernels import draw_indices

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


LEVEL = 0.05
"""Level of each of the two tests."""
_PERMUTATIONS = 999
_MATTERS = 2.0
"""Inflation that the test should detect; with it, 17 % of Student's intervals for many independent tasks miss."""
_POWER = 0.8
"""Probability with which the test should detect `_MATTERS`; if its power is lower, the finding is "cannot tell"."""
_EXCLUDED = 1.5
"""Inflation that the runs should exclude; with it, 11 % of Student's intervals for many independent tasks miss."""

DECLARED = "declared"
PARTLY = "found for some"
"""The joint finding when only some algorithms share runs across tasks."""
EXCLUDED = "excluded"
NOT_FOUND = "not found"
UNMATCHED = "other names"
"""The finding when fewer than two run names occur on all tasks, so that runs cannot be matched across tasks."""
RESAMPLED = "resampled"
"""The finding when runs are resampled together on all tasks, or tasks are resampled, so that no test is needed."""
SHARED = (DECLARED, FOUND)


class Sharing(NamedTuple):
    """Result of a test of whether tasks share the runs of an algorithm.

    finding : one of the findings of `sharing_of_runs`
    p_value : the smaller p-value of the tests of this algorithm and of all algorithms; NaN if nothing was tested
    """

    finding: str
    p_value: float = np.nan


def shared_runs(table: pd.DataFrame, declared: bool | str = "auto", seed: int = 0) -> dict[str, str]:
    """Return the finding of `sharing_of_runs` for each algorithm."""
    return {name: one.finding for name, one in sharing_of_runs(table, declared, seed).items()}


def sharing_of_runs(table: pd.DataFrame, declared: bool | str = "auto", seed: int = 0) -> dict[str, Sharing]:
    """Test for each algorithm of a table of scores whether tasks share its runs.

    The finding is "declared" if the user states that they do; "excluded" if the user states that they do not, or if
    there is one task; "found" if the test is significant; "other names" if fewer than two run names occur on all tasks;
    "not found" if the runs exclude a relevant effect; else "cannot tell".

    Parameters
    ----------
    table : DataFrame
        Columns algorithm, environment, run, score. Runs with the same name on different tasks belong together.
    declared : bool or "auto", default "auto"
        Statement of the user whether tasks share runs.
    seed : int, default 0
        Seed of the permutations.

    Raises
    ------
    ValueError
        If runs are declared to be shared, but fewer than two run names of an algorithm occur on all tasks.
    """
    algorithms = algorithms_of(table, None)
    tasks = table["environment"].nunique()
    if declared is False or (declared is not True and tasks < 2):
        return dict.fromkeys(algorithms, Sharing(EXCLUDED))
    matched = {name: matched_scores(table, name) for name in algorithms}
    if declared is True:
        for name, scores in matched.items():
            if len(scores) < 2:
                number = "one run" if len(scores) == 1 else "no run"
                raise HintedError(
                    "shared_runs",
                    f"{number} of {name} has scores on all tasks; at least two are needed",
                    "runs are matched by name across tasks; use `shared_runs=False` if tasks have separate runs",
                )
        return dict.fromkeys(algorithms, Sharing(DECLARED))
    test = sharing_test(matched, seed)
    runs = table.groupby(["algorithm", "environment"], sort=False, observed=True).size().groupby("algorithm").min()
    findings = {}
    for name in algorithms:
        p_value = min(test.alone[name], test.together)
        findings[name] = Sharing(finding_of_test(p_value, test.degrees, tasks, test.inflation), p_value)
        if len(matched[name]) < 2 <= runs[name]:
            findings[name] = Sharing(UNMATCHED)
    return findings


def finding_of_test(p_value: float, degrees: int, tasks: int, inflation: float) -> str:
    """Return the finding "found", "not found" or "cannot tell" for the results of a test.

    The finding is "not found" if the test would have detected an inflation of `_MATTERS` with a probability of
    `_POWER`, and if the one-sided 95 % upper limit of the inflation is at most `_EXCLUDED`. So data sets with an
    inflation of 1.5 or more seldom have the finding "not found". If they do, their intervals miss as often as the
    intervals of other data sets, since the error of an estimate does not depend on the ranks.

    In the table, "28: 6" means that 28 % of 400 normal data sets had the finding "not found", and that 6 % of these
    showed a significant difference in the IQM between equal algorithms. The columns 0 to .4 are correlations between
    tasks, with upper limits of at most 1.5 or 1.75 required, or only the first condition ("no limit").

    runs x tasks    limit 1.5                       limit 1.75                      no limit
    x algorithms    0      .2      .3      .4       0      .2      .3      .4       0      .2      .3      .4
    6 x 3 x 2       28: 6  10: 18  6: 9    4: 27    50: 5  24: 13  13: 4   8: 21    90: 5  68: 8   56: 8   39: 13
    8 x 3 x 2       38: 5  8: 9    6: 12   1: 0     62: 4  28: 8   15: 10  5: 5     88: 4  64: 9   40: 12  23: 6
    6 x 2 x 2       50: 5  28: 5   21: 12  12: 17   86: 4  72: 5   65: 8   54: 9    91: 4  79: 6   74: 8   66: 9
    10 x 4 x 2      38: 3  4: 6    1: 20   0        64: 5  14: 9   6: 22   1: 20    89: 4  39: 11  19: 17  6: 24
    5 x 3 x 3       36: 5  10: 22          2: 30    59: 3  22: 13          8: 19    84: 3  59: 10          27: 17
    10 x 5 x 3      54: 7  2: 14           0        79: 7  6: 15           0        88: 7  18: 20          0

    There were 58 kinds of data sets, including success rates, lognormal scores and tasks with different levels. For
    data sets with this finding, intervals missed significantly more often than 5 % (Bonferroni) in 1 kind with a limit
    of 1.5, in 4 kinds with 1.75, and in 12 kinds without a limit.

    Parameters
    ----------
    p_value : float
        The smaller p-value of the two tests.
    degrees : int
        Sum of N - 1 over the algorithms, with N runs each.
    inflation : float
        Mean inflation of the algorithms, weighted by N - 1.
    """
    if p_value <= LEVEL:
        return FOUND
    if not _would_show(degrees, tasks):
        return CANNOT_TELL
    return NOT_FOUND if inflation_limit(inflation, degrees + 1, tasks, 0.95) <= _EXCLUDED else CANNOT_TELL


def _would_show(degrees: int, tasks: int) -> bool:
    """Return True if an inflation of `_MATTERS` would be detected with a probability of at least `_POWER`."""
    from scipy.special import fdtrc, fdtri

    if degrees < 1:
        return False
    correlation = min((_MATTERS - 1.0) / (tasks - 1.0), 0.9)  # with two tasks, an inflation of 2 is perfect agreement
    ratio = 1.0 + tasks * correlation / (1.0 - correlation)
    others = degrees * (tasks - 1.0)
    return bool(fdtrc(degrees, others, fdtri(degrees, others, 1.0 - LEVEL) / ratio) >= _POWER)


def unit_of_errors(resample: str, sharing: str) -> str:
    """Return the independent unit for `standard_errors`, given what was resampled and the finding on shared runs."""
    return "whole_runs" if resample == "runs" and sharing in SHARED else resample


def least_known(findings: Sequence[str]) -> str:
    """Return the joint finding of several algorithms, which is the least certain one.

    If only some algorithms share runs, it is "found for some".
    """
    if PARTLY in findings or len({one in SHARED for one in findings}) > 1:
        return PARTLY
    order = (FOUND, DECLARED, UNMATCHED, CANNOT_TELL, NOT_FOUND, EXCLUDED, RESAMPLED)
    return min(findings, key=order.index)


def least_known_sharing(sharings: Sequence[Sharing]) -> Sharing:
    """Combine the findings for several algorithms.

    The p-value is the smallest among the algorithms with the combined finding. If only some algorithms share runs, it
    is the smallest among the algorithms that do.
    """
    finding = least_known([one.finding for one in sharings])
    deciding = SHARED if finding == PARTLY else (finding,)
    p_values = [one.p_value for one in sharings if one.finding in deciding and np.isfinite(one.p_value)]
    return Sharing(finding, min(p_values, default=np.nan))


def sharing_remark(sharing: Sharing, runs: int) -> str:
    """Return the remark about shared runs for an interval, or an empty string if none is needed.

    Parameters
    ----------
    sharing : Sharing
    runs : int
        Smallest number of runs of a task.
    """
    if sharing.finding == FOUND:
        return f"{SEEM}{_p_text(sharing.p_value)}, so the interval is of whole runs"
    if sharing.finding == PARTLY:
        return f"{SEEM_PARTLY}{_p_text(sharing.p_value)}, so whole runs count for these only"
    if sharing.finding == CANNOT_TELL:
        return (
            f"{MAY}{_p_text(sharing.p_value)}, which {runs} runs do not rule out: then this interval misses in 14 "
            "to 24 % of simulated studies, and that of whole runs in 8 to 12 %"
        )
    return ""


SEEM = "runs seem to vary together on all tasks"
SEEM_PARTLY = "runs of some of the algorithms seem to vary together on all tasks"
MAY = "runs may vary together on all tasks"


def is_of_sharing(remark: str) -> bool:
    """Return True for remarks by `sharing_remark`, which pages display only once for all algorithms."""
    return remark.startswith((SEEM, SEEM_PARTLY, MAY))


def _p_text(p_value: float) -> str:
    return f" (p = {p_value:.2g})" if np.isfinite(p_value) else ""


def sharing_sentence(
    findings: Iterable[str],
    runs: int,
    method: str = "student",
    what: str = "intervals",
    p_values: Iterable[float] = (),
) -> str:
    """Return a sentence about shared runs for the intervals of several algorithms, or "" if none is needed.

    Parameters
    ----------
    findings : iterable of str
        As returned by `shared_runs`.
    runs : int
        Smallest number of runs of a task.
    method : str, default "student"
        Interval method.
    what : str, default "intervals"
        Noun for the intervals in the sentence.
    p_values : iterable of float
        P-values of the findings; the smallest is quoted.
    """
    overall = least_known(list(findings))
    p_text = _p_text(min((p for p in p_values if np.isfinite(p)), default=np.nan))
    if overall == PARTLY:
        some = f"R{SEEM_PARTLY[1:]}{p_text}"
        if method != "student":
            return f"{some}, which these {what} do not allow for."
        return f"{some}, so whole runs count for these only."
    if overall in SHARED:
        why = f"R{SEEM[1:]}{p_text}" if overall == FOUND else "Tasks share runs"
        if method != "student":
            return f"{why}, which these {what} do not allow for."
        return f"{why}, so the {what} take whole runs."
    if overall == UNMATCHED:
        return f"The {what} take tasks as independent: runs have other names in each task, so nothing shows otherwise."
    if overall == CANNOT_TELL:
        return f"R{MAY[1:]}{p_text}, which {runs} runs do not rule out; these {what} take tasks as independent."
    return ""


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
        # Friedman's statistic, so that algorithms with many runs weigh more.
        degrees += len(ranks) - 1
        observed += (len(ranks) - 1) * inflation
        drawn += (len(ranks) - 1) * permuted
    if degrees == 0:
        return SharingTest(alone, 1.0, 0, np.nan)
    together = _p_value(observed, drawn) if observed else 1.0
    return SharingTest(alone, together, degrees, observed / degrees)


def _p_value(observed: float, permuted: Floats) -> float:
    return (1 + int((permuted >= observed * (1.0 - 1e-9)).sum())) / (len(permuted) + 1)
