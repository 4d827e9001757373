"""Sample-efficiency curves (Agarwal et al. 2021, section 4.4, appendix A.20): metrics at each step of the training.

Whole runs are resampled: a run that is drawn is drawn at all steps. Pointwise intervals are the same as if each step
were resampled on its own; differences between steps and simultaneous bands need whole runs.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import ndtri

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats
from surefoot.statistics.metrics.catalogue import Metric
from surefoot.statistics.resampling.jackknife import run_influences, without_each_run
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics
from surefoot.streams import open_uniforms, stream_key


def curve_values(curves: Floats | Sequence[Floats], metrics: Sequence[str | Metric]) -> Floats:
    """Metrics at each step, float64[steps, metrics]; curves and errors as in `replicate_curves`."""
    return np.array([metric_values(scores, metrics) for scores in _steps(curves)])


def replicate_curves(
    curves: Floats | Sequence[Floats],
    metrics: Sequence[str | Metric],
    replicates: int = 2_000,
    seed: int = 0,
    name: str = "",
    tasks: Sequence[Any] | None = None,
    threads: int = 1,
) -> Floats:
    """Metrics at each step of resampled runs, float64[replicates, steps, metrics].

    Parameters
    ----------
    curves : float64[runs, tasks, steps], or float64[runs, steps] for each task, whose runs may differ in number
    others : see `replicate_metrics`

    Raises
    ------
    ValueError : see `replicate_metrics`; tasks with different numbers of steps
    """
    of_steps = [
        replicate_metrics(scores, metrics, replicates, seed, name, tasks, "paired_runs", threads=threads)
        for scores in _steps(curves)
    ]
    return np.stack(of_steps, axis=1)


def replicate_whole_runs(
    curves: Floats | Sequence[Floats],
    metrics: Sequence[str | Metric],
    runs: Sequence[Sequence[Any]],
    replicates: int = 2_000,
    seed: int = 0,
    name: str = "",
) -> Floats:
    """Metrics at each step, float64[replicates, steps, metrics], moved by what each run does on all tasks together.

    A run moves all steps of all tasks by as much as the jackknife over whole runs shows, times a normal number of its
    own (the multiplier bootstrap: Chernozhukov, Chetverikov and Kato, Annals of Statistics 41, 2013). The variance of N
    runs is (N - 1) / N of the jackknife's, as that of resamples is of the unbiased one. Resamples of N whole runs would
    be few, and need the same runs of all tasks.

    Parameters
    ----------
    curves : see `replicate_curves`
    runs : names of the runs of each task, by which whole runs belong together
    seed, name : the stream is keyed by the seed and the algorithm's name

    Raises
    ------
    ValueError : see `without_each_run`; tasks with different numbers of steps
    """
    without = np.stack([without_each_run(scores, metrics, runs) for scores in _steps(curves)], axis=1)
    count = len(without)
    uniforms = open_uniforms(stream_key(seed, "whole_runs_of_curves", name), 0, replicates * count)
    moved = np.tensordot(ndtri(uniforms).reshape(replicates, count), run_influences(without), 1)
    return np.asarray(curve_values(curves, metrics) + (count - 1.0) / count * moved)


def _steps(curves: Floats | Sequence[Floats]) -> list[list[Floats]]:
    """For each step, the scores of each task."""
    by_task = np.moveaxis(curves, 1, 0) if isinstance(curves, np.ndarray) and curves.ndim == 3 else curves
    by_task = [np.asarray(task, np.float64) for task in by_task]
    shapes = {task.shape[1:] for task in by_task}
    if len(shapes) != 1 or len(next(iter(shapes))) != 1:
        raise HintedError(
            "curves",
            f"tasks of shapes {sorted({task.shape for task in by_task})}",
            "runs x steps for each task, with the same steps everywhere",
        )
    return [[task[:, step] for task in by_task] for step in range(by_task[0].shape[1])]
