"""How often intervals of the differences between algorithms miss the truth, by number of runs.

Tasks are fixed, and the algorithms of a case follow laws of `task_laws`, so the true differences of the metrics are
known. An interval of several pairs fails where one of them misses. The method student is that of
`comparison.differences`; percentile is that of two sets of replicates, as in Agarwal et al. (2021, appendix
A.2), each pair at the level that all are asked to hold, divided by the number of pairs.
"""

from typing import Any

import numpy as np
import pandas as pd

from surefoot.statistics.arrays import Floats
from surefoot.statistics.comparison.differences import pairwise_differences
from surefoot.statistics.comparison.multiple_comparisons import joint_level, joint_tails
from surefoot.statistics.coverage.failure_rates import CONFIDENCE, Tally, failure_table
from surefoot.statistics.coverage.simulated_scores import scores_of, true_values, uniform_numbers
from surefoot.statistics.metrics.catalogue import FOUR_METRICS
from surefoot.statistics.resampling.interval_remarks import difference_remark, metric_remark
from surefoot.statistics.resampling.jackknife import standard_errors
from surefoot.statistics.resampling.replicate_intervals import interval
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics
from surefoot.statistics.ties import exceeds, typical_magnitude
from surefoot.streams import stream_key

SUBJECT = "difference intervals"
RECOMMENDED = "student"
_METHODS = ("student", "percentile")
_DRAWS = 2000
"""Draws of the joint distribution of all pairs."""
_FIVE = ("alike", "skewed", "failures", "tied", "different")


def cells() -> list[dict[str, Any]]:
    """Two algorithms of like and of unlike laws, five of each, eleven of a law with two runs; ten tasks, five and a
    single one; unequal numbers of runs."""
    unlike = [("alike", "skewed"), ("alike", "failures"), ("two_point", "alike"), ("dominated", "alike")]
    pairs: list[tuple[str, ...]] = [("alike", "alike"), *unlike]
    sizes: list[tuple[tuple[int, ...], int, list[tuple[str, ...]]]] = [((runs,), 10, pairs) for runs in (2, 3, 5, 10)]
    sizes += [((3, 10), 10, [("failures", "skewed"), ("skewed", "alike")])]
    sizes += [((runs,), 10, [("alike",) * 5, _FIVE]) for runs in (3, 5, 10)]
    sizes += [((runs,), 1, pairs[:3]) for runs in (3, 5, 10)]
    sizes += [((2,), tasks, [(law,) * 11 for law in ("alike", "skewed", "failures")]) for tasks in (1, 5)]
    return [_cell(laws, runs, tasks) for runs, tasks, several in sizes for laws in several]


def _cell(laws: tuple[str, ...], runs: tuple[int, ...], tasks: int) -> dict[str, Any]:
    data = f"{len(laws)} {laws[0]}" if len(set(laws)) == 1 else ", ".join(laws)
    each = runs * len(laws) if len(runs) == 1 else runs
    name = f"{data}, {' and '.join(map(str, runs))} runs of {tasks}"
    return {"name": name, "data": data, "laws": list(laws), "sizes": list(each), "runs": min(runs), "tasks": tasks}


def cover(cell: dict[str, Any], datasets: int, replicates: int, seed: int) -> pd.DataFrame:
    """Failures of each method and metric in `datasets` data sets of a cell; see `surefoot.statistics.coverage.trust`.

    A remark of a cell is that of any pair in most data sets.
    """
    tasks, metrics = cell["tasks"], list(FOUR_METRICS)
    values = np.array([true_values(law, tasks, metrics) for law in cell["laws"]])
    tally, sizes = Tally(datasets), [np.zeros(runs) for runs in cell["sizes"]]
    for number in range(datasets):
        samples = [
            scores_of(law, uniform_numbers((runs, tasks), seed, f"{cell['name']}/{place}", number))
            for place, (law, runs) in enumerate(zip(cell["laws"], cell["sizes"], strict=True))
        ]
        resampled = int(stream_key(seed, "trust", SUBJECT, cell["name"], number)[0])
        scale = typical_magnitude(np.concatenate([scores.ravel() for scores in samples]))
        columns = [list(scores.T) for scores in samples]
        intervals = _limits(samples, metrics, values, replicates, resampled)
        for i, method in enumerate(_METHODS):
            for metric, (limits, truth, shape) in zip(metrics, intervals, strict=True):
                low, high = limits[i]
                missed = (exceeds(low, truth, scale) | exceeds(truth, high, scale)).any()
                if method == RECOMMENDED:
                    remark = difference_remark(metric, columns, shape, float((high - low).min()))
                else:
                    remark = metric_remark(method, metric, sizes, CONFIDENCE)
                tally.add(method, metric, missed, (high - low).mean(), remark)
    rows = [row | {"recommended": row["method"] == RECOMMENDED and not row["remark"]} for row in tally.rows()]
    return failure_table(SUBJECT, cell, datasets, rows, data=cell["data"], algorithms=len(cell["laws"]))


def _limits(
    samples: list[Floats], metrics: list[str], truths: Floats, replicates: int, seed: int
) -> list[tuple[Floats, Floats, tuple[float, float]]]:
    """For each metric, the limits float64[methods, 2, pairs], the true differences float64[pairs], and the fewest
    degrees of freedom of a pair and the greatest skewness of an algorithm."""
    values = np.array([metric_values(scores, metrics) for scores in samples])
    drawn = [replicate_metrics(scores, metrics, replicates, seed, f"{place}") for place, scores in enumerate(samples)]
    spreads = [standard_errors(one, metrics, "runs", own) for one, own in zip(samples, drawn, strict=True)]
    found = []
    for k in range(len(metrics)):
        errors = [spread.errors[k] for spread in spreads]
        degrees = [spread.degrees[k] for spread in spreads]
        level = joint_level(joint_tails(errors, degrees, seed, _DRAWS), CONFIDENCE)
        pairs = pairwise_differences(values[:, k], errors, degrees, level)
        each = 1.0 - (1.0 - CONFIDENCE) / len(pairs.x)
        replicated = np.array([drawn[x][:, k] - drawn[y][:, k] for x, y in zip(pairs.x, pairs.y, strict=True)]).T
        percentile = interval(replicated, None, "percentile", each)
        limits = np.array([[pairs.low, pairs.high], [percentile.low, percentile.high]])
        skewness = max(abs(float(spread.skewness[k])) for spread in spreads)
        found.append((limits, truths[pairs.x, k] - truths[pairs.y, k], (float(pairs.degrees.min()), skewness)))
    return found
