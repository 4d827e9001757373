"""Metrics over all tasks, and the mean of each task, with intervals."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from surefoot.questions._framework.checking import check_scores_with_spread
from surefoot.questions._framework.question_registry import question
from surefoot.questions._framework.results import Result, Sets, refuse_single_runs
from surefoot.questions._framework.types import (
    Algorithms,
    Checked,
    Confidence,
    LowerIsBetter,
    Methods,
    Metrics,
    Replicates,
    Resampled,
    Seed,
    SharedRuns,
    Threads,
)
from surefoot.statistics.arrays import Floats, typical_magnitude
from surefoot.statistics.metrics.metric_catalogue import Metric, metric
from surefoot.statistics.runs.score_arrays import algorithms_of, possible_scores, runs_of, scores_of, tasks_of

if TYPE_CHECKING:
    from surefoot.statistics.resampling.jackknife import StandardErrors

Key = tuple[str, str]
"""(name of a set of scores, algorithm)."""


class ResampledMetrics(NamedTuple):
    """Metrics of an algorithm, and of resamples of its runs.

    scores : float64[runs] of each task
    metrics : the metrics
    values : float64[metrics], metrics of the scores
    replicates : float64[replicates, metrics], metrics of the resamples
    sharing, sharing_p : finding and p-value of `sharing_of_runs`
    unit : independent unit for standard errors; see `shared_run_findings.unit_of_errors`
    runs : names of the runs of each task; None to match runs by number
    possible : lowest and highest possible score
    """

    scores: list[Floats]
    metrics: Sequence[Metric]
    values: Floats
    replicates: Floats
    sharing: str
    sharing_p: float
    unit: str
    runs: list[list[Any]] | None
    possible: tuple[float, float] = (-np.inf, np.inf)

    def possible_values(self) -> Floats:
        """Return the lowest and the highest possible value of each metric, float64[2, metrics]."""
        from surefoot.statistics.resampling.stratified_bootstrap import metric_values

        if not np.isfinite(self.possible).all():
            return np.repeat([[-np.inf], [np.inf]], len(self.metrics), axis=1)
        ends = [metric_values([np.full(2, end)], self.metrics) for end in self.possible]
        return np.sort(ends, axis=0)

    def standard_errors(self) -> "StandardErrors":
        """Return the standard errors for Student's intervals."""
        from surefoot.statistics.resampling.jackknife import standard_errors

        return standard_errors(self.scores, self.metrics, self.unit, self.replicates, self.runs)

    def whole_run_errors(self) -> "StandardErrors | None":
        """Return standard errors under the assumption that tasks share runs.

        The result is None if runs have no names in common, or sharing was not tested.
        """
        from surefoot.statistics.resampling.jackknife import standard_errors
        from surefoot.statistics.runs.shared_run_findings import NOT_FOUND, SHARED
        from surefoot.statistics.runs.shared_run_test import CANNOT_TELL

        if self.sharing not in (*SHARED, CANNOT_TELL, NOT_FOUND):
            return None
        return standard_errors(self.scores, self.metrics, "whole_runs", runs=self.runs)


def resampled_metrics(
    sets: Sets,
    metrics: Sequence[Metric],
    algorithms: Sequence[str] | None,
    shared_runs: str | bool,
    n_resamples: int,
    seed: int,
    threads: int,
    resample: str = "runs",
) -> dict[Key, ResampledMetrics]:
    """Compute metrics of each algorithm in each set of scores, and of resamples of its runs.

    See `aggregate_metrics` for the parameters.
    """
    from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics
    from surefoot.statistics.runs.shared_run_findings import RESAMPLED, Sharing, sharing_of_runs, unit_of_errors

    by_algorithm = {}
    for name, table in sets.items():
        chosen = algorithms_of(table, algorithms)
        tasks = tasks_of(table)
        by_task = resample == "runs"
        sharing_by_algorithm = (
            sharing_of_runs(table, shared_runs, seed) if by_task else dict.fromkeys(chosen, Sharing(RESAMPLED))
        )
        for algorithm in chosen:
            scores = scores_of(table, algorithm)
            key = f"{name}/{algorithm}"
            sharing = sharing_by_algorithm[algorithm]
            finding = sharing.finding
            p_value = sharing.p_value
            if resample != "tasks_and_runs":
                refuse_single_runs(algorithm, list(map(len, scores)))
            drawn = replicate_metrics(scores, metrics, n_resamples, seed, key, tasks, resample, threads=threads)
            values = metric_values(scores, metrics)
            unit = unit_of_errors(resample, finding)
            run_names = runs_of(table, algorithm) if by_task else None
            by_algorithm[name, algorithm] = ResampledMetrics(
                scores, metrics, values, drawn, finding, p_value, unit, run_names, possible_scores(table)
            )
    return by_algorithm


