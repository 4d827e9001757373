"""Metrics of algorithms and the resamples of them, which also give intervals by other methods and of other levels."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.questions.results import Result, Sets, one_of, refuse_single_runs
from surefoot.statistics.arrays import Floats, typical_magnitude
from surefoot.statistics.metrics.catalogue import Metric
from surefoot.statistics.metrics.catalogue import metric as metric_of
from surefoot.statistics.runs.tables import algorithms_of, runs_of, scores_of, tasks_of

if TYPE_CHECKING:
    from surefoot.statistics.resampling.stratified_bootstrap import StandardErrors


class Options(NamedTuple):
    """The arguments of `aggregates` beside the runs and the metrics."""

    algorithms: Sequence[str] | None
    methods: Sequence[str]
    resampled: str
    shared_runs: str | bool
    replicates: int
    confidence: float
    seed: int
    threads: int


Key = tuple[str, str]
"""A set of scores and an algorithm."""


@dataclass(frozen=True, repr=False)
class Aggregates(Result):
    """Metrics of algorithms and the resamples of them.

    sets, options, metrics : the arguments of `aggregates`
    samples : float64[runs] of each task, in the order of the tasks, of each (set of scores, algorithm)
    values : float64[metrics] of each (set of scores, algorithm)
    replicates : float64[replicates, metrics] of each (set of scores, algorithm)
    sharing : what is known of whether tasks share the runs, of each of these
    """

    sets: Sets
    options: Options
    metrics: tuple[Metric, ...]
    samples: dict[Key, list[Floats]]
    values: dict[Key, Floats]
    replicates: dict[Key, Floats]
    sharing: dict[Key, str]

    def table(self, methods: str | Sequence[str] | None = None, confidence: float | None = None) -> pd.DataFrame:
        """All values and intervals; see `aggregates`. Other methods and levels need no resamples.

        Parameters
        ----------
        methods : one or several of `replicate_intervals.METHODS`; those of the call if None
        confidence : that of the call if None
        """
        return self._intervals(methods, confidence).drop(columns="note")

    def notes(self, methods: str | Sequence[str] | None = None, confidence: float | None = None) -> pd.DataFrame:
        """Why intervals of the table do not exist: columns scores, algorithm, metric, method, note. Parameters as of
        `table`."""
        rows = self._intervals(methods, confidence)
        rows = rows.loc[rows["note"] != "", ["scores", "algorithm", "metric", "method", "note"]]
        return rows.reset_index(drop=True)

    def paired_difference(self, x: str, y: str, metric: str | Metric = "iqm", scores: str | None = None) -> pd.Series:
        """x minus y where run n of both in a task belong together, such as by a common seed, and are drawn together.

        Returns
        -------
        value, low, high (percentile limits; with 3 runs per task 95 % miss the difference in about one case of eight)

        Raises
        ------
        ValueError : other runs of x than of y in a task, or anything but runs was resampled
        """
        from surefoot.statistics.resampling.replicate_intervals import interval
        from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics

        if self.options.resampled != "runs":
            what = f"{self.options.resampled} were resampled"
            raise HintedError("paired_difference", what, '`resampled="runs"` draws pairs of runs')
        keys = [one_of(self.values, scores, name) for name in (x, y)]
        table = self.sets[keys[0][0]]
        for task, rows in table.groupby("environment"):
            runs = [set(rows.loc[rows["algorithm"] == name, "run"]) for _, name in keys]
            if runs[0] != runs[1]:
                what = f"{x} and {y} have other runs in {task}"
                raise HintedError("paired_difference", what, "pairs have the same run")
        chosen, (of_x, of_y) = [metric_of(metric)], (self.samples[key] for key in keys)
        replicates, seed = self.options.replicates, self.options.seed
        drawn = [
            replicate_metrics(one, chosen, replicates, seed, "", tasks_of(table), "paired_runs") for one in (of_x, of_y)
        ]
        first, second = (metric_values(one, chosen)[0] for one in (of_x, of_y))
        limits = interval((drawn[0] - drawn[1])[:, 0], first - second, "percentile", self.options.confidence)
        return pd.Series({"value": first - second, "low": float(limits.low), "high": float(limits.high)})

    def standard_errors(self, key: Key) -> "StandardErrors":
        """What Student's intervals of an algorithm are made of."""
        from surefoot.statistics.resampling.stratified_bootstrap import standard_errors

        if key not in self._kept:
            # Whole runs that are resampled are matched by their numbers, so their names do not matter.
            names = runs_of(self.sets[key[0]], key[1]) if self.options.resampled == "runs" else None
            drawn = self.replicates[key]
            self._kept[key] = standard_errors(self.samples[key], self.metrics, self._unit(key), drawn, names)
        kept: StandardErrors = self._kept[key]
        return kept

    def _intervals(self, methods: str | Sequence[str] | None, confidence: float | None) -> pd.DataFrame:
        """The columns of `table`, and a column note, which says why there is no interval."""
        from surefoot.statistics.resampling.interval_remarks import beyond_scores_remark, metric_remark

        options = self.options
        chosen = options.methods if methods is None else (methods,) if isinstance(methods, str) else methods
        level = options.confidence if confidence is None else confidence
        rows = []
        for key, method, place in product(self.values, chosen, range(len(self.metrics))):
            scores, drawn, one = self.samples[key], self.replicates[key][:, place], self.metrics[place]
            low, high, note = self._limits(key, place, method, level)
            error, shape = drawn.std(ddof=1) if len(drawn) > 1 else np.nan, (np.nan, np.nan)
            if method == "student":
                spread = self.standard_errors(key)
                error, shape = spread.errors[place], (spread.degrees[place], spread.skewness[place])
            about = (level, shape, high - low, options.resampled, self.sharing[key])
            remarks = [metric_remark(method, one.name, scores, *about), beyond_scores_remark(scores, low, high)]
            row = (*key, str(one), method, self.values[key][place], low, high, error)
            counts = (min(map(len, scores)), len(scores), len(drawn), self.sharing[key])
            rows.append((*row, *counts, "; ".join(filter(None, remarks)), note))
        columns = ["scores", "algorithm", "metric", "method", "value", "low", "high", "standard_error"]
        return pd.DataFrame(rows, columns=[*columns, "runs", "tasks", "replicates", "shared_runs", "remark", "note"])

    def _limits(self, key: Key, place: int, method: str, level: float) -> tuple[float, float, str]:
        """(low, high, why there is none); NaN where the interval does not exist, such as bc where all replicates are
        below the estimate."""
        from surefoot.statistics.resampling.replicate_intervals import NoIntervalError, interval, student_interval
        from surefoot.statistics.resampling.stratified_bootstrap import ACCELERATIONS

        drawn, value = self.replicates[key][:, place], self.values[key][place]
        magnitude = self.metrics[place].magnitude(typical_magnitude(np.concatenate(self.samples[key])))
        if method in ACCELERATIONS and (key, method) not in self._kept:
            self._kept[key, method] = ACCELERATIONS[method](self.samples[key], self.metrics)
        try:
            if method == "student":
                spread = self.standard_errors(key)
                resamples = drawn if self._unit(key) == "runs" else None
                found = student_interval(
                    value, spread.errors[place], spread.degrees[place], level, resamples, magnitude
                )
            else:
                acceleration = self._kept[key, method][place] if method in ACCELERATIONS else None
                found = interval(drawn, value, method, level, acceleration, magnitude)
        except NoIntervalError as problem:
            return np.nan, np.nan, str(problem)
        return float(found.low), float(found.high), ""

    def _unit(self, key: Key) -> str:
        from surefoot.statistics.runs.run_effects import unit_of_errors

        return unit_of_errors(self.options.resampled, self.sharing[key])

    @cached_property
    def _kept(self) -> dict[Any, Any]:
        """Standard errors by key, and accelerations by key and method."""
        return {}

    def _printed(self) -> tuple[str, list[pd.DataFrame], list[str]]:
        # By its name, as in `results`: how an answer is printed must not decide whether it is made again.
        rows, sentences = import_module("surefoot.questions.showing").summary(self.table(), self.notes())
        level = f"{100 * self.options.confidence:g} % intervals ({self.options.methods[0]})"
        return f"Aggregates with {level}, runs x tasks", [rows], sentences


def aggregated(sets: Sets, options: Options, metrics: Sequence[Metric]) -> Aggregates:
    """Metrics of all algorithms of all sets, and their resamples."""
    from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics
    from surefoot.statistics.runs.run_effects import RESAMPLED, shared_runs

    samples, values, replicates, sharing = {}, {}, {}, {}
    resampled, count, seed = options.resampled, options.replicates, options.seed
    for name, table in sets.items():
        chosen, tasks = algorithms_of(table, options.algorithms), tasks_of(table)
        known = dict.fromkeys(chosen, RESAMPLED)
        if resampled == "runs":
            known = shared_runs(table, options.shared_runs, seed)
        for algorithm in chosen:
            key, scores = (name, algorithm), scores_of(table, algorithm)
            if resampled != "tasks_and_runs":
                refuse_single_runs(algorithm, list(map(len, scores)))
            samples[key], sharing[key], values[key] = scores, known[algorithm], metric_values(scores, metrics)
            replicates[key] = replicate_metrics(
                scores, metrics, count, seed, f"{name}/{algorithm}", tasks, resampled, threads=options.threads
            )
    return Aggregates(sets, options, tuple(metrics), samples, values, replicates, sharing)
