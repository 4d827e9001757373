"""Comparisons of algorithms, which several questions share.

`pairwise_differences`, `multiple_comparisons` and `probability_of_improvement` use the same differences, limits and
p-values, so that their results agree.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from surefoot.questions._framework.results import refuse_single_runs
from surefoot.questions.aggregates import ResampledMetrics, resampled_metrics
from surefoot.rounding import joined
from surefoot.statistics.arrays import Booleans, Floats, exceeds, typical_magnitude
from surefoot.statistics.metrics.metric_catalogue import IQMS, Metric, cut_alike, metric
from surefoot.statistics.runs.score_arrays import algorithms_of, matched_scores, runs_of, scores_of, tasks_of

if TYPE_CHECKING:
    from surefoot.statistics.comparison.metric_differences import Pairs
    from surefoot.statistics.resampling.jackknife import StandardErrors
    from surefoot.statistics.runs.shared_run_findings import Sharing

_LEVEL_METRICS = (*IQMS, "mean", "median")
"""Metrics that are compared as success rates if all scores are 0 or 1."""


class Comparing(NamedTuple):
    """Settings of a comparison of algorithms; see `pairwise_differences` for their meaning."""

    shared_runs: str | bool
    paired: bool
    n_resamples: int
    confidence_level: float
    seed: int
    threads: int


class Compared(NamedTuple):
    """Result of comparing algorithms in one metric.

    metric : name of the metric
    names : names of the algorithms
    samples : scores of each algorithm, float64[runs] of each task
    estimates : float64[k], metric of each algorithm
    pairs : differences of all pairs of algorithms
    sharing : result of `sharing_of_runs` for each algorithm
    tails : result of `joint_tails`; None if algorithms are paired, limits are not Student's, or only two algorithms are
        compared over all tasks
    remark : remark on the comparison of the algorithms
    degrees : float64[k], degrees of freedom of the standard error of each algorithm; NaN without standard errors
    constant : bool[k], True if the standard error of the algorithm is 0
    without_interval : remark on differences without an interval
    whole_runs : the same comparison if tasks share runs; None if runs have no names in common, sharing was not tested,
        tasks are random, or success rates are compared
    """

    metric: str
    names: list[str]
    samples: list[list[Floats]]
    estimates: Floats
    pairs: "Pairs"
    sharing: "list[Sharing]"
    tails: Floats | None
    remark: str
    degrees: Floats
    constant: Booleans
    without_interval: str
    whole_runs: "Compared | None" = None


def compare_metrics(
    name: str,
    table: pd.DataFrame,
    metrics: Sequence[str],
    algorithms: Sequence[str] | None,
    how: Comparing,
    part: str = "",
    draws: int | None = None,
    outcomes: bool | None = None,
) -> list[Compared]:
    """Compare algorithms in several metrics over all tasks of a table.

    Parameters
    ----------
    name : name of the set of scores
    part, draws : random stream and number of the joint draws; see `joint_tails`
    outcomes : True to compare means, IQMs, medians and optimality gaps as success rates; by default, if all scores are
        0 or 1
    """
    names = algorithms_of(table, algorithms)
    samples = [scores_of(table, algorithm) for algorithm in names]
    for algorithm, scores in zip(names, samples, strict=True):
        refuse_single_runs(algorithm, list(map(len, scores)))
    chosen = [metric(one) for one in metrics]
    if are_outcomes(table, names) if outcomes is None else outcomes:
        by_rates = [one for one in chosen if one.name in _LEVEL_METRICS]
        gaps = [one for one in chosen if (one.name, one.parameter) == ("optimality_gap", 1.0)]
        others = [one for one in chosen if one not in by_rates + gaps]
        compared = [_by_rates(table, names, by_rates, how)] if by_rates else []
        compared += [_as_gap(_by_rates(table, names, gaps, how), str(one)) for one in gaps]
        if others:
            compared += _by_student(name, table, others, names, samples, how, part, draws)
        return compared
    return _by_student(name, table, chosen, names, samples, how, part, draws)


def are_outcomes(table: pd.DataFrame, names: Sequence[str]) -> bool:
    """Return True if all scores of the named algorithms are 0 or 1."""
    return bool(table.loc[table["algorithm"].isin(names), "score"].isin((0.0, 1.0)).all())


def _by_student(
    name: str,
    table: pd.DataFrame,
    metrics: Sequence[Metric],
    names: list[str],
    samples: Sequence[Sequence[Floats]],
    how: Comparing,
    part: str,
    draws: int | None,
) -> list[Compared]:
    """Compare algorithms by Student's limits, with and without the assumption that tasks share runs."""
    alike = cut_alike(metrics, samples)
    resamples = resampled_metrics({name: table}, alike, names, how.shared_runs, how.n_resamples, how.seed, how.threads)
    of_each = list(resamples.values())
    separate = _by_spreads(table, names, of_each, [one.standard_errors() for one in of_each], how, part, draws)
    of_whole_runs = [one.whole_run_errors() for one in of_each]
    spreads = [spread for spread in of_whole_runs if spread is not None]
    if len(spreads) < len(names):
        return separate
    as_whole = [one._replace(unit="whole_runs") for one in of_each]
    whole = _by_spreads(table, names, as_whole, spreads, how, part, draws)
    return [one._replace(whole_runs=other) for one, other in zip(separate, whole, strict=True)]


