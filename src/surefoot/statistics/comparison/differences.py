"""Differences and lifts of two algorithms (Agarwal et al. 2021, section 3 and appendix A.2), from replicates.

Replicates of two algorithms that were resampled independently may be combined one by one, whatever the metric: so any
pair, difference or lift costs nothing more. Where runs are paired, such as by a common seed, resampling the pairs keeps
what they share out of the difference.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats
from surefoot.statistics.metrics.catalogue import Metric, metric
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics
from surefoot.statistics.runs.score_pool import Scores, task_columns


def difference(x: npt.ArrayLike, y: npt.ArrayLike) -> Floats:
    """x - y, of values or of replicates."""
    return np.asarray(x) - np.asarray(y)


def lift_percent(x: Any, y: Any) -> Any:
    """By how many percent x is above y: 100 (x / y - 1), of values or of replicates.

    Raises
    ------
    ValueError : y is not positive, and then a ratio says nothing
    """
    y = np.asarray(y)
    if not (y > 0).all():
        where = " in some resample" if y.size > 1 else ""
        raise HintedError(
            "lift",
            f"the lower of the two is {float(y.min()):.4g}{where}",
            "a lift needs positive values; take the difference",
        )
    return 100.0 * (np.asarray(x) / y - 1.0)


def raised(scores: Scores, lift: float) -> list[Floats]:
    """The scores of each task, float64[runs] each, raised by `lift` percent."""
    return [column * (1 + lift / 100) for column in task_columns(scores)]


def check_raised(scores: Scores, metrics: Sequence[str | Metric], lifts: Sequence[float]) -> None:
    """Whether raised scores are better: a lift multiplies, and takes negative scores further down.

    Parameters
    ----------
    scores : as in `replicate_metrics`
    lifts : in percent

    Raises
    ------
    ValueError : a metric becomes worse
    """
    lift = max(map(abs, lifts))
    named = [metric(one) for one in metrics]
    before, after = (metric_values(table, named) for table in (task_columns(scores), raised(scores, lift)))
    for name, old, new in zip(named, before, after, strict=True):
        if (new > old) if name.entry.lower_is_better else (new < old):
            raise HintedError(
                "lift",
                f"scores raised by {lift:g} % take {name} from {old:.4g} to {new:.4g}, which is worse",
                "a lift multiplies and needs positive scores: normalize them, such as by min_max or reference scores",
            )


def replicate_paired(
    x: Scores,
    y: Scores,
    metrics: Sequence[str | Metric],
    replicates: int = 50_000,
    seed: int = 0,
    tasks: Sequence[Any] | None = None,
    threads: int = 1,
) -> tuple[Floats, Floats]:
    """Metrics of both, float64[replicates, metrics] each, of the same runs: in a task, run n of x and of y are a pair.

    Parameters and errors are those of `replicate_metrics`; a ValueError, too, where the numbers of runs differ.
    """
    sizes = [[column.size for column in task_columns(scores)] for scores in (x, y)]
    if sizes[0] != sizes[1]:
        raise HintedError(
            "paired",
            f"tasks with {sizes[0]} runs of one and {sizes[1]} of the other",
            "pairs need the same runs of both; compare them unpaired",
        )
    drawn_x, drawn_y = (
        replicate_metrics(
            scores, metrics, replicates, seed, name="", tasks=tasks, resampled="paired_runs", threads=threads
        )
        for scores in (x, y)
    )
    return drawn_x, drawn_y
