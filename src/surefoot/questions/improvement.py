"""The probability that a run of one algorithm beats a run of another, and the ranks of several algorithms."""

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from surefoot.errors import InputError
from surefoot.questions._framework.checking import check_paired_runs, check_scores
from surefoot.questions._framework.question_registry import question
from surefoot.questions._framework.results import Result, Sets
from surefoot.questions._framework.types import (
    Algorithms,
    Baseline,
    Checked,
    Confidence,
    Decimals,
    LowerIsBetter,
    Pairs,
    Replicates,
    Seed,
    SharedRuns,
    Threads,
)
from surefoot.questions.comparing import Comparing, compare_improvement
from surefoot.statistics.arrays import RELATIVE, Floats, exceeds
from surefoot.statistics.runs.score_arrays import algorithms_of, scores_of, tasks_of


def check_improvement(table: pd.DataFrame, settings: Any, where: str) -> None:
    """Raise an InputError if runs or settings do not allow `probability_of_improvement`."""
    counts = check_scores(table, settings, where, fewest=2)
    check_paired_runs(table, counts, settings, where)
    if settings.baseline is not None and settings.pairs is not None:
        raise InputError(f"{where}.baseline", "baseline and pairs exclude each other", "leave one of them out")
    if settings.paired and settings.method == "percentile":
        what = "percentile does not allow for paired runs, since it draws the runs of both algorithms independently"
        raise InputError(f"{where}.method", what, "set method: placements")


