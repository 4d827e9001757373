"""How often intervals of metrics contain the truth, by number of runs."""

import pandas as pd

from surefoot.questions.answering import Sets, Shared, population
from surefoot.questions.coverages.settings import Settings
from surefoot.statistics.coverage.metric_coverage import (
    DESIGNS,
    MetricCoverage,
    cover_metrics_block,
    summarize_metric_coverage,
)
from surefoot.statistics.resampling.stratified_bootstrap import metric_values


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """Coverage and mean width of intervals of metrics, by number of runs; for the percentile interval, at every level.

    Returns
    -------
    columns size, replacement, metric, method, level, value (fraction of the intervals that contain the truth),
    value_error (Monte Carlo), width, width_error, datasets, undefined (number of intervals that do not exist)
    """
    scores, _ = population(sets, settings.algorithms)
    metrics, usual = settings.metrics, shared.confidence
    truth, parts = metric_values(scores, metrics), []
    levels = tuple(level for level in settings.levels if abs(level - usual) > 1e-9)
    for replacement in settings.replacement:
        design = DESIGNS[not replacement]
        methods, replicates = tuple(settings.methods), shared.replicates
        study = MetricCoverage(tuple(metrics), methods, design, replicates, (usual,), shared.seed, levels)
        for size in settings.sizes:
            intervals = cover_metrics_block(scores, size, 0, settings.datasets, study)
            found = summarize_metric_coverage(intervals, metrics, truth)
            width = intervals.assign(width=intervals["high"] - intervals["low"])
            width = width.groupby(["metric", "method", "confidence"])["width"].sem()
            keys = pd.MultiIndex.from_frame(found[["metric", "method", "confidence"]])
            parts.append(found.assign(replacement=replacement, width_error=width.reindex(keys).to_numpy()))
    names = {"confidence": "level", "coverage": "value", "standard_error": "value_error", "mean_width": "width"}
    names |= {"data_sets": "datasets", "unavailable": "undefined"}
    columns = ["size", "replacement", "metric", "method", "level", "value", "value_error", "width", "width_error"]
    return pd.concat(parts, ignore_index=True).rename(columns=names)[[*columns, "datasets", "undefined"]]
