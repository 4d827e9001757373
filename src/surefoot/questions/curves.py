"""Learning curves: metrics over the course of training, and their differences."""

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from surefoot.errors import HintedError, nearest
from surefoot.questions._framework.checking import check_scores_with_spread
from surefoot.questions._framework.question_registry import question
from surefoot.questions._framework.results import Result
from surefoot.questions._framework.types import (
    Algorithms,
    Baseline,
    Checked,
    Confidence,
    LowerIsBetter,
    MetricName,
    Metrics,
    Replicates,
    Seed,
    SharedRuns,
    Steps,
    Threads,
)
from surefoot.statistics.arrays import Floats
from surefoot.statistics.metrics.metric_catalogue import cut_alike
from surefoot.statistics.metrics.metric_catalogue import metric as metric_of
from surefoot.statistics.runs.score_arrays import (
    algorithms_of,
    curves_of,
    mean_scores,
    runs_of,
    step_column,
    tasks_of,
)


class _Curves(NamedTuple):
    """Metrics of an algorithm at each step, and replicates of them.

    values : float64[steps, metrics]
    sizes : numbers of runs of the tasks
    sharing : the finding of `shared_runs`
    replicates : float64[replicates, steps, metrics], with the runs of each task resampled separately
    drawn : replicates for simultaneous bands, which account for shared runs
    counts : numbers of independent units: the runs of each task, or, if tasks share runs, the runs that all tasks have
    """

    values: Floats
    sizes: list[int]
    sharing: str
    replicates: Floats
    drawn: Floats
    counts: list[int]


def check_resampled(table: pd.DataFrame, settings: Any, where: str, fewest: int = 1) -> None:
    """Raise an InputError if there are too few algorithms, or too few runs at the last step."""
    step = table[step_column(table)]
    check_scores_with_spread(table[step == step.max()], settings, where, fewest)


