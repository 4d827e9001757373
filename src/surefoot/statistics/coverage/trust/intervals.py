"""How often intervals of metrics and of differences miss the truth, by number of runs.

Tasks are fixed, as in a benchmark, and the truth is that of the tasks' own distributions.

metric_intervals : of one algorithm, all methods made of the same resamples of runs. The method percentile is the
    interval of rliable: the stratified bootstrap with percentile limits (Agarwal et al. 2021, appendix A.5).
difference_intervals : of several algorithms, which may follow different laws. An interval of several pairs fails where
    one of them misses. The method student is that of `comparison.differences`; percentile is that of two sets of
    replicates (appendix A.2), each pair at the level that all are asked to hold, divided by the number of pairs.
"""

from typing import Any

import numpy as np
import pandas as pd

from surefoot.statistics.comparison.differences import pairwise_differences
from surefoot.statistics.comparison.multiple_comparisons import joint_level, joint_tails
from surefoot.statistics.coverage.failure_rates import CONFIDENCE, Study, failure_table, tally
from surefoot.statistics.coverage.metric_coverage import limits_of_metrics
from surefoot.statistics.coverage.simulated_scores import (
    TASK_LAWS,
    scores_of,
    true_values,
    uniform_numbers,
)
from surefoot.statistics.metrics.catalogue import FOUR_METRICS
from surefoot.statistics.resampling.interval_remarks import difference_remark, metric_remark
from surefoot.statistics.resampling.jackknife import standard_errors
from surefoot.statistics.resampling.replicate_intervals import METHODS, interval
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics
from surefoot.statistics.ties import exceeds, typical_magnitude
from surefoot.streams import stream_key

_RECOMMENDED = "student"


_SIZES: list[tuple[int, int, tuple[str, ...]]] = [(runs, 10, TASK_LAWS) for runs in (2, 3, 5, 10)] + [
    (30, 10, ("alike", "skewed", "failures"))
]
_SIZES += [(runs, 26, ("different",)) for runs in (3, 10)]
_SIZES += [(runs, 1, ("alike", "skewed", "failures")) for runs in (3, 5, 10)]
_METRIC_CELLS = [
    {"name": f"{law}, {runs} runs of {tasks}", "law": law, "runs": runs, "tasks": tasks}
    for runs, tasks, laws in _SIZES
    for law in laws
]
"""Ten tasks of each law, one that a single task dominates included; cases of 26 tasks and of a single one."""


def _cover_metrics(cell: dict[str, Any], datasets: int, replicates: int, seed: int) -> pd.DataFrame:
    """Failures of each method and metric. Whether there is a remark may differ between data sets, as degrees of freedom
    do: the remark is that of most of them, and the columns remarked and failures_unremarked of `tally` are added.
    """
    subject, shape = "metric intervals", (cell["runs"], cell["tasks"])
    truth = true_values(cell["law"], cell["tasks"], FOUR_METRICS)
    outcomes = []
    for number in range(datasets):
        scores = scores_of(cell["law"], uniform_numbers(shape, seed, cell["name"], number))
        resampled = int(stream_key(seed, "trust", subject, cell["name"], number)[0])
        values = metric_values(scores, FOUR_METRICS)
        drawn = replicate_metrics(scores, FOUR_METRICS, replicates, resampled)
        errors, scale = standard_errors(scores, FOUR_METRICS, "runs", drawn), typical_magnitude(scores)
        for method in METHODS:
            limits = limits_of_metrics(method, scores, FOUR_METRICS, values, drawn, errors, [CONFIDENCE])[:, 0]
            for k, metric in enumerate(FOUR_METRICS):
                low, high = limits[k]
                # An interval that does not exist holds nothing, and has no width.
                missed = np.isnan(low) or exceeds(low, truth[k], scale) or exceeds(truth[k], high, scale)
                known = errors.degrees[k], errors.skewness[k]
                remark = metric_remark(method, metric, list(scores.T), CONFIDENCE, known, high - low)
                outcomes.append((method, metric, missed, high - low, remark))
    rows = tally(outcomes, unremarked=True)
    for row in rows:
        row["recommended"] = row["method"] == _RECOMMENDED and not row["remark"]
    return failure_table(subject, cell, datasets, rows, data=cell["law"], algorithms=1)


metric_intervals = Study(_METRIC_CELLS, _cover_metrics)


_DRAWS = 2000
"""Draws of the joint distribution of all pairs."""
_FIVE = ("alike", "skewed", "failures", "tied", "different")