@question(
    stage="estimate",
    sets="several",
    chart="surefoot.charts.aggregate_charts:aggregate_metrics_chart",
    finding="surefoot.charts.aggregate_charts:aggregate_metrics_finding",
    takes_functions=True,
    check=check_scores_with_spread,
)
def aggregate_metrics(
    runs: Sets,
    *,
    metrics: Metrics = ("median", "iqm", "mean", "optimality_gap"),
    algorithms: Algorithms | None = None,
    methods: Methods = ("student",),
    resample: Resampled = "runs",
    shared_runs: SharedRuns = "auto",
    n_resamples: Replicates = 1000,
    confidence_level: Confidence = 0.95,
    seed: Seed = 0,
    threads: Threads = 1,
    lower_is_better: LowerIsBetter = False,
    skip_checks: Checked = False,
) -> Result:
    """Compute metrics over all tasks, with confidence intervals.

    Parameters
    ----------
    runs : DataFrame or dict
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}; or several such sets by name, {name: runs}.
    metrics : list of str, default ["median", "iqm", "mean", "optimality_gap"]
        Metrics by name: mean, median, iqm, exact_iqm, trimmed_mean(p), run_median, optimality_gap(gamma),
        difficulty_progress(p), probability_above(t). Every task has the same weight; append "weighted by runs", as in
        "iqm weighted by runs", to give every run the same weight.
    algorithms : list of str, optional
        Algorithms to include. Default: all.
    methods : list of str, default ["student"]
        Interval methods. Only "student" keeps its confidence level with few runs per task.
    resample : {"runs", "whole_runs", "tasks_and_runs"}, default "runs"
        What to resample: "runs" of each task separately; "whole_runs", the same runs of all tasks; or "tasks_and_runs",
        tasks and then runs of each task.
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
    lower_is_better : bool, default False
        True if lower scores are better.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns scores, algorithm, metric, method, estimate, low, high (NaN if the interval does not
        exist), standard_error (of the interval student, else of the resamples), runs (the smallest number on any task),
        tasks, n_resamples, shared_runs (whether tasks share the runs: "declared", "found", "excluded", "not found",
        "cannot tell", "other names", or "resampled"), shared_runs_p_value (the smaller p-value of two tests: with this
        algorithm's runs, and with the runs of all algorithms), low_whole_runs, high_whole_runs (Student's interval in
        case tasks share runs; NaN for other methods), remark (a caveat about the interval).

    Raises
    ------
    ValueError
        If a metric is unknown, if every task has a single run, or if `resample` is "whole_runs" and tasks have unequal
        numbers of runs.

    Notes
    -----
    formula : A metric of all scores $x_{mn}$. Its replicates are the metric of $N_m$ runs of each task, drawn with
        replacement. An [interval method](#sec-resampled) computes limits from the replicates. Limits are clipped to the
        lowest and the highest possible value if all scores are 0 or 1, or on a bounded scale.
    assumes : Runs are independent, within a task and across tasks; tasks are fixed. Where runs are [shared by
        tasks](#sec-question-shared_run_test), Student's interval assumes instead that whole runs are independent.
    guarantee : The guarantee of the interval method, for each metric and algorithm separately.
    not for : Comparing algorithms by whether their intervals overlap: use `pairwise_differences`. Methods other than
        Student's, if runs share effects across tasks.

    References
    ----------
    Agarwal et al. 2021, sections 4.1 and 4.3; Efron and Tibshirani 1993, chapters 13 and 14

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import aggregate_metrics
    >>> a, b = [[0.9, 0.7], [0.8, 0.9], [0.7, 0.6]], [[0.4, 0.5], [0.6, 0.2], [0.3, 0.4]]
    >>> scores = {"a": np.array(a), "b": np.array(b)}
    >>> intervals = aggregate_metrics(scores, metrics=["iqm"]).table()
    >>> intervals[["algorithm", "metric", "estimate", "low", "high"]].round(2)
      algorithm metric  estimate   low  high
    0         a    iqm      0.78  0.61  0.94
    1         b    iqm      0.40  0.22  0.59
    """
    chosen = [metric(written) for written in metrics]
    of_each = resampled_metrics(runs, chosen, algorithms, shared_runs, n_resamples, seed, threads, resample)
    rows = [
        {"scores": name, "algorithm": algorithm, **row}
        for (name, algorithm), resamples in of_each.items()
        for method in methods
        for row in _rows(resamples, method, confidence_level, resample)
    ]
    table = pd.DataFrame(rows)
    if lower_is_better:
        table = table.assign(lower_is_better=True)
    notes = table.loc[table["note"] != "", ["scores", "algorithm", "metric", "method", "note"]]
    return Result(table.drop(columns="note"), reservations=notes.reset_index(drop=True))