@question(
    stage="estimate",
    needs="curves",
    chart="surefoot.charts.learning_curve_charts:sample_efficiency_chart",
    finding="surefoot.charts.learning_curve_charts:sample_efficiency_finding",
    check=check_resampled,
)
def sample_efficiency(
    runs: pd.DataFrame,
    *,
    metrics: Metrics = ("iqm",),
    algorithms: Algorithms | None = None,
    band: Literal["pointwise", "simultaneous"] = "simultaneous",
    shared_runs: SharedRuns = "auto",
    n_resamples: Replicates = 1000,
    confidence_level: Confidence = 0.95,
    seed: Seed = 0,
    threads: Threads = 1,
    lower_is_better: LowerIsBetter = False,
    skip_checks: Checked = False,
    steps: Steps = None,
) -> Result:
    r"""Compute metrics over the course of training, with bands.

    The result has the metrics at each training step, with a band for the whole curve or limits for each single step.

    The mean of each run over all steps is used to test whether tasks share runs. If they do, the simultaneous band
    treats the runs with the same name as one unit.

    Parameters
    ----------
    runs : DataFrame or dict
        Learning curves at common steps: a table with the columns algorithm, environment, run, step, score; or a dict
        {algorithm: array of runs x tasks x steps}.
    metrics : list of str, default ["iqm"]
        Metrics by name: mean, median, iqm, exact_iqm, trimmed_mean(p), run_median, optimality_gap(gamma),
        difficulty_progress(p), probability_above(t). Every task has the same weight; append "weighted by runs", as in
        "iqm weighted by runs", to give every run the same weight.
    algorithms : list of str, optional
        Algorithms to include. Default: all.
    band : {"pointwise", "simultaneous"}, default "simultaneous"
        "simultaneous" for a band that contains the whole curve with the stated confidence; "pointwise" for percentile
        limits at each single step, which are too narrow for few runs.
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
    steps : sequence of int, optional
        Environment steps of the third axis of arrays. Default: 0, 1, 2, ... Tables have a column step.

    Returns
    -------
    Result
        `table()` has columns algorithm, step (or frames, if the runs have this column), metric, estimate, low, high
        (empty if the simultaneous band would be wider than the range of all scores), runs (the smallest number on any
        task), tasks, shared_runs (see `aggregate_metrics`), remark (a caveat about the band).

    Raises
    ------
    ValueError
        If every task has a single run, or if runs are declared to be shared but fewer than two cover all tasks.

    Notes
    -----
    formula : A metric at each step; runs are resampled with all of their steps. The simultaneous band has the same
        distance $\kappa\, q\, s$ from the curve at all steps, where $s$ is the greatest of the replicates' standard
        deviations, as for [curve differences](#sec-question-curve_differences). If it would be wider than the range of
        all observed scores, it is not drawn.
    assumes : Runs are independent, within a task and across tasks, and all were evaluated at the same steps. Where the
        means of runs over the steps show that they are [shared by tasks](#sec-question-shared_run_test), the
        simultaneous band assumes instead that whole runs are independent.
    guarantee : Asymptotic, for the whole curve; with `band: pointwise`, for one step at a time. At 95 %, with 3 to 10
        runs per task, the simultaneous band contained the whole curve in 94 to 100 % of simulated studies, and the
        pointwise band contained a step in 51 to 99 %; these include runs on one and on five tasks that improve
        suddenly, each at a different step. If a fifth of the runs fail, the simultaneous band missed up to 28 % of
        curves of means, and at most 5 % of curves of IQMs. If tasks share runs, it missed at most 5 % where this is
        declared; where it is inferred from the runs, up to 26 % with 3 runs on 5 tasks, and up to 5 % with 10 runs on
        26.
    interval : bands
    with band pointwise : The percentile bands are asymptotic and hold for one step at a time.
    with band simultaneous : The bands are asymptotic and for the whole curve. Their distance from the curve is the same
        at all steps: the multiple of the greatest standard error that contains the stated fraction of whole resampled
        curves, enlarged by Student's distribution for few runs.
    not for : Finding where two curves differ: use `curve_differences`.

    References
    ----------
    Agarwal et al. 2021, figures 10 and A.20; Montiel Olea and Plagborg-Møller 2019

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import sample_efficiency
    >>> curves = {
    ...     "a": np.array([[[1, 4]], [[2, 5]], [[1, 6]], [[2, 4]], [[1, 5]]]),
    ...     "b": np.array([[[1, 2]], [[2, 3]], [[2, 2]], [[1, 3]], [[3, 4]]]),
    ... }
    >>> table = sample_efficiency(curves, metrics=["mean"], n_resamples=100).table()
    >>> table[["algorithm", "step", "estimate", "low", "high"]].round(2)
      algorithm  step  estimate   low  high
    0         a     0       1.4  0.41  2.39
    1         a     1       4.8  3.81  5.79
    2         b     0       1.8  0.85  2.75
    3         b     1       2.8  1.85  3.75
    """
    from surefoot.statistics.profiles.metric_curves import (
        curve_remark,
        drawn_band,
        simultaneous_curve_bands,
    )
    from surefoot.statistics.resampling.replicate_intervals import interval

    axis = step_column(runs)
    parts = []
    steps = np.unique(runs[axis])
    by_algorithm = _resampled_curves(runs, metrics, algorithms, shared_runs, n_resamples, seed, threads)
    scores = runs.loc[runs["algorithm"].isin(by_algorithm), "score"].to_numpy()
    for algorithm, (values, sizes, sharing, resamples, drawn, counts) in by_algorithm.items():
        for place, name in enumerate(metrics):
            value = values[:, place]
            kind = metric_of(name).name
            if band == "pointwise":
                low, high = interval(resamples[:, :, place], None, "percentile", confidence_level)
            else:
                (limits,) = simultaneous_curve_bands([drawn[:, :, place]], [value], [counts], confidence_level, kind)
                low, high = drawn_band(limits, scores)
            remark = curve_remark(min(sizes), band, float((high - low).max()), kind, sharing)
            curve: dict[str, Any] = {"algorithm": algorithm, axis: steps, "metric": name}
            curve |= {"estimate": value, "low": low, "high": high, "runs": min(sizes), "tasks": len(sizes)}
            parts.append(pd.DataFrame(curve | {"shared_runs": sharing, "remark": remark}))
    table = pd.concat(parts, ignore_index=True)
    return Result(table.assign(lower_is_better=True) if lower_is_better else table)


