"""Find the algorithms tied with the best, and the pairs of algorithms that differ, by simultaneous tests."""

from typing import Annotated, Any, Literal

import numpy as np
import pandas as pd
from pydantic import Field

from surefoot.errors import InputError
from surefoot.questions._framework.checking import (
    check_paired_runs,
    check_scores,
    check_spread,
)
from surefoot.questions._framework.question_registry import question
from surefoot.questions._framework.results import Result, Sets, refuse_single_runs
from surefoot.questions._framework.types import (
    Algorithms,
    Baseline,
    Checked,
    Confidence,
    Replicates,
    Seed,
    SharedRuns,
    Threads,
)
from surefoot.questions.comparing import (
    Compared,
    Comparing,
    compare_improvement,
    compare_metrics,
    compare_on_random_tasks,
    comparison_remark,
)
from surefoot.questions.comparison_rows import simultaneous_rows, with_best_rows
from surefoot.questions.evaluation_scores import clusters_of
from surefoot.statistics.arrays import RELATIVE
from surefoot.statistics.metrics.metric_catalogue import IQMS
from surefoot.statistics.metrics.metric_catalogue import metric as metric_of
from surefoot.statistics.runs.score_arrays import algorithms_of, scores_of, tasks_of

ComparedMetric = Literal["iqm", "exact_iqm", "mean", "median", "probability_of_improvement"]
TaskSampling = Literal["fixed", "random"]
Margin = Annotated[float, Field(gt=0)]


Comparisons = Literal["all_pairs", "with_best"]


def _check_tasks(where: str, metric: str, tasks: str, use_clusters: bool) -> None:
    if tasks == "random" and metric in (*IQMS, "median"):
        what = f"the {metric_of(metric).entry.title or metric} cannot be tested for random tasks"
        hint = "set metric: mean or metric: probability_of_improvement, or set tasks: fixed"
        raise InputError(f"{where}.tasks", what, hint)
    if use_clusters and tasks == "fixed":
        raise InputError(f"{where}.use_clusters", "clusters of tasks require random tasks", "set tasks: random")


def check_multiple_comparisons(table: pd.DataFrame, settings: Any, where: str) -> None:
    """Raise an InputError if runs or settings do not allow `multiple_comparisons`."""
    _check_tasks(where, settings.metric, settings.tasks, settings.use_clusters)
    counts = check_scores(table, settings, where, fewest=2)
    check_paired_runs(table, counts, settings, where)
    if settings.baseline is not None and settings.comparisons == "with_best":
        what = "a baseline and comparisons with the best exclude each other"
        raise InputError(f"{where}.comparisons", what, "leave one of them out")
    if settings.tasks == "random":
        clusters = clusters_of(list(table["environment"].unique()), settings.use_clusters)
        if len(set(clusters)) < 2:
            what = f"random tasks require several, but there is one {'cluster' if settings.use_clusters else 'task'}"
            raise InputError(where, what, "add tasks, or set tasks: fixed")
    else:
        check_spread(counts, settings, where)


