"""The probability that one algorithm improves on another, and the ranks of several."""

from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from surefoot.questions.checking import algorithms_asked, check_known, check_scores
from surefoot.questions.registry import question
from surefoot.questions.results import Result, Sets, Table, tie_decimals
from surefoot.questions.types import (
    Algorithms,
    Checked,
    Confidence,
    Decimals,
    Pairs,
    Replicates,
    Seed,
    SharedRuns,
    Threads,
)
from surefoot.statistics.arrays import Floats, exceeds
from surefoot.statistics.runs.tables import algorithms_of, runs_of, scores_of, tasks_of

if TYPE_CHECKING:
    from surefoot.statistics.comparison.improvement import Improvement

MEANINGFUL = 0.75


@dataclass(frozen=True, repr=False)
class Improvements(Result):
    """Probabilities of improvement of pairs and the resamples of them.

    values : `statistics.comparison.improvement.Improvement` of each (set of scores, x, y)
    as_published : the probability, scores compared as they come
    replicates : float64[replicates], of percentile intervals; sizes : the numbers of runs of all tasks, of both
    samples : scores of each (set of scores, algorithm); decimals : which are ties, see `arrays.score_places`
    run_names : of the runs of each task, of each of these; sharing : whether tasks share them
    confidence : as it was asked for
    """

    values: dict[tuple[str, str, str], "Improvement"]
    as_published: dict[tuple[str, str, str], float]
    replicates: dict[tuple[str, str, str], Floats]
    sizes: dict[tuple[str, str, str], list[int]]
    samples: dict[tuple[str, str], list[Floats]]
    decimals: int | str
    run_names: dict[tuple[str, str], list[list[Any]]]
    sharing: dict[tuple[str, str], str]
    confidence: float

    def table(self, confidence: float | None = None) -> pd.DataFrame:
        """All pairs; see `improvement`. confidence : the one that was asked for if None."""
        rows = []
        for key, found in self.values.items():
            low, high = self._limits(key, self._level(confidence))
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
        from surefoot.statistics.resampling.interval_remarks import improvement_remark
        from surefoot.statistics.runs.run_effects import SHARED

        level, rows = self._level(confidence), []
        for key in self.replicates:
            low, high = self._limits(key, level)
            remark = improvement_remark(self.sizes[key], high - low, level)
            if self._sharing(key) in SHARED:
                remark = (
                    "runs vary together on all tasks, which this interval does not allow for; take the method "
                    "placements"
                )
            if remark:
                rows.append((*key, remark))
        return pd.DataFrame(rows, columns=["scores", "x", "y", "note"])

    def _level(self, confidence: float | None) -> float:
        return self.confidence if confidence is None else confidence

    def _limits(self, key: tuple[str, str, str], level: float) -> tuple[float, float]:
        from surefoot.statistics.comparison.improvement import improvement_limits
        from surefoot.statistics.profiles.curves import pointwise_band
        from surefoot.statistics.runs.run_effects import SHARED

        if key in self.replicates:
            low, high = pointwise_band(self.replicates[key], level)
            return float(low), float(high)
        name, x, y = key
        runs_x, runs_y = (self.run_names[name, one] if self.sharing[name, one] in SHARED else None for one in (x, y))
        return improvement_limits(self.samples[name, x], self.samples[name, y], level, self.decimals, (runs_x, runs_y))

    def _sharing(self, key: tuple[str, str, str]) -> str:
        from surefoot.statistics.runs.run_effects import least_known

        name, x, y = key
        return least_known([self.sharing[name, x], self.sharing[name, y]])


def check_improvement(table: pd.DataFrame, settings: Any, where: str) -> None:
    """Raises InputError where the runs of a scale cannot answer the question."""
    check_scores(table, settings, where, fewest=2)
    for name in (one for pair in settings.pairs or () for one in pair):
        check_known(name, algorithms_asked(table, settings), where)