@question(
    stage="estimate",
    sets="several",
    pools_tasks=False,
    chart="surefoot.charts.improvement_charts:probability_of_improvement_chart",
    finding="surefoot.charts.improvement_charts:probability_of_improvement_finding",
    check=check_improvement,
)
def probability_of_improvement(
    runs: Sets,
    *,
    algorithms: Algorithms | None = None,
    pairs: Pairs | None = None,
    baseline: Baseline | None = None,
    paired: bool = False,
    lower_is_better: bool = False,
    decimals: Decimals | None = None,
    method: Literal["placements", "percentile"] = "placements",
    shared_runs: SharedRuns = "auto",
    n_resamples: Replicates = 1000,
    confidence_level: Confidence = 0.95,
    seed: Seed = 0,
    threads: Threads = 1,
    skip_checks: Checked = False,
) -> Result:
    r"""Compute the probability that a run of one algorithm beats a run of another.

    Two runs on the same task are compared, for the given pairs of algorithms, for each algorithm and one baseline, or
    for all pairs. Intervals are simultaneous, and p-values are adjusted for the same pairs.

    Parameters
    ----------
    runs : DataFrame or dict
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}; or several such sets by name, {name: runs}.
    algorithms : list of str, optional
        Algorithms to include. Default: all.
    pairs : list of pairs of str, optional
        Pairs of algorithms; the first of each is compared with the second. Default: all pairs.
    baseline : str, optional
        Algorithm with which the others are compared, instead of all pairs.
    paired : bool, default False
        If True, runs of a task with the same name are paired across algorithms, for example by a common seed. The
        variance is then computed from the differences between placements of paired runs.
    lower_is_better : bool, default False
        If True, lower scores are better, as for losses or steps to solve, and the run with the lower score wins.
    decimals : int, optional
        Number of decimals to which scores are rounded before they are compared, for scores that were stored with few
        digits. By default, scores tie if they differ only by rounding errors in the last digits.
    method : {"placements", "percentile"}, default "placements"
        Interval method. "placements" uses the variances of Brunner and Munzel, or matchings of runs if there is a
        single task; "percentile" uses the bootstrap as in the paper, whose intervals are too narrow for few runs.
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
        `table()` has columns scores, algorithm, baseline, estimate, low, high (simultaneous for all pairs of a set of
        scores; with the method percentile, each separately), p_value (two-sided, for a probability of 0.5, adjusted for
        the same pairs; empty with the method percentile), separated (True if the interval excludes 0.5), ties (fraction
        of the pairs of runs), as_published (the estimate if scores are compared exactly, so that rounding errors break
        ties), runs (the smallest number of either algorithm on any task), shared_runs, shared_runs_p_value (for both
        algorithms; see `aggregate_metrics`; "found for some" if only one has shared runs), low_whole_runs,
        high_whole_runs (the simultaneous interval for the case that tasks share runs; empty if runs have no names in
        common or sharing was not tested, and with the method percentile).

    Raises
    ------
    ValueError
        If there are fewer than two algorithms, or if the baseline is unknown.

    Notes
    -----
    formula : $P(X > Y) = \frac1M \sum_m P_m$, where $P_m$ is the share of pairs of a run of X and a run of Y on task
        $m$ in which X scores more, plus half the share of ties. Limits are symmetric on the scale $\log(P / (1 - P))$,
        by the sum over tasks of Brunner and Munzel's variances $s_X^2 / N + s_Y^2 / K$ of placements, with Student's
        distribution and Satterthwaite's degrees of freedom; the variance of a task with fewer runs than others is at
        least the pooled variance of all placements. With a single task or a single run, or if all runs are equal, the
        limits of [matched runs](#sec-game-pbp_matchings) are used. Where tasks share runs, the variances are computed
        from placements summed over whole runs. For paired runs, the variance is computed from the differences of the
        placements of pairs. The limits of several pairs are simultaneous by Bonferroni's method, and an adjusted
        p-value is the smallest $\alpha$ at which they exclude 0.5.
    assumes : Runs are independent, within a task and across tasks. Where runs are [shared by
        tasks](#sec-question-shared_run_test), whole runs are.
    guarantee : For all pairs together. By placements, asymptotic: at 95 %, with 2 to 10 tasks and 3 to 20 runs, they
        missed in at most 8 % of 400 simulated studies of each kind. By matched runs, the confidence is at least the
        stated one. With paired runs, equal algorithms were separated in at most 5.5 % of 400 to 600 simulated data sets
        of each kind with 4 to 10 runs of 1, 2 and 5 tasks. The method percentile is narrower. At 95 %, it missed in 12
        to 26 % of simulated cases with 2 runs on ten tasks, in 6 to 13 % with 5 runs, and in up to 58 % on a single
        task.
    interval : simultaneous intervals of all pairs
    with method percentile : The intervals are percentile intervals of the stratified bootstrap, each separately, too
        narrow for few runs.
    not for : The size of an improvement: an algorithm that is always slightly better has probability 1.

    References
    ----------
    Agarwal et al. 2021, section 4.3 and appendix A.7; Mann and Whitney 1947; Brunner and Munzel 2000; Konietschke and
    Pauly 2014

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import probability_of_improvement
    >>> a, b = [[0.9, 0.7], [0.8, 0.9], [0.7, 0.6]], [[0.4, 0.5], [0.6, 0.2], [0.3, 0.4]]
    >>> scores = {"a": np.array(a), "b": np.array(b)}
    >>> found = probability_of_improvement(scores, pairs=[["a", "b"]]).table()
    >>> found[["algorithm", "baseline", "estimate", "low", "high"]].round(2)
      algorithm baseline  estimate   low  high
    0         a        b       1.0  0.54   1.0
    """
    from surefoot.statistics.comparison.probability_of_improvement import probability_of_improvement
    from surefoot.statistics.resampling.interval_remarks import improvement_remark
    from surefoot.statistics.runs.shared_run_findings import PARTLY, SHARED, least_known_sharing, sharing_of_runs

    ties = RELATIVE if decimals is None else decimals
    sign = -1.0 if lower_is_better else 1.0
    how = Comparing(shared_runs, paired, n_resamples, confidence_level, seed, threads)
    rows: list[dict[str, Any]] = []
    notes: list[dict[str, str]] = []
    for name, table in runs.items():
        known = algorithms_of(table, algorithms)
        samples = {one: [sign * scores for scores in scores_of(table, one)] for one in known}
        findings = sharing_of_runs(table, shared_runs, seed)
        asked = list(pairs or permutations(known, 2))
        if baseline is not None:
            asked = [(one, baseline) for one in known if one != baseline]
        if method == "placements":
            limits = _placement_limits(table, known, asked, how, ties, lower_is_better)
        else:
            limits = _percentile_limits(name, table, samples, asked, how, ties)
        for (x, y), found in zip(asked, limits, strict=True):
            sharing = least_known_sharing([findings[x], findings[y]])
            sizes = [len(scores) for sample in (samples[x], samples[y]) for scores in sample]
            probability = probability_of_improvement(samples[x], samples[y], ties)
            row: dict[str, Any] = {"scores": name, "algorithm": x, "baseline": y, "estimate": probability.probability}
            row |= {"low": found.low, "high": found.high, "p_value": found.p_value}
            row["separated"] = bool(exceeds(found.low, 0.5) or exceeds(0.5, found.high))
            row["ties"] = probability.ties
            row["as_published"] = probability_of_improvement(samples[x], samples[y], decimals=None).probability
            row |= {"runs": min(sizes), "shared_runs": sharing.finding, "shared_runs_p_value": sharing.p_value}
            row |= {"low_whole_runs": found.low_whole_runs, "high_whole_runs": found.high_whole_runs}
            rows.append(row)
            if method == "percentile":
                note = improvement_remark(sizes, found.high - found.low, confidence_level)
                note = _OF_SHARED_RUNS if sharing.finding in (*SHARED, PARTLY) else note
                notes.append({"scores": name, "algorithm": x, "baseline": y, "note": note})
    of_notes = pd.DataFrame(notes, columns=["scores", "algorithm", "baseline", "note"])
    return Result(pd.DataFrame(rows), reservations=of_notes[of_notes["note"] != ""].reset_index(drop=True))


class _Limits(NamedTuple):
    """Limits of a probability of improvement.

    low, high : limits
    p_value : p-value adjusted for all pairs; NaN if there is none
    low_whole_runs, high_whole_runs : limits for the case that tasks share runs; NaN if there are none
    """

    low: float
    high: float
    p_value: float = np.nan
    low_whole_runs: float = np.nan
    high_whole_runs: float = np.nan