def _difference_cells() -> list[dict[str, Any]]:
    """Two algorithms of like and of unlike laws, five of each, eleven of a law with two runs; ten tasks, five and a
    single one; unequal numbers of runs."""
    unlike = [("alike", "skewed"), ("alike", "failures"), ("two_point", "alike"), ("dominated", "alike")]
    pairs: list[tuple[str, ...]] = [("alike", "alike"), *unlike]
    sizes: list[tuple[tuple[int, ...], int, list[tuple[str, ...]]]] = [((runs,), 10, pairs) for runs in (2, 3, 5, 10)]
    sizes += [((3, 10), 10, [("failures", "skewed"), ("skewed", "alike")])]
    sizes += [((runs,), 10, [("alike",) * 5, _FIVE]) for runs in (3, 5, 10)]
    sizes += [((runs,), 1, pairs[:3]) for runs in (3, 5, 10)]
    sizes += [((2,), tasks, [(law,) * 11 for law in ("alike", "skewed", "failures")]) for tasks in (1, 5)]
    cells = []
    for runs, tasks, several in sizes:
        for laws in several:
            data = f"{len(laws)} {laws[0]}" if len(set(laws)) == 1 else ", ".join(laws)
            each = runs * len(laws) if len(runs) == 1 else runs
            name = f"{data}, {' and '.join(map(str, runs))} runs of {tasks}"
            cell = {"name": name, "data": data, "laws": list(laws), "sizes": list(each), "runs": min(runs)}
            cells.append(cell | {"tasks": tasks})
    return cells


def _cover_differences(cell: dict[str, Any], datasets: int, replicates: int, seed: int) -> pd.DataFrame:
    """Failures of each method and metric. A remark of a cell is that of any pair in most data sets."""
    subject, tasks, metrics = "difference intervals", cell["tasks"], list(FOUR_METRICS)
    truths = np.array([true_values(law, tasks, metrics) for law in cell["laws"]])
    outcomes, sizes = [], [np.zeros(runs) for runs in cell["sizes"]]
    for number in range(datasets):
        samples = [
            scores_of(law, uniform_numbers((runs, tasks), seed, f"{cell['name']}/{place}", number))
            for place, (law, runs) in enumerate(zip(cell["laws"], cell["sizes"], strict=True))
        ]
        resampled = int(stream_key(seed, "trust", subject, cell["name"], number)[0])
        scale = typical_magnitude(np.concatenate([scores.ravel() for scores in samples]))
        values = np.array([metric_values(scores, metrics) for scores in samples])
        drawn = [
            replicate_metrics(one, metrics, replicates, resampled, f"{place}") for place, one in enumerate(samples)
        ]
        spreads = [standard_errors(one, metrics, "runs", of_one) for one, of_one in zip(samples, drawn, strict=True)]
        for k, metric in enumerate(metrics):
            errors = [spread.errors[k] for spread in spreads]
            degrees = [spread.degrees[k] for spread in spreads]
            level = joint_level(joint_tails(errors, degrees, resampled, _DRAWS), CONFIDENCE)
            pairs = pairwise_differences(values[:, k], errors, degrees, level)
            each = 1.0 - (1.0 - CONFIDENCE) / len(pairs.x)
            replicated = np.array([drawn[x][:, k] - drawn[y][:, k] for x, y in zip(pairs.x, pairs.y, strict=True)]).T
            truth, percentile = truths[pairs.x, k] - truths[pairs.y, k], interval(replicated, None, "percentile", each)
            shape = float(pairs.degrees.min()), max(abs(float(spread.skewness[k])) for spread in spreads)
            narrowest = float((pairs.high - pairs.low).min())
            remark = difference_remark(metric, [list(scores.T) for scores in samples], shape, narrowest)
            for method, low, high, said in (
                (_RECOMMENDED, pairs.low, pairs.high, remark),
                ("percentile", *percentile[:2], metric_remark("percentile", metric, sizes, CONFIDENCE)),
            ):
                missed = (exceeds(low, truth, scale) | exceeds(truth, high, scale)).any()
                outcomes.append((method, metric, missed, (high - low).mean(), said))
    rows = sorted(tally(outcomes), key=lambda row: row["method"] != _RECOMMENDED)
    for row in rows:
        row["recommended"] = row["method"] == _RECOMMENDED and not row["remark"]
    return failure_table(subject, cell, datasets, rows, data=cell["data"], algorithms=len(cell["laws"]))


difference_intervals = Study(_difference_cells(), _cover_differences)
