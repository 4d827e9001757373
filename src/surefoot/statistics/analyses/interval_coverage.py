"""How often intervals contain what they should: samples of all runs, whose metric is the truth (Agarwal et al. 2021,
figures 6, A.18 and A.19).

With replacement the runs are the population. Without, as in the paper, the coverage is inflated once a sample is a good
part of all runs.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from surefoot.statistics.analyses.samples_of_tasks import algorithms_of, scores_of, tasks_of
from surefoot.statistics.draws import SPARE, draw_indices
from surefoot.statistics.metric_coverage import (
    DESIGNS,
    MetricCoverage,
    cover_metrics_block,
    drawn_runs,
    summarize_metric_coverage,
)
from surefoot.statistics.stratified_bootstrap import metric_values
from surefoot.streams import stream_key

Sets = Mapping[str, pd.DataFrame]


def coverages(sets: Sets, options: Mapping) -> pd.DataFrame:
    """Coverage and mean width of intervals of metrics, by number of runs; of the percentile interval at every level.

    Returns
    -------
    columns size, replacement, metric, method, level, value (fraction of the intervals with the truth inside),
        value_error (Monte Carlo), width, width_error, datasets, undefined (how many intervals do not exist)
    """
    scores, _ = _population(sets, options)
    metrics, usual = options["metrics"], options["confidence"]
    truth, parts = metric_values(scores, metrics), []
    levels = tuple(level for level in options.get("levels", []) if abs(level - usual) > 1e-9)
    for replacement in options["replacement"]:
        design = DESIGNS[not replacement]
        methods, replicates = tuple(options["methods"]), options["replicates"]
        study = MetricCoverage(tuple(metrics), methods, design, replicates, (usual,), options["seed"], levels)
        for size in options["sizes"]:
            intervals = cover_metrics_block(scores, size, 0, options["datasets"], study)
            found = summarize_metric_coverage(intervals, metrics, truth)
            width = intervals.assign(width=intervals["high"] - intervals["low"])
            width = width.groupby(["metric", "method", "confidence"])["width"].sem()
            keys = pd.MultiIndex.from_frame(found[["metric", "method", "confidence"]])
            parts.append(found.assign(replacement=replacement, width_error=width.reindex(keys).to_numpy()))
    names = {"confidence": "level", "coverage": "value", "standard_error": "value_error", "mean_width": "width"}
    names |= {"data_sets": "datasets", "unavailable": "undefined"}
    columns = ["size", "replacement", "metric", "method", "level", "value", "value_error", "width", "width_error"]
    return pd.concat(parts, ignore_index=True).rename(columns=names)[[*columns, "datasets", "undefined"]]


def _population(sets, options):
    """(scores float64[runs, tasks], tasks) of the one algorithm that is asked for."""
    (table,) = sets.values()
    (algorithm,) = algorithms_of(table, options)
    return np.array(scores_of(table, algorithm)).T, tasks_of(table)


def task_coverages(sets: Sets, options: Mapping) -> pd.DataFrame:
    """Coverage of percentile intervals of the mean of each task.

    Returns columns environment, size, value, value_error, datasets.

    Samples are drawn without replacement, as in the paper; replicates draw the same runs of all tasks, which changes
    nothing for one task.
    """
    scores, tasks = _population(sets, options)
    truth, rows = scores.mean(axis=0), []
    tails = ((1 - options["confidence"]) / 2, (1 + options["confidence"]) / 2)
    for size in options["sizes"]:
        inside = np.zeros(len(tasks))
        count = size * options["replicates"]
        drawn = np.empty(count + SPARE, np.uint32)
        for dataset in range(options["datasets"]):
            sample = scores[drawn_runs(len(scores), size, dataset, DESIGNS[1], options["seed"])]
            draw_indices(stream_key(options["seed"], "task_coverage", size), dataset, size, count, drawn)
            runs = drawn[:count].reshape(options["replicates"], size)
            weights = np.zeros((options["replicates"], size))
            np.add.at(weights, (np.arange(len(runs))[:, None], runs), 1.0 / size)
            low, high = np.quantile(weights @ sample, tails, axis=0)
            inside += (low <= truth) & (truth <= high)
        value = inside / options["datasets"]
        error = np.sqrt(value * (1 - value) / options["datasets"])
        part = pd.DataFrame({"environment": tasks, "size": size, "value": value, "value_error": error})
        rows.append(part.assign(datasets=options["datasets"]))
    return pd.concat(rows, ignore_index=True)
