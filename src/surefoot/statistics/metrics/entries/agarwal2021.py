"""Metrics of Agarwal et al. 2021 (sections 4.1 to 4.3, A.3, A.4); what they are is in `metrics.catalogue`."""

from typing import TYPE_CHECKING

from surefoot.statistics.metrics.entry import CUT, LOWEST, MASS, MIDDLE, TASK_MEAN, TASK_MEDIAN, MetricEntry, Step

if TYPE_CHECKING:
    from surefoot.statistics.arrays import Floats


def _trimmed(fraction: float, weighted: bool) -> Step:
    if not weighted:
        return CUT, fraction, 0.0
    return (MIDDLE, 0.5, 0.0) if fraction == 0.5 else (MASS, fraction, 1.0 - fraction)


def _lowest(fraction: float, weighted: bool) -> Step:
    return (MASS, 0.0, fraction) if weighted else (LOWEST, fraction, 0.0)


def _gap(values: "Floats", gamma: float) -> "Floats":
    return (gamma - values).clip(min=0.0)


def _above(values: "Floats", threshold: float) -> "Floats":
    from surefoot.statistics.ties import with_margin

    return (values > with_margin(threshold, values)).astype(float)


METRICS = {
    "mean": MetricEntry("Mean", step=lambda _, weighted: (TASK_MEAN, 0.0, 0.0)),
    "median": MetricEntry("Median", step=lambda _, weighted: (TASK_MEDIAN, 0.0, 0.0)),
    "iqm": MetricEntry("IQM", step=lambda _, weighted: _trimmed(0.25, weighted)),
    "exact_iqm": MetricEntry(step=lambda _, weighted: (MASS, 0.25, 0.75)),
    "trimmed_mean": MetricEntry(parameter="p", usual=0.25, greatest=0.5, step=_trimmed),
    "run_median": MetricEntry(step=lambda _, weighted: _trimmed(0.5, weighted)),
    "optimality_gap": MetricEntry(
        "Optimality gap", parameter="gamma", usual=1.0, lower_is_better=True, homogeneous=False, counts_for=_gap
    ),
    "difficulty_progress": MetricEntry(
        "Difficulty progress (DP-25)", parameter="p", usual=0.25, greatest=1.0, step=_lowest
    ),
    "probability_above": MetricEntry(
        "Superhuman probability", parameter="t", usual=1.0, homogeneous=False, counts_for=_above
    ),
}