def _by_spreads(
    table: pd.DataFrame,
    names: list[str],
    of_each: Sequence[ResampledMetrics],
    spreads: "Sequence[StandardErrors]",
    how: Comparing,
    part: str,
    draws: int | None,
) -> list[Compared]:
    """Compare algorithms in each metric by Student's limits, given the standard errors of the algorithms."""
    from surefoot.statistics.comparison.metric_differences import student_pairs
    from surefoot.statistics.comparison.simultaneous_comparisons import joint_tails
    from surefoot.statistics.resampling.interval_remarks import EQUAL_PAIRS, EQUAL_RUNS
    from surefoot.statistics.runs.shared_run_findings import Sharing

    metrics = of_each[0].metrics
    paired = _paired_errors(table, metrics, of_each, how) if how.paired else None
    unknown = EQUAL_RUNS if paired is None else EQUAL_PAIRS
    compared = []
    for place, chosen in enumerate(metrics):
        estimates = np.array([one.values[place] for one in of_each])
        degrees = np.array([spread.degrees[place] for spread in spreads])
        # A standard error within the rounding error counts as 0.
        errors = np.array(
            [
                spread.errors[place]
                if exceeds(spread.errors[place], 0.0, chosen.magnitude(typical_magnitude(np.concatenate(one.scores))))
                else 0.0
                for one, spread in zip(of_each, spreads, strict=True)
            ]
        )
        if paired is None:
            pairs = student_pairs(estimates, errors, degrees)
            tails = joint_tails(errors, degrees, how.seed, draws, part) if len(names) > 2 or part else None
        else:
            pairs = paired[place]
            tails = None
        samples = [one.scores for one in of_each]
        sharing = [Sharing(one.sharing, one.sharing_p) for one in of_each]
        compared.append(
            Compared(str(chosen), names, samples, estimates, pairs, sharing, tails, "", degrees, errors <= 0.0, unknown)
        )
    return compared


def _paired_errors(
    table: pd.DataFrame, metrics: Sequence[Metric], of_each: Sequence[ResampledMetrics], how: Comparing
) -> "list[Pairs]":
    """Return pairs with Student's limits for paired runs, one `Pairs` per metric."""
    from surefoot.statistics.comparison.metric_differences import pairs_by_student
    from surefoot.statistics.resampling.jackknife import paired_standard_errors
    from surefoot.statistics.resampling.stratified_bootstrap import replicate_metrics

    # The same seed and name draw the same runs.
    drawing = (metrics, how.n_resamples, how.seed, "", tasks_of(table), "paired_runs")
    drawn = [replicate_metrics(one.scores, *drawing, threads=how.threads) for one in of_each]
    count = len(of_each)
    errors, degrees = np.zeros((2, len(metrics), count, count))
    for x in range(count):
        for y in range(x + 1, count):
            unit = "whole_runs" if "whole_runs" in (of_each[x].unit, of_each[y].unit) else "runs"
            runs = of_each[x].runs or []
            spread = paired_standard_errors(
                of_each[x].scores, of_each[y].scores, metrics, unit, drawn[x] - drawn[y], runs
            )
            magnitude = typical_magnitude(np.concatenate(of_each[x].scores + of_each[y].scores))
            for place, one in enumerate(metrics):
                varies = exceeds(spread.errors[place], 0.0, one.magnitude(magnitude))
                errors[place, x, y] = errors[place, y, x] = spread.errors[place] if varies else 0.0
                degrees[place, x, y] = degrees[place, y, x] = spread.degrees[place]
    values = np.array([one.values for one in of_each])
    return [
        pairs_by_student(values[:, None, place] - values[None, :, place], errors[place], degrees[place])
        for place in range(len(metrics))
    ]