def _rows(resamples: ResampledMetrics, method: str, confidence_level: float, resample: str) -> list[dict[str, Any]]:
    """Return the rows of `aggregate_metrics` for one algorithm and one method.

    A row without an interval has a note, for example for the method bc if all replicates are below the estimate.
    """
    from surefoot.statistics.resampling.interval_remarks import beyond_scores_remark, metric_remark
    from surefoot.statistics.runs.shared_run_findings import Sharing

    scores = resamples.scores
    sharing = Sharing(resamples.sharing, resamples.sharing_p)
    intervals = _student_intervals if method == "student" else _resampled_intervals
    rows = []
    least, greatest = resamples.possible_values()
    for place, unbounded in enumerate(intervals(resamples, method, confidence_level)):
        one = resamples.metrics[place]
        value = resamples.values[place]
        found = unbounded.within(least[place], greatest[place])
        row = {"metric": str(one), "method": method, "estimate": value, "low": found.low, "high": found.high}
        row |= {"standard_error": found.standard_error, "runs": min(map(len, scores)), "tasks": len(scores)}
        row |= {"n_resamples": len(resamples.replicates), "shared_runs": sharing.finding}
        row |= {"shared_runs_p_value": sharing.p_value}
        row |= {"low_whole_runs": found.low_whole_runs, "high_whole_runs": found.high_whole_runs}
        remarks = [
            metric_remark(method, one.name, scores, confidence_level, found.high - found.low, resample, sharing),
            beyond_scores_remark(scores, found.low, found.high),
        ]
        rows.append(row | {"remark": "; ".join(filter(None, remarks)), "note": found.note})
    return rows


class _Interval(NamedTuple):
    """The interval of a metric.

    low, high : limits; NaN if there is no interval
    standard_error : standard error used by the interval, or standard deviation of the replicates
    low_whole_runs, high_whole_runs : limits of Student's interval for the case that tasks share runs; NaN if there is
        none
    note : reason why there is no interval; empty if there is one
    """

    low: float = np.nan
    high: float = np.nan
    standard_error: float = np.nan
    low_whole_runs: float = np.nan
    high_whole_runs: float = np.nan
    note: str = ""

    def within(self, least: float, greatest: float) -> "_Interval":
        """Clip all limits to the range from `least` to `greatest`."""
        ends = (self.low, self.high, self.low_whole_runs, self.high_whole_runs)
        low, high, low_whole_runs, high_whole_runs = map(float, np.clip(ends, least, greatest))
        return self._replace(low=low, high=high, low_whole_runs=low_whole_runs, high_whole_runs=high_whole_runs)


def _student_intervals(resamples: ResampledMetrics, _method: str, confidence_level: float) -> list[_Interval]:
    """Return Student's interval of each metric."""
    from surefoot.statistics.resampling.replicate_intervals import student_interval

    spread = resamples.standard_errors()
    whole = resamples.whole_run_errors()
    size = typical_magnitude(np.concatenate(resamples.scores))
    intervals = []
    for place, one in enumerate(resamples.metrics):
        value = resamples.values[place]
        drawn = None if resamples.unit == "whole_runs" else resamples.replicates[:, place]
        magnitude = one.magnitude(size)
        error = spread.errors[place]
        limits = student_interval(value, error, spread.degrees[place], confidence_level, drawn, magnitude)
        found = _Interval(float(limits.low), float(limits.high), error)
        if whole is not None:
            limits = student_interval(
                value, whole.errors[place], whole.degrees[place], confidence_level, None, magnitude
            )
            found = found._replace(low_whole_runs=float(limits.low), high_whole_runs=float(limits.high))
        intervals.append(found)
    return intervals


