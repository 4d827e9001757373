"""Metrics along the training, with bands: whole runs are resampled, so that steps may be compared."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from surefoot.questions.answering import Sets, Shared
from surefoot.questions.results import Result
from surefoot.questions.sample_efficiency.settings import Settings
from surefoot.statistics.arrays import Floats
from surefoot.statistics.choices import check_choice
from surefoot.statistics.metrics.catalogue import metric
from surefoot.statistics.profiles.curve_bands import (
    curve_remark,
    drawn_band,
    pointwise_band,
    simultaneous_curve_bands,
)
from surefoot.statistics.profiles.sample_efficiency import curve_values, replicate_curves, replicate_whole_runs
from surefoot.statistics.runs.samples_of_tasks import (
    algorithms_of,
    curves_of,
    mean_scores,
    runs_of,
    step_column,
    tasks_of,
)
from surefoot.statistics.runs.sharing import SHARED, shared_runs

BANDS = ("pointwise", "simultaneous")


def answer(sets: Sets, settings: Settings, shared: Shared) -> "Curves":
    """Metrics at each step of the training. The result keeps the resamples for bands of the whole curve.

    Whether tasks share runs is looked for in the means of the runs over all steps. Where they do, the simultaneous band
    takes whole runs for independent.

    Returns
    -------
    columns algorithm, frames (or step, if that is the column's name in the runs), metric, value, low, high (empty where
    the simultaneous band would be wider than all scores), runs, tasks, shared_runs (as in the answer of aggregates),
    remark (a reservation about the band)

    Raises
    ------
    ValueError : see `replicate_curves`; runs that are declared to be shared, and of which no two are in all tasks
    """
    (table,) = sets.values()
    means = mean_scores(table)
    sharing = shared_runs(means, settings.shared_runs, shared.seed)
    seen, values, replicates, whole_runs = {}, {}, {}, {}
    for algorithm in algorithms_of(table, settings.algorithms):
        steps, curves = curves_of(table, algorithm)
        seen[algorithm] = curves
        values[algorithm] = curve_values(curves, settings.metrics)
        replicates[algorithm] = replicate_curves(
            curves, settings.metrics, shared.replicates, shared.seed, algorithm, tasks_of(table), shared.threads
        )
        if sharing[algorithm] in SHARED:
            names = runs_of(means, algorithm)
            drawn = replicate_whole_runs(curves, settings.metrics, names, shared.replicates, shared.seed, algorithm)
            # Fewer than two are in all tasks only where sharing was found in other algorithms.
            whole_runs[algorithm] = drawn, [max(len(set.intersection(*map(set, names))), 2)]
    sharing = {algorithm: sharing[algorithm] for algorithm in values}
    return Curves(settings, shared, step_column(table), np.array(steps), seen, values, replicates, sharing, whole_runs)


@dataclass(frozen=True, repr=False)
class Curves(Result):
    """Metrics at each step and the resamples of them.

    settings, shared : what was asked
    step_column, steps : what the steps are called, and the steps, ascending
    curves : float64[runs, steps] of each task, of each algorithm
    values : float64[steps, metrics] of each algorithm; replicates : float64[replicates, steps, metrics]
    sharing : what is known of whether tasks share the runs, of each algorithm
    whole_runs : replicates of whole runs, and their number, of the algorithms whose runs are shared
    """

    settings: Settings
    shared: Shared
    step_column: str
    steps: Floats
    curves: dict[str, list[Floats]]
    values: dict[str, Floats]
    replicates: dict[str, Floats]
    sharing: dict[str, str]
    whole_runs: dict[str, tuple[Floats, list[int]]]

    def table(self, band: str | None = None, confidence: float | None = None) -> pd.DataFrame:
        """All curves with their bands; see `answer`.

        band : "pointwise", percentile limits of each step on its own, as in the paper, which are too narrow for few
            runs; "simultaneous", of the whole curve at once; or None, what was asked for
        confidence : the one that was asked for if None
        """
        band = self.settings.band if band is None else band
        check_choice("curves", band, BANDS)
        confidence, parts = self.shared.confidence if confidence is None else confidence, []
        for algorithm, values in self.values.items():
            sizes, sharing = self.sizes(algorithm), self.sharing[algorithm]
            for place, name in enumerate(self.settings.metrics):
                value, kind = values[:, place], metric(name).name
                if band == "pointwise":
                    low, high = pointwise_band(self.replicates[algorithm][:, :, place], confidence)
                else:
                    drawn, counts = self.drawn(algorithm)
                    one = [drawn[:, :, place]], [value], [counts]
                    (band_of_one,) = simultaneous_curve_bands(*one, confidence, kind)
                    low, high = drawn_band(band_of_one, self.scores())
                remark = curve_remark(min(sizes), band, float((high - low).max()), kind, sharing)
                curve = {self.step_column: self.steps, "value": value, "low": low, "high": high}
                about = {"algorithm": algorithm, "metric": name, "runs": min(sizes), "tasks": len(sizes)}
                parts.append(pd.DataFrame(curve).assign(**about, shared_runs=sharing, remark=remark))
        table = pd.concat(parts, ignore_index=True)
        first = ["algorithm", self.step_column, "metric", "value", "low", "high", "runs", "tasks"]
        return table[[*first, "shared_runs", "remark"]]

    def notes(self, band: str | None = None) -> pd.DataFrame:
        """How often such bands hold, where it is too seldom: columns algorithm, metric, note."""
        curves = self.table(band).drop_duplicates(["algorithm", "metric"])
        notes = curves[curves["remark"] != ""].rename(columns={"remark": "note"})
        return notes[["algorithm", "metric", "note"]].reset_index(drop=True)

    def sizes(self, algorithm: str) -> list[int]:
        """Numbers of runs of the tasks."""
        return [len(runs) for runs in self.curves[algorithm]]

    def drawn(self, algorithm: str) -> tuple[Floats, list[int]]:
        """Replicates for bands of whole curves, float64[replicates, steps, metrics], and the numbers of the independent
        things that they are of: the runs of each task, or whole runs."""
        return self.whole_runs.get(algorithm, (self.replicates[algorithm], self.sizes(algorithm)))

    def scores(self) -> Floats:
        """All scores of all curves, float64[any]."""
        return np.concatenate([runs.ravel() for tasks in self.curves.values() for runs in tasks])
