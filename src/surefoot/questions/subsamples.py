"""Results with fewer runs: values of metrics, and coverage of intervals (Agarwal et al. 2021, section 3, appendix A.2).

`subsample_metrics` draws subsamples with replacement: either the same runs on all tasks, as in the paper, or runs of
each task separately, which is also possible if tasks have unequal numbers of runs.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from surefoot.errors import InputError
from surefoot.progress import followed
from surefoot.questions._framework.checking import check_drawn, check_scores
from surefoot.questions._framework.question_registry import question
from surefoot.questions._framework.results import Result, population
from surefoot.questions._framework.types import (
    Algorithms,
    Checked,
    Confidence,
    DataSets,
    Levels,
    Methods,
    Metrics,
    Replacement,
    Replicates,
    ResampledRuns,
    Seed,
    Sizes,
    Threads,
)
from surefoot.statistics.arrays import Floats
from surefoot.statistics.metrics.metric_catalogue import Metric
from surefoot.statistics.runs.score_arrays import algorithms_of, scores_of, tasks_of

TAILS = (0.025, 0.975)
"""Probabilities of the quantiles at the ends of a 95 % range."""


class Draws(NamedTuple):
    """Settings of subsamples; see `subsample_metrics` for their meaning."""

    metrics: Sequence[str | Metric]
    datasets: int
    resample: str
    seed: int
    threads: int


def subsampled(table: pd.DataFrame, algorithm: str, size: int, draws: Draws) -> Floats:
    """Compute metrics of subsamples of `size` runs of an algorithm, float64[datasets, metrics]."""
    return subsampled_scores(scores_of(table, algorithm), tasks_of(table), f"{algorithm}/{size}/", size, draws)


def subsampled_scores(scores: Sequence[Floats], tasks: Sequence[str], name: str, size: int, draws: Draws) -> Floats:
    """Compute metrics of subsamples of `size` runs, float64[datasets, metrics].

    scores : float64[runs] of each task
    name : name of the random stream
    """
    from surefoot.statistics.resampling.stratified_bootstrap import replicate_metrics

    metrics, datasets, resample, seed, threads = draws
    return replicate_metrics(scores, metrics, datasets, seed, name, tasks, resample, size, threads)


@question(
    stage="cover",
    chart="surefoot.charts.subsample_charts:subsample_metrics_chart",
    finding="surefoot.charts.subsample_charts:subsample_metrics_finding",
)
def subsample_metrics(
    runs: pd.DataFrame,
    *,
    metrics: Metrics,
    sizes: Sizes,
    datasets: DataSets,
    algorithms: Algorithms | None = None,
    resample: ResampledRuns = "whole_runs",
    seed: Seed = 0,
    threads: Threads = 1,
    skip_checks: Checked = False,
) -> Result:
    """Compute the mean, the standard deviation and two quantiles of metrics in studies with fewer runs.

    Studies are simulated by drawing runs with replacement from the given ones.

    Parameters
    ----------
    runs : DataFrame or dict
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}.
    metrics : list of str
        Metrics by name: mean, median, iqm, exact_iqm, trimmed_mean(p), run_median, optimality_gap(gamma),
        difficulty_progress(p), probability_above(t). Every task has the same weight; append "weighted by runs", as in
        "iqm weighted by runs", to give every run the same weight.
    sizes : list of int
        Numbers of runs to draw.
    datasets : int
        Number of subsamples of each size.
    algorithms : list of str, optional
        Algorithms to include. Default: all.
    resample : {"runs", "whole_runs"}, default "whole_runs"
        What to draw: "runs" of each task separately, or "whole_runs", the same runs of all tasks.
    seed : int, default 0
        Seed of all random numbers.
    threads : int, default 1
        Maximum number of threads. The numbers do not depend on it.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns algorithm, size, metric, estimate (mean over the subsamples), mean_error (its Monte Carlo
        error), deviation (standard deviation), low, high (2.5 % and 97.5 % quantiles), whole (the metric of all runs).

    Notes
    -----
    formula : Mean, standard deviation, and 2.5 % and 97.5 % quantiles of a metric over data sets of $N$ runs, drawn
        with replacement from the given ones.
    assumes : The given runs represent all runs.
    guarantee : None: it shows what studies of $N$ runs would have found.
    not for : A confidence interval for the true value: the range is around the value of the given runs.

    References
    ----------
    Agarwal et al. 2021, section 3 and figures 2 and 3

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import subsample_metrics
    >>> a, b = [[0.9, 0.7], [0.8, 0.9], [0.7, 0.6]], [[0.4, 0.5], [0.6, 0.2], [0.3, 0.4]]
    >>> scores = {"a": np.array(a), "b": np.array(b)}
    >>> table = subsample_metrics(scores, metrics=["iqm"], sizes=[2], datasets=100).table()
    >>> table[["algorithm", "size", "whole"]].round(2)
      algorithm  size  whole
    0         a     2   0.78
    1         b     2   0.40
    """
    from surefoot.statistics.resampling.stratified_bootstrap import metric_values

    draws = Draws(metrics, datasets, resample, seed, threads)
    rows = []
    for algorithm in algorithms_of(runs, algorithms):
        whole = metric_values(scores_of(runs, algorithm), metrics)
        for size in sizes:
            drawn = subsampled(runs, algorithm, size, draws)
            for place, name in enumerate(metrics):
                own = drawn[:, place]
                deviation = own.std(ddof=1)
                error = deviation / np.sqrt(own.size)
                numbers = (own.mean(), error, deviation, *np.quantile(own, TAILS), whole[place])
                rows.append((algorithm, size, name, *numbers))
    columns = ["algorithm", "size", "metric", "estimate", "mean_error", "deviation", "low", "high", "whole"]
    return Result(pd.DataFrame(rows, columns=columns))


def check_coverages(table: pd.DataFrame, settings: Any, where: str) -> None:
    """Raise an InputError if runs or settings do not allow `interval_coverage`."""
    counts = check_scores(table, settings, where)
    if settings.levels and "percentile" not in settings.methods:
        what = "levels apply only to the percentile interval, which is not among methods"
        raise InputError(f"{where}.levels", what, "set methods: [percentile]")
    if not all(settings.replacement):
        check_drawn(settings.sizes, counts, where)


@question(
    stage="cover",
    one_algorithm=True,
    equal_runs=True,
    chart="surefoot.charts.subsample_charts:interval_coverage_chart",
    check=check_coverages,
)
def interval_coverage(
    runs: pd.DataFrame,
    *,
    metrics: Metrics,
    methods: Methods,
    sizes: Sizes,
    replacement: Replacement,
    datasets: DataSets,
    algorithms: Algorithms | None = None,
    levels: Levels = (),
    n_resamples: Replicates = 1000,
    confidence_level: Confidence = 0.95,
    seed: Seed = 0,
    skip_checks: Checked = False,
) -> Result:
    r"""Estimate how often intervals of metrics contain the true value, by number of runs.

    The given runs are treated as the population, from which data sets are drawn. The result has the coverage and the
    mean width of each interval.

    Parameters
    ----------
    runs : DataFrame or dict
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}.
    metrics : list of str
        Metrics by name: mean, median, iqm, exact_iqm, trimmed_mean(p), run_median, optimality_gap(gamma),
        difficulty_progress(p), probability_above(t). Every task has the same weight; append "weighted by runs", as in
        "iqm weighted by runs", to give every run the same weight.
    methods : list of str
        Interval methods. Only "student" keeps its confidence level with few runs per task.
    sizes : list of int
        Numbers of runs to draw.
    replacement : list of bool
        True to draw data sets with replacement, False to draw them without replacement, or both.
    datasets : int
        Number of subsamples of each size.
    algorithms : list of str, optional
        Algorithms to include. Default: all.
    levels : list of float, optional
        Further confidence levels, at which the coverage of the percentile interval is estimated.
    n_resamples : int, default 1000
        Number of bootstrap resamples.
    confidence_level : float, default 0.95
        Confidence level of the intervals.
    seed : int, default 0
        Seed of all random numbers.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns size, replacement, metric, method, level, estimate (fraction of the intervals that
        contain the truth), estimate_error (Monte Carlo), width, width_error, datasets, undefined (number of intervals
        that do not exist).

    Notes
    -----
    formula : The share $\hat p$ of $D$ data sets of $N$ runs, the same runs on all tasks, whose interval contains the
        metric of all given runs, with standard error $\sqrt{\hat p (1 - \hat p) / D}$; and the mean width. An interval
        that does not exist counts as a miss.
    assumes : The given runs are the population.
    guarantee : Exact up to simulation error if drawn with replacement. Without replacement, intervals contain the truth
        too often if data sets are a large part of the runs.
    not for : A handful of runs.

    References
    ----------
    Agarwal et al. 2021, figures 6 and A.19

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import interval_coverage
    >>> a, b = [[0.9, 0.7], [0.8, 0.9], [0.7, 0.6]], [[0.4, 0.5], [0.6, 0.2], [0.3, 0.4]]
    >>> scores = {"a": np.array(a), "b": np.array(b)}
    >>> table = interval_coverage(
    ...     scores, algorithms="a", metrics="mean", methods="percentile", sizes=[2], replacement=True, datasets=20
    ... ).table()
    >>> table[["size", "metric", "method", "level", "datasets"]]
       size metric      method  level  datasets
    0     2   mean  percentile   0.95        20
    """
    from surefoot.statistics.coverage.metric_coverage import (
        DESIGNS,
        MetricCoverage,
        cover_metrics_block,
        summarize_metric_coverage,
    )
    from surefoot.statistics.resampling.stratified_bootstrap import metric_values

    scores, _ = population(runs, algorithms)
    truth = metric_values(scores, metrics)
    parts = []
    others = tuple(level for level in levels if abs(level - confidence_level) > 1e-9)
    for replaced in replacement:
        design = DESIGNS[not replaced]
        study = MetricCoverage(tuple(metrics), tuple(methods), design, n_resamples, (confidence_level,), seed, others)
        for size in sizes:
            intervals = cover_metrics_block(scores, size, 0, datasets, study)
            parts.append(summarize_metric_coverage(intervals, metrics, truth).assign(replacement=replaced))
    columns = ["size", "replacement", "metric", "method", "level", "estimate", "estimate_error", "width", "width_error"]
    return Result(pd.concat(parts, ignore_index=True)[[*columns, "datasets", "undefined"]])


def check_task_coverages(table: pd.DataFrame, settings: Any, where: str) -> None:
    """Raise an InputError if runs are too few for `task_coverages`."""
    check_drawn(settings.sizes, check_scores(table, settings, where), where)


@question(
    stage="cover",
    one_algorithm=True,
    equal_runs=True,
    pools_tasks=False,
    chart="surefoot.charts.subsample_charts:task_coverages_chart",
    check=check_task_coverages,
)
def task_coverages(
    runs: pd.DataFrame,
    *,
    sizes: Sizes,
    datasets: DataSets,
    algorithms: Algorithms | None = None,
    n_resamples: Replicates = 1000,
    confidence_level: Confidence = 0.95,
    seed: Seed = 0,
    skip_checks: Checked = False,
) -> Result:
    r"""Estimate how often percentile intervals of the mean of each task contain the true value, by number of runs.

    The given runs are treated as the population, from which data sets are drawn without replacement, as in the paper.

    Parameters
    ----------
    runs : DataFrame or dict
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}.
    sizes : list of int
        Numbers of runs to draw.
    datasets : int
        Number of subsamples of each size.
    algorithms : list of str, optional
        Algorithms to include. Default: all.
    n_resamples : int, default 1000
        Number of bootstrap resamples.
    confidence_level : float, default 0.95
        Confidence level of the intervals.
    seed : int, default 0
        Seed of all random numbers.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns environment, size, estimate (fraction of the intervals that contain the true mean),
        estimate_error (Monte Carlo), datasets.

    Notes
    -----
    formula : The share $\hat p$ of $D$ data sets of $N$ runs of a task, drawn without replacement, whose percentile
        interval contains the mean of all given runs, with standard error $\sqrt{\hat p (1 - \hat p) / D}$.
    assumes : The given runs are the population.
    guarantee : Exact up to simulation error if $N$ is a small part of the runs; otherwise intervals contain the truth
        too often.
    interval : percentile intervals of the bootstrap
    not for : A handful of runs.

    References
    ----------
    Agarwal et al. 2021, figure A.18
    """
    from surefoot.statistics.coverage.metric_coverage import DESIGNS, drawn_runs
    from surefoot.statistics.resampling.resampling_kernels import draw_indices
    from surefoot.streams import stream_key

    scores, tasks = population(runs, algorithms)
    truth = scores.mean(axis=0)
    rows = []
    tails = ((1 - confidence_level) / 2, (1 + confidence_level) / 2)
    for size in sizes:
        inside = np.zeros(len(tasks))
        for dataset in followed(range(datasets)):
            sample = scores[drawn_runs(len(scores), size, dataset, DESIGNS[1], seed)]
            drawn = draw_indices(stream_key(seed, "task_coverage", size), dataset, size, size * n_resamples)
            chosen = drawn.reshape(n_resamples, size)
            weights = np.zeros((n_resamples, size))
            np.add.at(weights, (np.arange(len(chosen))[:, None], chosen), 1.0 / size)
            low, high = np.quantile(weights @ sample, tails, axis=0)
            inside += (low <= truth) & (truth <= high)
        value = inside / datasets
        error = np.sqrt(value * (1 - value) / datasets)
        part = pd.DataFrame({"environment": tasks, "size": size, "estimate": value, "estimate_error": error})
        rows.append(part.assign(datasets=datasets))
    return Result(pd.concat(rows, ignore_index=True))