@question(
    stage="estimate",
    sets="named",
    chart="surefoot.charts.multiple_comparison_charts:multiple_comparisons_chart",
    finding="surefoot.charts.multiple_comparison_charts:multiple_comparisons_finding",
    check=check_multiple_comparisons,
)
def multiple_comparisons(
    runs: Sets,
    *,
    metric: ComparedMetric = "iqm",
    comparisons: Comparisons = "all_pairs",
    baseline: Baseline | None = None,
    tasks: TaskSampling = "fixed",
    use_clusters: bool = False,
    margin: Margin | None = None,
    algorithms: Algorithms | None = None,
    paired: bool = False,
    lower_is_better: bool = False,
    shared_runs: SharedRuns = "auto",
    n_resamples: Replicates = 1000,
    confidence_level: Confidence = 0.95,
    seed: Seed = 0,
    threads: Threads = 1,
    skip_checks: Checked = False,
) -> Result:
    r"""Compare several algorithms and find those tied with the best, controlling the errors of all comparisons.

    The result has the algorithms that may be the best; group letters, tiers and ranks; and how far behind the best an
    algorithm would have to be to be detected with these numbers of runs. All of this follows from the simultaneous
    intervals of all pairs, as computed by `pairwise_differences`. Two algorithms share a letter if and only if the
    interval of their difference includes 0. An algorithm is tied with the best if and only if no other algorithm is
    shown to be better.

    Parameters
    ----------
    runs : DataFrame or dict
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}.
    metric : {"iqm", "exact_iqm", "mean", "median", "probability_of_improvement"}, default "iqm"
        Metric to compare: the IQM, exact IQM, mean or median of all scores, or "probability_of_improvement", the
        probability that a run of one algorithm beats a run of another.
    comparisons : {"all_pairs", "with_best"}, default "all_pairs"
        Comparisons for which the intervals are simultaneous. "with_best" compares each algorithm with the best of the
        others (Hsu), which needs fewer runs. The intervals of worse algorithms then end at 0, and there are no letters
        and no table of pairs.
    baseline : str, optional
        Algorithm with which the others, such as its variants, are compared. Intervals are then simultaneous, and
        p-values adjusted, for these comparisons only, and there are no letters, tiers and ranks.
    tasks : {"fixed", "random"}, default "fixed"
        "fixed" if the conclusions are about these tasks only, so that only runs are random; "random" if tasks are a
        sample of the tasks of interest, so that the means (or probabilities) of tasks vary.
    use_clusters : bool, default False
        If True, tasks whose names agree up to the last slash, such as "text 3/question 1" and "text 3/question 2", form
        a cluster of dependent tasks. A table may have a column cluster instead.
    margin : float, optional
        A difference that does not matter, in units of the metric, such as 0.05. Two algorithms are equivalent if the
        simultaneous interval of their difference lies within the margin. This is stricter than the usual two one-sided
        tests, which use a 90 % interval of one pair for a level of 5 %.
    algorithms : list of str, optional
        Algorithms to include. Default: all.
    paired : bool, default False
        If True, runs of a task with the same name are paired across algorithms, for example by a common seed. The
        intervals are then computed from differences of paired runs, and adjusted by Bonferroni's method.
    lower_is_better : bool, default False
        If True, lower scores are better, as for losses or steps to solve. Differences keep the units of the scores; a
        probability of improvement is always the probability of being better.
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
        `table()` has columns metric, tasks (fixed or random), algorithm, estimate (for improvement, the mean
        probability of beating another algorithm), group_letters (algorithms that are not separated share a letter; a
        dash if not compared), tier (1, or one more than the worst tier of the algorithms that are shown to be better),
        rank_low, rank_high (the best and the worst possible rank), verdict ("best", "tied" with the best, "worse", or
        "not compared" without an interval), tied_with_best (True if the verdict is "best" or "tied"),
        difference_to_best (to the best of the others; for improvement, the smallest probability of beating another
        algorithm, minus 0.5), low, high, p_value (of this difference; empty with comparisons with the best), detectable
        (how far behind the best the algorithm would have to be to be shown to be worse with a probability of 80 %;
        empty for the best, and if no difference would suffice), within_margin (True if the algorithm is shown to be at
        most the margin behind the best; empty without a margin), lower_is_better, runs (the smallest number on any
        task), shared_runs, shared_runs_p_value (see `aggregate_metrics`), low_whole_runs, high_whole_runs (the interval
        for the case that tasks share runs; empty if runs have no names in common, sharing was not tested, tasks are
        random, or success rates are compared), remark (a caveat about the interval). With a baseline, the columns
        baseline, verdict ("better", "worse", "not separated" or "not compared") and difference_to_baseline replace the
        columns from group_letters to difference_to_best. `tables()["pairs"]` has all compared pairs, with columns
        algorithm, baseline, difference (algorithm minus baseline; for improvement, the probability that the algorithm
        beats the baseline, minus 0.5), low, high (simultaneous), p_value (adjusted), separated (True if the interval
        excludes 0), equivalent (True if the interval lies within the margin; empty without a margin). There is no table
        of pairs for comparisons with the best.

    Raises
    ------
    ValueError
        If there are fewer than two algorithms, if tasks are fixed and have a single run each, if tasks are random and
        there is only one, or if tasks are random and the metric is the IQM or the median.

    Notes
    -----
    formula : $T(X) - T(Y) \mp q_{XY} \sqrt{s_X^2 + s_Y^2}$ with the standard errors and degrees of freedom of [pairwise
        differences](#sec-question-pairwise_differences), where $q_{XY}$ is Student's quantile at $1 - p / 2$. The level
        $p$ of all pairs is the quantile $\alpha$ of the smallest p-value of all pairs if all algorithms are equal,
        computed from 20,000 draws of normal errors $s_X Z_X$ and variances $s_X^2 \chi^2_{\nu_X} / \nu_X$. Letters,
        tiers, ranks and the set tied with the best follow from these intervals. With a baseline, $p$ is that of the
        comparisons with it. In comparisons with the best, X is tied with the best unless some Y is better by the
        one-sided test whose level is the quantile $\alpha$ of the smallest p-value of the comparisons of X with all
        others. For paired runs, $p = \alpha / P$ for $P$ comparisons.
    assumes : Runs are independent, within a task, across tasks and across algorithms. Where runs are [shared by
        tasks](#sec-question-shared_run_test), whole runs are independent. If tasks are random, they are independent,
        and algorithms are compared by the paired t test over tasks, or over clusters of tasks with clustered standard
        errors, adjusted by Bonferroni's method. The same method adjusts comparisons of scores of 0 and 1, which use
        exact limits of rates (on random tasks, of how often one succeeds where the other fails), and comparisons by the
        probability of improvement, which use its own limits.
    guarantee : No theorem. All intervals of pairs, letters, tiers, ranks and the set tied with the best are jointly
        correct with the stated confidence. At 95 %, with 2 to 30 runs, 1 to 26 tasks and 3 to 11 algorithms,
        comparisons with the best were wrong in 3 % of simulated data sets and comparisons of all pairs in 4 %, and for
        no kind of data significantly more often than 5 %: normal, skewed, tied and 0/1 scores, some failing runs, and
        shared runs. Where two of five runs fail, the IQM separated some pair of three equal algorithms in 8 to 12 % of
        data sets of 5 runs of 2 to 5 tasks, and no remark says so. With a baseline, at least one of 2 or 6 variants
        equal to it was separated in 0 to 8 % of 300 simulated data sets of each kind (3 to 5 % on average, standard
        error 1.3 %; normal, skewed and tied scores, with failures, 3 to 10 runs of 1 to 26 tasks, runs shared or not),
        and with scores of 0 and 1 in 0 to 4 %. With unequal spreads, means of normal and tied scores were separated in
        1 to 8 %, means of skewed scores in 3 to 12 % on several tasks and in 4 to 22 % on one.
    interval : simultaneous intervals of all pairs
    with comparisons with_best : The intervals are from Hsu's multiple comparisons with the best.
    not for : A complete ranking of many algorithms: where the runs leave ranks open, the ranks are intervals.

    References
    ----------
    Hothorn et al. 2008; Dunnett 1955; Hsu 1981; Piepho 2004; Mogstad et al. 2024; Newcombe 1998

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import multiple_comparisons
    >>> draw = np.random.default_rng(0)
    >>> scores = {name: draw.normal(mean, 0.1, (5, 4)) for name, mean in (("a", 0.5), ("b", 0.8), ("c", 0.8))}
    >>> multiple_comparisons(scores).table()[["algorithm", "group_letters", "rank_low", "rank_high", "tied_with_best"]]
      algorithm group_letters  rank_low  rank_high  tied_with_best
    0         c             a         1          2            True
    1         b             a         1          2            True
    2         a             b         3          3           False
    """
    _check_tasks("multiple_comparisons", metric, tasks, use_clusters)
    ((name, table),) = runs.items()
    names = algorithms_of(table, algorithms)
    how = Comparing(shared_runs, paired, n_resamples, confidence_level, seed, threads)
    if tasks == "random":
        clusters = clusters_of(tasks_of(table), use_clusters)
        samples = [scores_of(table, algorithm) for algorithm in names]
        compared = compare_on_random_tasks(metric, names, samples, clusters, lower_is_better)
    elif metric == "probability_of_improvement":
        for algorithm in names:
            refuse_single_runs(algorithm, list(map(len, scores_of(table, algorithm))))
        compared = compare_improvement(table, names, how, RELATIVE, lower_is_better)
    else:
        (compared,) = compare_metrics(name, table, [metric], names, how)
    reference = None if baseline is None else names.index(baseline)
    # A higher probability of being better is always better.
    lower = lower_is_better and metric != "probability_of_improvement"
    pairs = {}
    if comparisons == "with_best":
        answer = with_best_rows(compared, confidence_level, margin, lower)
        whole = compared.whole_runs and with_best_rows(compared.whole_runs, confidence_level, margin, lower)
    else:
        answer, pairs["pairs"] = simultaneous_rows(compared, reference, confidence_level, margin, lower)
        whole = (
            compared.whole_runs
            and simultaneous_rows(compared.whole_runs, reference, confidence_level, margin, lower)[0]
        )
    answer = _with_facts(answer, compared, whole, reference, lower)
    answer.insert(1, "tasks", tasks)
    order = np.argsort(compared.estimates if lower else -compared.estimates, kind="stable")
    rows = answer.iloc[order]
    if baseline is not None:
        rows = rows[rows["algorithm"] != baseline]
    return Result(rows.reset_index(drop=True), pairs)


