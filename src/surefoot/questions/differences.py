"""Differences between algorithms, and tests for effects of runs that tasks share."""

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.questions._framework.checking import check_paired_runs, check_scores_with_spread
from surefoot.questions._framework.question_registry import question
from surefoot.questions._framework.results import Result, Sets
from surefoot.questions._framework.types import (
    Algorithms,
    Baseline,
    Checked,
    Confidence,
    Metrics,
    Replicates,
    Seed,
    SharedRuns,
    Size,
    Threads,
)
from surefoot.questions.comparing import Compared, Comparing, are_outcomes, compare_metrics, comparison_remark
from surefoot.statistics.arrays import Floats
from surefoot.statistics.metrics.metric_catalogue import metric
from surefoot.statistics.runs.score_arrays import algorithms_of, matched_scores, tasks_of

if TYPE_CHECKING:
    from surefoot.statistics.comparison.simultaneous_comparisons import Adjustment


def check_differences(table: pd.DataFrame, settings: Any, where: str) -> None:
    """Raise an InputError if runs are too few for `pairwise_differences`, or are declared as paired but are not."""
    counts = check_scores_with_spread(table, settings, where, fewest=2)
    check_paired_runs(table, counts, settings, where)


@question(
    stage="estimate",
    sets="named",
    chart="surefoot.charts.difference_charts:pairwise_differences_chart",
    finding="surefoot.charts.difference_charts:pairwise_differences_finding",
    check=check_differences,
)
def pairwise_differences(
    runs: Sets,
    *,
    metrics: Metrics = ("iqm",),
    algorithms: Algorithms | None = None,
    baseline: Baseline | None = None,
    per_task: bool = False,
    paired: bool = False,
    lower_is_better: bool = False,
    shared_runs: SharedRuns = "auto",
    n_resamples: Replicates = 1000,
    confidence_level: Confidence = 0.95,
    seed: Seed = 0,
    threads: Threads = 1,
    skip_checks: Checked = False,
) -> Result:
    r"""Compute differences between algorithms, with simultaneous intervals and p-values.

    All pairs of algorithms are compared in each metric, or each algorithm is compared with one baseline. The intervals
    of a metric are simultaneous, and its p-values are adjusted for the same comparisons, so that an interval excludes 0
    if and only if its p-value is at most 1 - confidence. `multiple_comparisons` uses the same intervals.

    Parameters
    ----------
    runs : DataFrame or dict
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}.
    metrics : list of str, default ["iqm"]
        Metrics by name: mean, median, iqm, exact_iqm, trimmed_mean(p), run_median, optimality_gap(gamma),
        difficulty_progress(p), probability_above(t). Every task has the same weight; append "weighted by runs", as in
        "iqm weighted by runs", to give every run the same weight.
    algorithms : list of str, optional
        Algorithms to include. Default: all.
    baseline : str, optional
        Algorithm with which the others are compared. Intervals and p-values are then adjusted for these comparisons
        only. Default: all pairs are compared.
    per_task : bool, default False
        If True, compare on each task separately. Intervals and p-values are then adjusted for all tasks too.
    paired : bool, default False
        If True, runs of a task with the same name are paired across algorithms, for example by a common seed. The
        intervals are then Student's intervals of differences of paired runs, adjusted by Bonferroni's method.
    lower_is_better : bool, default False
        If True, lower scores are better, as for losses or steps to solve. Differences keep the units of the scores.
    shared_runs : {"auto", True, False}, default "auto"
        True if one training run or evaluated checkpoint covers all tasks; False if every task has separate runs.
        With "auto", runs count as shared if scores of runs with the same name correlate significantly across tasks.
    n_resamples : int, default 1000
        Number of bootstrap resamples.
    confidence_level : float, default 0.95
        Confidence level of the intervals.
    seed : int, default 0
        Seed of all random numbers.
    threads : int, default 1
        Maximum number of threads. The numbers do not depend on it.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns environment (only with per_task), comparisons ("with_baseline", only with a baseline),
        metric, algorithm, baseline, algorithm_estimate, baseline_estimate, estimate (algorithm minus baseline), low,
        high (NaN if there is no interval), p_value (adjusted), separated (True if the interval excludes 0), better (the
        better algorithm of a separated pair), standardized_difference (the difference divided by the standard deviation
        of a run, which is the root of the mean variance within a task and algorithm), lower_is_better (True if lower
        estimates are better), degrees (of freedom; empty for success rates), runs (the smallest number of either
        algorithm on any task), runs_to_settle (number of fresh runs per task with which a new study would separate the
        pair with a probability of 80 %, if the true difference is the observed one; empty for success rates; to add
        runs to this study, see `sequential_comparison`), fewest_to_settle, most_to_settle (80 % band of this number,
        since the difference is only estimated), shared_runs, shared_runs_p_value (for both algorithms; see
        `aggregate_metrics`; "found for some" if only one has shared runs), low_whole_runs, high_whole_runs (the
        simultaneous interval for the case that tasks share runs; empty if runs have no names in common, sharing was not
        tested, or success rates are compared), remark (a caveat about the interval).

    Raises
    ------
    ValueError
        If there are fewer than two algorithms, if a metric or the baseline is unknown, if every task has a single run,
        or if an algorithm lacks a paired run.

    Notes
    -----
    formula : $T(X) - T(Y) \mp q\, \sqrt{a + b}$, where $a$ and $b$ are the squared standard errors $c^2 s^2$ of X and Y
        as in the interval [Student](#sec-interval-student), and $q$ is Student's quantile at $1 - p / 2$ with $(a +
        b)^2 / \left( \frac{a^2}{\nu_X + 2} + \frac{b^2}{\nu_Y + 2} \right) - 2$ degrees of freedom, at least the
        smaller of the $\nu_X$ and $\nu_Y$ of those intervals. For two algorithms, $p = \alpha$; for more, $p$ is the
        quantile $\alpha$ of the smallest p-value of all comparisons if all algorithms are equal, computed from 20,000
        draws of normal errors $s_X Z_X$ and variances $s_X^2 \chi^2_{\nu_X} / \nu_X$. An adjusted p-value is the share
        of the draws whose smallest p-value is at most the p-value of the pair. Mean, IQM and median of scores that are
        all 0 or 1 are compared as success rates, whose exact limits are combined by Newcombe's method, at $p = \alpha /
        P$ for $P$ comparisons. For paired runs, the standard error is computed from the differences of paired runs,
        with the degrees of freedom of one algorithm, at $p = \alpha / P$.
    assumes : Runs are independent, within a task, across tasks and across algorithms; for paired runs, the pairs are.
        Where runs are [shared by tasks](#sec-question-shared_run_test), whole runs are independent.
    guarantee : For all comparisons of a metric together; there is no theorem. At 95 %, with two or more runs per task,
        some difference of the IQM is missed in 1 to 8 % of simulated cases; other metrics do as well if scores are
        nearly normal. Where a few runs fail or single tasks dominate, some difference is missed in up to 30 % of cases
        for the mean, 40 % for the median and 50 % for the optimality gap. Where two of five runs fail, the IQM
        separated some pair of three equal algorithms in 8 to 12 % of data sets of 5 runs of 2 to 5 tasks, and no remark
        points this out. With paired runs, equal algorithms were separated in 1 to 8 % of 200 simulated data sets of
        each kind (mean and IQM, normal and skewed, 3 to 10 runs of 1 to 26 tasks, correlations of -.7 to .7), where
        percentile intervals separated them in up to 32 %. In 300 data sets of each kind with correlations of -.9 to .9
        (standard error 1.3 %), equal algorithms were separated in 0 to 9 % with scores rounded to a few values (4 to 5
        % on average), in 0 to 6 % with scores of 0 and 1 (2 %), and in 0 to 7 % where pairs share effects across tasks
        (a correlation of .3) and shared_runs declares this. If this is not declared, equal
        algorithms on 8 or 26 tasks were separated in 6 to 11 % on average with 3 pairs of runs (in up to 15 %), in 4 to
        7 % with 5 pairs and in 3 to 5 % with 10 pairs. With shared_runs=False, they were separated in up to 29 % on 8
        tasks and in up to 55 % on 26 tasks.
    interval : simultaneous intervals by Student's distribution
    not for : Metrics other than the IQM, with few runs that are skewed or sometimes fail (a remark says so). Three runs
        that share effects across tasks, which the test may not detect.

    References
    ----------
    Welch 1947; Schenker and Gentleman 2001; Hothorn et al. 2008; Dunnett 1955; Newcombe 1998

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import pairwise_differences
    >>> a, b = [[0.9, 0.7], [0.8, 0.9], [0.7, 0.6]], [[0.4, 0.5], [0.6, 0.2], [0.3, 0.4]]
    >>> scores = {"a": np.array(a), "b": np.array(b)}
    >>> pairwise_differences(scores).table()[["algorithm", "baseline", "estimate", "low", "high"]].round(2)
      algorithm baseline  estimate   low  high
    0         a        b      0.38  0.16  0.59
    """
    from surefoot.statistics.comparison.simultaneous_comparisons import draws_for

    ((name, table),) = runs.items()
    names = algorithms_of(table, algorithms)
    how = Comparing(shared_runs, paired, n_resamples, confidence_level, seed, threads)
    if per_task:
        tasks = tasks_of(table)
        outcomes = are_outcomes(table, names)
        draws = draws_for(len(tasks) * len(names) * (len(names) - 1) // 2)
        alone = how._replace(shared_runs=False)
        by_task = [
            compare_metrics(
                name, table[table["environment"] == task], metrics, names, alone, f"{task}", draws, outcomes
            )
            for task in tasks
        ]
    else:
        tasks = [""]
        by_task = [compare_metrics(name, table, metrics, names, how)]
    rows: list[dict[str, Any]] = []
    for of_metric in zip(*by_task, strict=True):
        rows += _difference_rows(of_metric, tasks, baseline, lower_is_better, how)
    answer = pd.DataFrame(rows)
    return Result(answer if per_task else answer.drop(columns="environment"))


def _difference_rows(
    of_tasks: Sequence[Compared], tasks: Sequence[Any], baseline: str | None, lower_is_better: bool, how: Comparing
) -> list[dict[str, Any]]:
    """Return the rows of `pairwise_differences` for one metric, whose intervals are simultaneous.

    Parameters
    ----------
    of_tasks : comparisons on each task, or on all tasks together
    tasks : names of the tasks, or an empty name for all tasks together
    """
    from surefoot.statistics.comparison.fresh_runs import runs_to_settle
    from surefoot.statistics.comparison.simultaneous_comparisons import simultaneous
    from surefoot.statistics.runs.shared_run_findings import least_known_sharing

    names = of_tasks[0].names
    reference = None if baseline is None else names.index(baseline)
    family, adjustment = adjusted(of_tasks, reference)
    lower = lower_is_better != metric(of_tasks[0].metric).entry.lower_is_better
    if reference is None:
        places = list(combinations(range(len(names)), 2))
    else:
        places = [(one, reference) for one in range(len(names)) if one != reference]
    rows = []
    for task, compared in zip(tasks, of_tasks, strict=True):
        pairs = compared.pairs
        comparisons = simultaneous(pairs, adjustment, family, how.confidence_level)
        whole_low, whole_high = _whole_run_limits(compared, reference, how.confidence_level)
        for x, y in places:
            both = compared.samples[x] + compared.samples[y]
            fewest = min(map(len, both))
            value = pairs.difference[x, y]
            needed = [np.nan] * 3
            if pairs.error is not None and pairs.degrees is not None and pairs.error[x, y] > 0.0:
                level = 1.0 - adjustment.level(how.confidence_level)
                shape = [value], [pairs.error[x, y]], [pairs.degrees[x, y]]
                needed = [float(end[0]) for end in runs_to_settle(*shape, fewest, level)]
            better = ""
            if comparisons.separated[x, y]:
                better = names[x if (value < 0.0) == lower else y]
            row: dict[str, Any] = {"environment": f"{task}"}
            row |= {} if baseline is None else {"comparisons": "with_baseline"}
            row |= {"metric": compared.metric, "algorithm": names[x], "baseline": names[y]}
            row |= {
                "algorithm_estimate": compared.estimates[x],
                "baseline_estimate": compared.estimates[y],
                "estimate": value,
            }
            row |= {"low": comparisons.low[x, y], "high": comparisons.high[x, y], "p_value": comparisons.p_value[x, y]}
            row |= {"separated": bool(comparisons.separated[x, y]), "better": better}
            row |= {"standardized_difference": _standardized(value, both), "lower_is_better": lower}
            row |= {"degrees": np.nan if pairs.degrees is None else pairs.degrees[x, y], "runs": fewest}
            row |= dict(zip(("runs_to_settle", "fewest_to_settle", "most_to_settle"), needed, strict=True))
            sharing = least_known_sharing([compared.sharing[x], compared.sharing[y]])
            row |= {"shared_runs": sharing.finding, "shared_runs_p_value": sharing.p_value}
            row |= {"low_whole_runs": whole_low[x, y], "high_whole_runs": whole_high[x, y]}
            row |= {"remark": comparison_remark(compared, x, [y])}
            rows.append(row)
    return rows


def adjusted(of_tasks: Sequence[Compared], reference: int | None) -> "tuple[Any, Adjustment]":
    """Return the family of compared pairs, bool[k, k], and the adjustment for its comparisons on all tasks.

    Parameters
    ----------
    of_tasks : comparisons on each task, or on all tasks together
    reference : index of the baseline; None for all pairs
    """
    from surefoot.statistics.comparison.simultaneous_comparisons import (
        Adjustment,
        all_pairs,
        joint_adjustment,
        with_baseline,
    )

    count = len(of_tasks[0].names)
    family = all_pairs(count) if reference is None else with_baseline(count, reference)
    tails = [compared.tails for compared in of_tasks if compared.tails is not None]
    if len(tails) == len(of_tasks):
        return family, joint_adjustment(tails, family)
    return family, Adjustment(len(of_tasks) * int(family.sum()) // 2)


def _whole_run_limits(compared: Compared, reference: int | None, confidence_level: float) -> tuple[Floats, Floats]:
    """Return simultaneous limits (low, high) in case tasks share runs, float64[k, k] each; NaN if there are none."""
    from surefoot.statistics.comparison.simultaneous_comparisons import simultaneous

    if compared.whole_runs is None:
        none = np.full(compared.pairs.difference.shape, np.nan)
        return none, none
    family, adjustment = adjusted([compared.whole_runs], reference)
    comparisons = simultaneous(compared.whole_runs.pairs, adjustment, family, confidence_level)
    return comparisons.low, comparisons.high


def _standardized(value: float, both: Sequence[Floats]) -> float:
    """Divide a difference by the standard deviation of a run: the root of the mean variance, over tasks and algorithms.

    both : scores of both algorithms, float64[runs] of each task
    """
    variances = [column.var(ddof=1) for column in both if column.size > 1]
    spread = float(np.sqrt(np.mean(variances))) if variances else 0.0
    return value / spread if spread > 0.0 else np.nan


_FEWEST = 3
"""Number of runs that Friedman's test needs."""


@question(stage="estimate", pools_tasks=False, looks_at_axes=False)
def shared_run_test(
    runs: pd.DataFrame,
    *,
    size: Size = 10,
    algorithms: Algorithms | None = None,
    confidence_level: Confidence = 0.95,
    seed: Seed = 0,
    skip_checks: Checked = False,
) -> Result:
    r"""Test whether runs with the same name share effects across tasks.

    Friedman's test over the tasks shows whether runs with the same name do similarly well on all tasks. The result also
    has the IQM of the first runs, and of all runs.

    Intervals that resample the runs of each task separately assume that runs are independent across tasks. So do bands,
    probabilities of improvement, and sequential comparisons that count tasks as separate outcomes. If runs share
    effects across tasks, these intervals are too narrow (for the mean of all tasks, by a factor of about
    sqrt(inflation)); use `resample="whole_runs"` instead. Runs that are missing on some task are left out. The
    inflation is 1 + (M - 1) times the mean correlation of two of M tasks.

    Parameters
    ----------
    runs : DataFrame or dict
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}.
    size : int, default 10
        Number of first runs whose IQM is reported, in addition to the IQM of all runs.
    algorithms : list of str, optional
        Algorithms to include. Default: all.
    confidence_level : float, default 0.95
        Confidence level of the intervals.
    seed : int, default 0
        Seed of all random numbers.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns algorithm, statistic, degrees, p_value (of Friedman's test; empty for fewer than three
        runs), runs, first (`size`), first_iqm (IQM of the first runs), iqm (of all runs), correlation (mean rank
        correlation of two tasks), correlation_high (upper limit), finding ("negligible", "found" or "cannot tell").

    Raises
    ------
    ValueError
        If an algorithm has no run that covers all tasks.

    Notes
    -----
    formula : With the rank $r_{mn}$ of run $n$ among the $N$ runs of task $m$, minus $(N + 1) / 2$, the inflation is
        $\sum_n (\sum_m r_{mn})^2 / \sum_{m,n} r_{mn}^2 = M W$ with Kendall's $W$: the variance of the runs' mean ranks
        relative to independent tasks. The mean correlation of two tasks is $(M W - 1) / (M - 1)$.
    assumes : Runs that share anything have the same name on all tasks.
    guarantee : The permutation test of the finding is exact, whatever the scores. Friedman's p-value is asymptotic, and
        the limits of the inflation are approximate.
    not for : Effects too rare to appear in the given runs.

    References
    ----------
    Iman and Davenport 1980; Shrout and Fleiss 1979

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import shared_run_test
    >>> a, b = [[0.9, 0.7], [0.8, 0.9], [0.7, 0.6]], [[0.4, 0.5], [0.6, 0.2], [0.3, 0.4]]
    >>> scores = {"a": np.array(a), "b": np.array(b)}
    >>> shared_run_test(scores, size=2, skip_checks=True).table()[["algorithm", "runs", "finding"]]
      algorithm  runs      finding
    0         a     3  cannot tell
    1         b     3  cannot tell
    """
    from scipy.stats import friedmanchisquare

    from surefoot.statistics.resampling.stratified_bootstrap import metric_values
    from surefoot.statistics.runs.shared_run_test import run_effect

    rows = []
    for name in algorithms_of(runs, algorithms):
        scores = matched_scores(runs, name)
        if scores.size == 0:
            hint = "runs are matched by name across tasks; if every task has separate runs, no test is needed"
            raise HintedError("run effects", f"no run of {name} covers all tasks", hint)
        test = friedmanchisquare(*scores) if len(scores) >= _FEWEST else (np.nan, np.nan)
        iqm = [float(metric_values(part, ["iqm"])[0]) for part in (scores[:size], scores)]
        effect = run_effect(scores, confidence_level, seed=seed)
        correlations = (effect.correlation(), effect.correlation("_high"), effect.finding)
        rows.append((name, test[0], len(scores) - 1, test[1], len(scores), size, *iqm, *correlations))
    columns = ["algorithm", "statistic", "degrees", "p_value", "runs", "first", "first_iqm", "iqm"]
    return Result(pd.DataFrame(rows, columns=[*columns, "correlation", "correlation_high", "finding"]))
