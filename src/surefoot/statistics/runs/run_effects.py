"""Do runs with the same number do well or badly on all tasks alike?

Runs share an effect across tasks where a run is one training on all of them, or where a seed or a machine is used for
several. With N runs of M tasks and the ranks of the runs within each task, Kendall's W is the variance of the runs'
mean ranks divided by the greatest it can be (Friedman's test). Two readings of it are used here:

inflation : M W, the variance of the run means divided by its value if tasks were independent. It is what a method that
    takes tasks for independent gets wrong, 1 if it gets nothing wrong and M if a run does alike on all tasks
correlation : (M W - 1) / (M - 1), the mean rank correlation of two tasks, an intraclass correlation

Whether there is an effect is asked of permutations of the runs within each task, which are exact whatever the scores
and their ties. How large it may be follows from F = (M - 1) W / (1 - W), which with independent tasks is close to an F
distribution with N - 1 and (N - 1)(M - 1) degrees of freedom (Iman and Davenport, "Approximations of the critical
region of the Friedman statistic", Communications in Statistics A 9, 1980) and with an effect scales with the ratio of
the variances (Shrout and Fleiss, "Intraclass correlations", Psychological Bulletin 86, 1979).

What the runs do not show is not found: a failure on all tasks at once that is so rare that no run has it, say.

Whether the runs of a study are shared by its tasks: one agent trained on all of them, or one checkpoint evaluated on
all.

Runs with the same name then do well or badly on all tasks alike. It is looked for by permutations of the runs within
each task, which are exact whatever the scores and their ties, with two statistics: Friedman's of one algorithm, and the
sum of those of all algorithms, since how a study was run concerns all of them. Runs count as shared where either
p-value is at most `LEVEL`.

How often they do, in percent of 200 normal data sets, by the correlation between tasks (0 is a false alarm, which makes
the interval wider, by the factor of the last column):

algorithms x runs   26 tasks: 0, .1, .3, .5    5 tasks: 0, .1, .3, .5    factor
1 x 3               6   33   71   84           4    6   19   35          1.8
1 x 5               6   50   90   99           4   10   45   66          1.25
1 x 10              6   84   98  100           6   16   69   92          1.1
3 x 3               6   72   96   99           6   18   46   70          1.8
3 x 5               8   90  100  100          12   30   76   94          1.25
5 x 3               6   84  100  100           6   18   56   88          1.8
5 x 10              8  100  100  100          13   57  100  100          1.1

At a level of 1 %, the first columns would be 1 to 3 %, and of one algorithm's 5 runs of 26 tasks with a correlation of
.1, where separate tasks miss the truth in 26 %, 36 % would be found instead of 50; at 10 %, 60 % with false alarms in 9
to 24 %.
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
"""The inflation up to which tasks are taken for independent: methods that need independence are then nearly right."""
FEWEST = 10
"""Runs or rounds below which tasks are not taken for independent, however alike the means happen to be."""
NEGLIGIBLE, FOUND, CANNOT_TELL = ("negligible", "found", "cannot tell")


def round_finding(
    tasks_independent: bool | str, apart: int, rounds: int, inflation: tuple[float, float, float], tasks: int
) -> str:
    """What a comparison after every round took for independent, and whether its rounds contradict it, as sentences.

    Parameters
    ----------
    tasks_independent : as it was asked for, True, False or "auto"
    apart, rounds : in how many of the rounds the tasks counted as separate outcomes
    inflation : of the outcomes of all rounds, with its lower and upper limits; see `running_inflation`
    tasks : how many
    """
    if tasks < 2:
        return "There is one task, and nothing that tasks could share."
    text = f"The tasks counted as separate outcomes in {apart} of {rounds} rounds, and as one outcome in the others."
    if inflation[1] > 1.0 and apart and tasks_independent is True:
        text += " The rounds vary more than independent tasks would, so the limits are too narrow; "
        text += "tasks_independent: auto or false is safe."
    return text


_KEYS = 2**31
_AT_ONCE = 2**20


class RunEffect(NamedTuple):
    """What runs share across tasks; see the module.

    runs, tasks : how many
    inflation, inflation_low, inflation_high : estimate and one-sided limits, from 0 to `tasks`
    p_value : probability of at least so much agreement of the tasks if they are independent
    finding : "negligible", of `FEWEST` runs or more the upper limit is at most `TOLERATED`; "found", the p-value is
        at most 1 - confidence; else "cannot tell"
    """

    runs: int
    tasks: int
    inflation: float
    inflation_low: float
    inflation_high: float
    p_value: float
    finding: str

    def correlation(self, end: str = "") -> float:
        """The mean rank correlation of two tasks, or its limit "_low" or "_high"; NaN of a single task."""
        inflation: float = getattr(self, f"inflation{end}")
        return (inflation - 1.0) / (self.tasks - 1.0) if self.tasks > 1 else np.nan


def run_effect(scores: Floats, confidence: float = 0.95, permutations: int = 999, seed: int = 0) -> RunEffect:
    """What the runs of one algorithm share across tasks.

    Parameters
    ----------
    scores : float64[runs, tasks]; a row is one run, by its number, on all tasks
    confidence : of each limit by itself, and 1 - confidence the level of the test
    permutations : of the runs of each task, for the p-value; seed : of their stream

    Returns
    -------
    RunEffect; with fewer than two runs or tasks, or where no task has two different scores, the finding is "cannot
    tell", the limits are 0 and `tasks`, and the p-value is 1
    """
    runs, tasks = scores.shape
    centred = centred_ranks(scores)
    if min(runs, tasks) < 2 or not centred.any():
        return RunEffect(runs, tasks, np.nan, 0.0, float(tasks), 1.0, CANNOT_TELL)
    inflation = inflation_of(centred)
    low, high = (float(inflation_limit(inflation, runs, tasks, side)) for side in (1.0 - confidence, confidence))
    permuted = permuted_inflations(centred, permutations, stream_key(seed, "run_effect", runs, tasks))
    p_value = _p_value(inflation, permuted)
    finding = FOUND if p_value <= 1.0 - confidence + 1e-12 else CANNOT_TELL
    finding = NEGLIGIBLE if runs >= FEWEST and high <= TOLERATED else finding
    return RunEffect(runs, tasks, inflation, low, high, p_value, finding)


def inflation_limit(inflation: Any, runs: Any, tasks: int, confidence: float) -> Any:
    """One-sided limit of the inflation: the true one is below it with this confidence, such as 0.95 (0.05 for a lower
    limit).

    inflation, runs : numbers, or arrays of one shape; at least two runs and two tasks
    """
    from scipy.special import fdtri

    freedom = np.asarray(runs) - 1.0
    w = np.clip(np.asarray(inflation) / tasks, 0.0, 1.0 - 1e-12)
    ratio = (tasks - 1.0) * w / (1.0 - w) / fdtri(freedom, freedom * (tasks - 1.0), 1.0 - confidence)
    return tasks * ratio / (ratio + tasks - 1.0)


def running_inflation(values: Floats) -> tuple[Floats, Floats, Floats]:
    """Inflation of the first 1, 2, ... rows and its lower and upper limits, 95 % each, float64[rows] each.

    Where it cannot be said, of one row or where no column has two different values, it is NaN and the limits are 0 and
    the number of tasks.

    Parameters
    ----------
    values : float64[rows, tasks], such as outcomes of rounds, which are taken as they are and not ranked
    """
    rows, tasks = values.shape
    inflation, low, high = np.full(rows, np.nan), np.zeros(rows), np.full(rows, float(tasks))
    if tasks < 2:
        return inflation, low, high
    count, sums = np.arange(1, rows + 1), values.sum(axis=1)
    squares = (np.cumsum(values**2, axis=0) - np.cumsum(values, axis=0) ** 2 / count[:, None]).sum(axis=1)
    between = np.cumsum(sums**2) - np.cumsum(sums) ** 2 / count
    known = squares > 1e-9
    inflation[known] = between[known] / squares[known]
    low[known], high[known] = (inflation_limit(inflation[known], count[known], tasks, side) for side in (0.05, 0.95))
    return inflation, low, high


def centred_ranks(scores: Floats) -> Floats:
    """Ranks of the runs within each task less their mean, float64[runs, tasks]; ties have their mean rank."""
    from scipy.stats import rankdata

    return rankdata(scores, axis=0) - (len(scores) + 1) / 2.0


def inflation_of(centred: Floats) -> float:
    """The inflation of centred ranks, which are not all 0."""
    return float((centred.sum(axis=1) ** 2).sum() / (centred**2).sum())


def permuted_inflations(centred: Floats, permutations: int, key: Any) -> Floats:
    """Inflations, float64[permutations], of centred ranks whose runs are permuted within each task."""
    from surefoot.statistics.resampling.kernels import draw_indices

    runs, tasks = centred.shape
    together = max(1, _AT_ONCE // centred.size)
    columns, squares, found = centred.T, (centred**2).sum(), np.empty(permutations)
    for block, first in enumerate(range(0, permutations, together)):
        count = min(together, permutations - first)
        drawn = draw_indices(key, block, _KEYS, count * centred.size)
        order = np.argsort(drawn.reshape(count, tasks, runs), axis=2)
        sums = np.take_along_axis(np.broadcast_to(columns, order.shape), order, axis=2).sum(axis=1)
        found[first : first + count] = (sums**2).sum(axis=-1) / squares
    return found


LEVEL = 0.05
"""The level of each of the two tests."""
_PERMUTATIONS = 999
_MATTERS, _POWER = 2.0, 0.8
"""The test can tell if it finds, with this probability, runs that multiply the variance by this much (which Student's
interval of many independent tasks then misses in 17 %)."""

DECLARED, EXCLUDED, NOT_FOUND = ("declared", "excluded", "not found")
UNMATCHED = "other names"
"""Where fewer than two runs have the same name in all tasks, so that nothing tells which belong together."""
RESAMPLED = "resampled"
"""Where whole runs, or tasks, are resampled, so that nothing is asked."""
SHARED = (DECLARED, FOUND)


class Sharing(NamedTuple):
    """What is known of whether tasks share the runs of an algorithm.

    finding : see `sharing_of_runs`
    p_value : the smaller one of the two tests, of this algorithm and of all together; NaN where nothing was tested
    """

    finding: str
    p_value: float = np.nan


def shared_runs(table: pd.DataFrame, declared: bool | str = "auto", seed: int = 0) -> dict[str, str]:
    """Return the finding for each algorithm; see `sharing_of_runs`."""
    return {name: one.finding for name, one in sharing_of_runs(table, declared, seed).items()}


def sharing_of_runs(table: pd.DataFrame, declared: bool | str = "auto", seed: int = 0) -> dict[str, Sharing]:
    """Test for each algorithm of a table of scores whether tasks share its runs.

    The finding is "declared" or "found" if they seem to; "excluded" if they are declared not to, or if there is one
    task; "other names" if runs of different tasks have no names in common; else "not found", or "cannot tell" if so
    few runs could not have shown it.

    Parameters
    ----------
    table : columns algorithm, environment, run, score; runs of different tasks with the same name belong together
    declared : what is said of the study, or "auto"; seed : of the permutations

    Raises
    ------
    ValueError : runs that are declared to be shared, and of which no two are in all tasks
    """
    algorithms = algorithms_of(table, None)
    tasks = table["environment"].nunique()
    if declared is False or (declared is not True and tasks < 2):
        return dict.fromkeys(algorithms, Sharing(EXCLUDED))
    matched = {name: matched_scores(table, name) for name in algorithms}
    if declared is True:
        for name, scores in matched.items():
            if len(scores) < 2:
                raise HintedError(
                    "shared_runs",
                    f"{len(scores)} runs of {name} are in all tasks",
                    "runs are matched by their names; with `shared_runs=False`, each task has runs of its own",
                )
        return dict.fromkeys(algorithms, Sharing(DECLARED))
    alone, together = sharing_p_values(matched, seed)
    degrees = sum(max(len(scores) - 1, 0) for scores in matched.values())
    runs = table.groupby(["algorithm", "environment"], sort=False, observed=True).size().groupby("algorithm").min()
    found = {}
    for name in algorithms:
        p_value = min(alone[name], together)
        found[name] = Sharing(finding_of_test(p_value, degrees, tasks), p_value)
        if len(matched[name]) < 2 <= runs[name]:
            found[name] = Sharing(UNMATCHED)
    return found


def finding_of_test(p_value: float, degrees: int, tasks: int) -> str:
    """Return "found", "not found", or "cannot tell" if so few runs could not have shown that tasks share them.

    degrees : N - 1 of each algorithm's N runs, added up
    """
    if p_value <= LEVEL:
        return FOUND
    return NOT_FOUND if _would_show(degrees, tasks) else CANNOT_TELL


def _would_show(degrees: int, tasks: int) -> bool:
    """Whether an inflation of `_MATTERS` would be found with a probability of at least `_POWER`.

    degrees : N - 1 of each algorithm's N runs, added up
    """
    from scipy.special import fdtrc, fdtri

    if degrees < 1:
        return False
    correlation = min((_MATTERS - 1.0) / (tasks - 1.0), 0.9)  # with two tasks, an inflation of 2 is perfect agreement
    ratio = 1.0 + tasks * correlation / (1.0 - correlation)
    others = degrees * (tasks - 1.0)
    return bool(fdtrc(degrees, others, fdtri(degrees, others, 1.0 - LEVEL) / ratio) >= _POWER)


def unit_of_errors(resampled: str, sharing: str) -> str:
    """The unit of standard errors, by what is resampled and what is known of whether runs are shared."""
    return "whole_runs" if resampled == "runs" and sharing in SHARED else resampled


def least_known(findings: Sequence[str]) -> str:
    """What is to be said of several algorithms together: that runs are shared where those of any are."""
    order = (FOUND, DECLARED, UNMATCHED, CANNOT_TELL, NOT_FOUND, EXCLUDED, RESAMPLED)
    return min(findings, key=order.index)


def least_known_sharing(sharings: Sequence[Sharing]) -> Sharing:
    """Return `least_known` of several algorithms, with the smallest p-value of those that have this finding."""
    finding = least_known([one.finding for one in sharings])
    p_values = [one.p_value for one in sharings if one.finding == finding and np.isfinite(one.p_value)]
    return Sharing(finding, min(p_values, default=np.nan))


def sharing_remark(sharing: Sharing, runs: int) -> str:
    """Return what an interval's remark says of shared runs, such as "runs may vary together on all tasks (p = 0.31)".

    runs : the fewest of a task
    """
    if sharing.finding == FOUND:
        return f"{SEEM}{_p_text(sharing.p_value)}, so the interval is of whole runs"
    if sharing.finding == CANNOT_TELL:
        return (
            f"{MAY}{_p_text(sharing.p_value)}, which {runs} runs could not show: then this interval misses in 15 "
            "to 22 % of simulated studies, and that of whole runs in 8 to 11 %"
        )
    return ""


SEEM, MAY = "runs seem to vary together on all tasks", "runs may vary together on all tasks"


def is_of_sharing(remark: str) -> bool:
    """Whether a remark is one of `sharing_remark`, which a page says once for all algorithms."""
    return remark.startswith((SEEM, MAY))


def _p_text(p_value: float) -> str:
    return f" (p = {p_value:.2g})" if np.isfinite(p_value) else ""


def sharing_sentence(
    findings: Iterable[str],
    runs: int,
    method: str = "student",
    what: str = "intervals",
    p_values: Iterable[float] = (),
) -> str:
    """Return the sentence about shared runs for the intervals of several algorithms; empty if nothing need be said.

    findings : of `shared_runs`; runs : the fewest of a task; method : of the intervals; what : they are called;
    p_values : of the findings; the smallest one is given
    """
    found = least_known(list(findings))
    p_text = _p_text(min((p for p in p_values if np.isfinite(p)), default=np.nan))
    if found in SHARED:
        why = f"R{SEEM[1:]}{p_text}" if found == FOUND else "Tasks share runs"
        if method != "student":
            return f"{why}, which these {what} do not allow for."
        return f"{why}, so the {what} take whole runs."
    if found == UNMATCHED:
        return f"The {what} take tasks as independent: runs have other names in each task, so nothing shows otherwise."
    if found == CANNOT_TELL:
        return f"R{MAY[1:]}{p_text}, which {runs} runs could not show; these {what} take tasks as independent."
    return ""


def sharing_p_values(matched: Mapping[str, Floats], seed: int) -> tuple[dict[str, float], float]:
    """Probabilities of at least so much agreement of the tasks if they were independent: of each algorithm, and of all
    algorithms together.

    Parameters
    ----------
    matched : float64[runs, tasks] of each algorithm; a row is one run on all tasks
    seed : of the permutations of the runs of each task
    """
    alone, observed, drawn = {}, 0.0, np.zeros(_PERMUTATIONS)
    for name, scores in matched.items():
        ranks = centred_ranks(scores) if min(scores.shape) > 1 else np.zeros((0, 0))
        if not ranks.any():
            alone[name] = 1.0
            continue
        found = inflation_of(ranks)
        permuted = permuted_inflations(ranks, _PERMUTATIONS, stream_key(seed, "sharing", name, *scores.shape))
        alone[name] = _p_value(found, permuted)
        # Friedman's statistic, so that algorithms with many runs weigh more.
        observed, drawn = observed + (len(ranks) - 1) * found, drawn + (len(ranks) - 1) * permuted
    return alone, _p_value(observed, drawn) if observed else 1.0


def _p_value(observed: float, permuted: Floats) -> float:
    return (1 + int((permuted >= observed * (1.0 - 1e-9)).sum())) / (len(permuted) + 1)
