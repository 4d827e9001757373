"""Decide whether tasks share the runs of an algorithm, by the test of `shared_run_test` or a statement of the user.

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

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.statistics.runs.score_arrays import algorithms_of, matched_scores
from surefoot.statistics.runs.shared_run_test import CANNOT_TELL, FOUND, inflation_limit, sharing_test

LEVEL = 0.05
"""Level of each of the two tests."""
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