def _resampled_curves(
    table: pd.DataFrame,
    metrics: Sequence[str],
    algorithms: Sequence[str] | None,
    shared_runs: str | bool,
    n_resamples: int,
    seed: int,
    threads: int,
    compared: bool = False,
) -> dict[str, _Curves]:
    """Compute metrics of the curves of each algorithm, and replicates of them.

    compared : True to cut the same fraction of the scores of all algorithms; see `catalogue.cut_alike`
    """
    from surefoot.statistics.profiles.metric_curves import curve_values, replicate_curves, replicate_whole_runs
    from surefoot.statistics.runs.shared_run_findings import SHARED
    from surefoot.statistics.runs.shared_run_findings import shared_runs as find_shared_runs

    means = mean_scores(table)
    resample = {}
    sharing_by_algorithm = find_shared_runs(means, shared_runs, seed)
    all_curves = {algorithm: curves_of(table, algorithm)[1] for algorithm in algorithms_of(table, algorithms)}
    chosen = cut_alike(metrics, all_curves.values()) if compared else [metric_of(name) for name in metrics]
    for algorithm, curves in all_curves.items():
        sizes = list(map(len, curves))
        sharing = sharing_by_algorithm[algorithm]
        resamples = replicate_curves(curves, chosen, n_resamples, seed, algorithm, tasks_of(table), threads)
        drawn = resamples
        counts = sizes
        if sharing in SHARED:
            names = runs_of(means, algorithm)
            drawn = replicate_whole_runs(curves, chosen, names, n_resamples, seed, algorithm)
            # An algorithm with one run of a task has fewer than two runs on all tasks, but its runs count as shared if
            # the joint test of all algorithms is significant.
            counts = [max(len(set.intersection(*map(set, names))), 2)]
        resample[algorithm] = _Curves(curve_values(curves, chosen), sizes, sharing, resamples, drawn, counts)
    return resample


