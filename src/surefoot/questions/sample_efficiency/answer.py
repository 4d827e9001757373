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
from surefoot.statistics.profiles.curve_bands import curve_remark, pointwise_band, simultaneous_curve_bands
from surefoot.statistics.profiles.sample_efficiency import curve_values, replicate_curves
from surefoot.statistics.runs.samples_of_tasks import algorithms_of, curves_of, step_column, tasks_of

BANDS = ("pointwise", "simultaneous")


def answer(sets: Sets, settings: Settings, shared: Shared) -> "Curves":
    """Metrics at each step of the training. The result keeps the resamples for bands of the whole curve.

    Returns
    -------
    columns algorithm, frames (or step, if that is the column's name in the runs), metric, value, low, high, runs, tasks
    """
    (table,) = sets.values()
    sizes, values, replicates = {}, {}, {}
    for algorithm in algorithms_of(table, settings.algorithms):
        steps, curves = curves_of(table, algorithm)
        sizes[algorithm] = [len(runs) for runs in curves]
        values[algorithm] = curve_values(curves, settings.metrics)
        replicates[algorithm] = replicate_curves(
            curves, settings.metrics, shared.replicates, shared.seed, algorithm, tasks_of(table), shared.threads
        )
    return Curves(settings, shared, step_column(table), np.array(steps), sizes, values, replicates)


@dataclass(frozen=True, repr=False)
class Curves(Result):
    """Metrics at each step and the resamples of them.

    settings, shared : what was asked
    step_column, steps : what the steps are called, and the steps, ascending
    sizes : numbers of runs of the tasks, of each algorithm
    values : float64[steps, metrics] of each algorithm; replicates : float64[replicates, steps, metrics]
    """

    settings: Settings
    shared: Shared
    step_column: str
    steps: Floats
    sizes: dict[str, list[int]]
    values: dict[str, Floats]
    replicates: dict[str, Floats]

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
            for place, name in enumerate(self.settings.metrics):
                drawn, sizes = self.replicates[algorithm][:, :, place], self.sizes[algorithm]
                if band == "pointwise":
                    low, high = pointwise_band(drawn, confidence)
                else:
                    name_alone = metric(name).name
                    one = [drawn], [values[:, place]], [sizes]
                    ((low, high),) = simultaneous_curve_bands(*one, confidence, name_alone)
                curve = {self.step_column: self.steps, "value": values[:, place], "low": low, "high": high}
                parts.append(pd.DataFrame(curve).assign(algorithm=algorithm, metric=name, runs=sizes[0]))
        table = pd.concat(parts, ignore_index=True).assign(tasks=len(sizes))
        return table[["algorithm", self.step_column, "metric", "value", "low", "high", "runs", "tasks"]]

    def notes(self, band: str | None = None) -> pd.DataFrame:
        """How often such bands hold, where it is too seldom: columns algorithm, metric, note."""
        band, table = self.settings.band if band is None else band, self.table(band)
        rows = []
        for (algorithm, name), curve in table.groupby(["algorithm", "metric"], sort=False):
            width = float((curve["high"] - curve["low"]).max())
            rows.append((algorithm, name, curve_remark(min(self.sizes[algorithm]), band, width, name)))
        notes = pd.DataFrame(rows, columns=["algorithm", "metric", "note"])
        return notes[notes["note"] != ""].reset_index(drop=True)
