"""cover: how often the intervals of a metric hold the truth, and how wide they are, by number of runs.

The given runs are the population, whose metric is the truth. A data set is some of them: whole runs, the same of all
tasks, drawn with or without replacement (Agarwal et al. 2021, Figure 6). Without, a data set that is a good part of the
population knows much of the truth, and intervals hold it too often; with replacement this is not so.
Data set number d of a size holds the same runs whatever the block it is in, the metrics, methods and other sizes.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from surefoot.statistics.arrays import Floats, Integers, typical_magnitude
from surefoot.statistics.resampling.replicate_intervals import NoIntervalError, interval, student_interval
from surefoot.statistics.resampling.stratified_bootstrap import (
    ACCELERATIONS,
    StandardErrors,
    metric_values,
    replicate_metrics,
    standard_errors,
)
from surefoot.streams import stream_key

DESIGNS = ("with_replacement", "without_replacement")


class MetricCoverage(NamedTuple):
    """What a study of coverage fixes: metrics, interval methods, one of DESIGNS, replicates, confidences, seed, and
    levels, which are further confidences of the percentile interval alone."""

    metrics: tuple[Any, ...] = ("median", "iqm", "mean")
    methods: tuple[Any, ...] = ("percentile", "basic", "bc", "bca")
    design: str = "without_replacement"
    replicates: int = 1000
    confidences: tuple[Any, ...] = (0.95,)
    seed: int = 0
    levels: tuple[Any, ...] = ()


def cover_metrics_block(population: Floats, size: int, first: int, count: int, options: MetricCoverage) -> pd.DataFrame:
    """Intervals for data sets number first, ..., first + count - 1 of `size` runs.

    Parameters
    ----------
    population : float64[runs, tasks]

    Returns
    -------
    columns dataset, size, metric, method, confidence, value, low, high; an interval that does not exist (see
        `replicate_intervals.interval`) has no low and high
    """
    population = np.asarray(population, np.float64)
    rows: list[tuple[Any, ...]] = []
    for number in range(first, first + count):
        scores = population[drawn_runs(len(population), size, number, options.design, options.seed)]
        # Resamples are keyed by the data set's number too, or else data sets would not be independent.
        seed = int(stream_key(options.seed, "metric_coverage", "resamples", size, number)[0])
        values = metric_values(scores, options.metrics)
        drawn = replicate_metrics(scores, options.metrics, options.replicates, seed)
        student = standard_errors(scores, options.metrics, "runs", drawn) if "student" in options.methods else None
        for method in options.methods:
            confidences = (*options.confidences, *(options.levels if method == "percentile" else ()))
            limits = limits_of_metrics(method, scores, options.metrics, values, drawn, student, confidences)
            for k, metric in enumerate(options.metrics):
                for confidence, ends in zip(confidences, limits[k].tolist(), strict=True):
                    rows.append((number, size, str(metric), method, confidence, values[k], *ends))
    columns = ["dataset", "size", "metric", "method", "confidence", "value", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def drawn_runs(runs: int, size: int, number: int, design: str, seed: int) -> Integers:
    """int64[size], the runs of data set `number`."""
    from surefoot.statistics.resampling.kernels import draw_indices

    key = stream_key(seed, "metric_coverage", design, size)
    if design == "with_replacement":
        indices: Integers = draw_indices(key, number, runs, size).astype(np.int64)
        return indices
    order = np.arange(runs)
    for place in range(size):
        other = place + int(draw_indices(key, number * runs + place, runs - place, 1)[0])
        order[[place, other]] = order[[other, place]]
    return order[:size]


def limits_of_metrics(
    method: str,
    scores: Floats,
    metrics: Sequence[Any],
    values: Floats,
    replicates: Floats,
    errors: StandardErrors | None,
    confidences: Sequence[float],
) -> Floats:
    """Limits of one method, float64[metrics, confidences, 2]; NaN where an interval does not exist.

    Parameters
    ----------
    method : one of `replicate_intervals.METHODS`
    scores, values, replicates : float64[runs, tasks]; float64[metrics] and float64[replicates, metrics], of the scores
    errors : which student needs
    """
    accelerations = ACCELERATIONS[method](scores, metrics) if method in ACCELERATIONS else values
    magnitude, found = typical_magnitude(scores), np.full((len(metrics), len(confidences), 2), np.nan)
    for k, c in np.ndindex(found.shape[:2]):
        drawn, value, confidence = replicates[:, k], values[k], confidences[c]
        try:
            if method == "student" and errors is not None:
                error, degrees = errors.errors[k], errors.degrees[k]
                found[k, c] = student_interval(value, error, degrees, confidence, drawn, magnitude)
            else:
                found[k, c] = interval(drawn, value, method, confidence, accelerations[k], magnitude)
        except NoIntervalError:  # counted as undefined by `summarize_metric_coverage`
            continue
    return found


def summarize_metric_coverage(intervals: pd.DataFrame, metrics: Sequence[Any], truth: Floats) -> pd.DataFrame:
    """Coverage and mean width of the intervals of all blocks.

    Parameters
    ----------
    intervals : rows of `cover_metrics_block`
    metrics, truth : metrics and their values for the population

    Returns
    -------
    columns size, metric, method, level, value (the coverage), value_error, width (the mean), width_error, datasets,
        undefined. Coverage is of all data sets, so that an interval that does not exist does not hold the truth.
    """
    true = intervals["metric"].map(dict(zip(map(str, metrics), truth, strict=True)))
    held = (intervals["low"] <= true) & (true <= intervals["high"])
    table = intervals.assign(held=held, width=intervals["high"] - intervals["low"], missing=intervals["low"].isna())
    groups = table.rename(columns={"confidence": "level"}).groupby(["size", "metric", "method", "level"], sort=False)
    columns = {"width": ("width", "mean"), "width_error": ("width", "sem"), "datasets": ("held", "size")}
    found = groups.agg(value=("held", "mean"), **columns, undefined=("missing", "sum")).reset_index()
    return found.assign(value_error=np.sqrt(found["value"] * (1 - found["value"]) / found["datasets"]))