@question(
    stage="estimate",
    needs="curves",
    chart="surefoot.charts.learning_curve_charts:curve_differences_chart",
    finding="surefoot.charts.learning_curve_charts:curve_differences_finding",
    check=partial(check_resampled, fewest=2),
)
def curve_differences(
    runs: pd.DataFrame,
    *,
    metric: MetricName = "iqm",
    algorithms: Algorithms | None = None,
    baseline: Baseline | None = None,
    shared_runs: SharedRuns = "auto",
    n_resamples: Replicates = 1000,
    confidence_level: Confidence = 0.95,
    seed: Seed = 0,
    threads: Threads = 1,
    skip_checks: Checked = False,
    steps: Steps = None,
) -> Result:
    r"""Compute differences between algorithms over the course of training, with simultaneous bands.

    The algorithms are compared in one metric at each step: all pairs of algorithms in the order of their names, or each
    algorithm with one baseline. The bands are simultaneous over all steps and all compared pairs.

    Runs are resampled with all of their steps, independently for the two algorithms. If tasks share runs, this is taken
    into account (see `sample_efficiency`). Bands use the smaller degrees of freedom of the two algorithms, since all of
    the error may come from one algorithm.

    Parameters
    ----------
    runs : DataFrame or dict
        Learning curves at common steps: a table with the columns algorithm, environment, run, step, score; or a dict
        {algorithm: array of runs x tasks x steps}.
    metric : str, default "iqm"
        Name of the metric.
    algorithms : list of str, optional
        Algorithms to include. Default: all.
    baseline : str, optional
        Algorithm with which the others are compared. Bands are then simultaneous for these comparisons only. Default:
        all pairs are compared.
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
    steps : sequence of int, optional
        Environment steps of the third axis of arrays. Default: 0, 1, 2, ... Tables have a column step.

    Returns
    -------
    Result
        `table()` has columns comparisons ("with_baseline", only with a baseline), algorithm, baseline, step (or frames,
        if the runs have this column), metric, estimate (algorithm minus baseline), low, high (empty if the band would
        be wider than the range of all differences of scores), runs (the smallest number of either algorithm on any
        task), tasks, shared_runs (for both algorithms; see `aggregate_metrics`; "found for some" if only one has shared
        runs), remark (a caveat about the band).

    Raises
    ------
    ValueError
        If there are fewer than two algorithms, or if the baseline is unknown; see also `sample_efficiency`.

    Notes
    -----
    formula : $T_t(X) - T_t(Y) \mp \kappa\, q\, s$ at each step $t$, where $s$ is the greatest of the standard
        deviations of the replicates at all steps. The stated fraction of replicates stays within $c\, s$ of their mean
        at all steps of all pairs, where $c$ is at least the normal quantile of a single step, and $q$ is Student's
        quantile at $\Phi(c)$. Over tasks with several runs, $\kappa^2$ is the mean of $N_m / (N_m - 1)$, and the
        degrees of freedom are $\sum_m (N_m - 1)$ for the algorithm for which this is smaller. If there are several
        tasks, they are multiplied by $1/2$ for the IQM and by $2 / M$ for the median. They are at least 1. A band that
        would be wider than the range of all differences of scores is not drawn.
    assumes : Runs are independent, within a task and across tasks; each is resampled whole, at all steps. Where runs
        are [shared by tasks](#sec-question-shared_run_test), replicates and degrees of freedom refer to whole runs.
    guarantee : Asymptotic, for all steps of all pairs together; with few runs, coverage was only measured for bands of
        [single curves](#sec-question-sample_efficiency). If tasks share runs, the bands missed the difference of two
        equal algorithms in at most 5 % of simulated studies where this is declared; where it is inferred from the runs,
        in up to 13 % with 3 runs on 5 tasks, and in up to 5 % with 10 runs on 26.
    interval : simultaneous bands by Student's distribution
    not for : The first step at which two curves differ: the band shows steps at which they differ, not
        the first one.

    References
    ----------
    Montiel Olea and Plagborg-Møller 2019

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import curve_differences
    >>> curves = {"a": np.array([[[1, 4]], [[2, 5]], [[1, 6]]]), "b": np.array([[[1, 2]], [[2, 3]], [[2, 2]]])}
    >>> table = curve_differences(curves, metric="mean", n_resamples=100).table()
    >>> table[["algorithm", "baseline", "step", "estimate"]].round(2)
      algorithm baseline  step  estimate
    0         a        b     0     -0.33
    1         a        b     1      2.67
    """
    from surefoot.statistics.profiles.metric_curves import curve_remark, drawn_band, simultaneous_curve_bands
    from surefoot.statistics.runs.shared_run_findings import least_known

    axis = step_column(runs)
    steps = np.unique(runs[axis])
    by_algorithm = _resampled_curves(runs, [metric], algorithms, shared_runs, n_resamples, seed, threads, compared=True)
    names = sorted(by_algorithm)
    if len(names) < 2:
        raise HintedError(
            "algorithms",
            f"a comparison needs at least two algorithms, but got only {names[0]}",
            "add another algorithm",
        )
    if baseline is not None and baseline not in names:
        raise HintedError("baseline", f'no scores for "{baseline}"', nearest(baseline, names))
    family = list(combinations(names, 2)) if baseline is None else [(x, baseline) for x in names if x != baseline]
    pairs = [(x, y, by_algorithm[x], by_algorithm[y]) for x, y in family]
    family_columns = {} if baseline is None else {"comparisons": "with_baseline"}
    kind = metric_of(metric).name
    scores = runs.loc[runs["algorithm"].isin(by_algorithm), "score"].to_numpy()
    values = [(of_x.values - of_y.values)[:, 0] for _, _, of_x, of_y in pairs]
    drawn = [(of_x.drawn - of_y.drawn)[:, :, 0] for _, _, of_x, of_y in pairs]
    fewer = [min(of_x.counts, of_y.counts, key=lambda counts: sum(counts) - len(counts)) for _, _, of_x, of_y in pairs]
    bands = simultaneous_curve_bands(drawn, values, fewer, confidence_level, kind)
    parts = []
    for (x, y, of_x, of_y), value, band in zip(pairs, values, bands, strict=True):
        sharing = least_known([of_x.sharing, of_y.sharing])
        sizes = of_x.sizes + of_y.sizes
        low, high = drawn_band(band, scores, differences=True)
        remark = curve_remark(min(sizes), "simultaneous", float((high - low).max()), kind, sharing)
        numbers = {axis: steps, "metric": metric, "estimate": value, "low": low, "high": high}
        about = {"runs": min(sizes), "tasks": len(sizes) // 2, "shared_runs": sharing, "remark": remark}
        parts.append(pd.DataFrame({**family_columns, "algorithm": x, "baseline": y, **numbers, **about}))
    return Result(pd.concat(parts, ignore_index=True))
