"""How many runs are needed, and comparisons that may be looked at after every run."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from surefoot.errors import HintedError, shown
from surefoot.library.score_tables import read_scores
from surefoot.library.shown import ShownAsTable
from surefoot.statistics.metrics import Metric, metric_list
from surefoot.statistics.planning import LIFTS, SIZES, plan, runs_needed
from surefoot.statistics.run_effect_findings import round_finding
from surefoot.statistics.run_effects import running_inflation
from surefoot.statistics.sequential import confidence_sequence, evidence, round_bets, round_outcomes
from surefoot.statistics.ties import RELATIVE

ASSUMPTIONS = (
    "New runs are like the pilot's: the same program and tasks, and nothing that the pilot did not see. A lift "
    "multiplies every score. The band (low, high) allows for the pilot's own uncertainty, as far as the pilot shows "
    "it: with skewed scores or rare failures that of a mean is too narrow, and a failure that no run of the pilot has "
    "is not foreseen."
)


@dataclass(frozen=True, repr=False)
class RunsPlan(ShownAsTable):
    """widths and chances by number of runs (see `statistics.planning.plan`), and what they assume."""

    widths: pd.DataFrame
    chances: pd.DataFrame
    assumptions: str = ASSUMPTIONS

    def table(self) -> pd.DataFrame:
        """Widths, then chances: columns quantity, and those of both."""
        parts = {"width": self.widths, "chance": self.chances}
        return pd.concat([part.assign(quantity=name) for name, part in parts.items()], ignore_index=True)

    def runs_needed(
        self, lift_percent: float, chance: float = 0.8, metric: str = "iqm", cautious: bool = False
    ) -> int | None:
        """The smallest simulated number of runs that detects the lift with this chance; None if none of them does.

        cautious : also at the lower end of the chance's band
        """
        return runs_needed(self.chances, metric, lift_percent, chance, cautious)


def plan_runs(
    pilot,
    algorithm: str | None = None,
    metrics: Sequence[str | Metric] = ("iqm", "median"),
    sizes: Sequence[int] = SIZES,
    lifts: Sequence[float] = LIFTS,
    confidence: float = 0.95,
    studies: int = 200,
    replicates: int = 500,
    seed: int = 0,
    checked: bool = False,
) -> RunsPlan:
    """How wide intervals would be, and how probably a lift would be detected, with other numbers of runs.

    Parameters
    ----------
    pilot, checked : scores of some runs; see `score_tables.read_scores`
    algorithm : whose runs to plan with; needed where there are several
    others : see `statistics.planning.plan`

    Raises
    ------
    ValueError : see the same; several algorithms and none chosen; no sizes or no lifts
    """
    tables = read_scores(pilot, checked)
    for name, asked in (("sizes", sizes), ("lifts", lifts)):
        if np.size(asked) == 0 or np.ndim(asked) != 1:
            raise HintedError("plan", f"{name} of {shown(asked)}", "a list of at least one, such as [5, 10]")
    if algorithm is None and len(tables.algorithms) > 1:
        raise HintedError("plan", f"{len(tables.algorithms)} algorithms", f"name one of {', '.join(tables.algorithms)}")
    scores = tables.of(tables.algorithms[0] if algorithm is None else algorithm)
    return RunsPlan(*plan(scores, metric_list(metrics), sizes, lifts, confidence, studies, replicates, seed))


@dataclass(frozen=True, repr=False)
class SequentialComparison(ShownAsTable):
    """What is known of P(x > y) after each round; see `statistics.sequential`.

    outcomes : float64[rounds, tasks], 1 where x won, 0 where it lost; rounds_left_out : incomplete ones at the end
    bets : float64[rounds, tasks], the outcomes that are bet on; see `statistics.sequential.round_bets`
    tasks_independent : as it was asked for
    """

    x: str
    y: str
    outcomes: np.ndarray
    rounds_left_out: int
    bets: np.ndarray
    tasks_independent: bool | str = "auto"

    @property
    def apart(self) -> np.ndarray:
        """Whether the tasks of a round counted as separate outcomes, bool[rounds]; if not, as one, their mean."""
        return np.isfinite(self.bets).all(axis=1)

    @property
    def finding(self) -> str:
        """What was taken for independent, and what the rounds show of it, in one or two sentences."""
        inflation = tuple(float(column[-1]) for column in running_inflation(self.outcomes))
        rounds, tasks = self.outcomes.shape
        return round_finding(self.tasks_independent, int(self.apart.sum()), rounds, inflation, tasks)

    def table(self, confidence: float = 0.95) -> pd.DataFrame:
        """Columns round, wins (fraction of its tasks), value (mean so far), low, high (all rounds hold at once),
        evidence (e-value against no difference), apart (whether the tasks counted as separate outcomes)."""
        low, high = confidence_sequence(self.bets, confidence)
        wins = self.outcomes.mean(axis=1)
        rounds = np.arange(1, wins.size + 1)
        columns = {"round": rounds, "wins": wins, "value": np.cumsum(wins) / rounds}
        return pd.DataFrame(columns | {"low": low, "high": high, "evidence": evidence(self.bets), "apart": self.apart})

    def decided(self, confidence: float = 0.95) -> int | None:
        """The first round after which 0.5 was outside of the limits, and one may stop; None if it never was."""
        low, high = confidence_sequence(self.bets, confidence)
        outside = np.flatnonzero((low > 0.5) | (high < 0.5))
        return int(outside[0]) + 1 if outside.size else None


def sequential_comparison(
    scores,
    x: str,
    y: str,
    tasks_independent: bool | str = "auto",
    decimals: int | str | None = RELATIVE,
    checked: bool = False,
) -> SequentialComparison:
    """Compare two algorithms by a confidence sequence, which may be looked at after every run and at any stopping rule.

    Parameters
    ----------
    scores, checked : see `score_tables.read_scores`; runs in the order in which they were collected, which in a table
        is the natural order of their names (run2 before run10). Round n is run n of both on every task; a task that is
        ahead waits
    x, y : names of the algorithms; P(x > y) is asked about
    tasks_independent : True where runs of different tasks are separate trainings with seeds of their own; False where
        a run is one training on all tasks; "auto" takes them for independent only in rounds before which the earlier
        ones, at least ten and mostly tens, have shown it; `finding` says what it found. See
        `statistics.sequential.round_bets`
    decimals : which scores are ties: "relative", those equal but for rounding; a number, those equal when rounded to so
        many decimals; None, those equal to the last bit

    Raises
    ------
    ValueError : see the same; x and y are one algorithm; another choice of `tasks_independent`
    """
    tables = read_scores(scores, checked)
    x, y = tables.name(x), tables.name(y)
    if x == y:
        raise HintedError("sequential", f'"{x}" against itself', f"two algorithms of {', '.join(tables.algorithms)}")
    sizes = [column.size for name in (x, y) for column in tables.of(name)]
    rounds = min(sizes)
    both = [np.array([column[:rounds] for column in tables.of(name)]).T for name in (x, y)]
    outcomes = round_outcomes(*both, decimals)
    bets = round_bets(outcomes, tasks_independent)
    return SequentialComparison(x, y, outcomes, max(sizes) - rounds, bets, tasks_independent)
