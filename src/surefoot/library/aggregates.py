"""Metrics of each algorithm with intervals, and their differences and lifts, from one set of resamples."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.library.run_effects import run_effect_remark
from surefoot.library.score_tables import ScoreTables, read_scores
from surefoot.library.shown import ShownAsTable
from surefoot.statistics.comparisons import difference, lift_percent, replicate_paired
from surefoot.statistics.interval_methods import ACCELERATED, Interval, NoIntervalError, interval
from surefoot.statistics.interval_remarks import metric_remark
from surefoot.statistics.jackknife import row_acceleration, spread_of_few_runs, stratified_acceleration
from surefoot.statistics.metrics import FOUR_METRICS, Metric, metric, metric_list
from surefoot.statistics.stratified_bootstrap import metric_values, replicate_metrics
from surefoot.statistics.ties import exceeds, typical_magnitude


@dataclass(frozen=True, repr=False)
class Aggregates(ShownAsTable):
    """Metrics of algorithms and the resamples of them.

    tables, metrics : what was asked about
    values : float64[algorithms, metrics]
    replicates : float64[algorithms, resamples, metrics]
    design : seed, resampled and threads, with which other metrics get the same resamples
    weighting : of the scores of tasks with unequal numbers of runs, where a metric does not say its own
    """

    tables: ScoreTables
    metrics: tuple[Metric, ...]
    values: np.ndarray
    replicates: np.ndarray
    design: Mapping
    weighting: str = "runs"

    @property
    def algorithms(self) -> tuple[str, ...]:
        return self.tables.algorithms

    def interval(
        self,
        algorithm: str,
        metric="iqm",
        method: str = "percentile",
        confidence: float = 0.95,
        ties: str = "strict",
    ) -> Interval:
        """Limits of one metric of one algorithm; methods, ties and errors: see `interval_methods.interval`."""
        a, k = self._place(algorithm), self._number(metric)
        acceleration = self._accelerations(method)[a][k] if method in ACCELERATED else None
        magnitude = typical_magnitude(np.concatenate(self.tables.of(algorithm)))
        spread = self._spread(a, k) if method == "student" else None
        return interval(
            self.replicates[a, :, k], self.values[a, k], method, confidence, acceleration, ties, magnitude, spread
        )

    def table(self, method: str = "percentile", confidence: float = 0.95, ties: str = "strict") -> pd.DataFrame:
        """All values and intervals: columns algorithm, metric, value, low, high, runs, note, remark.

        ties : see `interval`; an interval that does not exist has no low and high, and note says why. Where runs were
        resampled task by task and those of an algorithm do alike on all tasks, note says by how much the interval may
        be too narrow. remark says where it does not hold its level, as far as the runs tell.
        """
        rows, remarks = [], self._run_effect_remarks
        for a, algorithm in enumerate(self.algorithms):
            for k, chosen in enumerate(self.metrics):
                low, high, note = np.nan, np.nan, remarks[a]
                try:
                    low, high = self.interval(algorithm, chosen, method, confidence, ties)[:2]
                except NoIntervalError as problem:
                    note = str(problem)
                value, runs = self.values[a, k], self.tables.run_counts(algorithm)
                remark = self._remark(a, k, method, confidence)
                rows.append((algorithm, str(chosen), value, float(low), float(high), runs, note, remark))
        return pd.DataFrame(rows, columns=["algorithm", "metric", "value", "low", "high", "runs", "note", "remark"])

    def difference(self, x: str, y: str, metric="iqm", confidence: float = 0.95, paired: bool = False) -> pd.Series:
        """x minus y: value, low, high (percentile) and the fraction of resamples in which x is above y,
        equal ones counted half.

        paired : run n of x and of y in a task belong together, such as by a common seed, and are drawn together
        """
        return self._compare(difference, x, y, metric, confidence, paired)

    def lift(self, x: str, y: str, metric="iqm", confidence: float = 0.95, paired: bool = False) -> pd.Series:
        """By how many percent x is above y; see `difference`. Metrics must be positive."""
        return self._compare(lift_percent, x, y, metric, confidence, paired)

    def with_metrics(self, *metrics: str | Metric) -> "Aggregates":
        """Other metrics of the very same resamples, and of the same weighting."""
        chosen = metric_list(metrics, self.weighting)
        return _aggregate(self.tables, chosen, self.replicates.shape[1], self.design, self.weighting)

    def _compare(self, function, x, y, chosen, confidence, paired):
        k, places = self._number(chosen), [self._place(x), self._place(y)]
        if paired:
            drawn = [one[:, 0] for one in self._drawn_pairs(self.tables.name(x), self.tables.name(y), self.metrics[k])]
        else:
            drawn = [self.replicates[a, :, k] for a in places]
        value, replicates = function(*self.values[places, k]), function(*drawn)
        low, high = interval(replicates, value, "percentile", confidence)[:2]
        scale = typical_magnitude(np.concatenate([*self.tables.of(x), *self.tables.of(y)]))
        above = float(0.5 * (1.0 + np.mean(exceeds(*drawn, scale)) - np.mean(exceeds(*drawn[::-1], scale))))
        return pd.Series({"value": float(value), "low": float(low), "high": float(high), "above": above})

    def _drawn_pairs(self, x, y, chosen):
        if self.design["resampled"] != "runs":
            raise HintedError(
                "paired", f"{self.design['resampled']} were resampled", '`resampled="runs"` draws pairs of runs'
            )
        if self.tables.runs is not None:
            for task, a, b in zip(self.tables.tasks, self.tables.runs[x], self.tables.runs[y], strict=True):
                if not np.array_equal(a, b):
                    raise HintedError("paired", f"{x} and {y} have other runs in {task}", "pairs have the same run")
        design = {"replicates": self.replicates.shape[1], "seed": self.design["seed"], "tasks": self.tables.tasks}
        return replicate_paired(self.tables.of(x), self.tables.of(y), [chosen], **design)

    def _accelerations(self, method):
        return self._row_accelerations if method == "bca" else self._stratified_accelerations

    @cached_property
    def _row_accelerations(self):
        return [row_acceleration(self.tables.of(a), self.metrics) for a in self.algorithms]

    @cached_property
    def _stratified_accelerations(self):
        return [stratified_acceleration(self.tables.of(a), self.metrics) for a in self.algorithms]

    def _spread(self, a, k):
        if self.design["resampled"] != "runs":
            raise HintedError(
                "student",
                f"{self.design['resampled']} were resampled, and the degrees of freedom are those of the runs of each "
                "task",
                '`resampled="runs"`, or the method percentile',
            )
        return self._spreads[a].of(k)

    @cached_property
    def _spreads(self):
        return [spread_of_few_runs(self.tables.of(a), self.metrics) for a in self.algorithms]

    def _remark(self, a, k, method, confidence):
        if self.design["resampled"] != "runs":
            return ""
        sizes = [column.size for column in self.tables.of(self.algorithms[a])]
        degrees = self._spread(a, k).degrees if method == "student" else None
        return metric_remark(method, self.metrics[k].name, sizes, confidence, degrees)

    @cached_property
    def _run_effect_remarks(self):
        if self.design["resampled"] != "runs":
            return [""] * len(self.algorithms)
        return [run_effect_remark(self.tables, algorithm) for algorithm in self.algorithms]

    def _place(self, algorithm):
        return self.algorithms.index(self.tables.name(algorithm))

    def _number(self, chosen):
        wanted = metric(chosen, self.weighting)
        if wanted not in self.metrics:
            raise HintedError("metric", f'"{wanted}" was not asked for', f"`with_metrics({chosen!r})` adds it")
        return self.metrics.index(wanted)


def aggregate(
    scores,
    metrics: Sequence[str | Metric] = FOUR_METRICS,
    replicates: int = 50_000,
    seed: int = 0,
    resampled: str = "runs",
    weighting: str = "runs",
    threads: int = 1,
    checked: bool = False,
) -> Aggregates:
    """Metrics of each algorithm with a stratified bootstrap.

    Parameters
    ----------
    scores, checked : see `score_tables.read_scores`
    metrics : names such as "iqm" and "optimality_gap(0.5)"; see `statistics.metrics`
    replicates, seed, resampled, threads : see `statistics.stratified_bootstrap.replicate_metrics`
    weighting : "runs" or "tasks", of the scores of tasks with unequal numbers of runs, in this and in all further
        questions; a `Metric` says its own

    Raises
    ------
    ValueError : see the same; one run of every task, which resampling of runs cannot vary
    """
    tables = read_scores(scores, checked)
    if resampled == "runs":
        refuse_single_runs(tables)
    design = {"seed": seed, "resampled": resampled, "threads": threads}
    return _aggregate(tables, metric_list(metrics, weighting), replicates, design, weighting)


def _aggregate(tables, metrics, replicates, design, weighting):
    values = np.array([metric_values(tables.of(a), metrics, tables.tasks) for a in tables.algorithms])
    drawn = [
        replicate_metrics(tables.of(a), metrics, replicates, name=a, tasks=tables.tasks, **design)
        for a in tables.algorithms
    ]
    return Aggregates(tables, tuple(metrics), values, np.array(drawn), dict(design), weighting)


def refuse_single_runs(
    tables: ScoreTables,
    hint: str = 'several runs of a single task are a column, scores[:, None]; else `resampled="tasks_and_runs"`',
) -> None:
    """Raise a ValueError where an algorithm has one run of each task: its resamples would all be the same."""
    for algorithm in tables.algorithms:
        if max(column.size for column in tables.of(algorithm)) == 1:
            raise HintedError(
                "scores",
                f"{algorithm} has one run of each of {len(tables.tasks)} tasks, which cannot be resampled",
                hint,
            )
