"""How often intervals of metrics of one algorithm miss the truth, by number of runs.

Tasks are fixed, as in a benchmark, and the truth is the metric of the tasks' own distributions. All intervals of a data
set are made of the same resamples of runs. The method percentile is the interval of rliable: the stratified bootstrap
with percentile limits (Agarwal et al. 2021, appendix A.5).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from surefoot.statistics.arrays import Floats
from surefoot.statistics.coverage.simulated_scores import TASK_LAWS, scores_of, true_values, uniform_numbers
from surefoot.statistics.metrics.catalogue import FOUR_METRICS
from surefoot.statistics.resampling.interval_remarks import metric_remark
from surefoot.statistics.resampling.jackknife import ACCELERATIONS, Spread, spread_of_few_runs
from surefoot.statistics.resampling.replicate_intervals import METHODS, NoIntervalError, interval
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics
from surefoot.statistics.ties import exceeds, typical_magnitude
from surefoot.streams import stream_key

SUBJECT = "metric intervals"
RECOMMENDED = "student"
_CONFIDENCE = 0.95


def cells() -> list[dict[str, Any]]:
    """Ten tasks of each law, one that a single task dominates included; cases of 26 tasks and of a single one."""
    sizes: list[tuple[int, int, tuple[str, ...]]] = [(runs, 10, TASK_LAWS) for runs in (2, 3, 5, 10)] + [
        (30, 10, ("alike", "skewed", "failures"))
    ]
    sizes += [(runs, 26, ("different",)) for runs in (3, 10)]
    sizes += [(runs, 1, ("alike", "skewed", "failures")) for runs in (3, 5, 10)]
    return [
        {"name": f"{law}, {runs} runs of {tasks}", "law": law, "runs": runs, "tasks": tasks}
        for runs, tasks, laws in sizes
        for law in laws
    ]


def cover(cell: dict[str, Any], datasets: int, replicates: int, seed: int) -> pd.DataFrame:
    """Failures of each method and metric in `datasets` data sets of a cell; see `surefoot.statistics.coverage.trust`.

    Whether there is a remark may differ between data sets, as degrees of freedom do.

    Returns
    -------
    the columns of a study of trust, where remark is that of most data sets, remarked (fraction of the data sets with a
    remark) and failures_unremarked (failures in data sets without one)
    """
    shape = cell["runs"], cell["tasks"]
    truth = true_values(cell["law"], cell["tasks"], FOUR_METRICS)
    failed = np.empty((datasets, len(METHODS), len(FOUR_METRICS)), bool)
    remarks = np.empty((datasets, len(METHODS), len(FOUR_METRICS)), object)
    widths, made = np.zeros((2, len(METHODS), len(FOUR_METRICS)))
    for number in range(datasets):
        scores = scores_of(cell["law"], uniform_numbers(shape, seed, cell["name"], number))
        resampled = int(stream_key(seed, "trust", SUBJECT, cell["name"], number)[0])
        limits, spread = _limits(scores, replicates, resampled)
        scale = typical_magnitude(scores)
        held = ~exceeds(limits[:, 0], truth, scale) & ~exceeds(truth, limits[:, 1], scale)
        # An interval that does not exist holds nothing, and has no width.
        failed[number] = ~held | np.isnan(limits[:, 0])
        widths += np.nan_to_num(limits[:, 1] - limits[:, 0])
        made += ~np.isnan(limits[:, 0])
        for i, method in enumerate(METHODS):
            for k, metric in enumerate(FOUR_METRICS):
                known, width = (spread.degrees[k], spread.skewness[k]), limits[i, 1, k] - limits[i, 0, k]
                remarks[number, i, k] = metric_remark(method, metric, list(scores.T), _CONFIDENCE, known, width)
    rows = []
    for i, method in enumerate(METHODS):
        for k, metric in enumerate(FOUR_METRICS):
            bare = remarks[:, i, k] == ""
            remark = usual(remarks[:, i, k].tolist())
            row = {"subject": SUBJECT, "cell": cell["name"], "data": cell["law"]}
            row |= {"runs": cell["runs"], "tasks": cell["tasks"], "algorithms": 1, "method": method, "target": metric}
            row |= {"nominal": 1.0 - _CONFIDENCE, "datasets": datasets, "failures": int(failed[:, i, k].sum())}
            row |= {"width": widths[i, k] / made[i, k] if made[i, k] else np.nan}
            row |= {"recommended": method == RECOMMENDED and not remark, "remark": remark}
            row |= {"remarked": 1.0 - bare.mean(), "failures_unremarked": int((failed[:, i, k] & bare).sum())}
            rows.append(row)
    return pd.DataFrame(rows)


def usual(remarks: Sequence[str]) -> str:
    """The remark of most data sets; of several, the last by the alphabet."""
    return max(set(remarks), key=lambda text: (remarks.count(text), text))


def _limits(scores: Floats, replicates: int, seed: int) -> tuple[Floats, Spread]:
    """The limits of every method, float64[methods, 2, metrics], NaN where a method has none for a metric; and what
    student takes of the metrics."""
    values = metric_values(scores, FOUR_METRICS)
    drawn = replicate_metrics(scores, FOUR_METRICS, replicates, seed)
    spread, magnitude = spread_of_few_runs(scores, FOUR_METRICS), typical_magnitude(scores)
    found = np.full((len(METHODS), 2, values.size), np.nan)
    for i, method in enumerate(METHODS):
        if method in ("percentile", "basic", "normal", "student"):
            found[i] = interval(drawn, values, method, _CONFIDENCE, spread=spread)[:2]
            continue
        accelerations = ACCELERATIONS[method](scores, FOUR_METRICS) if method in ACCELERATIONS else values
        for k, value in enumerate(values):
            try:
                found[i, :, k] = interval(
                    drawn[:, k], value, method, _CONFIDENCE, accelerations[k], magnitude=magnitude
                )[:2]
            except NoIntervalError:
                continue
    return found, spread
