"""Which algorithms are best, which are tied with the best, and which pairs differ, with errors under control."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from pydantic import Field

from surefoot.build.errors import InputError
from surefoot.questions.aggregates import resampled_metrics
from surefoot.questions.checking import algorithms_asked, check_metrics_of, check_scores, check_spread
from surefoot.questions.evaluation_scores import clusters_of
from surefoot.questions.registry import question
from surefoot.questions.results import Result, Sets, refuse_single_runs
from surefoot.questions.types import Algorithms, Checked, Confidence, Replicates, Seed, SharedRuns, Threads
from surefoot.statistics.arrays import Booleans, Floats, exceeds, typical_magnitude
from surefoot.statistics.metrics.catalogue import metric as metric_of
from surefoot.statistics.runs.tables import algorithms_of, matched_scores, runs_of, scores_of, tasks_of

if TYPE_CHECKING:
    from surefoot.statistics.comparison.differences import Pairs
    from surefoot.statistics.comparison.multiple_comparisons import Correction

ComparedMetric = Literal["iqm", "mean", "median", "improvement"]
TaskSampling = Literal["fixed", "random"]
Margin = Annotated[float, Field(gt=0)]


class _Compared(NamedTuple):
    """What a way of comparing gives.

    metric : that is compared
    estimates : float64[k]
    pairs, correction : of all algorithms, and of their errors
    remarks : of each algorithm, on the level
    sharing : what is known of whether tasks share runs, of each algorithm
    """

    metric: str
    estimates: Floats
    pairs: "Pairs"
    correction: "Correction"
    remarks: list[str]
    sharing: list[str]


def _check_tasks(where: str, metric: str, tasks: str, clustered: bool) -> None:
    if tasks == "random" and metric in ("iqm", "median"):
        what = f"the {metric_of(metric).entry.title or metric} of a sample of tasks has no test"
        hint = "metric: mean or improvement, of which each task has one value; or tasks: fixed"
        raise InputError(f"{where}.tasks", what, hint)
    if clustered and tasks == "fixed":
        raise InputError(f"{where}.clustered", "tasks that are fixed are no sample of clusters", "tasks: random")


def check_multiple_comparisons(table: pd.DataFrame, settings: Any, where: str) -> None:
    """Raises InputError where the runs of a scale cannot answer the question."""
    _check_tasks(where, settings.metric, settings.tasks, settings.clustered)
    check_scores(table, settings, where, fewest=2)
    if settings.tasks == "random":
        clusters = clusters_of(list(table["environment"].unique()), settings.clustered)
        if len(set(clusters)) < 2:
            what = f"a sample of one {'cluster' if settings.clustered else 'task'}"
            raise InputError(where, what, "add tasks, or tasks: fixed")
    else:
        check_spread(table, settings, where)
    if settings.metric != "improvement":
        check_metrics_of(table[table["algorithm"].isin(algorithms_asked(table, settings))], (settings.metric,), where)


@question(
    stage="estimate",
    sets="named",
    chart="surefoot.charts.multiple_comparisons:multiple_comparisons_chart",
    finding="surefoot.charts.multiple_comparisons:multiple_comparisons_finding",
    check=check_multiple_comparisons,
)
def multiple_comparisons(
    runs: Sets,
    *,
    metric: ComparedMetric = "iqm",
    tasks: TaskSampling = "fixed",
    clustered: bool = False,
    margin: Margin | None = None,
    algorithms: Algorithms | None = None,
    shared_runs: SharedRuns = "auto",
    replicates: Replicates = 1000,
    confidence: Confidence = 0.95,
    seed: Seed = 0,
    threads: Threads = 1,
    checked: Checked = False,
) -> Result:
    r"""Which algorithms are tied with the best, and which pairs differ, with all errors under control.

    The set of algorithms that may be the best; letters, tiers and ranks by all pairs; and how far behind the best an
    algorithm had to be for these runs to show it. Whether an algorithm is tied with the best is a smaller question than
    whether all pairs differ, and is answered with fewer runs: one that shares a letter with the best need not be tied
    with it.

    Parameters
    ----------
    runs
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}.
    metric
        What is compared: iqm, mean or median of all scores, or improvement, the probability that a run of one
        algorithm beats a run of another.
    tasks
        What the tasks are: fixed, these tasks and no others, so that only runs are random; random, a sample of the
        tasks that one cares for, so that the means (or probabilities) of tasks are what varies.
    clustered
        Whether tasks whose names are alike up to their last slash, such as "text 3/question 1", depend on each other,
        as questions about one text do: each such group is then a cluster.
    margin
        A difference that does not matter, in units of the metric, such as 0.05.
    algorithms
        The algorithms to take; all of them by default.
    shared_runs
        Whether tasks share runs: true if one training is on all tasks, or one checkpoint is evaluated on all; false
        if every task has trainings of its own. auto takes runs for shared where those with the same name vary together
        on all tasks by more than chance.
    replicates
        Bootstrap resamples.
    confidence
        Confidence level of the intervals.
    seed
        Seed of all random numbers.
    threads
        How many threads may be used. The numbers do not depend on it.
    checked
        Whether the runs are known to be right although they look transposed, like episodes instead of runs, or like
        scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns metric, tasks (fixed or random), algorithm, estimate (of improvement, the mean
        probability to beat another), letters (two algorithms share one if these runs do not tell them apart), tier (1,
        or one more than the worst tier of those that are shown to be better), rank_low, rank_high (the best and worst
        rank), tied_with_best, difference_to_best (to the best of the others; of improvement, the least probability to
        beat another, less 0.5), low, high (its interval, which ends at 0 for one that is worse), detectable (how far
        behind the best it had to be to be shown worse with a probability of 80 %; empty for the best, and where not
        even the greatest difference would have been), within_margin
        (whether it is shown to be behind the best by no more than the margin; empty without one), runs (the fewest of
        a task), shared_runs (as in the answer of aggregates), remark (a reservation about the level).
        `tables()["pairs"]` has all pairs: columns x, y, difference (x less y; of improvement, the probability that x
        beats y less 0.5), low, high (which hold together), p_value (adjusted), separated, equivalent (whether the
        interval lies within the margin; empty without one)

    Raises
    ------
    ValueError
        for fewer than two algorithms; only one run of every task that is fixed; one task that is random; the IQM or
        the median of random tasks

    Notes
    -----
    formula : $T(X) - T(Y) \mp q_{XY} \sqrt{s_X^2 + s_Y^2}$ with the standard errors and degrees of freedom of [pairwise
        differences](#sec-question-pairwise_differences), where $q_{XY}$ is Student's quantile at $1 - p / 2$. The level
        $p$ of all pairs is the quantile $\alpha$ of the smallest p-value of any pair where all algorithms are equal,
        by 20,000 draws of normal errors $s_X Z_X$ and variances $s_X^2 \chi^2_{\nu_X} / \nu_X$. Letters, tiers
        and ranks are by step-down p-values of the same draws. X is tied with the best unless some Y is better by the
        one-sided test whose level is the quantile $\alpha$ of the smallest p-value of the comparisons of X with all
        others.
    assumes : Runs are independent, within a task, across tasks and across algorithms. Where runs are [shared by
        tasks](#sec-question-run_effects), whole runs are. With tasks random, tasks are independent, and compared by the
        paired t test over tasks, or over clusters of them with clustered standard errors, with Bonferroni and Holm;
        scores of 0 and 1 by exact limits of rates (on random tasks, of how often the one succeeds where the other
        fails), and improvement by its own limits, likewise.
    guarantee : No theorem. The best algorithm is in the tied set with the stated confidence, and all intervals of
        pairs, letters, tiers and ranks are right together with the same; each of the two for itself. At 95 %, of 2 to
        30 runs, 1 to 26 tasks and 3 to 11 algorithms, comparisons with the best were wrong in 4 % of simulated data
        sets and those of all pairs in 4 %, and in no kind of data significantly more often than in 5 %: normal, skewed,
        with failing runs, tied, of 0 and 1, and with shared runs.
    interval : intervals by Hsu's multiple comparisons with the best
    in a paper : We compare the algorithms in the {metric}[, {tasks}][, {clustered}][, among {algorithms}], with
        {intervals}[, {shared_runs}]; all pairs are compared by the max-t method with step-down p-values.[ Differences
        below {margin} count as none.]
    not for : A ranking of many algorithms in words: ranks that these runs leave open are intervals.

    References
    ----------
    hsu1981; hothorn2008; piepho2004; mogstad2024; newcombe1998

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import multiple_comparisons
    >>> draw = np.random.default_rng(0)
    >>> scores = {name: draw.normal(mean, 0.1, (5, 4)) for name, mean in (("a", 0.5), ("b", 0.8), ("c", 0.8))}
    >>> multiple_comparisons(scores).table()[["algorithm", "letters", "rank_low", "rank_high", "tied_with_best"]]
      algorithm letters  rank_low  rank_high  tied_with_best
    0         c       a         1          2            True
    1         b       a         1          2            True
    2         a       b         3          3           False
    """
    from surefoot.statistics.comparison import multiple_comparisons as comparisons
    from surefoot.statistics.resampling.interval_remarks import unlike_runs_remark

    _check_tasks("multiple_comparisons", metric, tasks, clustered)
    ((name, table),) = runs.items()
    names = algorithms_of(table, algorithms)
    samples = [scores_of(table, algorithm) for algorithm in names]
    if tasks == "random":
        clusters = clusters_of(tasks_of(table), clustered)
        compared = _of_random_tasks(metric, samples, clusters, confidence)
    else:
        compared = _of_fixed_tasks(
            metric, names, samples, table, (name, shared_runs, replicates, confidence, seed, threads)
        )
    unlike = unlike_runs_remark(samples) if tasks == "fixed" else ""
    remarks = ["; ".join(filter(None, [remark, unlike])) for remark in compared.remarks]
    pairs, correction = compared.pairs, compared.correction
    order = np.argsort(-compared.estimates, kind="stable")
    best = int(order[0])
    to_best = comparisons.best_limits(pairs, correction)
    low, high = pairs.limits(correction.pair_level)
    apart = correction.adjusted <= 1.0 - confidence
    better: Booleans = np.asarray(apart & (pairs.difference > 0.0))
    rank_low, rank_high = comparisons.rank_limits(better)
    nearest = np.where(np.eye(len(names), dtype=bool), np.inf, pairs.difference).min(axis=1)
    columns = {
        "metric": compared.metric,
        "tasks": tasks,
        "algorithm": names,
        "estimate": compared.estimates,
        "letters": comparisons.letters(apart, list(order)),
        "tier": comparisons.tiers(better, list(order)),
        "rank_low": rank_low,
        "rank_high": rank_high,
        "tied_with_best": to_best.tied,
        "difference_to_best": nearest,
        "low": np.where(np.isfinite(to_best.low), to_best.low, np.nan),
        "high": np.where(np.isfinite(to_best.high), to_best.high, np.nan),
        "detectable": comparisons.detectable_differences(pairs, correction, best),
        "within_margin": _within(to_best.low, margin),
        "runs": [min(map(len, scores)) for scores in samples],
        "shared_runs": compared.sharing,
        "remark": remarks,
    }
    rows = pd.DataFrame(columns).iloc[order].reset_index(drop=True)
    x, y = np.triu_indices(len(names), 1)
    inside = _within(np.minimum(low, -high)[x, y], margin)
    facts = {"difference": pairs.difference, "low": low, "high": high, "p_value": correction.adjusted}
    of_pairs: dict[str, Any] = {"x": [names[one] for one in x], "y": [names[one] for one in y]}
    of_pairs |= {column: values[x, y] for column, values in facts.items()}
    of_pairs |= {"separated": apart[x, y], "equivalent": inside}
    return Result(rows, {"pairs": pd.DataFrame(of_pairs)})


def _within(least: Floats, margin: float | None) -> Booleans | Sequence[None]:
    """Whether a lower limit excludes that an algorithm is behind by more than the margin; nothing without one."""
    return [None] * len(least) if margin is None else least >= -margin


def _of_random_tasks(metric: str, samples: list[list[Floats]], clusters: list[str], confidence: float) -> _Compared:
    """By the paired t test over tasks, or clusters of them, or by limits of paired rates."""
    from surefoot.statistics.comparison.differences import bounded, paired_rate_pairs, paired_task_pairs
    from surefoot.statistics.comparison.improvement import probability_of_improvement
    from surefoot.statistics.comparison.multiple_comparisons import holm_correction
    from surefoot.statistics.intervals.rate_limits import cluster_remark
    from surefoot.statistics.resampling.interval_remarks import metric_remark
    from surefoot.statistics.runs.run_effects import RESAMPLED

    if metric == "improvement":
        by_task = np.array([[probability_of_improvement(x, y).by_task - 0.5 for y in samples] for x in samples])
        estimates = _mean_of_others(by_task.mean(axis=-1)) + 0.5
    else:
        means = np.array([[scores.mean() for scores in of_tasks] for of_tasks in samples])
        by_task, estimates = means[:, None] - means, means.mean(axis=1)
    outcomes = metric != "improvement" and all(np.isin(one, (0.0, 1.0)).all() for own in samples for one in own)
    if outcomes:
        answers = min(sum(map(len, of_tasks)) for of_tasks in samples)
        pairs = bounded(paired_rate_pairs(by_task, clusters, answers), 1.0)
    else:
        magnitude = 1.0 if metric == "improvement" else typical_magnitude(means)
        pairs = paired_task_pairs(by_task, clusters, magnitude)
        pairs = bounded(pairs, 0.5) if metric == "improvement" else pairs
    sizes = np.unique(clusters, return_counts=True)[1]
    remark = cluster_remark(len(sizes), sizes.sum() ** 2 / (sizes**2).sum()) or metric_remark(
        "student", metric, samples[0], shape=(0.0, 0.0), resampled="tasks_and_runs"
    )
    count = len(samples)
    correction = holm_correction(pairs, confidence)
    return _Compared(metric, estimates, pairs, correction, [remark] * count, [RESAMPLED] * count)


def _of_fixed_tasks(
    metric: str, names: list[str], samples: list[list[Floats]], table: pd.DataFrame, how: tuple[Any, ...]
) -> _Compared:
    """By Student's distribution, or by limits of rates or of improvement.

    how : name of the set, shared_runs, replicates, confidence, seed, threads
    """
    from surefoot.statistics.comparison import multiple_comparisons as comparisons
    from surefoot.statistics.comparison.differences import bounded, improvement_pairs, rate_pairs, student_pairs
    from surefoot.statistics.resampling.interval_remarks import EQUAL_RUNS, metric_remark
    from surefoot.statistics.runs.run_effects import SHARED
    from surefoot.statistics.runs.run_effects import shared_runs as find_shared_runs

    name, shared_runs, replicates, confidence, seed, threads = how
    known = find_shared_runs(table, shared_runs, seed)
    sharing = [known[algorithm] for algorithm in names]
    shared = [one in SHARED for one in sharing]
    for algorithm, scores in zip(names, samples, strict=True):
        refuse_single_runs(algorithm, [len(column) for column in scores])
    if metric == "improvement":
        run_names = [runs_of(table, one) if whole else None for one, whole in zip(names, shared, strict=True)]
        pairs = bounded(improvement_pairs(samples, run_names), 0.5)
        estimates = _mean_of_others(pairs.difference) + 0.5
        correction = comparisons.holm_correction(pairs, confidence)
        return _Compared(metric, estimates, pairs, correction, [""] * len(names), sharing)
    if all(np.isin(column, (0.0, 1.0)).all() for scores in samples for column in scores):
        sizes = [[len(column) for column in scores] for scores in samples]
        rates = [
            # The mean over tasks has exact limits where all of them have as many runs.
            matched_scores(table, one).mean(axis=1) if whole else np.concatenate([part[: min(own)] for part in scores])
            for one, whole, scores, own in zip(names, shared, samples, sizes, strict=True)
        ]
        pairs = bounded(rate_pairs(rates), 1.0)
        estimates = np.array([one.mean() for one in rates])
        remark = "" if metric == "mean" else "scores are 0 and 1, so success rates are compared, which are means"
        if any(min(own) < max(own) for own in sizes):
            remark = "tasks have unequal numbers of runs, so only as many of each are taken as all tasks have"
        correction = comparisons.holm_correction(pairs, confidence)
        return _Compared("mean", estimates, pairs, correction, [remark] * len(names), sharing)
    of_each = resampled_metrics({name: table}, [metric_of(metric)], names, shared_runs, replicates, seed, threads)
    rows = []
    for one in of_each.values():
        (error,), (freedom,), (skewness,) = one.standard_errors()
        # An error that is nothing but rounding is none.
        varies = exceeds(error, 0.0, typical_magnitude(np.concatenate(one.scores)))
        remark = metric_remark("student", metric, one.scores, confidence, (freedom, skewness), sharing=one.sharing)
        rows.append((one.values[0], error if varies else 0.0, freedom, remark if varies else EQUAL_RUNS))
    estimates, errors, degrees = np.array([row[:3] for row in rows]).T
    remarks = [row[3] for row in rows]
    pairs = student_pairs(estimates, errors, degrees)
    correction = comparisons.correction_of_estimates(pairs, errors, degrees, confidence, seed)
    return _Compared(metric, estimates, pairs, correction, remarks, sharing)


def _mean_of_others(matrix: Floats) -> Floats:
    """The mean of each row without its diagonal, which is 0."""
    return np.asarray(matrix.sum(axis=1) / (len(matrix) - 1.0))
