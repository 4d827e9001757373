"""Questions of Agarwal et al. (2021) that compare subsamples.

These are lifts (improvements in percent), differences of two algorithms, and evaluation protocols.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from surefoot.questions._framework.question_registry import question
from surefoot.questions._framework.results import Result
from surefoot.questions._framework.types import (
    Algorithms,
    Checked,
    DataSets,
    Lifts,
    Metrics,
    NumberOfSettings,
    Pairs,
    ResampledRuns,
    RunsOfSetting,
    Seed,
    Sizes,
    Threads,
)
from surefoot.questions.subsamples import TAILS, Draws, subsampled, subsampled_scores
from surefoot.statistics.arrays import Floats
from surefoot.statistics.runs.score_arrays import algorithms_of, scores_of, tasks_of


@question(stage="cover", chart="surefoot.papers.agarwal2021.question_charts:lifts_chart")
def lifts(
    runs: pd.DataFrame,
    *,
    metrics: Metrics,
    lifts: Lifts,
    sizes: Sizes,
    datasets: DataSets,
    algorithms: Algorithms | None = None,
    resample: ResampledRuns = "whole_runs",
    seed: Seed = 0,
    threads: Threads = 1,
    skip_checks: Checked = False,
) -> Result:
    r"""Estimate which improvements would be detected with fewer runs.

    An algorithm is compared with itself after all its scores are raised by some percentage (the lift). The result is
    the 95 % range of the observed lift.

    If lower values of a metric are better, as for an optimality gap, raising scores gives a negative lift.

    Parameters
    ----------
    runs : DataFrame or dict
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}.
    metrics : list of str
        Metrics by name: mean, median, iqm, exact_iqm, trimmed_mean(p), run_median, optimality_gap(gamma),
        difficulty_progress(p), probability_above(t). Every task has the same weight; append "weighted by runs", as in
        "iqm weighted by runs", to give every run the same weight.
    lifts : list of float
        Improvements to detect, in percent.
    sizes : list of int
        Numbers of runs to draw.
    datasets : int
        Number of subsamples of each size.
    algorithms : list of str, optional
        Algorithms to include. Default: all.
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
        `table()` has columns algorithm, lift, size, metric, estimate (the median), low, high.

    Raises
    ------
    ValueError
        If a lift makes scores worse, or a metric is not positive, so that percentages are meaningless.

    Notes
    -----
    formula : The median and the 2.5 % and 97.5 % quantiles of $100\, (T((1 + l / 100)\, X^*) / T(Y^*) - 1)$ over pairs
        of data sets of $N$ runs, both drawn with replacement from one algorithm: a known improvement of $l$ percent.
    assumes : The given runs represent all runs, and a lift multiplies every score.
    guarantee : None: it shows which improvements studies of $N$ runs would have found.
    not for : Scores around 0 or below, which a lift does not raise.

    References
    ----------
    Agarwal et al. 2021, figure 4
    """
    from surefoot.statistics.run_planning import check_raised, lift_percent, raised

    draws = Draws(metrics, datasets, resample, seed, threads)
    rows = []
    for algorithm in algorithms_of(runs, algorithms):
        scores = scores_of(runs, algorithm)
        tasks = tasks_of(runs)
        check_raised(scores, metrics, lifts)
        for size in sizes:
            first = subsampled_scores(scores, tasks, f"{algorithm}/{size}/first", size, draws)
            second = [
                subsampled_scores(raised(scores, lift), tasks, f"{algorithm}/{size}/second", size, draws)
                for lift in lifts
            ]
            for place, name in enumerate(metrics):
                for lift, drawn in zip(lifts, second, strict=True):
                    observed = lift_percent(drawn[:, place], first[:, place])
                    low, high = np.quantile(observed, TAILS)
                    row = {"algorithm": algorithm, "lift": lift, "size": size, "metric": name}
                    rows.append(row | {"estimate": np.median(observed), "low": low, "high": high})
    return Result(pd.DataFrame(rows))


@question(stage="cover", chart="surefoot.papers.agarwal2021.question_charts:differences_chart")
def differences(
    runs: pd.DataFrame,
    *,
    metrics: Metrics,
    pairs: Pairs,
    sizes: Sizes,
    datasets: DataSets,
    resample: ResampledRuns = "whole_runs",
    seed: Seed = 0,
    threads: Threads = 1,
    skip_checks: Checked = False,
) -> Result:
    """Estimate which differences between two algorithms would be observed with fewer runs.

    The result is the 95 % range of the difference between two algorithms with N runs each.

    Parameters
    ----------
    runs : DataFrame or dict
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}.
    metrics : list of str
        Metrics by name: mean, median, iqm, exact_iqm, trimmed_mean(p), run_median, optimality_gap(gamma),
        difficulty_progress(p), probability_above(t). Every task has the same weight; append "weighted by runs", as in
        "iqm weighted by runs", to give every run the same weight.
    pairs : list of pairs of str
        Pairs of algorithms; the first of each is compared with the second.
    sizes : list of int
        Numbers of runs to draw.
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
        `table()` has columns algorithm, baseline, size, metric, estimate, low, high.

    Notes
    -----
    formula : The 2.5 % and 97.5 % quantiles of $T(X^*) - T(Y^*)$ over pairs of data sets of $N$ runs, drawn with
        replacement from the runs of X and of Y.
    assumes : The given runs represent all runs.
    guarantee : None: it shows what studies of $N$ runs would have found.
    not for : Comparing two algorithms: use `pairwise_differences`.

    References
    ----------
    Agarwal et al. 2021, figure A.15
    """
    draws = Draws(metrics, datasets, resample, seed, threads)
    rows = []
    for x, y in pairs:
        for size in sizes:
            one, other = (subsampled(runs, algorithm, size, draws) for algorithm in (x, y))
            for place, name in enumerate(metrics):
                difference = one[:, place] - other[:, place]
                low, high = np.quantile(difference, TAILS)
                row = {"algorithm": x, "baseline": y, "size": size, "metric": name}
                rows.append(row | {"estimate": difference.mean(), "low": low, "high": high})
    return Result(pd.DataFrame(rows))


@question(stage="cover", equal_runs=True, chart="surefoot.papers.agarwal2021.question_charts:protocols_chart")
def protocols(
    runs: pd.DataFrame,
    *,
    metrics: Metrics,
    sizes: Sizes,
    settings: NumberOfSettings,
    runs_of_setting: RunsOfSetting,
    datasets: DataSets,
    algorithms: Algorithms | None = None,
    resample: ResampledRuns = "whole_runs",
    seed: Seed = 0,
    threads: Threads = 1,
    skip_checks: Checked = False,
) -> Result:
    """Estimate metrics of fewer runs under several evaluation protocols.

    The protocols are the plain evaluation of each algorithm, and a report of the best of several settings.

    In the latter, the score of the first algorithm on a task is the highest of `settings` means of `runs_of_setting`
    runs each, although all settings are equal (Agarwal et al. 2021, figure 5).

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
    settings : int
        Number of hyperparameter settings, the best of which is reported.
    runs_of_setting : int
        Number of runs whose mean is the score of a setting.
    datasets : int
        Number of subsamples of each size.
    algorithms : list of str, optional
        Algorithms to include. Default: all.
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
        `table()` has columns protocol, size, metric, estimate (the mean), low, high.

    Notes
    -----
    formula : Metrics of data sets of $N$ runs, drawn with replacement, under each protocol. One protocol reports, on
        each task, the greatest of several means of runs, although their settings do not differ.
    assumes : The given runs represent all runs.
    guarantee : None: it shows the effect of reporting a maximum.
    not for : Estimating an algorithm's score.

    References
    ----------
    Agarwal et al. 2021, figure 5 and appendix A.4
    """
    from surefoot.statistics.game.other_procedures import best_setting_means
    from surefoot.statistics.resampling.stratified_bootstrap import metric_values

    draws = Draws(metrics, datasets, resample, seed, threads)
    rows = []
    for algorithm in algorithms_of(runs, algorithms):
        for size in sizes:
            drawn = subsampled(runs, algorithm, size, draws)
            rows += _summaries(algorithm, size, metrics, drawn)
    first = np.array(scores_of(runs, algorithms_of(runs, algorithms)[0])).T
    size = runs_of_setting
    best = best_setting_means(first, settings, size, datasets, seed)
    drawn = np.array([metric_values(one[None, :], metrics) for one in best])
    name = f"{algorithms_of(runs, algorithms)[0]}, best of {settings} settings"
    rows += _summaries(name, size, metrics, drawn)
    return Result(pd.DataFrame(rows))


def _summaries(name: str, size: int, metrics: Sequence[str], drawn: Floats) -> list[dict[str, Any]]:
    low, high = np.quantile(drawn, TAILS, axis=0)
    rows = []
    for i, metric in enumerate(metrics):
        row = {"protocol": name, "size": size, "metric": metric}
        rows.append(row | {"estimate": drawn[:, i].mean(), "low": low[i], "high": high[i]})
    return rows
