"""Sample-efficiency curves (Agarwal et al. 2021, section 4.4, appendix A.20): metrics at each step of the training.

Whole runs are resampled: a run that is drawn is drawn at all steps. Pointwise intervals are the same as if each step
were resampled on its own; differences between steps and simultaneous bands need whole runs.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats
from surefoot.statistics.metrics.catalogue import Metric
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics


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
