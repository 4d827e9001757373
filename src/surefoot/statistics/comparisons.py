"""Differences and lifts of two algorithms (Agarwal et al. 2021, section 3 and appendix A.2), from replicates.

Replicates of two algorithms that were resampled independently may be combined one by one, whatever the metric: so any
pair, difference or lift costs nothing more. Where runs are paired, such as by a common seed, resampling the pairs keeps
what they share out of the difference.
"""

from collections.abc import Sequence

import numpy as np

from surefoot.statistics.metrics import Metric
from surefoot.statistics.score_pool import Scores, task_columns
from surefoot.statistics.stratified_bootstrap import replicate_metrics


def difference(x, y):
    """x - y, of values or of replicates."""
    return np.asarray(x) - np.asarray(y)


def lift_percent(x, y):
    """By how many percent x is above y: 100 (x / y - 1), of values or of replicates.

    Raises
    ------
    ValueError : y is not positive, and then a ratio says nothing
    """
    y = np.asarray(y)
    if not (y > 0).all():
        raise ValueError(
            f"lift: the lower of the two is {float(y.min()):.4g} in some resample. "
            "Hint: a lift needs positive values; take the difference."
        )
    return 100.0 * (np.asarray(x) / y - 1.0)


def replicate_paired(
    x: Scores,
    y: Scores,
    metrics: Sequence[str | Metric],
    replicates: int = 50_000,
    seed: int = 0,
    tasks: Sequence | None = None,
    threads: int = 1,
) -> tuple[np.ndarray, np.ndarray]:
    """Metrics of both, float64[replicates, metrics] each, of the same runs: in a task, run n of x and of y are a pair.

    Parameters and errors are those of `replicate_metrics`; a ValueError, too, where the numbers of runs differ.
    """
    sizes = [[column.size for column in task_columns(scores)] for scores in (x, y)]
    if sizes[0] != sizes[1]:
        raise ValueError(
            f"paired: tasks with {sizes[0]} runs of one and {sizes[1]} of the other. "
            "Hint: pairs need the same runs of both; compare them unpaired."
        )
    design = {"name": "", "tasks": tasks, "resampled": "paired_runs", "threads": threads}
    return tuple(replicate_metrics(scores, metrics, replicates, seed, **design) for scores in (x, y))
