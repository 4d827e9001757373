"""Differences between algorithms, and whether the tasks of a run vary together."""

from typing import Any

import numpy as np
import pandas as pd

from surefoot.build.errors import InputError
from surefoot.errors import HintedError
from surefoot.questions.aggregates import resampled_metrics
from surefoot.questions.checking import algorithms_asked, check_scores_with_spread
from surefoot.questions.registry import question
from surefoot.questions.results import Result, Sets
from surefoot.questions.types import (
    Algorithms,
    Checked,
    Confidence,
    Metrics,
    OneSize,
    Replicates,
    Seed,
    SharedRuns,
    Threads,
)
from surefoot.statistics.arrays import exceeds, typical_magnitude
from surefoot.statistics.metrics.catalogue import metric
from surefoot.statistics.runs.tables import algorithms_of, matched_scores, tasks_of

_PAIRED = (
    "percentile limits of pairs of runs, of which 95 % miss the difference in one case of eight with 3 runs a task"
)


def check_differences(table: pd.DataFrame, settings: Any, where: str) -> None:
    """Raises InputError where the runs cannot answer `pairwise_differences`, or are no pairs and should be."""
    check_scores_with_spread(table, settings, where, fewest=2)
    if not settings.paired_runs:
        return
    own = table[table["algorithm"].isin(algorithms_asked(table, settings))]
    for task, rows in own.groupby("environment", sort=False):
        names = {algorithm: set(runs) for algorithm, runs in rows.groupby("algorithm", sort=False)["run"]}
        (first, of_first), *others = names.items()
        for other, of_other in others:
            if of_first != of_other:
                what = f"{first} and {other} have other runs in {task}"
                raise InputError(where, what, "pairs have the same run; or paired_runs: false")