@question(
    stage="estimate",
    several_sets=True,
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
    decimals: Decimals | None = None,
    method: Literal["placements", "percentile"] = "placements",
    shared_runs: SharedRuns = "auto",
    replicates: Replicates = 1000,
    confidence: Confidence = 0.95,
    seed: Seed = 0,
    threads: Threads = 1,
    checked: Checked = False,
) -> Improvements:
    r"""The probability that a run of one algorithm beats one of another, with intervals.

    The probability that a run of x beats a run of y, for the given pairs or for all. The result says
    which probabilities are significant.

    Parameters
    ----------
    runs
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}; or several such sets by name, {name: runs}.
    algorithms
        The algorithms to take; all of them by default.
    pairs
        Pairs of algorithms; the first of each is compared with the second.
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
    Improvements
        `table()` has columns scores, x, y, value, low, high, ties, as_published (scores compared exactly, so that
        ties are lost to rounding), runs (the fewest of any task of either), shared_runs (as in the answer of
        aggregates, of both)

    Raises
    ------
    ValueError
        for fewer than two algorithms

    Notes
    -----
    formula : $P(X > Y) = \frac1M \sum_m P_m$, where $P_m$ is the share of pairs of a run of X and one of Y on task $m$
        in which X scores more, plus half the share of ties. Limits are symmetric on the scale $\log(P / (1 - P))$, by
        the sum over tasks of Brunner and Munzel's variances $s_X^2 / N + s_Y^2 / K$ of placements, with Student's
        distribution and Satterthwaite's degrees of freedom. With a single task, a single run, or where no run differs,
        they are those of [matched runs](#sec-game-pbp_matchings). Where tasks share runs, the variances are of
        placements summed over whole runs.
    assumes : Runs are independent, within a task and across tasks. Where runs are [shared by
        tasks](#sec-question-run_effects), whole runs are.
    guarantee : By placements, asymptotic: at 95 %, with 2 to 10 tasks and 3 to 20 runs, they missed in at most 8 % of
        400 simulated studies of each kind. By matched runs, at least the stated confidence. The method percentile is
        narrower. At 95 %, it missed in 12 to 26 % of simulated cases with 2 runs of ten tasks, in 6 to 13 % with 5, and
        in up to 58 % on a single task.
    interval : intervals of each pair
    with method percentile : The intervals are percentile intervals of the stratified bootstrap, too narrow for few
        runs.
    in a paper : We report the probability that a run of one algorithm scores more than a run of another on the same
        task, averaged over tasks[, for {pairs}][, among {algorithms}], with {intervals} (method: {method})[,
        {shared_runs}].[ Scores are rounded to {decimals} decimals before they are compared.]
    not for : The size of an improvement: an algorithm that is always slightly better has probability 1.

    References
    ----------
    agarwal2021, section 4.3 and appendix A.7; mann1947; brunner2000

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
    from surefoot.statistics.runs.run_effects import shared_runs as find_shared_runs

    places = tie_decimals(decimals)
    samples: dict[tuple[str, str], list[Floats]] = {}
    run_names: dict[tuple[str, str], list[list[Any]]] = {}
    sharing: dict[tuple[str, str], str] = {}
    values, published, drawn = {}, {}, {}
    for name, table in runs.items():
        known = algorithms_of(table, algorithms)
        samples |= {(name, algorithm): scores_of(table, algorithm) for algorithm in known}
        run_names |= {(name, algorithm): runs_of(table, algorithm) for algorithm in known}
        findings = find_shared_runs(table, shared_runs, seed)
        sharing |= {(name, algorithm): findings[algorithm] for algorithm in known}
        for x, y in pairs or permutations(known, 2):
            both = samples[name, x], samples[name, y]
            values[name, x, y] = probability_of_improvement(*both, places)
            published[name, x, y] = probability_of_improvement(*both, decimals=None).probability
            if method == "percentile":
                names, tasks = (f"{name}/{x}", f"{name}/{y}"), tasks_of(table)
                drawn[name, x, y] = replicate_improvement(
                    *both, replicates, seed, names, tasks, places, threads=threads
                )
    sizes = {(name, x, y): [*map(len, samples[name, x]), *map(len, samples[name, y])] for name, x, y in values}
    return Improvements(values, published, drawn, sizes, samples, places, run_names, sharing, confidence)


@question(
    stage="estimate",
    several_sets=True,
    pools_tasks=False,
    chart="surefoot.charts.improvement:ranks_chart",
    finding="surefoot.charts.improvement:ranks_finding",
)
def ranks(
    runs: Sets,
    *,
    algorithms: Algorithms | None = None,
    decimals: Decimals | None = None,
    checked: Checked = False,
) -> Table:
    """The probability of each rank of each algorithm.

    Distributions of ranks when one run of each algorithm is drawn and ties are broken at random; 1 is the best.

    Parameters
    ----------
    runs
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}; or several such sets by name, {name: runs}.
    algorithms
        The algorithms to take; all of them by default.
    decimals
        Number of decimals to which scores are rounded before they are compared, for scores that were stored with
        few digits. By default, scores tie if they differ only by rounding errors in the last digits.
    checked
        Whether the runs are known to be right although they look transposed, like episodes instead of runs, or like
        scores without a common scale.

    Returns
    -------
    Table
        `table()` has columns scores, environment (empty for the mean over tasks), algorithm, rank, value (the
        probability)

    Notes
    -----
    formula : The probability of rank $r$ if one run of each algorithm is drawn on a task drawn at random, with ties
        broken at random; counted exactly.
    assumes : The given runs represent all runs.
    guarantee : Exact for the given runs; nothing about other runs.
    in a paper : We report the probability of each rank of each algorithm[ among {algorithms}], for one run of each on a
        task drawn at random.[ Scores are rounded to {decimals} decimals before they are compared.]
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

    places, parts = tie_decimals(decimals), []
    for name, table in runs.items():
        names, tasks = algorithms_of(table, algorithms), tasks_of(table)
        scores = [scores_of(table, algorithm) for algorithm in names]
        found = rank_distributions(scores, places)
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
    return Table(pd.concat(parts, ignore_index=True))
