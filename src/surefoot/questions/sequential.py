"""Comparisons while runs are still being collected: at any time, or at planned looks."""

from typing import Annotated, Any

import numpy as np
import pandas as pd
from pydantic import Field

from surefoot.errors import InputError, counted
from surefoot.questions._framework.checking import check_scores
from surefoot.questions._framework.question_registry import question
from surefoot.questions._framework.results import Result
from surefoot.questions._framework.types import (
    Algorithms,
    Checked,
    Compared,
    Confidence,
    DataSets,
    Seed,
    TasksIndependent,
)
from surefoot.runs.sections import SeveralRuns
from surefoot.statistics.arrays import Floats
from surefoot.statistics.runs.score_arrays import algorithms_of, scores_of


@question(
    stage="cover",
    pools_tasks=False,
    group="how_many_runs",
    chart="surefoot.charts.run_numbers:sequential_comparison_chart",
    finding="surefoot.charts.run_numbers:sequential_comparison_finding",
)
def sequential_comparison(
    runs: pd.DataFrame,
    *,
    algorithms: Compared,
    tasks_independent: TasksIndependent = "auto",
    n_resamples: SeveralRuns = 300,
    confidence_level: Confidence = 0.95,
    seed: Seed = 0,
    skip_checks: Checked = False,
) -> Result:
    r"""Compare two algorithms after every run, to stop as soon as they are separated.

    Runs must have been collected in the natural order of their names (run2 before run10). A round consists of the next
    run of both algorithms on every task. Runs that only some tasks have so far are not used. You may look at the
    comparison after every round, and stop by any rule.

    Parameters
    ----------
    runs : DataFrame or dict
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}.
    algorithms : pair of str
        The two algorithms to compare.
    tasks_independent : {"auto", True, False}, default "auto"
        True if runs of different tasks are separate training runs with different seeds: each task of a round counts as
        an outcome. False if one training run covers all tasks: the whole round counts as one outcome. With
        "auto", a round counts as one outcome until earlier rounds have shown that tasks vary independently, which takes
        tens of rounds.
    n_resamples : int, default 300
        Number of resamples of each percentile interval.
    confidence_level : float, default 0.95
        Confidence level of the intervals.
    seed : int, default 0
        Seed of all random numbers.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns algorithm, baseline, round, win_rate (fraction of the tasks of this round that the
        algorithm wins), estimate (mean win rate so far), low, high (confidence sequence), evidence (e-value against the
        hypothesis of no difference), ordinary_low, ordinary_high (percentile interval after this round, which is valid
        only by itself), decided (True if the confidence sequence excludes 0.5), left_out (number of unused
        runs of the task with the most runs), tasks_counted_separately (True if the tasks of this round counted as
        separate outcomes), inflation, inflation_low, inflation_high (of the outcomes so far; see
        `surefoot.shared_run_test`), tasks (number of tasks).

    Raises
    ------
    ValueError
        If an algorithm has no scores.

    Notes
    -----
    formula : A value $p$ of $P(X > Y)$ is excluded once the capital $\prod_t \left( 1 + f (w_t / p - 1) \right)$,
        averaged over the stakes $f = \tfrac{1}{50}, \dots, \tfrac{49}{50}$, has reached $2 / \alpha$, or once the
        capital of the opposite bets has, with $1 - w_t$ and $1 - p$. An outcome $w_t$ is 1 if X scores more, 1/2 for a
        tie, else 0. Each task of a round has an outcome if tasks are assumed to be independent; otherwise, the outcome
        is the mean over the tasks of a round. With `auto`, the earlier rounds decide between these two. The capital is
        then the product of separate capitals for both kinds of rounds, and stakes on single tasks are $f\, \min(2 / M,
        1)$.
    assumes : Rounds are independent, and with `tasks_independent: true` tasks too.
    guarantee : Theorem (Ville's inequality): the probability that the true value is ever excluded is at most
        $\alpha$, however often one looks and whenever one stops, if tasks are independent or `tasks_independent` is
        false. If tasks depend on each other, `auto` kept its level in all simulations, and `true` fails far more often.
    interval : confidence sequences by betting, with percentile intervals of the bootstrap for comparison
    with tasks_independent auto : Theorem (Ville's inequality) for tasks that are independent: the probability that the
        true value is ever excluded is at most $\alpha$, however often one looks and whenever one stops. Earlier rounds
        decide whether tasks count as independent; with dependent tasks, the level was kept in all simulations.
    with tasks_independent true : Theorem (Ville's inequality), if tasks are independent, as is assumed here:
        the probability that the true value is ever excluded is at most $\alpha$, however often one looks and whenever
        one stops. Where tasks depend on each other, this probability is far greater.
    with tasks_independent false : Theorem (Ville's inequality): the probability that the true value is ever excluded is
        at most $\alpha$, however often one looks and whenever one stops.
    not for : A fixed number of runs: an ordinary interval is narrower.

    References
    ----------
    Waudby-Smith and Ramdas 2024

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import sequential_comparison
    >>> a, b = [[0.9, 0.7], [0.8, 0.9], [0.7, 0.6]], [[0.4, 0.5], [0.6, 0.2], [0.3, 0.4]]
    >>> scores = {"a": np.array(a), "b": np.array(b)}
    >>> looks = sequential_comparison(scores, algorithms=["a", "b"], n_resamples=50)
    >>> looks.table()[["round", "win_rate", "estimate", "decided"]]
       round  win_rate  estimate  decided
    0      1       1.0       1.0    False
    1      2       1.0       1.0    False
    2      3       1.0       1.0    False
    """
    from surefoot.statistics.comparison.anytime_comparison import (
        confidence_sequence,
        evidence,
        ordinary_limits,
        round_bets,
        round_outcomes,
    )
    from surefoot.statistics.runs.shared_run_sentences import round_finding
    from surefoot.statistics.runs.shared_run_test import running_inflation

    x, y = algorithms_of(runs, algorithms)
    samples = [scores_of(runs, name) for name in (x, y)]
    sizes = [len(column) for sample in samples for column in sample]
    first, second = (np.array([column[: min(sizes)] for column in sample]).T for sample in samples)
    outcomes = round_outcomes(first, second)
    bets = round_bets(outcomes, tasks_independent)
    low, high = confidence_sequence(bets, confidence_level)
    ordinary = ordinary_limits(first, second, n_resamples, confidence_level, seed)
    rounds = np.arange(1, len(outcomes) + 1)
    wins = outcomes.mean(axis=1)
    inflation = running_inflation(outcomes)
    apart = np.isfinite(bets).all(axis=1)
    columns = {"algorithm": x, "baseline": y, "round": rounds, "win_rate": wins, "estimate": np.cumsum(wins) / rounds}
    columns |= {"low": low, "high": high, "evidence": evidence(bets)}
    columns |= {"ordinary_low": ordinary[0], "ordinary_high": ordinary[1], "decided": (low > 0.5) | (high < 0.5)}
    names = ("inflation", "inflation_low", "inflation_high")
    columns |= {"tasks_counted_separately": apart} | dict(zip(names, inflation, strict=True))
    answer = pd.DataFrame(columns).assign(left_out=max(sizes) - min(sizes), tasks=outcomes.shape[1])
    last, least, most = (float(column[-1]) for column in inflation)
    note = round_finding(tasks_independent, int(apart.sum()), len(outcomes), (last, least, most), outcomes.shape[1])
    return Result(answer, reservations=pd.DataFrame({"note": [note]}))


