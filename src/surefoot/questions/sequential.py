"""Comparisons that look after every run, and how often they find a difference that does not exist."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from surefoot.configuration.sections import SeveralRuns
from surefoot.questions.checking import check_known
from surefoot.questions.registry import question
from surefoot.questions.results import Result, Sets, Table, tie_decimals
from surefoot.questions.types import (
    Checked,
    Compared,
    Confidence,
    DataSets,
    Decimals,
    Seed,
    TasksIndependent,
)
from surefoot.statistics.arrays import Booleans, Floats
from surefoot.statistics.runs.tables import algorithms_of, scores_of


@dataclass(frozen=True, repr=False)
class SequentialComparison(Result):
    """What is known of P(x > y) after each round; see `statistics.comparison.sequential`.

    compare, tasks_independent, replicates, confidence, seed : as they were asked for
    first, second : scores of x and of y, float64[rounds, tasks]
    outcomes : float64[rounds, tasks], 1 where x won, 0 where it lost
    bets : float64[rounds, tasks], the outcomes that are bet on; see `statistics.comparison.sequential.round_bets`
    left_out : runs of the task that is furthest ahead
    """

    compare: Sequence[str]
    tasks_independent: str | bool
    replicates: int
    confidence: float
    seed: int
    first: Floats
    second: Floats
    outcomes: Floats
    bets: Floats
    left_out: int

    def table(self, confidence: float | None = None) -> pd.DataFrame:
        """All rounds; see `sequential_comparison`. confidence : the one that was asked for if None."""
        from surefoot.statistics.comparison.sequential import confidence_sequence, evidence, ordinary_limits
        from surefoot.statistics.runs.run_effects import running_inflation

        confidence = self.confidence if confidence is None else confidence
        low, high = confidence_sequence(self.bets, confidence)
        ordinary = ordinary_limits(self.first, self.second, self.replicates, confidence, self.seed)
        rounds, wins = np.arange(1, len(self.outcomes) + 1), self.outcomes.mean(axis=1)
        x, y = self.compare
        columns = {"x": x, "y": y, "round": rounds, "wins": wins, "value": np.cumsum(wins) / rounds}
        columns |= {"low": low, "high": high, "evidence": evidence(self.bets)}
        columns |= {"ordinary_low": ordinary[0], "ordinary_high": ordinary[1], "decided": (low > 0.5) | (high < 0.5)}
        names = ("inflation", "inflation_low", "inflation_high")
        columns |= {"apart": self.apart} | dict(zip(names, running_inflation(self.outcomes), strict=True))
        return pd.DataFrame(columns).assign(left_out=self.left_out, tasks=self.outcomes.shape[1])

    def notes(self) -> pd.DataFrame:
        """What was taken for independent: the column note."""
        from surefoot.statistics.runs.run_effects import round_finding, running_inflation

        inflation, low, high = (float(column[-1]) for column in running_inflation(self.outcomes))
        rounds, tasks = self.outcomes.shape
        apart = int(self.apart.sum())
        note = round_finding(self.tasks_independent, apart, rounds, (inflation, low, high), tasks)
        return pd.DataFrame({"note": [note]})

    @property
    def apart(self) -> Booleans:
        """Whether the tasks of a round counted as separate outcomes, bool[rounds]; if not, as one, their mean."""
        return np.asarray(np.isfinite(self.bets).all(axis=1))

    def decided(self, confidence: float | None = None) -> int | None:
        """The first round after which 0.5 was outside of the limits, and one may stop; None if it never was."""
        from surefoot.statistics.comparison.sequential import confidence_sequence

        low, high = confidence_sequence(self.bets, self.confidence if confidence is None else confidence)
        outside = np.flatnonzero((low > 0.5) | (high < 0.5))
        return int(outside[0]) + 1 if outside.size else None


def check_compared(table: pd.DataFrame, settings: Any, where: str) -> None:
    """Raises InputError for an algorithm of which there are no scores."""
    for name in settings.compare:
        check_known(name, list(dict.fromkeys(table["algorithm"])), where)


@question(
    stage="cover",
    pools_tasks=False,
    group="how_many_runs",
    chart="surefoot.charts.run_numbers:sequential_comparison_chart",
    finding="surefoot.charts.run_numbers:sequential_comparison_finding",
    check=check_compared,
)
def sequential_comparison(
    runs: Sets,
    *,
    compare: Compared,
    tasks_independent: TasksIndependent = "auto",
    decimals: Decimals | None = None,
    replicates: SeveralRuns = 300,
    confidence: Confidence = 0.95,
    seed: Seed = 0,
    checked: Checked = False,
) -> SequentialComparison:
    r"""Two algorithms compared after every run.

    Runs are taken in the order in which they were collected: the natural order of their names (run2 before run10).

    Round n is run n of both algorithms in every task; a task that is ahead waits. You may look at the comparison after
    every run, and stop by any rule. The result says after which round you may stop.

    Parameters
    ----------
    runs
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}.
    compare
        Two algorithms that are compared after every run, in the order of the runs' numbers (or names). You may stop
        as soon as they are separated.
    tasks_independent
        Whether runs of different tasks are independent: true if they are separate trainings with their own seeds,
        so that each task of a round counts as an outcome; false if a run is one training on all tasks, so that a
        round counts as one. auto counts a round as one until earlier rounds have shown that tasks vary
        independently, which takes tens of rounds.
    decimals
        Number of decimals to which scores are rounded before they are compared, for scores that were stored with
        few digits. By default, scores tie if they differ only by rounding errors in the last digits.
    replicates
        Resamples of each interval.
    confidence
        Confidence level of the intervals.
    seed
        Seed of all random numbers.
    checked
        Whether the runs are known to be right although they look transposed, like episodes instead of runs, or like
        scores without a common scale.

    Returns
    -------
    SequentialComparison
        `table()` has columns x, y, round, wins (fraction of its tasks that x wins), value (mean so far), low, high
        (confidence sequence), evidence (e-value against no difference), ordinary_low, ordinary_high (percentile
        interval of this look alone), decided (whether the confidence sequence excludes 0.5), left_out (runs of the
        task that is furthest ahead), apart (whether the tasks of this round counted as separate outcomes),
        inflation, inflation_low, inflation_high (of the outcomes so far; see `surefoot.run_effects`), tasks

    Raises
    ------
    ValueError
        for an algorithm has no scores

    Notes
    -----
    formula : A value $p$ of $P(X > Y)$ is excluded once the capital $\prod_t \left( 1 + f (w_t / p - 1) \right)$,
        averaged over the stakes $f = \tfrac{1}{50}, \dots, \tfrac{49}{50}$, has reached $2 / \alpha$, or that of the
        opposite bets, with $1 - w_t$ and $1 - p$. An outcome $w_t$ is 1 where X scores more, 1/2 for a tie, else 0: of
        each task, if tasks are taken as independent, else the mean over the tasks of a round. With `auto`, the earlier
        rounds decide which; the capital is the product of one account for either kind of rounds, and stakes on single
        tasks are $f\, \min(2 / M, 1)$.
    assumes : Rounds are independent; so are tasks, if taken as such.
    guarantee : Theorem (Ville's inequality): the chance that the true value is ever excluded is at most $\alpha$,
        however often one looks and whenever one stops, if tasks are independent or `tasks_independent` is false. If
        tasks depend on each other, `auto` has held its level in all simulations, and `true` misses it by far.
    interval : confidence sequences by betting, with percentile intervals of the bootstrap beside them
    with tasks_independent auto : Theorem (Ville's inequality) for tasks that are independent: the chance that the true
        value is ever excluded is at most $\alpha$, however often one looks and whenever one stops. Whether they are is
        decided by the earlier rounds; with tasks that depend on each other the level was held in all simulations.
    with tasks_independent true : Theorem (Ville's inequality), if tasks are independent, as is taken for granted here:
        the chance that the true value is ever excluded is at most $\alpha$, however often one looks and whenever one
        stops. Where tasks depend on each other, this fails by far.
    with tasks_independent false : Theorem (Ville's inequality): the chance that the true value is ever excluded is at
        most $\alpha$, however often one looks and whenever one stops.
    in a paper : We compare {compare} after every round of runs, with {intervals}. Tasks are {tasks_independent}.[
        Scores are rounded to {decimals} decimals before they are compared.]
    not for : A fixed number of runs: an ordinary interval is narrower.

    References
    ----------
    waudbysmith2024

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import sequential_comparison
    >>> a, b = [[0.9, 0.7], [0.8, 0.9], [0.7, 0.6]], [[0.4, 0.5], [0.6, 0.2], [0.3, 0.4]]
    >>> scores = {"a": np.array(a), "b": np.array(b)}
    >>> looks = sequential_comparison(scores, compare=["a", "b"], replicates=50)
    >>> looks.table()[["round", "wins", "value", "decided"]]
       round  wins  value  decided
    0      1   1.0    1.0    False
    1      2   1.0    1.0    False
    2      3   1.0    1.0    False
    """
    from surefoot.statistics.comparison.sequential import round_bets, round_outcomes

    (table,) = runs.values()
    x, y = algorithms_of(table, compare)
    samples = [scores_of(table, name) for name in (x, y)]
    sizes = [len(column) for sample in samples for column in sample]
    first, second = (np.array([column[: min(sizes)] for column in sample]).T for sample in samples)
    outcomes = round_outcomes(first, second, tie_decimals(decimals))
    bets = round_bets(outcomes, tasks_independent)
    return SequentialComparison(
        compare, tasks_independent, replicates, confidence, seed, first, second, outcomes, bets, max(sizes) - min(sizes)
    )


@question(
    stage="cover",
    pools_tasks=False,
    group="how_many_runs",
    chart="surefoot.charts.run_numbers:false_alarm_rates_chart",
    finding="surefoot.charts.run_numbers:false_alarm_rates_finding",
    check=check_compared,
)
def false_alarm_rates(
    runs: Sets,
    *,
    compare: Compared,
    tasks_independent: TasksIndependent = "auto",
    rounds: SeveralRuns = 20,
    datasets: DataSets = 100,
    replicates: SeveralRuns = 300,
    confidence: Confidence = 0.95,
    seed: Seed = 0,
    checked: Checked = False,
) -> Table:
    """How often checking after every run finds a difference that does not exist.

    How often an experimenter who looks after every run finds a difference between an algorithm and itself.

    Both sides are drawn with replacement from the runs of the second algorithm that is compared, so every finding is a
    false alarm. They are drawn for each task separately, or as whole runs if tasks are not known to be independent.

    Parameters
    ----------
    runs
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}.
    compare
        Two algorithms that are compared after every run, in the order of the runs' numbers (or names). You may stop
        as soon as they are separated.
    tasks_independent
        Whether runs of different tasks are independent: true if they are separate trainings with their own seeds,
        so that each task of a round counts as an outcome; false if a run is one training on all tasks, so that a
        round counts as one. auto counts a round as one until earlier rounds have shown that tasks vary
        independently, which takes tens of rounds.
    rounds
        After how many rounds the simulated experimenter stops looking.
    datasets
        How many experiments without a difference are simulated to count false alarms.
    replicates
        Resamples of each interval.
    confidence
        Confidence level of the intervals.
    seed
        Seed of all random numbers.
    checked
        Whether the runs are known to be right although they look transposed, like episodes instead of runs, or like
        scores without a common scale.

    Returns
    -------
    Table
        `table()` has columns method ("percentile", the ordinary interval, or "betting", the confidence sequence),
        round, alarms (fraction of the experiments that find a difference at this look), ever (at this look or an
        earlier one), standard_error (of ever), algorithm, experiments

    Notes
    -----
    formula : Both sides of a comparison are drawn with replacement from one algorithm's runs; the rate is the share of
        experiments whose limits exclude 1/2 at any look, from the second on.
    assumes : The given runs represent all runs.
    guarantee : Exact up to simulation error.
    interval : confidence sequences by betting, and percentile intervals of the bootstrap
    in a paper : We simulate [{datasets} experiments] that compare the second of {compare} with itself, and count how
        often {intervals} find a difference when they are looked at after every round, for [up to {rounds} rounds].
        Tasks are {tasks_independent}.
    not for : Estimating power: there is no difference to find.

    References
    ----------
    waudbysmith2024

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import false_alarm_rates
    >>> a, b = [[0.9, 0.7], [0.8, 0.9], [0.7, 0.6]], [[0.4, 0.5], [0.6, 0.2], [0.3, 0.4]]
    >>> scores = {"a": np.array(a), "b": np.array(b)}
    >>> rates = false_alarm_rates(scores, compare=["a", "b"], rounds=2, datasets=10, replicates=50)
    >>> rates.table()[["method", "round", "experiments"]]
           method  round  experiments
    0  percentile      1           10
    1  percentile      2           10
    2     betting      1           10
    3     betting      2           10
    """
    from surefoot.statistics.comparison.sequential import false_alarms

    (table,) = runs.values()
    algorithm = algorithms_of(table, compare)[1]
    scores = scores_of(table, algorithm)
    numbers = (rounds, datasets, replicates, confidence, seed)
    found = false_alarms(scores, scores, *numbers, tasks_independent=tasks_independent)
    return Table(found.assign(algorithm=algorithm, experiments=datasets))