@question(
    stage="estimate",
    sets="named",
    chart="surefoot.charts.differences:pairwise_differences_chart",
    finding="surefoot.charts.differences:pairwise_differences_finding",
    check=check_differences,
)
def pairwise_differences(
    runs: Sets,
    *,
    metrics: Metrics = ("iqm",),
    algorithms: Algorithms | None = None,
    paired_runs: bool = False,
    shared_runs: SharedRuns = "auto",
    replicates: Replicates = 1000,
    confidence: Confidence = 0.95,
    seed: Seed = 0,
    threads: Threads = 1,
    checked: Checked = False,
) -> Result:
    r"""By how much each algorithm is better than each other one, with intervals that hold together.

    Differences x - y of each metric between all pairs of algorithms, with simultaneous intervals.

    Student's intervals of the resampled runs of each task, with Welch's degrees of freedom, at the level at which those
    of all pairs hold together, as in `multiple_comparisons`. Where tasks share runs, the standard errors are those of
    whole runs. Where no run differs from another of its task, scores of 0 and 1 have limits by their success rates, and
    others none.

    Parameters
    ----------
    runs
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}.
    metrics
        Metrics by name: mean, median, iqm, exact_iqm, trimmed_mean(p), run_median, optimality_gap(gamma),
        difficulty_progress(p), probability_above(t). Every task has the same weight; append "weighted by runs", as in
        "iqm weighted by runs", to give every run the same weight.
    algorithms
        The algorithms to take; all of them by default.
    paired_runs
        Whether runs of a task with the same name belong together, of all algorithms, such as by a common seed: they are
        resampled together, and the intervals are of percentiles.
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
        `table()` has columns metric, x, y, value_x, value_y, value (of the difference), low, high (empty if there are
        none), degrees (of freedom; empty for paired runs), runs (the fewest of any task of either), runs_to_settle (how
        many fresh runs of each task would settle the difference with a probability of 80 %, if the true difference is
        the observed one; not for adding runs to these: see `sequential_comparison`; empty for paired runs),
        fewest_to_settle, most_to_settle (its 80 % band, since these runs do not tell the difference exactly),
        shared_runs (as in the answer of aggregates, of both), remark (a reservation about
        the interval)

    Raises
    ------
    ValueError
        for fewer than two algorithms; an unknown metric; only one run of every task; paired runs of which an algorithm
        lacks one

    Notes
    -----
    formula : $T(X) - T(Y) \mp q\, \sqrt{a + b}$, where $a$ and $b$ are the squared standard errors $c^2 s^2$ of X and Y
        as in the interval [Student](#sec-interval-student), and $q$ is Student's quantile at $1 - p / 2$ with $(a +
        b)^2 / \left( \frac{a^2}{\nu_X + 2} + \frac{b^2}{\nu_Y + 2} \right) - 2$ degrees of freedom, at least the
        smaller of the $\nu_X$ and $\nu_Y$ of those intervals. Of two algorithms, $p = \alpha$; of more, it is the level
        of all pairs of [multiple comparisons](#sec-question-multiple_comparisons). Where no run differs from another of
        its task, mean, IQM, median and optimality gap of scores of 0 and 1 have the limits of success rates, $\alpha
        / (2P)$ in each tail for $P$ pairs, and others have none. Of paired runs, the limits are the quantiles $\alpha
        / (2P)$ and $1 - \alpha / (2P)$ of differences whose runs are drawn together, for each task separately.
    assumes : Runs are independent, within a task and across tasks. Where runs are [shared by
        tasks](#sec-question-run_effects), whole runs are.
    guarantee : Of all pairs of a metric together (Bonferroni); no theorem. At 95 %, some difference of the IQM is
        missed in 1 to 8 % of simulated cases, from two runs per task on; other metrics do as well if scores are nearly
        normal. Where a few runs fail or single tasks decide, some difference is missed in up to 30 % of cases for the
        mean, 40 % for the median and 50 % for the optimality gap.
    interval : simultaneous intervals by Student's distribution
    in a paper : We report the difference in the {metrics} between each pair of algorithms[ among {algorithms}], with
        {intervals}[, {shared_runs}][; {paired_runs}].
    not for : Other metrics than the IQM of few runs that are skewed or sometimes fail: a remark says so. Three runs
        that share luck across tasks, which may not show it.

    References
    ----------
    welch1947; schenker2001

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import pairwise_differences
    >>> a, b = [[0.9, 0.7], [0.8, 0.9], [0.7, 0.6]], [[0.4, 0.5], [0.6, 0.2], [0.3, 0.4]]
    >>> scores = {"a": np.array(a), "b": np.array(b)}
    >>> pairwise_differences(scores).table()[["x", "y", "value", "low", "high"]].round(2)
       x  y  value   low  high
    0  a  b   0.38  0.16  0.59
    """
    from surefoot.statistics.comparison.differences import limits_without_spread
    from surefoot.statistics.comparison.differences import pairwise_differences as intervals_of_differences
    from surefoot.statistics.comparison.fresh_runs import runs_to_settle
    from surefoot.statistics.comparison.multiple_comparisons import joint_level, joint_tails
    from surefoot.statistics.resampling.interval_remarks import (
        EQUAL_OUTCOMES,
        EQUAL_RUNS,
        difference_remark,
        unlike_runs_remark,
    )
    from surefoot.statistics.resampling.replicate_intervals import interval
    from surefoot.statistics.resampling.stratified_bootstrap import replicate_metrics
    from surefoot.statistics.runs.run_effects import SHARED, least_known

    chosen_metrics = [metric(one) for one in metrics]
    of_each = resampled_metrics(runs, chosen_metrics, algorithms, shared_runs, replicates, seed, threads)
    names, samples = [name for _, name in of_each], [one.scores for one in of_each.values()]
    (table,) = runs.values()
    drawn = []
    if paired_runs:  # the same seed and name draw the same runs
        how = (chosen_metrics, replicates, seed, "", tasks_of(table), "paired_runs")
        drawn = [replicate_metrics(scores, *how, threads=threads) for scores in samples]
    known, spreads = zip(*((one.sharing, one.standard_errors()) for one in of_each.values()), strict=True)
    rows = []
    for place, chosen in enumerate(chosen_metrics):
        values = [one.values[place] for one in of_each.values()]
        error, freedom, skewness = ([getattr(one, part)[place] for one in spreads] for part in spreads[0]._fields)
        level = joint_level(joint_tails(error, freedom, seed), confidence)
        found = intervals_of_differences(values, error, freedom, level)
        runs_now = min(len(column) for scores in samples for column in scores)
        enough = runs_to_settle(found.value, found.standard_error, found.degrees, runs_now, 1.0 - level)
        for p, (x, y) in enumerate(zip(found.x, found.y, strict=True)):
            both = samples[x] + samples[y]
            fewest = min(len(column) for column in both)
            sharing = least_known([known[x], known[y]])
            shape = found.degrees[p], max(abs(skewness[x]), abs(skewness[y]))
            low, high, needed = found.low[p], found.high[p], [end[p] for end in enough]
            remark = difference_remark(chosen.name, [samples[x], samples[y]], shape, high - low, sharing)
            if not exceeds(found.standard_error[p], 0.0, typical_magnitude(np.concatenate(both))):
                tail = (1.0 - confidence) / len(found.value) / 2.0
                low, high = limits_without_spread(str(chosen), samples[x], samples[y], tail, sharing in SHARED)
                needed, remark = [np.inf] * len(needed), EQUAL_RUNS if np.isnan(low) else EQUAL_OUTCOMES
            degrees = found.degrees[p]
            if paired_runs:
                of_pair = 1.0 - (1.0 - confidence) / len(found.value)
                limits = interval((drawn[x] - drawn[y])[:, place], found.value[p], "percentile", of_pair)
                low, high, degrees, needed, remark = *map(float, limits), np.nan, [np.nan] * len(needed), _PAIRED
            unlike = unlike_runs_remark([samples[x], samples[y]], chosen.weighting)
            remark = "; ".join(filter(None, [remark, unlike]))
            row = (str(chosen), names[x], names[y], values[x], values[y], found.value[p], low, high)
            rows.append((*row, degrees, fewest, *needed, sharing, remark))
    columns = ["metric", "x", "y", "value_x", "value_y", "value", "low", "high", "degrees", "runs", "runs_to_settle"]
    return Result(pd.DataFrame(rows, columns=[*columns, "fewest_to_settle", "most_to_settle", "shared_runs", "remark"]))