@question(
    stage="cover",
    pools_tasks=False,
    group="how_many_runs",
    chart="surefoot.charts.run_numbers:false_alarm_rates_chart",
    finding="surefoot.charts.run_numbers:false_alarm_rates_finding",
)
def false_alarm_rates(
    runs: pd.DataFrame,
    *,
    algorithms: Compared,
    tasks_independent: TasksIndependent = "auto",
    rounds: SeveralRuns = 20,
    datasets: DataSets = 100,
    n_resamples: SeveralRuns = 300,
    confidence_level: Confidence = 0.95,
    seed: Seed = 0,
    skip_checks: Checked = False,
) -> Result:
    """Estimate how often a comparison that is repeated after every run finds a difference that does not exist.

    In simulated experiments, an algorithm is compared with itself after every run. Both samples are drawn with
    replacement from the runs of the second algorithm, so every difference is a false alarm. If `tasks_independent` is
    True, runs are drawn for each task separately, otherwise the same runs for all tasks.

    Parameters
    ----------
    runs : DataFrame or dict
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}.
    algorithms : pair of str
        Two algorithms, of which only the runs of the second are used.
    tasks_independent : {"auto", True, False}, default "auto"
        True if runs of different tasks are separate training runs with different seeds: each task of a round counts as
        an outcome. False if one training run covers all tasks: the whole round counts as one outcome. With
        "auto", a round counts as one outcome until earlier rounds have shown that tasks vary independently, which takes
        tens of rounds.
    rounds : int, default 20
        Number of rounds in each experiment. A round is one run of both samples on every task.
    datasets : int, default 100
        Number of simulated experiments.
    n_resamples : int, default 300
        Number of resamples of each percentile interval.
    confidence_level : float, default 0.95
        Confidence level of the intervals.
    seed : int, default 0
        Seed of all random numbers.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns method ("percentile" for percentile intervals, or "betting" for the confidence sequence of
        `sequential_comparison`), round, false_alarm_rate (fraction of the experiments that find a difference after this
        round), cumulative_rate (fraction that find a difference after this or an earlier round), standard_error (of
        cumulative_rate), algorithm, experiments (their number).

    Notes
    -----
    formula : Both samples of a comparison are drawn with replacement from one algorithm's runs; the rate is the share
        of experiments whose limits exclude 1/2 at any look after the first.
    assumes : The given runs represent all runs.
    guarantee : Exact up to simulation error.
    interval : confidence sequences by betting, and percentile intervals of the bootstrap
    not for : Estimating power, since all algorithms are equal.

    References
    ----------
    Waudby-Smith and Ramdas 2024

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import false_alarm_rates
    >>> a, b = [[0.9, 0.7], [0.8, 0.9], [0.7, 0.6]], [[0.4, 0.5], [0.6, 0.2], [0.3, 0.4]]
    >>> scores = {"a": np.array(a), "b": np.array(b)}
    >>> rates = false_alarm_rates(scores, algorithms=["a", "b"], rounds=2, datasets=10, n_resamples=50)
    >>> rates.table()[["method", "round", "experiments"]]
           method  round  experiments
    0  percentile      1           10
    1  percentile      2           10
    2     betting      1           10
    3     betting      2           10
    """
    from surefoot.statistics.comparison.anytime_comparison import false_alarms

    algorithm = algorithms_of(runs, algorithms)[1]
    scores = scores_of(runs, algorithm)
    numbers = (rounds, datasets, n_resamples, confidence_level, seed)
    found = false_alarms(scores, *numbers, tasks_independent=tasks_independent)
    return Result(found.assign(algorithm=algorithm, experiments=datasets))


