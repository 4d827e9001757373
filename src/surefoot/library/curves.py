"""Metrics along the training with intervals: whole runs are resampled, so that steps may be compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from surefoot.statistics.interval_methods import interval
from surefoot.statistics.metrics import Metric, metric
from surefoot.statistics.profile_bands import simultaneous_band
from surefoot.statistics.sample_efficiency import curve_values, replicate_curves

COLUMNS = ("algorithm", "environment", "run", "step", "score")


@dataclass(frozen=True)
class Curves:
    """Metrics at each step and the resamples of them.

    steps : the steps; values : float64[algorithms, steps, metrics]; replicates : float64[algorithms, resamples, ...]
    """

    algorithms: tuple[str, ...]
    metrics: tuple[Metric, ...]
    steps: np.ndarray
    values: np.ndarray
    replicates: np.ndarray

    def table(self, band: str = "pointwise", confidence: float = 0.95) -> pd.DataFrame:
        """Columns algorithm, metric, step, value, low, high; the band is "pointwise" or "simultaneous"."""
        parts = []
        for algorithm, values, drawn in zip(self.algorithms, self.values, self.replicates, strict=True):
            for k, chosen in enumerate(self.metrics):
                limits = (
                    simultaneous_band(drawn[:, :, k], confidence)
                    if band == "simultaneous"
                    else interval(drawn[:, :, k], values[:, k], "percentile", confidence)[:2]
                )
                columns = {"step": self.steps, "value": values[:, k], "low": limits[0], "high": limits[1]}
                parts.append(pd.DataFrame({"algorithm": algorithm, "metric": str(chosen), **columns}))
        return pd.concat(parts, ignore_index=True)


def sample_efficiency(
    curves,
    metrics: Sequence[str | Metric] = ("iqm",),
    replicates: int = 2_000,
    seed: int = 0,
    threads: int = 1,
) -> Curves:
    """Metrics along the training with a stratified bootstrap of whole runs.

    Parameters
    ----------
    curves : a table with the columns algorithm, environment, run, step, score, or a dict {algorithm: array of runs x
        tasks x steps}; all runs have the same steps
    metrics, replicates, seed, threads : see `statistics.stratified_bootstrap.replicate_metrics`

    Raises
    ------
    ValueError : see the same; runs that lack a step or have it twice
    """
    by_algorithm, tasks, steps = _from_table(curves) if isinstance(curves, pd.DataFrame) else _from_arrays(curves)
    chosen = tuple(metric(one) for one in ([metrics] if isinstance(metrics, str) else metrics))
    values = np.array([curve_values(tables, chosen) for tables in by_algorithm.values()])
    drawn = [
        replicate_curves(tables, chosen, replicates, seed, name, tasks, threads)
        for name, tables in by_algorithm.items()
    ]
    return Curves(tuple(by_algorithm), chosen, steps, values, np.array(drawn))


def _from_arrays(curves):
    if not isinstance(curves, Mapping) or not curves:
        raise ValueError("curves: not a table and not a dict. Hint: {algorithm: array of runs x tasks x steps}.")
    found = {}
    for name, array in curves.items():
        if np.ndim(array) != 3:
            raise ValueError(
                f"curves: {name} has an array of shape {np.shape(array)}. Hint: runs x tasks x steps; one task is "
                "array[:, None, :]."
            )
        found[str(name)] = list(np.moveaxis(np.asarray(array, np.float64), 1, 0))
    shapes = {tuple(len(tables) if i == 0 else tables[0].shape[1] for i in range(2)) for tables in found.values()}
    if len(shapes) != 1:
        raise ValueError(
            f"curves: (tasks, steps) are {sorted(shapes)}. Hint: the same tasks and steps of all algorithms."
        )
    tasks, steps = shapes.pop()
    return found, tuple(range(tasks)), np.arange(steps)


def _from_table(table):
    missing = [name for name in COLUMNS if name not in table.columns]
    if missing:
        raise ValueError(f"curves: column {', '.join(missing)} is missing. Hint: the columns are {', '.join(COLUMNS)}.")
    twice = table.duplicated(list(COLUMNS[:4]))
    if twice.any():
        row = table[twice].iloc[0]
        raise ValueError(
            f"curves: {row['algorithm']} in {row['environment']}: run {row['run']} has step {row['step']} twice. "
            "Hint: average the episodes of a step first."
        )
    steps, tasks = np.sort(table["step"].unique()), tuple(dict.fromkeys(table["environment"].astype(str)))
    found = {}
    for name, rows in table.groupby(table["algorithm"].astype(str), sort=False):
        wide = rows.pivot(index=["environment", "run"], columns="step", values="score").reindex(columns=steps)
        lacking = wide.isna().any(axis=1)
        if lacking.any():
            task, run = wide.index[lacking.to_numpy()][0]
            step = steps[wide.loc[(task, run)].isna().to_numpy()][0]
            raise ValueError(
                f"curves: {name} in {task}: run {run} has no score at step {step}. Hint: put all runs on the same "
                "steps; a run that stopped early may carry its last score forward."
            )
        parts = {str(task): part.to_numpy(np.float64) for task, part in wide.groupby(level=0, sort=False)}
        absent = [task for task in tasks if task not in parts]
        if absent:
            raise ValueError(f"curves: no runs of {name} in {absent[0]}. Hint: all algorithms need the same tasks.")
        found[name] = [parts[task] for task in tasks]
    return found, tasks, steps