def _by_rates(table: pd.DataFrame, names: list[str], metrics: Sequence[Metric], how: Comparing) -> Compared:
    """Compare algorithms by success rates, whose limits always have a nonzero width."""
    from surefoot.statistics.comparison.metric_differences import bounded, paired_rate_pairs, rate_pairs
    from surefoot.statistics.runs.shared_run_findings import SHARED, sharing_of_runs

    by_algorithm = sharing_of_runs(table, how.shared_runs, how.seed)
    sharing = [by_algorithm[algorithm] for algorithm in names]
    samples = [scores_of(table, algorithm) for algorithm in names]
    sizes = [[len(column) for column in scores] for scores in samples]
    fewest = min(map(min, sizes))
    if how.paired:
        outcomes = [np.concatenate([part[:fewest] for part in scores]) for scores in samples]
        shared = any(one.finding in SHARED for one in sharing)
        runs = runs_of(table, names[0])
        tasks = range(len(samples[0]))
        items = [f"{runs[task][run] if shared else task}/{run}" for task in tasks for run in range(fewest)]
        by_item = np.array(outcomes)[:, None] - np.array(outcomes)
        pairs = bounded(paired_rate_pairs(by_item, items, len(items)), 1.0)
    else:
        outcomes = [
            matched_scores(table, algorithm).mean(axis=1) if found.finding in SHARED else _equally_many(scores)
            for algorithm, scores, found in zip(names, samples, sharing, strict=True)
        ]
        pairs = bounded(rate_pairs(outcomes), 1.0)
    remark = ""
    if any(one.name != "mean" for one in metrics):
        remark = "scores are 0 and 1, so success rates are compared, which are means"
    if any(len(set(of_tasks)) > 1 for of_tasks in sizes):
        remark = "tasks have unequal numbers of runs, so only the smallest number of runs is used for each task"
    estimates = np.array([one.mean() for one in outcomes])
    return _without_errors("mean", names, samples, estimates, pairs, sharing, remark)


def _without_errors(
    metric_name: str,
    names: list[str],
    samples: list[list[Floats]],
    estimates: Floats,
    pairs: "Pairs",
    sharing: "list[Sharing]",
    remark: str = "",
    without_interval: str = "",
) -> Compared:
    """Return a `Compared` without standard errors of the algorithms."""
    unknown = np.full(len(names), np.nan)
    constant = np.zeros(len(names), bool)
    return Compared(
        metric_name, names, samples, estimates, pairs, sharing, None, remark, unknown, constant, without_interval
    )


def _equally_many(scores: Sequence[Floats]) -> Floats:
    """Concatenate the same number of scores from each task, so that the mean has exact limits."""
    count = min(map(len, scores))
    return np.concatenate([part[:count] for part in scores])


def _as_gap(compared: Compared, metric_name: str) -> Compared:
    """Convert a comparison of success rates to a comparison of optimality gaps, which are failure rates."""
    from surefoot.statistics.comparison.metric_differences import reversed_pairs

    pairs = reversed_pairs(compared.pairs)
    return compared._replace(metric=metric_name, estimates=1.0 - compared.estimates, pairs=pairs, remark="")


def compare_improvement(
    table: pd.DataFrame,
    names: list[str],
    how: Comparing,
    decimals: int | str,
    lower_is_better: bool = False,
    places: Sequence[tuple[int, int]] | None = None,
) -> Compared:
    """Compare algorithms by the probability of improvement; differences are the probability minus 0.5.

    Parameters
    ----------
    decimals : precision at which scores tie; see `arrays.score_places`
    places : pairs of indices of the algorithms to compare; by default, all pairs
    """
    from surefoot.statistics.comparison.metric_differences import bounded, improvement_pairs
    from surefoot.statistics.runs.shared_run_findings import NOT_FOUND, SHARED, sharing_of_runs
    from surefoot.statistics.runs.shared_run_test import CANNOT_TELL

    known = sharing_of_runs(table, how.shared_runs, how.seed)
    sharing = [known[algorithm] for algorithm in names]
    samples = [scores_of(table, algorithm) for algorithm in names]
    sign = -1.0 if lower_is_better else 1.0
    directed = [[sign * column for column in scores] for scores in samples]
    run_names = [runs_of(table, one) for one in names]
    own_names = [of_one if found.finding in SHARED else None for of_one, found in zip(run_names, sharing, strict=True)]
    pairs, whole = (
        bounded(improvement_pairs(directed, shared, how.paired, decimals, places), 0.5)
        for shared in (own_names, run_names)
    )
    estimates = mean_of_others(pairs.difference) + 0.5
    found = _without_errors("probability_of_improvement", names, samples, estimates, pairs, sharing)
    tested = all(one.finding in (*SHARED, CANNOT_TELL, NOT_FOUND) for one in sharing)
    return found._replace(whole_runs=found._replace(pairs=whole)) if tested else found


