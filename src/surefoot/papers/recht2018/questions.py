"""Questions that are specific to Recht (2018): profiles based on tests and ranks."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from surefoot.questions._framework.question_registry import question
from surefoot.questions._framework.results import Result, unrounded_grid
from surefoot.questions._framework.types import (
    Algorithms,
    Checked,
    Thresholds,
)
from surefoot.statistics.arrays import Floats
from surefoot.statistics.profiles.dolan_more import DEGREES_OF_FREEDOM, profile_table, rank_distances, welch_distances
from surefoot.statistics.runs.samples import samples_from_runs
from surefoot.statistics.runs.score_arrays import algorithms_of


@question(stage="estimate", pools_tasks=False, chart="surefoot.papers.recht2018.question_charts:rank_profile_chart")
def rank_profile(
    runs: pd.DataFrame,
    *,
    thresholds: Thresholds,
    skip_checks: Checked = False,
) -> Result:
    r"""Compute performance profiles from a rank test of runs.

    On each task, the distance of a method from the best one is measured by a rank test.

    Parameters
    ----------
    runs : DataFrame or dict
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}.
    thresholds : array or dict
        Grid of the curve.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns method, threshold, count, fraction, problems.

    Notes
    -----
    formula : $\rho_m(\tau)$, the fraction of tasks on which $-\log_{10}\, p < \tau$, with the one-sided p-value $p$ of
        the rank test that the best method there beats method $m$: the fraction of all ways to choose its runs among the
        runs of both that have at least its sum of mid-ranks; for more than 40 runs, the normal tail with continuity
        correction. The best method has $-\log_{10}\, p = 0$.
    assumes : Runs are independent. The best method of a task is the one with the highest mean.
    guarantee : Each test is exact for up to 40 runs in total; as the best method is chosen with the same runs, p-values
        are not error rates.
    not for : The size of a difference; few runs: with $N$ and $K$ runs, no distance exceeds $\log_{10}
        \binom{N+K}{N}$.

    References
    ----------
    Recht 2018; Dolan and Moré 2002; Mann and Whitney 1947
    """
    samples = samples_from_runs(runs.assign(cell=runs["algorithm"]))
    table = profile_table(rank_distances(samples), list(samples.algorithms), unrounded_grid(thresholds))
    return Result(table.assign(problems=len(samples.environments)))


@question(
    stage="estimate",
    needs="means",
    chart="surefoot.papers.recht2018.question_charts:welch_profile_chart",
)
def welch_profile(
    runs: pd.DataFrame,
    *,
    algorithms: Algorithms,
    thresholds: Thresholds,
) -> Result:
    r"""Compute performance profiles from Welch's test of published means.

    On each task, the distance of a method from the best one is measured by the test of means, deviations and numbers of
    runs, with two formulas for the degrees of freedom.

    Parameters
    ----------
    runs : DataFrame
        Published means: a table with the columns algorithm, environment, score, deviation, runs.
    algorithms : list of str
        Algorithms to include.
    thresholds : array or dict
        Grid of the curve.

    Returns
    -------
    Result
        `table()` has columns degrees_of_freedom, method, threshold, count, fraction, problems.

    Notes
    -----
    formula : $\rho_m(\tau)$, the fraction of tasks on which $-\log_{10}\, p < \tau$, with the one-sided p-value $p$ of
        Welch's test that the best method $b$ there beats method $m$: $t = (\bar x_b - \bar x_m) / \sqrt{v_b + v_m}$, $v
        = (s + 10^{-6})^2 / N$, with $(v_b + v_m)^2 / \left( v_b^2 / (N_b - 1) + v_m^2 / (N_m - 1) \right)$ degrees of
        freedom; the published notebook's formula has $N v^2$ instead of $v^2$ in the denominator. The best method has
        $-\log_{10}\, p = 0$.
    assumes : Runs are independent and scores nearly normal.
    guarantee : Approximate, for each test separately; as the best method is chosen with the same numbers, p-values are
        not error rates.
    not for : The size of a difference: with many runs, even a tiny difference has a large distance.

    References
    ----------
    Recht 2018; Welch 1947; Dolan and Moré 2002
    """
    points = unrounded_grid(thresholds)
    parts = []
    for formula, methods, distances in _welch_tables(runs, algorithms):
        table = profile_table(distances, methods, points).assign(problems=len(distances))
        table.insert(0, "degrees_of_freedom", formula)
        parts.append(table)
    return Result(pd.concat(parts, ignore_index=True))


@question(
    stage="estimate",
    needs="means",
    page_table="surefoot.papers.recht2018.question_charts:welch_differences_table",
)
def welch_differences(
    runs: pd.DataFrame,
    *,
    algorithms: Algorithms,
) -> Result:
    """Count the tasks on which two methods differ, by Welch's test of published means.

    Counts are reported for the significance levels 5 %, 1 % and 0.1 %, in total and for each method that is better.

    Parameters
    ----------
    runs : DataFrame
        Published means: a table with the columns algorithm, environment, score, deviation, runs.
    algorithms : list of str
        Algorithms to include.

    Returns
    -------
    Result
        `table()` has columns degrees_of_freedom, level, method ("" for the total), count, problems.

    Notes
    -----
    formula : The number of tasks on which [Welch's test](#sec-question-welch_profile) that the better of two methods is
        better has a one-sided p-value below 5 %, 1 % and 0.1 %.
    assumes : Runs are independent and scores nearly normal.
    guarantee : Approximate, for each test separately; as the better method is chosen with the same numbers, the true
        level is twice the stated one.
    not for : Claims about all tasks at once.

    References
    ----------
    Recht 2018; Welch 1947
    """
    rows = []
    for formula, methods, distances in _welch_tables(runs, algorithms):
        best = distances.argmin(axis=1)
        worst = distances.max(axis=1)
        for level in (0.05, 0.01, 0.001):
            differ = worst > -np.log10(level)
            rows.append((formula, level, "", int(differ.sum()), len(distances)))
            rows += [
                (formula, level, name, int((differ & (best == m)).sum()), len(distances))
                for m, name in enumerate(methods)
            ]
    return Result(pd.DataFrame(rows, columns=["degrees_of_freedom", "level", "method", "count", "problems"]))


def _welch_tables(table: pd.DataFrame, algorithms: Sequence[str]) -> Iterator[tuple[str, list[str], Floats]]:
    """Yield (formula, methods, distances float64[tasks, methods]) for both formulas for the degrees of freedom."""
    methods = algorithms_of(table, algorithms)
    means, deviations, runs = (
        table.pivot(index="environment", columns="algorithm", values=name)[methods].to_numpy(float)
        for name in ("score", "deviation", "runs")
    )
    for formula in DEGREES_OF_FREEDOM:
        yield formula, methods, welch_distances(means, deviations, runs, formula)
