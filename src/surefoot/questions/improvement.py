"""The probability that one algorithm improves on another, and the ranks of several."""

from itertools import permutations
from typing import Any, Literal

import numpy as np
import pandas as pd

from surefoot.build.errors import InputError
from surefoot.questions.checking import check_paired_runs, check_scores
from surefoot.questions.comparing import Comparing, compare_improvement
from surefoot.questions.registry import question
from surefoot.questions.results import Result, Sets
from surefoot.questions.types import (
    Algorithms,
    Baseline,
    Checked,
    Confidence,
    Decimals,
    Pairs,
    Replicates,
    Seed,
    SharedRuns,
    Threads,
)
from surefoot.statistics.arrays import RELATIVE, exceeds
from surefoot.statistics.runs.tables import algorithms_of, scores_of, tasks_of


def check_improvement(table: pd.DataFrame, settings: Any, where: str) -> None:
    """Raise an InputError if the runs cannot answer `improvement`, or are not pairs although declared so."""
    check_scores(table, settings, where, fewest=2)
    check_paired_runs(table, settings, where)
    if settings.baseline is not None and settings.pairs is not None:
        raise InputError(f"{where}.baseline", "a baseline and pairs are two families", "leave out one of the two")
    if settings.paired_runs and settings.method == "percentile":
        what = "the bootstrap of the paper draws the runs of both algorithms independently"
        raise InputError(f"{where}.method", what, "method: placements")