def compare_on_random_tasks(
    metric: str, names: list[str], samples: list[list[Floats]], clusters: list[str], lower_is_better: bool
) -> Compared:
    """Compare algorithms on a random sample of tasks, by paired t tests or by limits of paired success rates.

    Parameters
    ----------
    samples : scores of each algorithm, float64[runs] of each task
    clusters : name of the cluster of each task
    """
    from surefoot.statistics.comparison.metric_differences import bounded, paired_rate_pairs, paired_task_pairs
    from surefoot.statistics.comparison.probability_of_improvement import probability_of_improvement
    from surefoot.statistics.intervals.rate_limits import cluster_remark
    from surefoot.statistics.resampling.interval_remarks import EQUAL_TASKS, metric_remark
    from surefoot.statistics.runs.shared_run_findings import RESAMPLED, Sharing

    is_of_improvement = metric == "probability_of_improvement"
    if is_of_improvement:
        by_task = np.array([[probability_of_improvement(x, y).by_task - 0.5 for y in samples] for x in samples])
        by_task = -by_task if lower_is_better else by_task
        estimates = mean_of_others(by_task.mean(axis=-1)) + 0.5
    else:
        means = np.array([[scores.mean() for scores in of_tasks] for of_tasks in samples])
        by_task = means[:, None] - means
        estimates = means.mean(axis=1)
    if not is_of_improvement and all(np.isin(one, (0.0, 1.0)).all() for own in samples for one in own):
        answers = min(sum(map(len, of_tasks)) for of_tasks in samples)
        pairs = bounded(paired_rate_pairs(by_task, clusters, answers), 1.0)
    else:
        magnitude = 1.0 if is_of_improvement else typical_magnitude(means)
        pairs = paired_task_pairs(by_task, clusters, magnitude)
        pairs = bounded(pairs, 0.5) if is_of_improvement else pairs
    sizes = np.unique(clusters, return_counts=True)[1]
    remark = cluster_remark(len(sizes), sizes.sum() ** 2 / (sizes**2).sum()) or metric_remark(
        "student", metric, samples[0], resample="tasks_and_runs"
    )
    sharing = [Sharing(RESAMPLED)] * len(samples)
    return _without_errors(metric, names, samples, estimates, pairs, sharing, remark, EQUAL_TASKS)


def comparison_remark(compared: Compared, place: int, others: Sequence[int]) -> str:
    """Return the remark on the comparisons of one algorithm with others.

    Parameters
    ----------
    place : index of the algorithm
    others : indices of the other algorithms
    """
    from surefoot.statistics.resampling.interval_remarks import metric_remark, unlike_runs_remark
    from surefoot.statistics.runs.shared_run_findings import SHARED, least_known_sharing

    error = compared.pairs.error
    unknown = [] if error is None else [other for other in others if error[place, other] <= 0.0]
    if len(unknown) == len(others):
        return compared.without_interval
    together = [place, *others]
    subjects = together if len(others) == 1 else [place]
    remarks = [compared.remark]
    if unknown:
        names = joined([compared.names[one] for one in unknown])
        remarks.append(f"{compared.names[place]} is not compared with {names}: {compared.without_interval}")
    if np.isfinite(compared.degrees).all():
        # An interval is for whole runs only if tasks share the runs of both algorithms.
        is_shared = compared.sharing[place].finding in SHARED
        sharing = least_known_sharing([compared.sharing[one] for one in (together if is_shared else subjects)])
        chosen = metric(compared.metric)
        remarks += [
            f"resampling the runs of {compared.names[one]} does not change its estimate, so its error counts as 0"
            for one in subjects
            if compared.constant[one] and not unknown
        ]
        of_each = (metric_remark("student", chosen.name, compared.samples[one], sharing=sharing) for one in subjects)
        counts = [[len(column) for column in compared.samples[one]] for one in together]
        remarks += [next(filter(None, of_each), ""), unlike_runs_remark(counts, chosen.weighting)]
    return "; ".join(filter(None, remarks))


def mean_of_others(matrix: Floats) -> Floats:
    """Return the mean of each row of a square matrix without the diagonal element, which must be 0."""
    return np.asarray(matrix.sum(axis=1) / (len(matrix) - 1.0))
