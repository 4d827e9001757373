"""Aggregate metrics with their intervals (Agarwal et al. 2021, figures 9, 11a, A.22, A.25, A.30 to A.32)."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from surefoot.statistics.analyses.samples_of_tasks import algorithms_of, scores_of, tasks_of
from surefoot.statistics.interval_methods import interval
from surefoot.statistics.interval_remarks import metric_remark
from surefoot.statistics.jackknife import row_acceleration, spread_of_few_runs, stratified_acceleration
from surefoot.statistics.metrics import metric
from surefoot.statistics.published_means import mean_t_interval
from surefoot.statistics.stratified_bootstrap import metric_values, replicate_metrics
from surefoot.statistics.ties import typical_magnitude

Sets = Mapping[str, pd.DataFrame]
_ACCELERATIONS = {"bca": row_acceleration, "bca_stratified": stratified_acceleration}


def aggregates(sets: Sets, options: Mapping) -> pd.DataFrame:
    """Metrics with bootstrap intervals.

    Returns
    -------
    columns scores, algorithm, metric, method, value, low, high (empty where there is no such interval), standard_error
        (of the replicates), runs (the fewest of a task), tasks, replicates, remark (see `interval_remarks`)
    """
    metrics = [metric(written) for written in options["metrics"]]
    rows = []
    for name, table in sets.items():
        for algorithm in algorithms_of(table, options):
            scores = scores_of(table, algorithm)
            drawn = replicate_metrics(
                scores,
                metrics,
                options["replicates"],
                options["seed"],
                f"{name}/{algorithm}",
                tasks_of(table),
                options.get("resampled", "runs"),
                threads=options["threads"],
            )
            values = metric_values(scores, metrics)
            for method in options.get("methods", ["percentile"]):
                spread = spread_of_few_runs(scores, metrics) if method == "student" else None
                found = _limits(drawn, values, scores, metrics, method, options["confidence"], spread)
                for place, limits in enumerate(found):
                    remark = ""
                    if options.get("resampled", "runs") == "runs":
                        sizes, degrees = [len(column) for column in scores], spread and spread.degrees[place]
                        remark = metric_remark(method, metrics[place].name, sizes, options["confidence"], degrees)
                    error = drawn[:, place].std(ddof=1) if len(drawn) > 1 else np.nan
                    counts = (min(map(len, scores)), len(scores), len(drawn), remark)
                    rows.append((name, algorithm, str(metrics[place]), method, values[place], *limits, error, *counts))
    columns = ["scores", "algorithm", "metric", "method", "value", "low", "high", "standard_error"]
    return pd.DataFrame(rows, columns=[*columns, "runs", "tasks", "replicates", "remark"])


def _limits(drawn, values, scores, metrics, method, confidence, spread):
    """(low, high) of each metric; NaN where the interval does not exist, such as bc where all replicates are below."""
    accelerations, magnitude = [None] * len(metrics), typical_magnitude(np.concatenate(scores))
    if method in _ACCELERATIONS:
        accelerations = _ACCELERATIONS[method](scores, metrics)
    for place, value in enumerate(values):
        few = None if spread is None else spread.of(place)
        try:
            found = interval(
                drawn[:, place], value, method, confidence, accelerations[place], magnitude=magnitude, spread=few
            )
        except ValueError:
            if method not in ("bc", "bca", "bca_stratified"):
                raise
            yield np.nan, np.nan
        else:
            yield float(found.low), float(found.high)


def published_intervals(sets: Sets, options: Mapping) -> pd.DataFrame:
    """Student's t intervals of the mean over tasks, from published means and standard deviations.

    Both as the paper has them and for tasks that are independent: columns scores, algorithm, method ("as_published" or
    "independent_tasks"), value, low, high, runs, tasks.
    """
    rows = []
    for name, table in sets.items():
        for algorithm in algorithms_of(table, options):
            own = table[table["algorithm"] == algorithm]
            runs = int(own["runs"].iloc[0])
            for method in ("as_published", "independent_tasks"):
                found = mean_t_interval(
                    own["score"], own["deviation"], runs, options["confidence"], method == "independent_tasks"
                )
                rows.append((name, algorithm, method, *found, runs, len(own)))
    columns = ["scores", "algorithm", "method", "value", "low", "high", "runs", "tasks"]
    return pd.DataFrame(rows, columns=columns)