@question(
    stage="estimate",
    sets="several",
    pools_tasks=False,
    chart="surefoot.charts.improvement:improvement_chart",
    finding="surefoot.charts.improvement:improvement_finding",
    check=check_improvement,
)
def improvement(
    runs: Sets,
    *,
    algorithms: Algorithms | None = None,
    pairs: Pairs | None = None,
    baseline: Baseline | None = None,
    paired_runs: bool = False,
    lower_is_better: bool = False,
    decimals: Decimals | None = None,
    method: Literal["placements", "percentile"] = "placements",
    shared_runs: SharedRuns = "auto",
    replicates: Replicates = 1000,
    confidence: Confidence = 0.95,
    seed: Seed = 0,
    threads: Threads = 1,
    checked: Checked = False,
) -> Result:
    r"""Compute the probability that a run of one algorithm beats a run of another, with intervals and p-values.

    The probability that a run of x beats a run of y, for the given pairs, for each algorithm against one baseline, or
    for all pairs. The intervals are simultaneous, and p-values are adjusted for the same pairs.

    Parameters
    ----------
    runs
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}; or several such sets by name, {name: runs}.
    algorithms
        The algorithms to take; all of them by default.
    pairs
        Pairs of algorithms; the first of each is compared with the second. By default, all pairs are compared.
    baseline
        The algorithm with which each other one is compared, in place of all pairs.
    paired_runs
        Whether runs of a task with the same name belong together, of all algorithms, such as by a common seed. The
        variance is then that of the differences of the placements of paired runs.
    lower_is_better
        Whether lower scores are better, as of losses or steps to solve, so that the lower score of two runs wins.
    decimals
        Number of decimals to which scores are rounded before they are compared, for scores that were stored with
        few digits. By default, scores tie if they differ only by rounding errors in the last digits.
    method
        Of the intervals: placements, Brunner and Munzel's variances, with one task matched runs; percentile, of the
        bootstrap, as in the paper, too narrow for few runs.
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
        `table()` has columns scores, x, y, value, low, high (simultaneous for all pairs of a set; with the
        method percentile, each separately), p_value (two-sided, of 0.5, adjusted for the same pairs; empty with the
        method percentile), separated (whether the interval excludes 0.5), ties, as_published (scores compared exactly,
        so that ties are lost to rounding), runs (the fewest of any task of either), shared_runs, shared_runs_p_value
        (as in the answer of aggregates, of both), low_whole_runs, high_whole_runs (the simultaneous interval if tasks
        share runs; empty where runs have no names in common or were not tested, and with the method percentile)

    Raises
    ------
    ValueError
        for fewer than two algorithms; an unknown baseline

    Notes
    -----
    formula : $P(X > Y) = \frac1M \sum_m P_m$, where $P_m$ is the share of pairs of a run of X and one of Y on task $m$
        in which X scores more, plus half the share of ties. Limits are symmetric on the scale $\log(P / (1 - P))$, by
        the sum over tasks of Brunner and Munzel's variances $s_X^2 / N + s_Y^2 / K$ of placements, with Student's
        distribution and Satterthwaite's degrees of freedom; the variance of a task with fewer runs than others is at
        least that of all placements, pooled. With a single task, a single run, or where no run differs, they are those
        of [matched runs](#sec-game-pbp_matchings). Where tasks share runs, the variances are of placements summed over
        whole runs. Of paired runs, the variance is that of the differences of the placements of pairs. The limits of
        several pairs are simultaneous by Bonferroni's method, and an adjusted p-value is the least $\alpha$ at which
        they exclude one half.
    assumes : Runs are independent, within a task and across tasks. Where runs are [shared by
        tasks](#sec-question-run_effects), whole runs are.
    guarantee : For all pairs together. By placements, asymptotic: at 95 %, with 2 to 10 tasks and 3 to 20 runs, they
        missed in at most 8 % of 400 simulated studies of each kind. By matched runs, at least the stated confidence.
        Of paired runs, equal algorithms were separated in at most 5.5 % of 400 to 600 simulated data sets of each kind
        with 4 to 10 runs of 1, 2 and 5 tasks. The method percentile is narrower. At 95 %, it missed in 12 to 26 % of
        simulated cases with 2 runs of ten tasks, in 6 to 13 % with 5, and in up to 58 % on a single task.
    interval : simultaneous intervals of all pairs
    with method percentile : The intervals are percentile intervals of the stratified bootstrap, each separately, too
        narrow for few runs.
    in a paper : We report the probability that a run of one algorithm scores more than a run of another on the same
        task, averaged over tasks[, for {pairs}][, among {algorithms}][, each against
        {baseline}][, {lower_is_better}], with {intervals} (method: {method})[,
        {shared_runs}][; {paired_runs}].[ Scores are rounded to {decimals} decimals before they are compared.]
    not for : The size of an improvement: an algorithm that is always slightly better has probability 1.

    References
    ----------
    agarwal2021, section 4.3 and appendix A.7; mann1947; brunner2000; konietschke2014

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import improvement
    >>> a, b = [[0.9, 0.7], [0.8, 0.9], [0.7, 0.6]], [[0.4, 0.5], [0.6, 0.2], [0.3, 0.4]]
    >>> scores = {"a": np.array(a), "b": np.array(b)}
    >>> improvement(scores, pairs=[["a", "b"]]).table()[["x", "y", "value", "low", "high"]].round(2)
       x  y  value   low  high
    0  a  b    1.0  0.54   1.0
    """
    from surefoot.statistics.comparison.improvement import probability_of_improvement, replicate_improvement
    from surefoot.statistics.comparison.multiple_comparisons import Adjustment, simultaneous
    from surefoot.statistics.resampling.interval_remarks import improvement_remark
    from surefoot.statistics.resampling.replicate_intervals import interval
    from surefoot.statistics.runs.run_effects import SHARED, least_known_sharing, sharing_of_runs

    ties = RELATIVE if decimals is None else decimals
    sign = -1.0 if lower_is_better else 1.0
    how = Comparing(shared_runs, paired_runs, replicates, confidence, seed, threads)
    rows = []
    notes = []
    for name, table in runs.items():
        known = algorithms_of(table, algorithms)
        samples = {one: [sign * scores for scores in scores_of(table, one)] for one in known}
        findings = sharing_of_runs(table, shared_runs, seed)
        asked = pairs or permutations(known, 2)
        if baseline is not None:
            asked = [(one, baseline) for one in known if one != baseline]
        asked = list(asked)
        together = of_whole = None
        if method == "placements":
            ordered = [sorted(map(known.index, pair)) for pair in asked]
            places = list(dict.fromkeys((first, second) for first, second in ordered))
            family = np.zeros((len(known), len(known)), dtype=bool)
            for first, second in places:
                family[first, second] = family[second, first] = True
            compared = compare_improvement(table, known, how, ties, lower_is_better, places)
            together, of_whole = (
                one and simultaneous(one.pairs, Adjustment(len(places)), family, confidence)
                for one in (compared, compared.whole_runs)
            )
        for x, y in asked:
            both = (samples[x], samples[y])
            sharing = least_known_sharing([findings[x], findings[y]])
            sizes = [len(scores) for sample in both for scores in sample]
            found = probability_of_improvement(*both, ties)
            if together is None:
                names = (f"{name}/{x}", f"{name}/{y}")
                drawn = replicate_improvement(*both, replicates, seed, names, tasks_of(table), ties, threads=threads)
                low, high = map(float, interval(drawn, None, "percentile", confidence))
                p_value = np.nan
                whole = (np.nan, np.nan)
                note = improvement_remark(sizes, high - low, confidence)
                notes.append((name, x, y, _OF_SHARED_RUNS if sharing.finding in SHARED else note))
            else:
                place = known.index(x), known.index(y)
                low = together.low[place] + 0.5
                high = together.high[place] + 0.5
                p_value = together.p_value[place]
                whole = (
                    (np.nan, np.nan) if of_whole is None else (of_whole.low[place] + 0.5, of_whole.high[place] + 0.5)
                )
            separated = bool(exceeds(low, 0.5) or exceeds(0.5, high))
            published = probability_of_improvement(*both, decimals=None).probability
            row = (name, x, y, found.probability, low, high, p_value, separated, found.ties, published)
            rows.append((*row, min(sizes), sharing.finding, sharing.p_value, *whole))
    columns = ["scores", "x", "y", "value", "low", "high", "p_value", "separated", "ties", "as_published"]
    columns += ["runs", "shared_runs", "shared_runs_p_value", "low_whole_runs", "high_whole_runs"]
    answer = pd.DataFrame(rows, columns=columns)
    of_notes = pd.DataFrame(notes, columns=["scores", "x", "y", "note"])
    return Result(answer, reservations=of_notes[of_notes["note"] != ""].reset_index(drop=True))


