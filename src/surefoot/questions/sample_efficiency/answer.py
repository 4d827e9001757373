"""Metrics along the training, with bands."""

import numpy as np
import pandas as pd

from surefoot.questions.answering import Sets, Shared
from surefoot.questions.sample_efficiency.settings import Settings
from surefoot.statistics.curve_bands import pointwise_band
from surefoot.statistics.sample_efficiency import curve_values, replicate_curves
from surefoot.statistics.samples_of_tasks import algorithms_of, tasks_of


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """Metrics at each of some numbers of frames: columns algorithm, frames, metric, value, low, high, runs, tasks."""
    (table,) = sets.values()
    metrics, frames = settings.metrics, sorted(set(table["frames"]))
    parts = []
    for algorithm in algorithms_of(table, settings.algorithms):
        rows = table[table["algorithm"] == algorithm]
        curves = [
            game.pivot(index="run", columns="frames", values="score")[frames].to_numpy(np.float64)
            for _, game in rows.groupby("environment")
        ]
        values = curve_values(curves, metrics)
        drawn = replicate_curves(
            curves, metrics, shared.replicates, shared.seed, algorithm, tasks_of(table), shared.threads
        )
        for place, name in enumerate(metrics):
            low, high = pointwise_band(drawn[:, :, place], shared.confidence)
            curve = {"frames": frames, "value": values[:, place], "low": low, "high": high}
            parts.append(pd.DataFrame(curve).assign(algorithm=algorithm, metric=name, runs=len(curves[0])))
    table = pd.concat(parts, ignore_index=True).assign(tasks=len(curves))
    return table[["algorithm", "frames", "metric", "value", "low", "high", "runs", "tasks"]]
