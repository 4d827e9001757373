"""Metrics of all tasks together, with intervals."""

import numpy as np
import pandas as pd

from surefoot.questions.aggregates.settings import Settings
from surefoot.questions.answering import Sets, Shared
from surefoot.statistics.interval_methods import NoIntervalError, interval
from surefoot.statistics.interval_remarks import metric_remark
from surefoot.statistics.jackknife import row_acceleration, spread_of_few_runs, stratified_acceleration
from surefoot.statistics.metrics import metric
from surefoot.statistics.samples_of_tasks import algorithms_of, scores_of, tasks_of
from surefoot.statistics.stratified_bootstrap import metric_values, replicate_metrics
from surefoot.statistics.ties import typical_magnitude

_ACCELERATIONS = {"bca": row_acceleration, "bca_stratified": stratified_acceleration}


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """Metrics with bootstrap intervals.

    Returns
    -------
    columns scores, algorithm, metric, method, value, low, high (empty where there is no such interval), standard_error
        (of the replicates), runs (the fewest of a task), tasks, replicates, remark (see `interval_remarks`)
    """
    metrics = [metric(written) for written in settings.metrics]
    rows = []
    for name, table in sets.items():
        for algorithm in algorithms_of(table, settings.algorithms):
            scores = scores_of(table, algorithm)
            drawn = replicate_metrics(
                scores,
                metrics,
                shared.replicates,
                shared.seed,
                f"{name}/{algorithm}",
                tasks_of(table),
                settings.resampled,
                threads=shared.threads,
            )
            values = metric_values(scores, metrics)
            for method in settings.methods:
                spread = spread_of_few_runs(scores, metrics) if method == "student" else None
                found = _limits(drawn, values, scores, metrics, method, shared.confidence, spread)
                for place, limits in enumerate(found):
                    remark = ""
                    if settings.resampled == "runs":
                        sizes, degrees = [len(column) for column in scores], spread and spread.degrees[place]
                        remark = metric_remark(method, metrics[place].name, sizes, shared.confidence, degrees)
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
        except NoIntervalError:
            yield np.nan, np.nan
        else:
            yield float(found.low), float(found.high)
