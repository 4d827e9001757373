"""Two algorithms compared after every run."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from surefoot.questions.answering import Sets, Shared, tie_decimals
from surefoot.questions.results import Result
from surefoot.questions.sequential_comparison.settings import Settings
from surefoot.statistics.arrays import Booleans, Floats
from surefoot.statistics.comparison.sequential import (
    confidence_sequence,
    evidence,
    ordinary_limits,
    round_bets,
    round_outcomes,
)
from surefoot.statistics.runs.run_effect_findings import round_finding
from surefoot.statistics.runs.run_effects import running_inflation
from surefoot.statistics.runs.samples_of_tasks import algorithms_of, scores_of


def answer(sets: Sets, settings: Settings, shared: Shared) -> "SequentialComparison":
    """Runs are taken in the order in which they were collected: the natural order of their names (run2 before run10).

    Round n is run n of both algorithms in every task; a task that is ahead waits. You may look at the comparison after
    every run, and stop by any rule. The result says after which round you may stop.

    Returns
    -------
    columns x, y, round, wins (fraction of its tasks that x wins), value (mean so far), low, high (confidence sequence),
    evidence (e-value against no difference), ordinary_low, ordinary_high (percentile interval of this look alone),
    decided (whether the confidence sequence excludes 0.5), left_out (runs of the task that is furthest ahead), apart
    (whether the tasks of this round counted as separate outcomes), inflation, inflation_low, inflation_high (of the
    outcomes so far; see `surefoot.run_effects`), tasks

    Raises
    ------
    ValueError : an algorithm has no scores
    """
    (table,) = sets.values()
    x, y = algorithms_of(table, settings.compare)
    samples = [scores_of(table, name) for name in (x, y)]
    sizes = [len(column) for sample in samples for column in sample]
    first, second = (np.array([column[: min(sizes)] for column in sample]).T for sample in samples)
    outcomes = round_outcomes(first, second, tie_decimals(settings.decimals))
    bets = round_bets(outcomes, settings.tasks_independent)
    return SequentialComparison(settings, shared, first, second, outcomes, bets, max(sizes) - min(sizes))


@dataclass(frozen=True, repr=False)
class SequentialComparison(Result):
    """What is known of P(x > y) after each round; see `statistics.comparison.sequential`.

    settings, shared : what was asked
    first, second : scores of x and of y, float64[rounds, tasks]
    outcomes : float64[rounds, tasks], 1 where x won, 0 where it lost
    bets : float64[rounds, tasks], the outcomes that are bet on; see `statistics.comparison.sequential.round_bets`
    left_out : runs of the task that is furthest ahead
    """

    settings: Settings
    shared: Shared
    first: Floats
    second: Floats
    outcomes: Floats
    bets: Floats
    left_out: int

    def table(self, confidence: float | None = None) -> pd.DataFrame:
        """All rounds; see `answer`. confidence : the one that was asked for if None."""
        confidence = self.shared.level(confidence)
        low, high = confidence_sequence(self.bets, confidence)
        ordinary = ordinary_limits(self.first, self.second, self.shared.replicates, confidence, self.shared.seed)
        rounds, wins = np.arange(1, len(self.outcomes) + 1), self.outcomes.mean(axis=1)
        x, y = self.settings.compare
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
        inflation, low, high = (float(column[-1]) for column in running_inflation(self.outcomes))
        rounds, tasks = self.outcomes.shape
        return round_finding(
            self.settings.tasks_independent, int(self.apart.sum()), rounds, (inflation, low, high), tasks
        )

    def decided(self, confidence: float | None = None) -> int | None:
        """The first round after which 0.5 was outside of the limits, and one may stop; None if it never was."""
        low, high = confidence_sequence(self.bets, self.shared.level(confidence))
        outside = np.flatnonzero((low > 0.5) | (high < 0.5))
        return int(outside[0]) + 1 if outside.size else None
