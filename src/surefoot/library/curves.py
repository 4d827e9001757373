"""Metrics along the training with intervals: whole runs are resampled, so that steps may be compared."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from surefoot.library.curve_tables import CurveTables, read_curves
from surefoot.library.shown import ShownAsTable
from surefoot.statistics.choices import check_choice
from surefoot.statistics.curve_bands import curve_remark, pointwise_band, simultaneous_curve_band
from surefoot.statistics.metrics import Metric, metric_list
from surefoot.statistics.sample_efficiency import curve_values, replicate_curves

BANDS = ("pointwise", "simultaneous")


@dataclass(frozen=True, repr=False)
class Curves(ShownAsTable):
    """Metrics at each step and the resamples of them.

    values : float64[algorithms, steps, metrics]; replicates : float64[algorithms, resamples, steps, metrics]
    """

    tables: CurveTables
    metrics: tuple[Metric, ...]
    values: np.ndarray
    replicates: np.ndarray

    @property
    def algorithms(self) -> tuple[str, ...]:
        return tuple(self.tables.curves)

    @property
    def steps(self) -> np.ndarray:
        return self.tables.steps

    def table(self, band: str = "pointwise", confidence: float = 0.95) -> pd.DataFrame:
        """Columns algorithm, metric, step, value, low, high, remark (how often such bands hold, if too seldom).

        band : "pointwise", percentile limits of each step on its own, as in the paper, which are too narrow for few
            runs; or "simultaneous", of the whole curve at once
        """
        check_choice("curves", band, BANDS)
        parts = []
        for algorithm, values, drawn in zip(self.algorithms, self.values, self.replicates, strict=True):
            for k, chosen in enumerate(self.metrics):
                sizes = [len(runs) for runs in self.tables.curves[algorithm]]
                if band == "pointwise":
                    low, high = pointwise_band(drawn[:, :, k], confidence)
                else:
                    low, high = simultaneous_curve_band(drawn[:, :, k], values[:, k], sizes, confidence, chosen.name)
                columns = {"step": self.steps, "value": values[:, k], "low": low, "high": high}
                columns["remark"] = curve_remark(min(sizes), chosen.name, band)
                parts.append(pd.DataFrame({"algorithm": algorithm, "metric": str(chosen), **columns}))
        return pd.concat(parts, ignore_index=True)


def sample_efficiency(
    curves,
    metrics: Sequence[str | Metric] = ("iqm",),
    replicates: int = 2_000,
    seed: int = 0,
    threads: int = 1,
    checked: bool = False,
) -> Curves:
    """Metrics along the training with a stratified bootstrap of whole runs.

    Parameters
    ----------
    curves, checked : see `curve_tables.read_curves`
    metrics, replicates, seed, threads : see `statistics.stratified_bootstrap.replicate_metrics`

    Raises
    ------
    ValueError : see the same
    """
    tables, chosen = read_curves(curves, checked), tuple(metric_list(metrics))
    values = np.array([curve_values(by_task, chosen) for by_task in tables.curves.values()])
    drawn = [
        replicate_curves(by_task, chosen, replicates, seed, name, tables.tasks, threads)
        for name, by_task in tables.curves.items()
    ]
    return Curves(tables, chosen, values, np.array(drawn))
