"""Questions of Agarwal et al. (2021) about single algorithms.

These are histograms of scores, errors of trimmed means, densities of a metric of few runs, intervals from published
means, and optimality gaps by target.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import AfterValidator, ValidationInfo

from surefoot.errors import HintedError
from surefoot.questions._framework.question_registry import question
from surefoot.questions._framework.results import Result, Sets, grid
from surefoot.questions._framework.types import (
    Algorithms,
    Bins,
    Checked,
    Confidence,
    DataSets,
    Fractions,
    Grid,
    MetricName,
    ResampledRuns,
    Seed,
    Size,
    SizesOf,
    Threads,
    Thresholds,
)
from surefoot.questions.subsamples import Draws, subsampled
from surefoot.statistics.arrays import Floats
from surefoot.statistics.metrics.metric_catalogue import Metric
from surefoot.statistics.runs.score_arrays import algorithms_of, scores_of, tasks_of


@question(
    stage="estimate",
    one_algorithm=True,
    pools_tasks=False,
    chart="surefoot.papers.agarwal2021.question_charts:histograms_chart",
)
def histograms(
    runs: pd.DataFrame,
    *,
    bins: Bins,
    algorithms: Algorithms | None = None,
    skip_checks: Checked = False,
) -> Result:
    """Compute histograms of the scores of one algorithm on each task.

    The bins of each task have equal width.

    Parameters
    ----------
    runs : DataFrame or dict
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}.
    bins : int
        Number of bins of a histogram.
    algorithms : list of str, optional
        Algorithms to include. Default: all.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns environment, low, high, count, runs.

    Notes
    -----
    formula : Counts of the scores of each task in bins of equal width between its lowest and its highest score.
    assumes : Nothing.
    guarantee : None: it describes the given runs.
    not for : Few runs: with ten, the shape is mostly chance.

    References
    ----------
    Agarwal et al. 2021, figure A.14
    """
    (algorithm,) = algorithms_of(runs, algorithms)
    parts = []
    for task, scores in zip(tasks_of(runs), scores_of(runs, algorithm), strict=True):
        counts, edges = np.histogram(scores, bins)
        part = pd.DataFrame({"environment": task, "low": edges[:-1], "high": edges[1:], "count": counts})
        parts.append(part.assign(runs=scores.size))
    return Result(pd.concat(parts, ignore_index=True))


@question(stage="cover", equal_runs=True, chart="surefoot.papers.agarwal2021.question_charts:trimmed_errors_chart")
def trimmed_errors(
    runs: pd.DataFrame,
    *,
    fractions: Fractions,
    size: Size,
    datasets: DataSets,
    algorithms: Algorithms | None = None,
    seed: Seed = 0,
    threads: Threads = 1,
    skip_checks: Checked = False,
) -> Result:
    """Estimate the errors of trimmed means with fewer runs.

    The result is the mean squared error of trimmed means of N runs, relative to their value for all runs.

    Parameters
    ----------
    runs : DataFrame or dict
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}.
    fractions : list of float
        Fractions that a trimmed mean cuts off at each end.
    size : int
        Number of runs.
    datasets : int
        Number of subsamples of each size.
    algorithms : list of str, optional
        Algorithms to include. Default: all.
    seed : int, default 0
        Seed of all random numbers.
    threads : int, default 1
        Maximum number of threads. The numbers do not depend on it.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns algorithm, resample ("whole_runs" or "runs"), fraction, size, estimate (mean squared
        error), estimate_error (Monte Carlo), bias.

    Notes
    -----
    formula : The mean of $(T_p(X^*) - T_p(X))^2$ over data sets $X^*$ of $N$ runs, drawn with replacement, where $T_p$
        is the mean of all scores without the fraction $p$ at each end.
    assumes : The given runs are the population.
    guarantee : Exact up to simulation error.
    not for : Choosing the fraction after seeing the results: it changes what is estimated.

    References
    ----------
    Agarwal et al. 2021, figure A.16
    """
    from surefoot.statistics.resampling.stratified_bootstrap import metric_values

    trimmed = [Metric("trimmed_mean", float(fraction)) for fraction in fractions]
    rows = []
    for algorithm in algorithms_of(runs, algorithms):
        whole = metric_values(scores_of(runs, algorithm), trimmed)
        for resample in ("whole_runs", "runs"):
            drawn = subsampled(runs, algorithm, size, Draws(trimmed, datasets, resample, seed, threads))
            squares = (drawn - whole) ** 2
            error = squares.std(axis=0, ddof=1) / np.sqrt(len(drawn))
            for place, fraction in enumerate(fractions):
                numbers = (squares[:, place].mean(), error[place], drawn[:, place].mean() - whole[place])
                rows.append((algorithm, resample, fraction, size, *numbers))
    columns = ["algorithm", "resample", "fraction", "size", "estimate", "estimate_error", "bias"]
    return Result(pd.DataFrame(rows, columns=columns))


POINTS = 200


def _one_for_each(sizes: Sequence[int], others: ValidationInfo) -> Sequence[int]:
    algorithms = others.data.get("algorithms", sizes)
    if len(sizes) != len(algorithms):
        what = f"{len(sizes)} sizes for {len(algorithms)} algorithms"
        raise HintedError("", what, "give one number of runs for each algorithm")
    return sizes


@question(
    stage="cover",
    chart="surefoot.papers.agarwal2021.question_charts:subsample_densities_chart",
)
def subsample_densities(
    runs: pd.DataFrame,
    *,
    metric: MetricName,
    algorithms: Algorithms,
    sizes: Annotated[SizesOf, AfterValidator(_one_for_each)],
    datasets: DataSets,
    resample: ResampledRuns = "whole_runs",
    seed: Seed = 0,
    threads: Threads = 1,
    skip_checks: Checked = False,
) -> Result:
    r"""Estimate the density of a metric computed from fewer runs.

    The result is the density of a metric of N runs, for each algorithm.

    Parameters
    ----------
    runs : DataFrame or dict
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}.
    metric : str
        Name of the metric.
    algorithms : list of str
        Algorithms to include.
    sizes : list of int
        Number of runs to draw, one for each of the algorithms.
    datasets : int
        Number of subsamples of each size.
    resample : {"runs", "whole_runs"}, default "whole_runs"
        Unit of resampling: "runs" of each task, or "whole_runs", the same runs of all tasks.
    seed : int, default 0
        Seed of all random numbers.
    threads : int, default 1
        Maximum number of threads. The numbers do not depend on it.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns algorithm, size, score, estimate (the density).

    Notes
    -----
    formula : A Gaussian kernel density of a metric over $D$ data sets of $N$ runs drawn with replacement, counted in
        2,000 bins, with Silverman's bandwidth $0.9\, \min(s, \mathrm{IQR} / 1.349)\, D^{-1/5}$ (IQR: interquartile
        range).
    assumes : The given runs represent all runs.
    guarantee : None: it illustrates how much a metric varies.
    not for : Conclusions about tails, which the kernel smooths.

    References
    ----------
    Agarwal et al. 2021, figure 2
    """
    draws = Draws([metric], datasets, resample, seed, threads)
    parts = []
    for algorithm, size in zip(algorithms, sizes, strict=True):
        drawn = subsampled(runs, algorithm, size, draws)[:, 0]
        score, value = density(drawn)
        parts.append(pd.DataFrame({"algorithm": algorithm, "size": size, "score": score, "estimate": value}))
    return Result(pd.concat(parts, ignore_index=True))


def density(values: Floats) -> tuple[Floats, Floats]:
    """Estimate a Gaussian kernel density at 200 points from binned values, with Silverman's bandwidth.

    Returns
    -------
    points, density : float64[200]
    """
    spread = min(values.std(ddof=1), np.subtract(*np.quantile(values, (0.75, 0.25))) / 1.349) or 1e-9
    bandwidth = 0.9 * spread * values.size**-0.2
    points = np.linspace(values.min() - 3 * bandwidth, values.max() + 3 * bandwidth, POINTS)
    counts, edges = np.histogram(values, 10 * POINTS)
    middles = (edges[:-1] + edges[1:]) / 2
    kernel = np.exp(-0.5 * ((points[:, None] - middles) / bandwidth) ** 2)
    return points, kernel @ counts / (values.size * bandwidth * np.sqrt(2 * np.pi))


@question(stage="estimate", needs="means", sets="several")
def published_intervals(
    runs: Sets,
    *,
    algorithms: Algorithms | None = None,
    confidence_level: Confidence = 0.95,
) -> Result:
    r"""Compute intervals of the mean over tasks, from published means and deviations.

    These are Student's t intervals, both as in the paper and for independent tasks.

    Parameters
    ----------
    runs : DataFrame
        Published means: a table with the columns algorithm, environment, score, deviation, runs; or several such sets
        by name, {name: runs}.
    algorithms : list of str, optional
        Algorithms to include. Default: all.
    confidence_level : float, default 0.95
        Confidence level of the intervals.

    Returns
    -------
    Result
        `table()` has columns scores, algorithm, method ("as_published" or "independent_tasks"), estimate, low, high,
        runs, tasks.

    Notes
    -----
    formula : $\bar\mu \mp t_{N-1} \sqrt{\frac1M \sum_m s_m^2 / N}$, with the mean $\bar\mu$ of the tasks' means and
        Student's $1 - \alpha/2$ quantile $t_{N-1}$; for independent tasks, the half-width is divided by $\sqrt M$.
    assumes : All tasks have the same number of runs, with nearly normal scores.
    guarantee : At least the stated confidence for normal scores: as published, for any dependence between tasks; with
        the divided half-width, if tasks are independent. Usually wider than necessary.
    interval : intervals by Student's distribution
    not for : Methods whose single runs are available: resampling these needs fewer assumptions.

    References
    ----------
    Agarwal et al. 2021, figure 11; Student 1908
    """
    from surefoot.statistics.intervals.distribution_bands import mean_t_interval

    rows = []
    for name, table in runs.items():
        for algorithm in algorithms_of(table, algorithms):
            rows_of_algorithm = table[table["algorithm"] == algorithm]
            means = rows_of_algorithm["score"]
            deviations = rows_of_algorithm["deviation"]
            count = int(rows_of_algorithm["runs"].iloc[0])
            for method in ("as_published", "independent_tasks"):
                limits = mean_t_interval(means, deviations, count, confidence_level, method == "independent_tasks")
                rows.append((name, algorithm, method, *limits, count, len(means)))
    columns = ["scores", "algorithm", "method", "estimate", "low", "high", "runs", "tasks"]
    return Result(pd.DataFrame(rows, columns=columns))


def _are_positive(thresholds: Grid | tuple[float, ...]) -> Grid | tuple[float, ...]:
    first = thresholds.first if isinstance(thresholds, Grid) else min(thresholds)
    if first <= 0:
        what = f"a gap is a fraction of its target, which cannot be {first:g}"
        raise HintedError("", what, "use targets above 0, such as 0.1")
    return thresholds


@question(stage="estimate", chart="surefoot.papers.agarwal2021.question_charts:gap_curve_chart")
def gap_curve(
    runs: pd.DataFrame,
    *,
    thresholds: Annotated[Thresholds, AfterValidator(_are_positive)],
    algorithms: Algorithms | None = None,
    skip_checks: Checked = False,
) -> Result:
    r"""Compute the optimality gap for a grid of targets.

    The gap is expressed as a fraction of the target gamma.

    Parameters
    ----------
    runs : DataFrame or dict
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}.
    thresholds : array or dict
        Targets gamma, as a grid.
    algorithms : list of str, optional
        Algorithms to include. Default: all.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns algorithm, gamma, estimate.

    Notes
    -----
    formula : The mean of $\max(\gamma - x, 0) / \gamma$ over all scores $x$, for each target $\gamma$.
    assumes : Scores are on one scale with a meaningful 0.
    guarantee : None: point values.
    not for : Scales with an arbitrary 0, such as min-max.

    References
    ----------
    Agarwal et al. 2021, figure A.26
    """
    from surefoot.statistics.resampling.stratified_bootstrap import metric_values

    gammas = grid(thresholds)
    parts = []
    for algorithm in algorithms_of(runs, algorithms):
        gaps = metric_values(scores_of(runs, algorithm), [Metric("optimality_gap", gamma) for gamma in gammas])
        parts.append(pd.DataFrame({"algorithm": algorithm, "gamma": gammas, "estimate": gaps / gammas}))
    return Result(pd.concat(parts, ignore_index=True))