def _with_facts(
    rows: pd.DataFrame, compared: Compared, whole: pd.DataFrame | None, reference: int | None, lower: bool
) -> pd.DataFrame:
    """Add numbers of runs, findings on shared runs, and remarks to the rows of the algorithms.

    Parameters
    ----------
    whole : rows for the case that tasks share runs, or None
    reference : index of the baseline; None for all pairs
    lower : True if the better algorithm has the lower estimate
    """
    from surefoot.statistics.runs.shared_run_findings import least_known_sharing

    places = range(len(compared.names))
    runs = [min(map(len, scores)) for scores in compared.samples]
    sharing = compared.sharing
    others = [[other for other in places if other != one] for one in places]
    if reference is not None:
        others = [[reference]] * len(places)
        runs = [min(one, runs[reference]) for one in runs]
        sharing = [least_known_sharing([one, sharing[reference]]) for one in sharing]
    return rows.assign(
        lower_is_better=lower,
        runs=runs,
        shared_runs=[one.finding for one in sharing],
        shared_runs_p_value=[one.p_value for one in sharing],
        low_whole_runs=np.nan if whole is None else whole["low"],
        high_whole_runs=np.nan if whole is None else whole["high"],
        remark=[comparison_remark(compared, one, others[one]) for one in places],
    )
