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
from surefoot.statistics.interval_methods import ACCELERATED, interval
from surefoot.statistics.jackknife import row_acceleration, stratified_acceleration
from surefoot.statistics.stratified_bootstrap import metric_values, replicate_metrics
from surefoot.streams import stream_key

Sets = Mapping[str, pd.DataFrame]
_MANY = 1 << 31


def coverages(sets: Sets, options: Mapping) -> pd.DataFrame:
    """Coverage and mean width of intervals of metrics, by number of runs; of the percentile interval at every level.

    Returns
    -------
    columns size, replacement, metric, method, level, value (fraction of the intervals with the truth inside),
        value_error (Monte Carlo), width, width_error, datasets, undefined (how many intervals do not exist)
    """
    scores, tasks = _population(sets, options)
    metrics, rows = options["metrics"], []
    truth = metric_values(scores, metrics)
    for replacement in options["replacement"]:
        for size in options["sizes"]:
            found = {}
            for dataset in range(options["datasets"]):
                chosen = scores[_runs(options, size, dataset, len(scores), replacement)]
                _cover_one(chosen, tasks, truth, dataset, options, found)
            for (place, method, level), limits in found.items():
                numbers = _summary(np.array(limits), truth[place])
                rows.append((size, replacement, metrics[place], method, level, *numbers))
    columns = ["size", "replacement", "metric", "method", "level", "value", "value_error", "width", "width_error"]
    return pd.DataFrame(rows, columns=[*columns, "datasets", "undefined"])


def _population(sets, options):
    """(scores float64[runs, tasks], tasks) of the one algorithm that is asked for."""
    (table,) = sets.values()
    (algorithm,) = algorithms_of(table, options)
    return np.array(scores_of(table, algorithm)).T, tasks_of(table)


def _runs(options, size, dataset, runs, replacement):
    """Numbers of the runs of a sample."""
    key = stream_key(options["seed"], "coverage", size, "with" if replacement else "without")
    count = size if replacement else runs
    drawn = np.empty(count + SPARE, np.uint32)
    draw_indices(key, dataset, runs if replacement else _MANY, count, drawn)
    return drawn[:count] if replacement else np.argsort(drawn[:count], kind="stable")[:size]


def _cover_one(scores, tasks, truth, dataset, options, found):
    """Add the limits of every interval of one sample to those found, by (metric, method, level)."""
    metrics, name = options["metrics"], f"coverage/{len(scores)}/{dataset}"
    drawn = replicate_metrics(scores, metrics, options["replicates"], options["seed"], name, tasks)
    values = metric_values(scores, metrics)
    for method in options["methods"]:
        accelerations = [None] * len(metrics)
        if method in ACCELERATED:
            jackknife = row_acceleration if method == "bca" else stratified_acceleration
            accelerations = jackknife(scores, metrics)
        levels = options.get("levels", [options["confidence"]]) if method == "percentile" else [options["confidence"]]
        for place in range(len(truth)):
            for level in levels:
                try:
                    limits = interval(drawn[:, place], values[place], method, level, accelerations[place])[:2]
                except ValueError:
                    limits = (np.nan, np.nan)  # bc and bca do not exist where all replicates lie on one side
                found.setdefault((place, method, level), []).append(limits)


def _summary(limits, truth):
    """(coverage, its error, mean width, its error, samples, undefined) of limits, float64[samples, 2]."""
    low, high = limits[np.isfinite(limits).all(axis=1)].T
    inside = (low <= truth) & (truth <= high)
    width = high - low
    count = max(low.size, 1)
    covered = inside.mean() if low.size else np.nan
    spread = width.std(ddof=1) / np.sqrt(count) if low.size > 1 else np.nan
    error = np.sqrt(max(covered * (1 - covered), 1 / count) / count) if low.size else np.nan
    mean_width = width.mean() if low.size else np.nan
    return covered, error, mean_width, spread, low.size, len(limits) - low.size


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
            sample = scores[_runs(options, size, dataset, len(scores), replacement=False)]
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
