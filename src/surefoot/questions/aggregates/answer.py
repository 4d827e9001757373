"""Metrics of all tasks together with intervals, and their differences and lifts, from one set of resamples."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.questions.aggregates.settings import Settings
from surefoot.questions.answering import Sets, Shared, refuse_single_runs
from surefoot.questions.results import Result, one_of
from surefoot.statistics.arrays import Floats
from surefoot.statistics.comparison.differences import difference, lift_percent, replicate_paired
from surefoot.statistics.metrics.catalogue import Metric, metric
from surefoot.statistics.resampling.interval_remarks import metric_remark
from surefoot.statistics.resampling.jackknife import row_acceleration, spread_of_few_runs, stratified_acceleration
from surefoot.statistics.resampling.replicate_intervals import ACCELERATED, Interval, NoIntervalError, interval
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics
from surefoot.statistics.runs.run_effect_findings import FOUND
from surefoot.statistics.runs.run_effects import run_effect
from surefoot.statistics.runs.samples_of_tasks import algorithms_of, matched_scores, scores_of, tasks_of
from surefoot.statistics.ties import exceeds, typical_magnitude

_ACCELERATIONS = {"bca": row_acceleration, "bca_stratified": stratified_acceleration}


def answer(sets: Sets, settings: Settings, shared: Shared) -> "Aggregates":
    """Metrics with bootstrap intervals. The result keeps the resamples for other intervals, differences and lifts.

    Returns
    -------
    columns scores, algorithm, metric, method, value, low, high (empty if there is no such interval), standard_error (of
    the resamples), runs (the fewest of any task), tasks, replicates, remark (a reservation about the interval)

    Raises
    ------
    ValueError : an unknown metric; only one run of every task; whole runs of tasks with unequal numbers of runs
    """
    return _aggregates(sets, settings, shared, [metric(written) for written in settings.metrics])


def _aggregates(sets: Sets, settings: Settings, shared: Shared, metrics: Sequence[Metric]) -> "Aggregates":
    samples, values, replicates = {}, {}, {}
    for name, table in sets.items():
        for algorithm in algorithms_of(table, settings.algorithms):
            scores = scores_of(table, algorithm)
            if settings.resampled != "tasks_and_runs":
                refuse_single_runs(algorithm, list(map(len, scores)))
            samples[name, algorithm] = scores
            values[name, algorithm] = metric_values(scores, metrics)
            replicates[name, algorithm] = replicate_metrics(
                scores,
                metrics,
                shared.replicates,
                shared.seed,
                f"{name}/{algorithm}",
                tasks_of(table),
                settings.resampled,
                threads=shared.threads,
            )
    return Aggregates(sets, settings, shared, tuple(metrics), samples, values, replicates)


@dataclass(frozen=True, repr=False)
class Aggregates(Result):
    """Metrics of algorithms and the resamples of them.

    sets, settings, shared : what was asked of what
    metrics : in the order of the settings
    samples : float64[runs] of each task, in the order of the tasks, of each (set of scores, algorithm)
    values : float64[metrics] of each (set of scores, algorithm)
    replicates : float64[replicates, metrics] of each (set of scores, algorithm)

    Where a method takes `scores`, it is the name of a set, which is needed where there are several.
    """

    sets: Sets
    settings: Settings
    shared: Shared
    metrics: tuple[Metric, ...]
    samples: dict[tuple[str, str], list[Floats]]
    values: dict[tuple[str, str], Floats]
    replicates: dict[tuple[str, str], Floats]

    def table(
        self, methods: str | Sequence[str] | None = None, confidence: float | None = None, ties: str = "strict"
    ) -> pd.DataFrame:
        """All values and intervals; see `answer`. Other methods, levels and ways to count ties cost no new resamples.

        Parameters
        ----------
        methods : one or several of `replicate_intervals.METHODS`; those that were asked for if None
        confidence : the one that was asked for if None
        ties : see `replicate_intervals.interval`
        """
        rows = []
        for key in self.values:
            scores = self.samples[key]
            for method in self._methods(methods):
                for place, chosen in enumerate(self.metrics):
                    low, high = self._limits(key, place, method, confidence, ties)[:2]
                    drawn = self.replicates[key][:, place]
                    error = drawn.std(ddof=1) if len(drawn) > 1 else np.nan
                    counts = (min(map(len, scores)), len(scores), len(drawn))
                    remark = self._remark(key, place, method, confidence)
                    value = self.values[key][place]
                    rows.append((*key, str(chosen), method, value, low, high, error, *counts, remark))
        columns = ["scores", "algorithm", "metric", "method", "value", "low", "high", "standard_error"]
        return pd.DataFrame(rows, columns=[*columns, "runs", "tasks", "replicates", "remark"])

    def notes(
        self, methods: str | Sequence[str] | None = None, confidence: float | None = None, ties: str = "strict"
    ) -> pd.DataFrame:
        """Why intervals of the table do not exist, and which of them are too narrow since runs do alike on all tasks:
        columns scores, algorithm, metric, method, note. Parameters as of `table`."""
        rows = []
        for key in self.values:
            for method in self._methods(methods):
                for place, chosen in enumerate(self.metrics):
                    note = self._limits(key, place, method, confidence, ties)[2] or self._run_effect_notes[key]
                    if note:
                        rows.append((*key, str(chosen), method, note))
        return pd.DataFrame(rows, columns=["scores", "algorithm", "metric", "method", "note"])

    def interval(
        self,
        algorithm: str,
        metric: str | Metric = "iqm",
        method: str = "percentile",
        confidence: float | None = None,
        ties: str = "strict",
        scores: str | None = None,
    ) -> Interval:
        """Limits of one metric of one algorithm; methods, ties and errors: see `replicate_intervals.interval`."""
        return self._interval(one_of(self.values, scores, algorithm), self._place(metric), method, confidence, ties)

    def difference(
        self,
        x: str,
        y: str,
        metric: str | Metric = "iqm",
        confidence: float | None = None,
        paired: bool = False,
        scores: str | None = None,
    ) -> pd.Series:
        """x minus y: value, low, high (percentile) and above, the fraction of resamples in which x is above y, equal
        ones counted half.

        paired : run n of x and of y in a task belong together, such as by a common seed, and are drawn together

        With 3 runs per task, such a 95 % interval misses the difference in about one case of eight: the question
        `pairwise_differences` has one that holds.
        """
        return self._compare(difference, (x, y), metric, confidence, paired, scores)

    def lift(
        self,
        x: str,
        y: str,
        metric: str | Metric = "iqm",
        confidence: float | None = None,
        paired: bool = False,
        scores: str | None = None,
    ) -> pd.Series:
        """By how many percent x is above y; see `difference`. Metrics must be positive."""
        return self._compare(lift_percent, (x, y), metric, confidence, paired, scores)

    def with_metrics(self, *metrics: str | Metric) -> "Aggregates":
        """Other metrics of the very same resamples."""
        found = _aggregates(self.sets, self.settings, self.shared, [metric(one) for one in metrics])
        return replace(found, asked=self.asked, remark=self.remark)

    def _methods(self, methods: str | Sequence[str] | None) -> Sequence[str]:
        return self.settings.methods if methods is None else (methods,) if isinstance(methods, str) else methods

    def _limits(
        self, key: tuple[str, str], place: int, method: str, confidence: float | None, ties: str
    ) -> tuple[float, float, str]:
        """(low, high, why there is none); NaN where the interval does not exist, such as bc where all replicates are
        below."""
        try:
            found = self._interval(key, place, method, confidence, ties)
        except NoIntervalError as problem:
            return np.nan, np.nan, str(problem)
        return float(found.low), float(found.high), ""

    def _interval(self, key: tuple[str, str], place: int, method: str, confidence: float | None, ties: str) -> Interval:
        acceleration = self._jackknifed(key, method)[place] if method in ACCELERATED else None
        spread = self._spread(key).of(place) if method == "student" else None
        return interval(
            self.replicates[key][:, place],
            self.values[key][place],
            method,
            self.shared.level(confidence),
            acceleration,
            ties,
            self._magnitudes[key],
            spread,
        )

    def _compare(
        self,
        function: Callable[..., Any],
        algorithms: tuple[str, str],
        chosen: str | Metric,
        confidence: float | None,
        paired: bool,
        scores: str | None,
    ) -> pd.Series:
        place, (x, y) = self._place(chosen), (one_of(self.values, scores, name) for name in algorithms)
        drawn_x, drawn_y = self.replicates[x][:, place], self.replicates[y][:, place]
        if paired:
            drawn_x, drawn_y = (one[:, 0] for one in self._drawn_pairs((x, y), self.metrics[place]))
        value, replicates = function(self.values[x][place], self.values[y][place]), function(drawn_x, drawn_y)
        low, high = interval(replicates, value, "percentile", self.shared.level(confidence))[:2]
        scale = typical_magnitude(np.concatenate([*self.samples[x], *self.samples[y]]))
        higher, lower = np.mean(exceeds(drawn_x, drawn_y, scale)), np.mean(exceeds(drawn_y, drawn_x, scale))
        above = float(0.5 * (1.0 + higher - lower))
        return pd.Series({"value": float(value), "low": float(low), "high": float(high), "above": above})

    def _drawn_pairs(self, keys: tuple[tuple[str, str], tuple[str, str]], chosen: Metric) -> tuple[Floats, Floats]:
        resampled, (x, y) = self.settings.resampled, (algorithm for _, algorithm in keys)
        if resampled != "runs":
            raise HintedError("paired", f"{resampled} were resampled", '`resampled="runs"` draws pairs of runs')
        table = self.sets[keys[0][0]]
        for task, rows in table.groupby("environment"):
            names = [set(rows.loc[rows["algorithm"] == name, "run"]) for name in (x, y)]
            if names[0] != names[1]:
                raise HintedError("paired", f"{x} and {y} have other runs in {task}", "pairs have the same run")
        pair = self.samples[keys[0]], self.samples[keys[1]]
        return replicate_paired(*pair, [chosen], self.shared.replicates, self.shared.seed, tasks_of(table))

    def _jackknifed(self, key: tuple[str, str], method: str) -> Any:
        if (key, method) not in self._kept:
            self._kept[key, method] = _ACCELERATIONS[method](self.samples[key], self.metrics)
        return self._kept[key, method]

    def _spread(self, key: tuple[str, str]) -> Any:
        resampled = self.settings.resampled
        if resampled != "runs":
            raise HintedError(
                "student",
                f"{resampled} were resampled, and the degrees of freedom are those of the runs of each task",
                '`resampled="runs"`, or the method percentile',
            )
        if key not in self._kept:
            self._kept[key] = spread_of_few_runs(self.samples[key], self.metrics)
        return self._kept[key]

    @cached_property
    def _kept(self) -> dict[Any, Any]:
        """What the jackknife has found, by key, or by key and method."""
        return {}

    @cached_property
    def _magnitudes(self) -> dict[tuple[str, str], float]:
        return {key: typical_magnitude(np.concatenate(self.samples[key])) for key in self.values}

    def _remark(self, key: tuple[str, str], place: int, method: str, confidence: float | None) -> str:
        if self.settings.resampled != "runs":
            return ""
        sizes = [len(column) for column in self.samples[key]]
        degrees = self._spread(key).degrees[place] if method == "student" else None
        return metric_remark(method, self.metrics[place].name, sizes, self.shared.level(confidence), degrees)

    @cached_property
    def _run_effect_notes(self) -> dict[tuple[str, str], str]:
        independent = self.settings.resampled == "runs"
        return {key: _run_effect_note(self.sets[key[0]], key[1]) if independent else "" for key in self.values}

    def _place(self, chosen: str | Metric) -> int:
        wanted = metric(chosen)
        if wanted not in self.metrics:
            raise HintedError("metric", f'"{wanted}" was not asked for', f"`with_metrics({chosen!r})` adds it")
        return self.metrics.index(wanted)


def _run_effect_note(table: pd.DataFrame, algorithm: str) -> str:
    """What to say of an interval that takes tasks for independent: empty unless run effects are found at 1 %."""
    matched = matched_scores(table, algorithm)
    effect = run_effect(matched, 0.99) if matched.size else None
    if effect is None or effect.finding != FOUND:
        return ""
    return (
        f"runs do alike on all tasks (p = {effect.p_value:.3f}), so the interval may be too narrow, by a factor of "
        f'about {effect.inflation**0.5:.2f} for the mean; resampled="whole_runs" allows for it'
    )