def _placement_limits(
    table: pd.DataFrame,
    known: list[str],
    asked: Sequence[Sequence[str]],
    how: Comparing,
    ties: int | str,
    lower_is_better: bool,
) -> list[_Limits]:
    """Return simultaneous limits of the requested pairs, from placements or matched runs."""
    from surefoot.statistics.comparison.simultaneous_comparisons import Adjustment, simultaneous

    ordered = [sorted(map(known.index, pair)) for pair in asked]
    places = list(dict.fromkeys((first, second) for first, second in ordered))
    family = np.zeros((len(known), len(known)), dtype=bool)
    for first, second in places:
        family[first, second] = family[second, first] = True
    compared = compare_improvement(table, known, how, ties, lower_is_better, places)
    adjustment = Adjustment(len(places))
    together = simultaneous(compared.pairs, adjustment, family, how.confidence_level)
    whole = compared.whole_runs and simultaneous(compared.whole_runs.pairs, adjustment, family, how.confidence_level)
    limits = []
    for x, y in asked:
        place = known.index(x), known.index(y)
        found = _Limits(together.low[place] + 0.5, together.high[place] + 0.5, together.p_value[place])
        if whole is not None:
            found = found._replace(low_whole_runs=whole.low[place] + 0.5, high_whole_runs=whole.high[place] + 0.5)
        limits.append(found)
    return limits


def _percentile_limits(
    name: str,
    table: pd.DataFrame,
    samples: Mapping[str, list[Floats]],
    asked: Sequence[Sequence[str]],
    how: Comparing,
    ties: int | str,
) -> list[_Limits]:
    """Return separate percentile limits of the requested pairs.

    name : name of the set of scores, which identifies the random streams
    """
    from surefoot.statistics.comparison.probability_of_improvement import replicate_improvement
    from surefoot.statistics.resampling.replicate_intervals import interval

    limits = []
    for x, y in asked:
        names = (f"{name}/{x}", f"{name}/{y}")
        drawn = replicate_improvement(
            samples[x], samples[y], how.n_resamples, how.seed, names, tasks_of(table), ties, threads=how.threads
        )
        low, high = interval(drawn, None, "percentile", how.confidence_level)
        limits.append(_Limits(float(low), float(high)))
    return limits


_OF_SHARED_RUNS = "tasks share runs, or seem to, which this interval does not allow for; use the method placements"


@question(
    stage="estimate",
    sets="several",
    pools_tasks=False,
    chart="surefoot.charts.improvement_charts:rank_probabilities_chart",
    finding="surefoot.charts.improvement_charts:rank_probabilities_finding",
)
def rank_probabilities(
    runs: Sets,
    *,
    algorithms: Algorithms | None = None,
    lower_is_better: LowerIsBetter = False,
    skip_checks: Checked = False,
) -> Result:
    """Compute the probability that an algorithm has each rank, if one run of each algorithm is drawn at random.

    Rank 1 is the best, and ties are broken at random.

    Parameters
    ----------
    runs : DataFrame or dict
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}; or several such sets by name, {name: runs}.
    algorithms : list of str, optional
        Algorithms to include. Default: all.
    lower_is_better : bool, default False
        True if lower scores are better.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns scores, environment (empty for the mean over tasks), algorithm, rank, estimate (the
        probability).

    Notes
    -----
    formula : The probability of rank $r$ if one run of each algorithm is drawn on a random task, with ties broken at
        random. It is computed exactly.
    assumes : The given runs represent all runs.
    guarantee : Exact for the given runs; nothing about other runs.
    not for : Confidence that an algorithm is the best: equal and unequal algorithms can both have a probability of rank
        1 near 1/2.

    References
    ----------
    Agarwal et al. 2021, figures 11 and A.33

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import rank_probabilities
    >>> a, b = [[0.9, 0.7], [0.8, 0.9], [0.7, 0.6]], [[0.4, 0.5], [0.6, 0.2], [0.3, 0.4]]
    >>> scores = {"a": np.array(a), "b": np.array(b)}
    >>> table = rank_probabilities(scores).table()
    >>> table[table["environment"] == ""][["algorithm", "rank", "estimate"]]
      algorithm  rank  estimate
    0         a     1       1.0
    1         a     2       0.0
    2         b     1       0.0
    3         b     2       1.0
    """
    from surefoot.statistics.comparison.probability_of_improvement import rank_distributions

    parts = []
    for name, table in runs.items():
        names = algorithms_of(table, algorithms)
        tasks = tasks_of(table)
        sign = -1.0 if lower_is_better else 1.0
        scores = [[sign * of_task for of_task in scores_of(table, algorithm)] for algorithm in names]
        found = rank_distributions(scores)
        for task, matrix in [("", found.mean(axis=0)), *zip(tasks, found, strict=True)]:
            part = pd.DataFrame(
                {
                    "scores": name,
                    "environment": task,
                    "algorithm": np.repeat(names, len(names)),
                    "rank": np.tile(np.arange(1, len(names) + 1), len(names)),
                    "estimate": matrix.ravel(),
                }
            )
            parts.append(part)
    return Result(pd.concat(parts, ignore_index=True))