_FEWEST = 3
"""Runs that Friedman's test needs."""


@question(stage="estimate", pools_tasks=False, looks_at_axes=False)
def run_effects(
    runs: pd.DataFrame,
    *,
    sizes: OneSize = (10,),
    algorithms: Algorithms | None = None,
    confidence: Confidence = 0.95,
    seed: Seed = 0,
    checked: Checked = False,
) -> Result:
    r"""What runs with the same number share across tasks.

    Whether runs with the same number do similarly well on all tasks: Friedman's test over the tasks, and the first
    runs alone.

    Intervals that resample the runs of each task assume that tasks are independent, and so do bands, probabilities of
    improvement, and sequential comparisons that count the tasks of a round as separate outcomes. If tasks are not
    independent, these intervals are too narrow (for the mean of all tasks, by a factor of about sqrt(inflation)), and
    `resampled="whole_runs"` is right. Runs are matched across tasks by their names; those that some task lacks are left
    out. The inflation is 1 + (M - 1) times the mean correlation of two of M tasks.

    Parameters
    ----------
    runs
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}.
    sizes
        The number of runs.
    algorithms
        The algorithms to take; all of them by default.
    confidence
        Confidence level of the intervals.
    seed
        Seed of all random numbers.
    checked
        Whether the runs are known to be right although they look transposed, like episodes instead of runs, or like
        scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns algorithm, statistic, degrees, p_value (of Friedman's test), runs, first (number of
        runs), first_iqm, iqm, correlation, correlation_high, finding

    Raises
    ------
    ValueError
        for an algorithm has no run that all tasks have

    Notes
    -----
    formula : With the rank $r_{mn}$ of run $n$ among the $N$ of task $m$, less $(N + 1) / 2$, the inflation is $\sum_n
        (\sum_m r_{mn})^2 / \sum_{m,n} r_{mn}^2 = M W$ with Kendall's $W$: the variance of the runs' mean ranks relative
        to independent tasks. The mean correlation of two tasks is $(M W - 1) / (M - 1)$.
    assumes : Runs that share anything have the same number on all tasks.
    guarantee : The permutation test of the finding is exact, whatever the scores; Friedman's p-value is asymptotic, the
        limits of the inflation approximate.
    in a paper : We test whether runs with the same number share anything across tasks[, for {algorithms}], with
        [{sizes} runs] of each task.
    not for : Effects too rare to show in the given runs.

    References
    ----------
    iman1980; shrout1979

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import run_effects
    >>> a, b = [[0.9, 0.7], [0.8, 0.9], [0.7, 0.6]], [[0.4, 0.5], [0.6, 0.2], [0.3, 0.4]]
    >>> scores = {"a": np.array(a), "b": np.array(b)}
    >>> run_effects(scores, sizes=[2], checked=True).table()[["algorithm", "runs", "finding"]]
      algorithm  runs      finding
    0         a     3  cannot tell
    1         b     3  cannot tell
    """
    from scipy.stats import friedmanchisquare

    from surefoot.statistics.resampling.stratified_bootstrap import metric_values
    from surefoot.statistics.runs.run_effects import run_effect

    (first,) = sizes
    rows = []
    for name in algorithms_of(runs, algorithms):
        scores = matched_scores(runs, name)
        if scores.size == 0:
            hint = "runs are matched by their names; where these mean nothing across tasks, there is nothing to ask"
            raise HintedError("run effects", f"no run of {name} is in all tasks", hint)
        test = friedmanchisquare(*scores) if len(scores) >= _FEWEST else (np.nan, np.nan)
        iqm = [float(metric_values(part, ["iqm"])[0]) for part in (scores[:first], scores)]
        effect = run_effect(scores, confidence, seed=seed)
        correlations = (effect.correlation(), effect.correlation("_high"), effect.finding)
        rows.append((name, test[0], len(scores) - 1, test[1], len(scores), first, *iqm, *correlations))
    columns = ["algorithm", "statistic", "degrees", "p_value", "runs", "first", "first_iqm", "iqm"]
    return Result(pd.DataFrame(rows, columns=[*columns, "correlation", "correlation_high", "finding"]))
