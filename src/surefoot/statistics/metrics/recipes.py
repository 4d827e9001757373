"""How metrics are computed from all scores of an algorithm; what they are is in `catalogue`."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats
from surefoot.statistics.metrics.catalogue import METRICS, Metric
from surefoot.statistics.metrics.entry import LOWEST, TABLE, TASK_MEDIAN

# A product such as 0.35 * 260 may fall just below a whole number; it is meant to be one.
SLACK = 1e-9


class Recipe(NamedTuple):
    """Metrics as the kernels take them: kinds int64[k], lows and highs float64[k], and for the kind TABLE the rows of
    tables, float64[k, n], what each pooled score counts for."""

    kinds: Floats
    lows: Floats
    highs: Floats
    tables: Floats
    weighted: Floats

    def needs_means(self) -> bool:
        return bool((self.kinds <= TASK_MEDIAN).any())

    def needs_counts(self) -> bool:
        return bool((self.kinds > TASK_MEDIAN).any())


def recipe(metrics: Sequence[Metric], values: Floats, drawn: int) -> Recipe:
    """The recipe of the metrics for the pooled scores `values`, ascending, of which at least `drawn` are drawn.

    Raises
    ------
    ValueError : no metric; too few are drawn for the lowest fraction of them to contain one
    """
    if not metrics:
        raise HintedError("metric", "none was asked for", f"some of {', '.join(METRICS)}")
    for metric in metrics:
        kind, low, _ = _step(metric)
        if kind == LOWEST and np.floor(low * drawn + SLACK) < 1:
            raise HintedError(
                "metric",
                f"{metric}: the lowest {low:g} of {drawn} scores is less than one",
                "take more runs, or a larger fraction",
            )
    steps = [_step(metric) for metric in metrics]
    tables = np.zeros((len(metrics), values.size))
    for row, metric in zip(tables, metrics, strict=True):
        if metric.entry.counts_for is not None:
            row[:] = metric.entry.counts_for(values, metric.parameter)
    kinds, lows, highs = (np.array(column) for column in zip(*steps, strict=True))
    weighted = np.array([metric.weighting == "tasks" for metric in metrics])
    return Recipe(kinds, lows.astype(np.float64), highs.astype(np.float64), tables, weighted)


def _step(metric: Metric) -> tuple[int, float, float]:
    """(kind, low, high) of a metric."""
    known = metric.entry
    return (TABLE, 0.0, 0.0) if known.step is None else known.step(metric.parameter, metric.weighting == "tasks")
