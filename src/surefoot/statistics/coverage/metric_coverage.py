"""Coverage and width of the intervals of a metric, by number of runs.

The given runs are the population, and their metric is the truth. A data set is a sample of the runs, the same runs for
all tasks, drawn with or without replacement (Agarwal et al. 2021, Figure 6). Without replacement, a data set that is a
large part of the population contains much of the truth, so coverage is too high; with replacement, it is not. Data set
number d of a size does not depend on blocks, metrics, methods or other sizes.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from surefoot.progress import followed
from surefoot.statistics.arrays import Floats, Integers, typical_magnitude
from surefoot.statistics.resampling.jackknife import ACCELERATIONS, StandardErrors, standard_errors
from surefoot.statistics.resampling.replicate_intervals import NoIntervalError, interval, student_interval
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics
from surefoot.streams import stream_key

DESIGNS = ("with_replacement", "without_replacement")


class MetricCoverage(NamedTuple):
    """Options of a study of the coverage of intervals of metrics.

    metrics, methods, n_resamples, seed : as in `aggregate_metrics`
    design : one of DESIGNS
    confidences : confidence levels
    levels : further confidence levels, for the percentile interval only
    """

    metrics: tuple[Any, ...] = ("median", "iqm", "mean")
    methods: tuple[Any, ...] = ("percentile", "basic", "bc", "bca")
    design: str = "without_replacement"
    n_resamples: int = 1000
    confidences: tuple[Any, ...] = (0.95,)
    seed: int = 0
    levels: tuple[Any, ...] = ()


def cover_metrics_block(population: Floats, size: int, first: int, count: int, options: MetricCoverage) -> pd.DataFrame:
    """Compute the intervals of data sets number first, ..., first + count - 1, which have `size` runs.

    Parameters
    ----------
    population : float64[runs, tasks]
    size, first, count : int
    options : MetricCoverage

    Returns
    -------
    DataFrame
        Columns dataset, size, metric, method, confidence_level, estimate, low, high. If an interval does not exist (see
        `replicate_intervals.interval`), low and high are NaN.
    """
    population = np.asarray(population, np.float64)
    rows: list[dict[str, Any]] = []
    for number in followed(range(first, first + count)):
        scores = population[drawn_runs(len(population), size, number, options.design, options.seed)]
        # The key of the resamples includes the number of the data set, so that data sets are independent.
        seed = int(stream_key(options.seed, "metric_coverage", "resamples", size, number)[0])
        values = metric_values(scores, options.metrics)
        drawn = replicate_metrics(scores, options.metrics, options.n_resamples, seed)
        student = standard_errors(scores, options.metrics, "runs", drawn) if "student" in options.methods else None
        for method in options.methods:
            confidences = (*options.confidences, *(options.levels if method == "percentile" else ()))
            limits = limits_of_metrics(method, scores, options.metrics, values, drawn, student, confidences)
            for k, metric in enumerate(options.metrics):
                same = {"dataset": number, "size": size, "metric": str(metric), "method": method}
                for confidence_level, (low, high) in zip(confidences, limits[k].tolist(), strict=True):
                    row = {"confidence_level": confidence_level, "estimate": values[k], "low": low, "high": high}
                    rows.append(same | row)
    return pd.DataFrame(rows)


def drawn_runs(runs: int, size: int, number: int, design: str, seed: int) -> Integers:
    """Return the indices of the runs of data set `number`, int64[size]."""
    from surefoot.statistics.resampling.resampling_kernels import draw_indices

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
    """Compute limits (low, high) by one method, float64[metrics, confidences, 2]; NaN if an interval does not exist.

    Parameters
    ----------
    method : str
        One of `replicate_intervals.METHODS`.
    scores : float64[runs, tasks]
    metrics : sequence
    values : float64[metrics]
        Metrics of the scores.
    replicates : float64[replicates, metrics]
        Metrics of resampled scores.
    errors : StandardErrors or None
        Required by the method student.
    confidences : sequence of float
    """
    accelerations = ACCELERATIONS[method](scores, metrics) if method in ACCELERATIONS else values
    magnitude = typical_magnitude(scores)
    all_limits = np.full((len(metrics), len(confidences), 2), np.nan)
    for k, c in np.ndindex(all_limits.shape[:2]):
        drawn = replicates[:, k]
        value = values[k]
        confidence_level = confidences[c]
        try:
            if method == "student" and errors is not None:
                error = errors.errors[k]
                degrees = errors.degrees[k]
                all_limits[k, c] = student_interval(value, error, degrees, confidence_level, drawn, magnitude)
            else:
                all_limits[k, c] = interval(drawn, value, method, confidence_level, accelerations[k], magnitude)
        except NoIntervalError:  # counted as undefined by `summarize_metric_coverage`
            continue
    return all_limits


def summarize_metric_coverage(intervals: pd.DataFrame, metrics: Sequence[Any], truth: Floats) -> pd.DataFrame:
    """Compute the coverage and the mean width of intervals over data sets.

    Parameters
    ----------
    intervals : DataFrame
        Rows of `cover_metrics_block`, for all blocks.
    metrics : sequence
    truth : float64[metrics]
        Metrics of the population.

    Returns
    -------
    DataFrame
        Columns size, metric, method, level, estimate (the coverage), width (the mean), width_error, datasets, undefined
        (number of intervals that do not exist), estimate_error. Coverage counts all data sets, so an interval that does
        not exist counts as a miss.
    """
    true = intervals["metric"].map(dict(zip(map(str, metrics), truth, strict=True)))
    held = (intervals["low"] <= true) & (true <= intervals["high"])
    table = intervals.assign(held=held, width=intervals["high"] - intervals["low"], missing=intervals["low"].isna())
    groups = table.rename(columns={"confidence_level": "level"}).groupby(
        ["size", "metric", "method", "level"], sort=False
    )
    columns = {"width": ("width", "mean"), "width_error": ("width", "sem"), "datasets": ("held", "size")}
    coverage = groups.agg(estimate=("held", "mean"), **columns, undefined=("missing", "sum")).reset_index()
    rate = coverage["estimate"]
    return coverage.assign(estimate_error=np.sqrt(rate * (1 - rate) / coverage["datasets"]))
