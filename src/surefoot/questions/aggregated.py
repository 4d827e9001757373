"""Metrics of algorithms and the resamples of them, which also give other intervals, differences and lifts."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.questions.results import Result, Sets, one_of, refuse_single_runs
from surefoot.statistics.arrays import Floats
from surefoot.statistics.metrics.catalogue import Metric, metric
from surefoot.statistics.runs.tables import algorithms_of, runs_of, scores_of, tasks_of
from surefoot.statistics.ties import exceeds, typical_magnitude

if TYPE_CHECKING:
    from surefoot.statistics.resampling.jackknife import StandardErrors
    from surefoot.statistics.resampling.replicate_intervals import Interval


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

    def level(self, confidence: float | None) -> float:
        """A level that is given where the answer is shown, or else the argument."""
        return self.confidence if confidence is None else confidence


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

    Where a method takes `scores`, it is the name of a set, which is needed where there are several.
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
        from surefoot.statistics.resampling.interval_remarks import beyond_scores_remark

        rows = []
        for key, method, place, chosen in self._each(methods):
            low, high, _ = self._limits(key, place, method, confidence)
            scores, drawn = self.samples[key], self.replicates[key][:, place]
            error = drawn.std(ddof=1) if len(drawn) > 1 else np.nan
            if method == "student":
                error = self.standard_errors(key).errors[place]
            remarks = [
                self._remark(key, place, method, confidence, high - low),
                beyond_scores_remark(scores, low, high),
            ]
            row = (*key, str(chosen), method, self.values[key][place], low, high, error)
            counts = (min(map(len, scores)), len(scores), len(drawn), self.sharing[key])
            rows.append((*row, *counts, "; ".join(filter(None, remarks))))
        columns = ["scores", "algorithm", "metric", "method", "value", "low", "high", "standard_error"]
        return pd.DataFrame(rows, columns=[*columns, "runs", "tasks", "replicates", "shared_runs", "remark"])

    def notes(self, methods: str | Sequence[str] | None = None, confidence: float | None = None) -> pd.DataFrame:
        """Why intervals of the table do not exist: columns scores, algorithm, metric, method, note. Parameters as of
        `table`."""
        rows = []
        for key, method, place, chosen in self._each(methods):
            if note := self._limits(key, place, method, confidence)[2]:
                rows.append((*key, str(chosen), method, note))
        return pd.DataFrame(rows, columns=["scores", "algorithm", "metric", "method", "note"])

    def interval(
        self,
        algorithm: str,
        metric: str | Metric = "iqm",
        method: str = "student",
        confidence: float | None = None,
        scores: str | None = None,
    ) -> "Interval":
        """Limits of one metric of one algorithm; methods and errors: see `replicate_intervals.interval`."""
        return self._interval(one_of(self.values, scores, algorithm), self._place(metric), method, confidence)

    def difference(
        self,
        x: str,
        y: str,
        metric: str | Metric = "iqm",
        confidence: float | None = None,
        paired: bool = False,
        scores: str | None = None,
    ) -> pd.Series:
        """x minus y: value, low, high (Student's, as of one pair in `pairwise_differences`) and above, the fraction of
        resamples in which x is above y, equal ones counted half, and remark (a reservation about the interval).

        paired : run n of x and of y in a task belong together, such as by a common seed, and are drawn together; then
            the limits are percentiles, and with 3 runs per task 95 % miss the difference in about one case of eight
        """
        return self._compare(np.subtract, (x, y), metric, confidence, paired, scores)

    def lift(
        self,
        x: str,
        y: str,
        metric: str | Metric = "iqm",
        confidence: float | None = None,
        paired: bool = False,
        scores: str | None = None,
    ) -> pd.Series:
        """By how many percent x is above y; see `difference`. The limits are those of the difference of logarithms.
        Metrics must be positive."""
        from surefoot.statistics.comparison.differences import lift_percent

        return self._compare(lift_percent, (x, y), metric, confidence, paired, scores)

    def with_metrics(self, *metrics: str | Metric) -> "Aggregates":
        """Other metrics of the very same resamples."""
        others = aggregated(self.sets, self.options, [metric(one) for one in metrics])
        return replace(others, asked=self.asked, remark=self.remark)

    def standard_errors(self, key: Key) -> "StandardErrors":
        """What Student's intervals of an algorithm are made of."""
        from surefoot.statistics.resampling.jackknife import standard_errors

        if key not in self._kept:
            # Whole runs that are resampled are matched by their numbers, so their names do not matter.
            names = runs_of(self.sets[key[0]], key[1]) if self.options.resampled == "runs" else None
            drawn = self.replicates[key]
            self._kept[key] = standard_errors(self.samples[key], self.metrics, self._unit(key), drawn, names)
        kept: StandardErrors = self._kept[key]
        return kept

    def __repr__(self) -> str:
        text: str = _summary().as_text(self.table(), self.notes(), self.options.confidence, self.remark)
        return text

    def _html_tables(self) -> list[str]:
        parts: list[str] = _summary().as_html(self.table(), self.notes())
        return parts

    def _each(self, methods: str | Sequence[str] | None) -> Iterator[tuple[Key, str, int, Metric]]:
        """(key, method, place of the metric, metric) of each interval."""
        chosen = self.options.methods if methods is None else (methods,) if isinstance(methods, str) else methods
        for key in self.values:
            for method in chosen:
                for place, one in enumerate(self.metrics):
                    yield key, method, place, one

    def _limits(self, key: Key, place: int, method: str, confidence: float | None) -> tuple[float, float, str]:
        """(low, high, why there is none); NaN where the interval does not exist, such as bc where all replicates are
        below the estimate."""
        from surefoot.statistics.resampling.replicate_intervals import NoIntervalError

        try:
            limits = self._interval(key, place, method, confidence)
        except NoIntervalError as problem:
            return np.nan, np.nan, str(problem)
        return float(limits.low), float(limits.high), ""

    def _interval(self, key: Key, place: int, method: str, confidence: float | None) -> "Interval":
        from surefoot.statistics.resampling.jackknife import ACCELERATIONS
        from surefoot.statistics.resampling.replicate_intervals import interval, student_interval

        drawn, value = self.replicates[key][:, place], self.values[key][place]
        level, magnitude = self.options.level(confidence), self._magnitude(key, place)
        if method == "student":
            errors = self.standard_errors(key)
            resamples = drawn if self._unit(key) == "runs" else None
            return student_interval(value, errors.errors[place], errors.degrees[place], level, resamples, magnitude)
        if method in ACCELERATIONS and (key, method) not in self._kept:
            self._kept[key, method] = ACCELERATIONS[method](self.samples[key], self.metrics)
        acceleration = self._kept[key, method][place] if method in ACCELERATIONS else None
        return interval(drawn, value, method, level, acceleration, magnitude)

    def _compare(
        self,
        function: Callable[..., Any],
        algorithms: tuple[str, str],
        chosen: str | Metric,
        confidence: float | None,
        paired: bool,
        scores: str | None,
    ) -> pd.Series:
        from surefoot.statistics.resampling.replicate_intervals import interval

        place, (x, y) = self._place(chosen), (one_of(self.values, scores, name) for name in algorithms)
        drawn_x, drawn_y = self.replicates[x][:, place], self.replicates[y][:, place]
        if paired:
            drawn_x, drawn_y = (one[:, 0] for one in self._drawn_pairs((x, y), self.metrics[place]))
        value = float(function(self.values[x][place], self.values[y][place]))
        scale = typical_magnitude(np.concatenate([*self.samples[x], *self.samples[y]]))
        higher, lower = np.mean(exceeds(drawn_x, drawn_y, scale)), np.mean(exceeds(drawn_y, drawn_x, scale))
        above = float(0.5 * (1.0 + higher - lower))
        if paired:
            limits = interval(function(drawn_x, drawn_y), value, "percentile", self.options.level(confidence))
            low, high = float(limits.low), float(limits.high)
            width = high - low if exceeds(high, low, scale) else 0.0
            remark = self._remark(x, place, "percentile", confidence, width)
            remark = (remark or self._remark(y, place, "percentile", confidence, width)).partition(";")[0]
        else:
            low, high, remark = self._student_limits(function, (x, y), place, confidence)
        return pd.Series({"value": value, "low": low, "high": high, "above": above, "remark": remark})

    def _student_limits(
        self, function: Callable[..., Any], keys: tuple[Key, Key], place: int, confidence: float | None
    ) -> tuple[float, float, str]:
        """(low, high, remark) of the difference or the lift of two algorithms; NaN where there are no limits."""
        from surefoot.statistics.comparison.differences import lift_percent, limits_without_spread, pairwise_differences
        from surefoot.statistics.resampling.interval_remarks import difference_remark, equal_runs_remark
        from surefoot.statistics.runs.run_effects import least_known

        lift, level = function is lift_percent, self.options.level(confidence)
        values = np.array([self.values[key][place] for key in keys])
        spreads = [self.standard_errors(key) for key in keys]
        errors = np.array([spread.errors[place] for spread in spreads])
        degrees = [spread.degrees[place] for spread in spreads]
        both, chosen = [self.samples[key] for key in keys], self.metrics[place]
        if not exceeds(errors.max(), 0.0, max(self._magnitude(key, place) for key in keys)):
            low = high = np.nan
            if not lift:
                shared = "whole_runs" in map(self._unit, keys)
                low, high = limits_without_spread(str(chosen), both[0], both[1], level, shared)
            return low, high, equal_runs_remark(high - low)
        if lift:
            values, errors = np.log(values), errors / values
        limits = pairwise_differences(values, errors, degrees, (1.0 - level) / 2.0)
        low, high = float(limits.low[0]), float(limits.high[0])
        if lift:
            low, high = 100.0 * np.expm1(low), 100.0 * np.expm1(high)
        shape = float(limits.degrees[0]), max(abs(spread.skewness[place]) for spread in spreads)
        sharing = least_known([self.sharing[key] for key in keys])
        return low, high, difference_remark(chosen.name, both, shape, high - low, sharing, self.options.resampled)

    def _drawn_pairs(self, keys: tuple[Key, Key], chosen: Metric) -> tuple[Floats, Floats]:
        from surefoot.statistics.comparison.differences import replicate_paired

        resampled, (x, y) = self.options.resampled, (algorithm for _, algorithm in keys)
        if resampled != "runs":
            raise HintedError("paired", f"{resampled} were resampled", '`resampled="runs"` draws pairs of runs')
        table = self.sets[keys[0][0]]
        for task, rows in table.groupby("environment"):
            names = [set(rows.loc[rows["algorithm"] == name, "run"]) for name in (x, y)]
            if names[0] != names[1]:
                raise HintedError("paired", f"{x} and {y} have other runs in {task}", "pairs have the same run")
        pair = self.samples[keys[0]], self.samples[keys[1]]
        return replicate_paired(*pair, [chosen], self.options.replicates, self.options.seed, tasks_of(table))

    def _unit(self, key: Key) -> str:
        from surefoot.statistics.runs.run_effects import unit_of_errors

        return unit_of_errors(self.options.resampled, self.sharing[key])

    @cached_property
    def _kept(self) -> dict[Any, Any]:
        """Standard errors by key, and accelerations by key and method."""
        return {}

    @cached_property
    def _magnitudes(self) -> dict[Key, float]:
        return {key: typical_magnitude(np.concatenate(self.samples[key])) for key in self.values}

    def _magnitude(self, key: Key, place: int) -> float:
        """What the rounding of a metric is relative to."""
        return self.metrics[place].magnitude(self._magnitudes[key])

    def _remark(self, key: Key, place: int, method: str, confidence: float | None, width: float) -> str:
        from surefoot.statistics.resampling.interval_remarks import metric_remark

        name, level, shape = self.metrics[place].name, self.options.level(confidence), (np.nan, np.nan)
        if method == "student":
            errors = self.standard_errors(key)
            shape = errors.degrees[place], errors.skewness[place]
        resampled, sharing = self.options.resampled, self.sharing[key]
        return metric_remark(method, name, self.samples[key], level, shape, width, resampled, sharing)

    def _place(self, chosen: str | Metric) -> int:
        wanted = metric(chosen)
        if wanted not in self.metrics:
            raise HintedError("metric", f'"{wanted}" was not asked for', f"`with_metrics({chosen!r})` adds it")
        return self.metrics.index(wanted)


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


def _summary() -> Any:
    """By its name, as in `results`: how an answer is printed must not decide whether it is made again."""
    return import_module("surefoot.questions.showing")
