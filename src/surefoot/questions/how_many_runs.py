"""How many runs it takes: plans from a pilot, and comparisons that look after every run."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import pandas as pd
from pydantic import Field

from surefoot.build.errors import InputError
from surefoot.configuration.sections import EACH_ONCE, UNIQUE, SeveralRuns
from surefoot.errors import HintedError
from surefoot.questions.answering import Sets, tie_decimals
from surefoot.questions.checking import check_known, check_metrics_of, run_counts
from surefoot.questions.registry import question
from surefoot.questions.results import Result, Table, one_of
from surefoot.questions.settings import (
    PlannedRuns,
)
from surefoot.questions.types import (
    Algorithms,
    Checked,
    Compared,
    Confidence,
    DataSets,
    Decimals,
    Items,
    Metrics,
    Rounds,
    Seed,
    TasksIndependent,
    Threads,
)
from surefoot.statistics.arrays import Booleans, Floats
from surefoot.statistics.runs.run_effect_findings import UNKNOWN, round_finding
from surefoot.statistics.runs.samples_of_tasks import algorithms_of, matched_scores, scores_of

ASSUMPTIONS = (
    "New runs are like the pilot's: the same program and tasks, and nothing that the pilot did not see. A lift "
    "multiplies every score. The band (low, high) allows for the pilot's own uncertainty, as far as the pilot shows "
    "it: with skewed scores or rare failures that of a mean is too narrow, and a failure that no run of the pilot has "
    "is not foreseen."
)


@dataclass(frozen=True, repr=False)
class RunPlans(Result):
    """Widths and chances by number of runs, of each algorithm (see `statistics.planning.plans`), its pilot, and what
    all of that assumes."""

    widths: dict[str, pd.DataFrame]
    chances: dict[str, pd.DataFrame]
    pilots: dict[str, dict[str, Any]]
    assumptions: str = ASSUMPTIONS

    def table(self) -> pd.DataFrame:
        """Widths, then chances, of each algorithm; see `run_plans`."""
        parts = []
        for algorithm, pilot in self.pilots.items():
            chances = self.chances[algorithm].rename(columns={"chance": "value"})
            reach = 2 * chances["standard_error"]
            chances["inner_low"] = (chances["value"] - reach).clip(lower=0)
            chances["inner_high"] = (chances["value"] + reach).clip(upper=1)
            names = {"width": "value", "narrow": "inner_low", "wide": "inner_high"}
            widths = self.widths[algorithm].rename(columns=names).assign(lift_percent=0.0)
            both = pd.concat([widths.assign(quantity="width"), chances.assign(quantity="chance")])
            parts.append(both.assign(algorithm=algorithm, **pilot))
        columns = ["algorithm", "metric", "runs", "quantity", "lift_percent", "value"]
        columns += ["low", "high", "inner_low", "inner_high"]
        columns += ["pilot_low", "pilot_high", "tasks", "effect", "inflation", "inflation_high", "effect_p"]
        return pd.concat(parts, ignore_index=True)[columns]

    def notes(self) -> pd.DataFrame:
        """What the plans assume: the column note."""
        return pd.DataFrame({"note": [self.assumptions]})

    def runs_needed(
        self,
        lift_percent: float,
        chance: float = 0.8,
        metric: str = "iqm",
        cautious: bool = False,
        algorithm: str | None = None,
    ) -> int | None:
        """The smallest simulated number of runs that detects the lift with this chance; None if none of them does.

        cautious : also at the lower end of the chance's band; algorithm : needed where there are several
        """
        from surefoot.statistics.planning.plans import runs_needed

        (of,) = one_of(((name,) for name in self.chances), algorithm)
        return runs_needed(self.chances[of], metric, lift_percent, chance, cautious)


def check_run_plans(table: pd.DataFrame, settings: Any, where: str) -> None:
    """Raises InputError where the runs of a scale cannot answer the question."""
    from surefoot.statistics.comparison.differences import check_raised

    known = list(dict.fromkeys(table["algorithm"]))
    pilots = settings.algorithms or tuple(known[:1])
    for name in pilots:
        check_known(name, known, where)
    counts = run_counts(table, pilots)
    if counts.min() < 2:
        what = f"{' / '.join(counts.idxmin())} has one run, and a pilot needs a spread"
        raise InputError(where, what, "at least two runs of each task, better ten")
    check_metrics_of(table[table["algorithm"].isin(pilots)], settings.metrics, where)
    for algorithm in pilots:
        try:
            check_raised(scores_of(table, algorithm), settings.metrics, settings.lifts)
        except HintedError as error:
            raise InputError(f"{where}.lifts", f"{algorithm}: {error.told}", f"{error.hint}; or lifts: [0]") from None


@question(
    stage="cover",
    section=PlannedRuns,
    group="how_many_runs",
    shown_only=("chance",),
    chart="surefoot.charts.run_numbers:run_plans_chart",
    finding="surefoot.charts.run_numbers:run_plans_finding",
    check=check_run_plans,
)
def run_plans(
    runs: Sets,
    *,
    algorithms: Annotated[
        Algorithms | None,
        Field(description="The algorithms whose runs are a pilot, each separately; by default the first."),
    ] = None,
    metrics: Annotated[Metrics, Field(description="The metrics whose intervals are simulated, by name.")] = (
        "iqm",
        "median",
    ),
    sizes: Annotated[
        Items[Annotated[int, Field(ge=2, le=1_000_000)]],
        EACH_ONCE,
        Field(
            min_length=1,
            json_schema_extra=UNIQUE,
            description="Numbers of runs per task of the simulated studies.",
        ),
    ] = (3, 5, 10, 20, 50),
    lifts: Annotated[
        Items[Annotated[float, Field(ge=0)]],
        EACH_ONCE,
        Field(
            min_length=1,
            json_schema_extra=UNIQUE,
            description="Improvements in percent that are to be detected; 0 shows how often one is found although "
            "there is none.",
        ),
    ] = (0, 10, 25, 50),
    datasets: Annotated[DataSets, Field(description="Simulated studies of each number of runs.")] = 200,
    replicates: Annotated[SeveralRuns, Field(description="Resamples of each interval.")] = 300,
    confidence: Confidence = 0.95,
    seed: Seed = 0,
    checked: Checked = False,
) -> RunPlans:
    r"""What studies of other numbers of runs would find, from a pilot.

    What studies with other numbers of runs would find, with the runs of each algorithm as the pilot, or those of the
    first if none is named. The result says how many runs a lift needs.

    Parameters
    ----------
    runs
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}.
    algorithms
        The algorithms whose runs are a pilot, each separately; by default the first.
    metrics
        The metrics whose intervals are simulated, by name.
    sizes
        Numbers of runs per task of the simulated studies.
    lifts
        Improvements in percent that are to be detected; 0 shows how often one is found although there is none.
    datasets
        Simulated studies of each number of runs.
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
    RunPlans
        `table()` has columns algorithm, metric, runs, quantity ("width" of the interval, or "chance" of detecting a
        lift), lift_percent (0 for widths), value (mean over the simulated studies), low, high (95 % band for the
        pilot's own uncertainty), inner_low, inner_high (of a width, the 10 % and 90 % quantiles over the studies;
        of a chance, two standard errors of the simulation away), pilot_low, pilot_high (fewest and most runs of a
        task), tasks, effect, inflation, inflation_high, effect_p (what the pilot's runs share across tasks:
        finding, inflation with its upper limit, and p-value; see `surefoot.run_effects`)

    Raises
    ------
    ValueError
        for a task with a single run; a size below 2; negative scores, which a lift would make worse

    Notes
    -----
    formula : Studies of $N$ runs per task are drawn with replacement from the pilot, its scores moved away from their
        task's mean by the factor $\sqrt{N_m / (N_m - 1)}$, and analysed as real ones: the mean width of the intervals,
        and how often that of the difference to a second study, raised by $l$ percent, is above 0 (below, if lower is
        better).
    assumes : The pilot's runs stand for all runs of the same program and tasks; a lift multiplies every score.
    guarantee : The band, for the pilot's own error, is close to its level for normal and two-valued scores; widths for
        the mean of skewed scores or with occasional failures are missed in 8 to 12 % of cases instead of 5 %.
    interval : [Student's](#sec-interval-student) intervals, of differences as in
        [pairwise_differences](#sec-question-pairwise_differences)
    in a paper : We simulate [{datasets} studies] each of [{sizes} runs of each task], from a pilot[ of the runs of
        {algorithms}], and report the width of their {intervals} for the {metrics}, and how often they detect
        improvements of [{lifts} percent][; a chance of {chance} counts as enough].
    not for : Pilots of two or three runs, and failures too rare to be in it.

    References
    ----------
    colas2018; efron1993

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import run_plans
    >>> a, b = [[0.9, 0.7], [0.8, 0.9], [0.7, 0.6]], [[0.4, 0.5], [0.6, 0.2], [0.3, 0.4]]
    >>> scores = {"a": np.array(a), "b": np.array(b)}
    >>> plans = run_plans(scores, metrics=["mean"], sizes=[3], lifts=[25], datasets=20, replicates=50)
    >>> plans.table()[["algorithm", "runs", "quantity", "lift_percent"]]
      algorithm  runs quantity  lift_percent
    0         a     3    width           0.0
    1         a     3   chance          25.0
    """
    from surefoot.statistics.planning.plans import plan

    (table,) = runs.values()
    widths, chances, pilots = {}, {}, {}
    for algorithm in algorithms_of(table, algorithms)[: None if algorithms else 1]:
        scores = scores_of(table, algorithm)
        widths[algorithm], chances[algorithm] = plan(
            scores, metrics, sizes, lifts, confidence, datasets, replicates, seed
        )
        counts = list(map(len, scores))
        pilot = {"pilot_low": min(counts), "pilot_high": max(counts), "tasks": len(counts)}
        pilots[algorithm] = pilot | _effect(table, algorithm, seed)
    return RunPlans(widths, chances, pilots)


def _effect(table: pd.DataFrame, algorithm: str, seed: int) -> dict[str, Any]:
    """What the runs of an algorithm share, from those that all tasks have."""
    from surefoot.statistics.runs.run_effects import run_effect

    scores = matched_scores(table, algorithm)
    if scores.size == 0:
        return {"effect": UNKNOWN, "inflation": np.nan, "inflation_high": float(scores.shape[1]), "effect_p": 1.0}
    found = run_effect(scores, seed=seed)
    shown = {"inflation": found.inflation, "inflation_high": found.inflation_high, "effect_p": found.p_value}
    return {"effect": found.finding} | shown


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
        return pd.DataFrame({"note": [self.independence]})

    @property
    def apart(self) -> Booleans:
        """Whether the tasks of a round counted as separate outcomes, bool[rounds]; if not, as one, their mean."""
        return np.asarray(np.isfinite(self.bets).all(axis=1))

    @property
    def independence(self) -> str:
        """What was taken for independent, and what the rounds show of it, in one or two sentences."""
        from surefoot.statistics.runs.run_effects import running_inflation

        inflation, low, high = (float(column[-1]) for column in running_inflation(self.outcomes))
        rounds, tasks = self.outcomes.shape
        return round_finding(self.tasks_independent, int(self.apart.sum()), rounds, (inflation, low, high), tasks)

    def decided(self, confidence: float | None = None) -> int | None:
        """The first round after which 0.5 was outside of the limits, and one may stop; None if it never was."""
        from surefoot.statistics.comparison.sequential import confidence_sequence

        low, high = confidence_sequence(self.bets, self.confidence if confidence is None else confidence)
        outside = np.flatnonzero((low > 0.5) | (high < 0.5))
        return int(outside[0]) + 1 if outside.size else None


def check_sequential_comparison(table: pd.DataFrame, settings: Any, where: str) -> None:
    """Raises InputError for an algorithm of which there are no scores."""
    for name in settings.compare:
        check_known(name, list(dict.fromkeys(table["algorithm"])), where)


@question(
    stage="cover",
    pools_tasks=False,
    group="how_many_runs",
    chart="surefoot.charts.run_numbers:sequential_comparison_chart",
    finding="surefoot.charts.run_numbers:sequential_comparison_finding",
    check=check_sequential_comparison,
)
def sequential_comparison(
    runs: Sets,
    *,
    compare: Compared,
    tasks_independent: TasksIndependent = "auto",
    decimals: Decimals | None = None,
    replicates: Annotated[SeveralRuns, Field(description="Resamples of each interval.")] = 300,
    confidence: Confidence = 0.95,
    seed: Seed = 0,
    threads: Threads = 1,
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
    threads
        How many threads may be used. The numbers do not depend on it.
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


def check_false_alarm_rates(table: pd.DataFrame, settings: Any, where: str) -> None:
    """Raises InputError for an algorithm of which there are no scores."""
    for name in settings.compare:
        check_known(name, list(dict.fromkeys(table["algorithm"])), where)


@question(
    stage="cover",
    pools_tasks=False,
    group="how_many_runs",
    chart="surefoot.charts.run_numbers:false_alarm_rates_chart",
    finding="surefoot.charts.run_numbers:false_alarm_rates_finding",
    check=check_false_alarm_rates,
)
def false_alarm_rates(
    runs: Sets,
    *,
    compare: Compared,
    tasks_independent: TasksIndependent = "auto",
    rounds: Rounds = 20,
    datasets: Annotated[
        DataSets, Field(description="How many experiments without a difference are simulated to count false alarms.")
    ] = 100,
    replicates: Annotated[SeveralRuns, Field(description="Resamples of each interval.")] = 300,
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