def _resampled_intervals(resamples: ResampledMetrics, method: str, confidence_level: float) -> list[_Interval]:
    """Return the interval of each metric by any method except student."""
    from surefoot.statistics.resampling.jackknife import ACCELERATIONS
    from surefoot.statistics.resampling.replicate_intervals import NoIntervalError, interval

    accelerations = [None] * len(resamples.metrics)
    if method in ACCELERATIONS:
        accelerations = list(ACCELERATIONS[method](resamples.scores, resamples.metrics))
    size = typical_magnitude(np.concatenate(resamples.scores))
    intervals = []
    for place, one in enumerate(resamples.metrics):
        drawn = resamples.replicates[:, place]
        found = _Interval(standard_error=drawn.std(ddof=1) if len(drawn) > 1 else np.nan)
        try:
            limits = interval(
                drawn, resamples.values[place], method, confidence_level, accelerations[place], one.magnitude(size)
            )
            found = found._replace(low=float(limits.low), high=float(limits.high))
        except NoIntervalError as problem:
            found = found._replace(note=str(problem))
        intervals.append(found)
    return intervals


@question(
    stage="estimate",
    needs="runs",
    chart="surefoot.charts.aggregate_charts:task_means_chart",
    finding="surefoot.charts.aggregate_charts:task_means_finding",
    page_table="surefoot.charts.aggregate_charts:task_means_table",
)
def task_means(
    runs: pd.DataFrame,
    *,
    confidence_level: Confidence = 0.95,
    lower_is_better: LowerIsBetter = False,
    skip_checks: Checked = False,
) -> Result:
    r"""Compute the mean score of each algorithm in each environment, in the units of the scores.

    Each mean over runs has its own Student's t interval.

    The intervals are exact for normal scores, and too narrow for a few runs of skewed scores, or if some runs fail.

    Parameters
    ----------
    runs : DataFrame or dict
        Raw scores, one row per run: a table with the columns algorithm, environment, run, score; or a dict {algorithm:
        array of runs x tasks}.
    confidence_level : float, default 0.95
        Confidence level of the intervals.
    lower_is_better : bool, default False
        True if lower scores are better.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns environment, algorithm, runs, mean, standard_deviation, low, high, least, greatest (the
        lowest and the highest score of a run), and lower_is_better (only in a study in which lower scores are better in
        some environment).

    Notes
    -----
    formula : $\bar x \mp t_{N-1}\, s / \sqrt N$ with the $1 - \alpha/2$ quantile $t_{N-1}$ of Student's distribution,
        clipped to 0 and 1 if all scores of the environment are 0 or 1.
    assumes : Runs are independent and scores nearly normal.
    guarantee : Exact for normal scores, for each mean separately.
    interval : intervals by Student's distribution
    not for : Few runs with skewed scores or failures: the interval is too narrow. All environments at once: at 95 %,
        one in twenty intervals misses.

    References
    ----------
    Student 1908

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import task_means
    >>> a, b = [[0.9, 0.7], [0.8, 0.9], [0.7, 0.6]], [[0.4, 0.5], [0.6, 0.2], [0.3, 0.4]]
    >>> scores = {"a": np.array(a), "b": np.array(b)}
    >>> task_means(scores).table()[["environment", "algorithm", "runs", "mean"]].round(2)
       environment algorithm  runs  mean
    0            0         a     3  0.80
    1            1         a     3  0.73
    2            0         b     3  0.43
    3            1         b     3  0.37
    """
    from surefoot.statistics.intervals.distribution_bands import task_means as means_of_tasks

    if "direction" not in runs:
        means = means_of_tasks(runs, confidence_level)
        return Result(means.assign(lower_is_better=True) if lower_is_better else means)
    # Scores of environments in which lower scores are better were negated; their means have the original sign.
    means = means_of_tasks(runs.assign(score=runs["score"] * runs["direction"]), confidence_level)
    directions = runs.groupby("environment", observed=True)["direction"].first()
    return Result(means.assign(lower_is_better=means["environment"].map(directions) < 0))