_OF_SHARED_RUNS = "tasks share runs, or seem to, which this interval does not allow for; take the method placements"


@question(
    stage="estimate",
    sets="several",
    pools_tasks=False,
    chart="surefoot.charts.improvement:ranks_chart",
    finding="surefoot.charts.improvement:ranks_finding",
)
def ranks(
    runs: Sets,
    *,
    algorithms: Algorithms | None = None,
    checked: Checked = False,
) -> Result:
    """The probability of each rank of each algorithm.

    Distributions of ranks when one run of each algorithm is drawn and ties are broken at random; 1 is the best.

    Parameters
    ----------
    runs
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}; or several such sets by name, {name: runs}.
    algorithms
        The algorithms to take; all of them by default.
    checked
        Whether the runs are known to be right although they look transposed, like episodes instead of runs, or like
        scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns scores, environment (empty for the mean over tasks), algorithm, rank, value (the
        probability)

    Notes
    -----
    formula : The probability of rank $r$ if one run of each algorithm is drawn on a task drawn at random, with ties
        broken at random; counted exactly.
    assumes : The given runs represent all runs.
    guarantee : Exact for the given runs; nothing about other runs.
    in a paper : We report the probability of each rank of each algorithm[ among {algorithms}], for one run of each on a
        task drawn at random.
    not for : Confidence that an algorithm is the best: a probability of rank 1 near 1/2 can come from equal algorithms
        or unequal ones.

    References
    ----------
    agarwal2021, figures 11 and A.33

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import ranks
    >>> a, b = [[0.9, 0.7], [0.8, 0.9], [0.7, 0.6]], [[0.4, 0.5], [0.6, 0.2], [0.3, 0.4]]
    >>> scores = {"a": np.array(a), "b": np.array(b)}
    >>> table = ranks(scores).table()
    >>> table[table["environment"] == ""][["algorithm", "rank", "value"]]
      algorithm  rank  value
    0         a     1    1.0
    1         a     2    0.0
    2         b     1    0.0
    3         b     2    1.0
    """
    from surefoot.statistics.comparison.improvement import rank_distributions

    parts = []
    for name, table in runs.items():
        names = algorithms_of(table, algorithms)
        tasks = tasks_of(table)
        scores = [scores_of(table, algorithm) for algorithm in names]
        found = rank_distributions(scores)
        for task, matrix in [("", found.mean(axis=0)), *zip(tasks, found, strict=True)]:
            part = pd.DataFrame(
                {
                    "scores": name,
                    "environment": task,
                    "algorithm": np.repeat(names, len(names)),
                    "rank": np.tile(np.arange(1, len(names) + 1), len(names)),
                    "value": matrix.ravel(),
                }
            )
            parts.append(part)
    return Result(pd.concat(parts, ignore_index=True))