FEWEST_OF_GROUP = 3  # smallest number of runs in a group


def check_group_sequential(table: pd.DataFrame, settings: Any, where: str) -> None:
    """Raise an InputError if runs do not allow `group_sequential`."""
    from surefoot.statistics.comparison.group_sequential import MOST_ALGORITHMS

    chosen = check_scores(table, settings, where).index.unique("algorithm")
    if not 2 <= len(chosen) <= MOST_ALGORITHMS:
        what = f"got {counted(len(chosen), 'algorithm')}, but it takes 2 to {MOST_ALGORITHMS}"
        too_many = len(chosen) > MOST_ALGORITHMS
        raise InputError(where, what, f"name 2 to {MOST_ALGORITHMS} as `algorithms`" if too_many else "add another one")
    for algorithm in chosen:
        fewest = int(table[table["algorithm"] == algorithm].groupby("environment").size().min())
        if fewest < settings.group_size:
            what = f"{algorithm} has {fewest} runs of a task, but a group needs {settings.group_size}"
            smaller = f", or `group_size: {fewest}` if there was no look yet" if fewest >= FEWEST_OF_GROUP else ""
            raise InputError(f"{where}.group_size", what, f"collect more runs{smaller}")


@question(
    stage="estimate",
    chart="surefoot.charts.multiple_comparison_charts:group_sequential_chart",
    finding="surefoot.charts.multiple_comparison_charts:group_sequential_finding",
    check=check_group_sequential,
)
def group_sequential(
    runs: pd.DataFrame,
    *,
    group_size: Annotated[int, Field(ge=FEWEST_OF_GROUP, le=50)] = 5,
    looks: Annotated[int, Field(ge=1, le=50)] = 5,
    algorithms: Algorithms | None = None,
    confidence_level: Confidence = 0.95,
    seed: Seed = 0,
    skip_checks: Checked = False,
) -> Result:
    r"""Compare several algorithms after every group of runs, to stop training algorithms that are separated.

    Fix the design before the first run: the number of runs in a group, and the number of looks. Train a group of runs
    of each algorithm and call this function. Then train the next group, only for algorithms that are not yet separated
    from all others, and call it again.

    Runs must have been collected in the natural order of their names (run2 before run10). The scores of a run are
    averaged over the tasks.

    "Separated" means that the distributions of the runs differ, as in any permutation test. It does not mean that the
    means differ: an algorithm that sometimes collapses may be separated from an algorithm with the same mean that never
    does.

    Parameters
    ----------
    runs : DataFrame or dict
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}.
    group_size : int, default 5
        Number of runs of each task that are added between two looks.
    looks : int, default 5
        Number of looks, planned before the first run.
    algorithms : list of str, optional
        Algorithms to include. Default: all.
    confidence_level : float, default 0.95
        Confidence level of the intervals.
    seed : int, default 0
        Seed of all random numbers.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns algorithm, baseline, estimate (difference of the means of the used runs), separated (True
        if the distributions of the runs are shown to differ), look (number of the look at which the pair was separated;
        empty if it was not), algorithm_runs, baseline_runs (numbers of used runs on each task), looks (number of looks
        so far), planned (number of planned looks), group_size.

    Raises
    ------
    ValueError
        If there are fewer than two or more than seven algorithms, or more groups of runs than looks.

    Notes
    -----
    formula : The statistic of a pair is the absolute difference of the sums of its runs up to this look. A hypothesis
        states which algorithms are equal. Its statistic is the greatest statistic of the pairs of these algorithms, and
        is compared with the statistics of all, or of 20,000 random, assignments of the runs of each look to these
        algorithms. Until look $k$ of $K$ at most $\alpha k / K$ of the assignments are rejected. A pair is separated
        once every hypothesis in which its two algorithms are equal is rejected.
    assumes : Runs of an algorithm are independent, and runs of equal algorithms have the same distribution; the runs of
        different tasks may depend on each other.
    guarantee : Theorem (permutation test, closed testing): the probability of separating any two algorithms whose runs
        have the same distribution is at most $\alpha$, over all looks and all pairs. Equal means are not enough: with
        means of .8, if one algorithm collapses in 20 % of runs and the other never, the pair was separated in 31 % of
        simulated studies with 5 looks and 5 runs per look, in 21 % with 10 and in 12 % with 20 runs per look. A
        studentized statistic does no better, because the first runs often contain no collapse.
    interval : group-sequential permutation tests
    not for : Whether the means differ, and by how much: use `pairwise_differences`. Unplanned looks: use
        `sequential_comparison`.

    References
    ----------
    Mathieu et al. 2024

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import group_sequential
    >>> a, b = [0.9, 0.8, 0.7, 0.9, 0.8], [0.1, 0.2, 0.1, 0.3, 0.2]
    >>> scores = {"a": np.array(a)[:, None], "b": np.array(b)[:, None]}
    >>> found = group_sequential(scores, skip_checks=True).table()
    >>> found[["algorithm", "baseline", "estimate", "separated", "look", "algorithm_runs"]].round(2)
      algorithm baseline  estimate  separated  look  algorithm_runs
    0         a        b      0.64       True     1               5
    """
    from surefoot.statistics.comparison.group_sequential import group_sequential as decide

    names = algorithms_of(runs, algorithms)
    counted = [_groups(scores_of(runs, name), group_size) for name in names]
    groups = max(len(own) for own in counted)
    scores = np.full((len(names), groups, group_size), np.nan)
    for place, own in enumerate(counted):
        scores[place, : len(own)] = own
    found = decide(scores, looks, confidence_level, seed)
    used = group_size * found.groups
    columns = {
        "algorithm": [names[x] for x in found.x],
        "baseline": [names[y] for y in found.y],
        "estimate": found.value,
        "separated": found.separated > 0,
        "look": pd.Series(found.separated, dtype="Int64").where(found.separated > 0),
        "algorithm_runs": used[found.x],
        "baseline_runs": used[found.y],
    }
    return Result(pd.DataFrame(columns).assign(looks=found.looks, planned=looks, group_size=group_size))


def _groups(samples: list[Floats], group: int) -> Floats:
    """Return the mean score of each run over tasks, in complete groups, float64[groups, group]."""
    whole = min(len(scores) for scores in samples) // group * group
    means: Floats = np.mean([scores[:whole] for scores in samples], axis=0)
    return means.reshape(-1, group)
