"""The probability that a run of one algorithm beats one of another, with intervals."""

from dataclasses import dataclass
from itertools import permutations
from typing import Any

import pandas as pd

from surefoot.errors import HintedError, shortened
from surefoot.questions.answering import Sets, Shared, tie_decimals
from surefoot.questions.improvement.settings import Settings
from surefoot.questions.results import Result
from surefoot.statistics.arrays import Floats
from surefoot.statistics.comparison.improvement import Improvement, probability_of_improvement, replicate_improvement
from surefoot.statistics.comparison.improvement_limits import improvement_limits
from surefoot.statistics.profiles.curve_bands import pointwise_band
from surefoot.statistics.resampling.interval_remarks import improvement_remark
from surefoot.statistics.runs.samples_of_tasks import algorithms_of, runs_of, scores_of, tasks_of
from surefoot.statistics.runs.sharing import SHARED, least_known, shared_runs
from surefoot.statistics.ties import exceeds

MEANINGFUL = 0.75


def answer(sets: Sets, settings: Settings, shared: Shared) -> "Improvements":
    """The probability that a run of x beats a run of y, for the given pairs or for all. The result says
    which probabilities are significant.

    Returns
    -------
    columns scores, x, y, value, low, high, ties, as_published (scores compared exactly, so that ties are lost to
    rounding), runs (the fewest of any task of either), shared_runs (as in the answer of aggregates, of both)

    Raises
    ------
    ValueError : fewer than two algorithms
    """
    decimals = tie_decimals(settings.decimals)
    samples: dict[tuple[str, str], list[Floats]] = {}
    run_names: dict[tuple[str, str], list[list[Any]]] = {}
    sharing: dict[tuple[str, str], str] = {}
    values, published, replicates = {}, {}, {}
    for name, table in sets.items():
        known = algorithms_of(table, settings.algorithms)
        if len(known) < 2:
            raise HintedError("improvement", f"{len(known)} algorithm", "a pair needs two")
        samples |= {(name, algorithm): scores_of(table, algorithm) for algorithm in known}
        run_names |= {(name, algorithm): runs_of(table, algorithm) for algorithm in known}
        findings = shared_runs(table, settings.shared_runs, shared.seed)
        sharing |= {(name, algorithm): findings[algorithm] for algorithm in known}
        for x, y in settings.pairs or permutations(known, 2):
            for one in (x, y):
                if one not in known:
                    raise HintedError("pairs", f'no scores of "{shortened(one)}"', ", ".join(known))
            both = samples[name, x], samples[name, y]
            values[name, x, y] = probability_of_improvement(*both, decimals)
            published[name, x, y] = probability_of_improvement(*both, decimals=None).probability
            if settings.method == "percentile":
                names, tasks = (f"{name}/{x}", f"{name}/{y}"), tasks_of(table)
                replicates[name, x, y] = replicate_improvement(
                    *both, shared.replicates, shared.seed, names, tasks, decimals, threads=shared.threads
                )
    sizes = {(name, x, y): [*map(len, samples[name, x]), *map(len, samples[name, y])] for name, x, y in values}
    return Improvements(shared, values, published, replicates, sizes, samples, decimals, run_names, sharing)


@dataclass(frozen=True, repr=False)
class Improvements(Result):
    """Probabilities of improvement of pairs and the resamples of them.

    shared : what was asked
    values : `statistics.comparison.improvement.Improvement` of each (set of scores, x, y)
    as_published : the probability, scores compared as they come
    replicates : float64[replicates], of percentile intervals; sizes : the numbers of runs of all tasks, of both
    samples : scores of each (set of scores, algorithm); decimals : which are ties, see `ties.score_places`
    run_names : of the runs of each task, of each of these; sharing : whether tasks share them
    """

    shared: Shared
    values: dict[tuple[str, str, str], Improvement]
    as_published: dict[tuple[str, str, str], float]
    replicates: dict[tuple[str, str, str], Floats]
    sizes: dict[tuple[str, str, str], list[int]]
    samples: dict[tuple[str, str], list[Floats]]
    decimals: int | str
    run_names: dict[tuple[str, str], list[list[Any]]]
    sharing: dict[tuple[str, str], str]

    def table(self, confidence: float | None = None) -> pd.DataFrame:
        """All pairs; see `answer`. confidence : the one that was asked for if None."""
        rows = []
        for key, found in self.values.items():
            low, high = self._limits(key, self.shared.level(confidence))
            own = (found.ties, self.as_published[key], min(self.sizes[key]), self._sharing(key))
            rows.append((*key, found.probability, low, high, *own))
        columns = ["scores", "x", "y", "value", "low", "high", "ties", "as_published", "runs", "shared_runs"]
        return pd.DataFrame(rows, columns=columns)

    def significance(self, confidence: float | None = None) -> pd.DataFrame:
        """Columns scores, x, y, value, low, high, significant, meaningful.

        significant : the interval lies above 0.5; meaningful : it does, and reaches above 0.75 (the rule of Neyman and
        Pearson, Bouthillier et al. 2021). Each interval is one of its own: of 20 pairs without a difference, one is
        significant at 95 %, one way or the other.
        """
        table = self.table(confidence)[["scores", "x", "y", "value", "low", "high"]]
        significant = exceeds(table["low"], 0.5)
        return table.assign(significant=significant, meaningful=significant & exceeds(table["high"], MEANINGFUL))

    def notes(self, confidence: float | None = None) -> pd.DataFrame:
        """Where intervals do not hold their level, as far as the numbers of runs tell: columns scores, x, y, note."""
        level, rows = self.shared.level(confidence), []
        for key in self.replicates:
            low, high = self._limits(key, level)
            remark = improvement_remark(self.sizes[key], high - low, level)
            if self._sharing(key) in SHARED:
                remark = (
                    "runs do alike on all tasks, which this interval does not allow for; take the method placements"
                )
            if remark:
                rows.append((*key, remark))
        return pd.DataFrame(rows, columns=["scores", "x", "y", "note"])

    def _limits(self, key: tuple[str, str, str], level: float) -> tuple[float, float]:
        if key in self.replicates:
            low, high = pointwise_band(self.replicates[key], level)
            return float(low), float(high)
        name, x, y = key
        runs_x, runs_y = (self.run_names[name, one] if self.sharing[name, one] in SHARED else None for one in (x, y))
        return improvement_limits(self.samples[name, x], self.samples[name, y], level, self.decimals, (runs_x, runs_y))

    def _sharing(self, key: tuple[str, str, str]) -> str:
        name, x, y = key
        return least_known([self.sharing[name, x], self.sharing[name, y]])
