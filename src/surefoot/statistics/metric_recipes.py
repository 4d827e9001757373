"""How metrics are computed from all scores of an algorithm; what they are is in `metrics`."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from surefoot.errors import HintedError
from surefoot.statistics.metrics import METRICS, Metric
from surefoot.statistics.ties import with_margin

TASK_MEAN, TASK_MEDIAN, CUT, LOWEST, MASS, TABLE, MIDDLE = range(7)
# A product such as 0.35 * 260 may fall just below a whole number; it is meant to be one.
SLACK = 1e-9


class Recipe(NamedTuple):
    """Metrics as the kernels take them: kinds int64[k], lows and highs float64[k], and for the kind TABLE the rows of
    tables, float64[k, n], what each pooled score counts for."""

    kinds: np.ndarray
    lows: np.ndarray
    highs: np.ndarray
    tables: np.ndarray
    weighted: np.ndarray

    def needs_means(self) -> bool:
        return bool((self.kinds <= TASK_MEDIAN).any())

    def needs_counts(self) -> bool:
        return bool((self.kinds > TASK_MEDIAN).any())


def recipe(metrics: Sequence[Metric], values: np.ndarray, drawn: int) -> Recipe:
    """The recipe of the metrics for the pooled scores `values`, ascending, of which at least `drawn` are drawn.

    Raises
    ------
    ValueError : no metric; too few are drawn for the lowest fraction of them to contain one
    """
    if not metrics:
        raise HintedError("metric", "none was asked for", f"some of {', '.join(METRICS)}")
    for metric in metrics:
        if _step(metric)[0] == LOWEST and np.floor(metric.parameter * drawn + SLACK) < 1:
            raise HintedError(
                "metric",
                f"{metric}: the lowest {metric.parameter:g} of {drawn} scores is less than one",
                "take more runs, or a larger fraction",
            )
    steps = [_step(metric) for metric in metrics]
    tables = np.zeros((len(metrics), values.size))
    for row, metric in zip(tables, metrics, strict=True):
        if metric.name == "optimality_gap":
            row[:] = np.maximum(metric.parameter - values, 0.0)
        elif metric.name == "probability_above":
            row[:] = values > with_margin(metric.parameter, values)
    kinds, lows, highs = (np.array(column) for column in zip(*steps, strict=True))
    weighted = np.array([metric.weighting == "tasks" for metric in metrics])
    return Recipe(kinds, lows.astype(np.float64), highs.astype(np.float64), tables, weighted)


def _step(metric):
    """(kind, low, high) of a metric."""
    name, parameter, weighted = metric.name, metric.parameter, metric.weighting == "tasks"
    cut = {"iqm": 0.25, "run_median": 0.5, "trimmed_mean": parameter}.get(name)
    if name == "exact_iqm":
        return MASS, 0.25, 0.75
    if cut is not None:
        if not weighted:
            return CUT, cut, 0.0
        return (MIDDLE, 0.5, 0.0) if cut == 0.5 else (MASS, cut, 1.0 - cut)
    if name == "difficulty_progress":
        return (MASS, 0.0, parameter) if weighted else (LOWEST, parameter, 0.0)
    return {"mean": TASK_MEAN, "median": TASK_MEDIAN}.get(name, TABLE), 0.0, 0.0
