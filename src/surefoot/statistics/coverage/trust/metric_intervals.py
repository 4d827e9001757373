"""How often intervals of metrics of one algorithm miss the truth, by number of runs.

Tasks are fixed, as in a benchmark, and the truth is the metric of the tasks' own distributions. All intervals of a data
set are made of the same resamples of runs. The method percentile is the interval of rliable: the stratified bootstrap
with percentile limits (Agarwal et al. 2021, appendix A.5).
"""

from typing import Any

import numpy as np
import pandas as pd

from surefoot.statistics.arrays import Floats
from surefoot.statistics.coverage.failure_rates import CONFIDENCE, failure_table, usual
from surefoot.statistics.coverage.simulated_scores import TASK_LAWS, scores_of, true_values, uniform_numbers
from surefoot.statistics.metrics.catalogue import FOUR_METRICS
from surefoot.statistics.resampling.interval_remarks import metric_remark
from surefoot.statistics.resampling.jackknife import ACCELERATIONS, StandardErrors, standard_errors
from surefoot.statistics.resampling.replicate_intervals import METHODS, NoIntervalError, interval, student_interval
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics
from surefoot.statistics.ties import exceeds, typical_magnitude
from surefoot.streams import stream_key

SUBJECT = "metric intervals"
RECOMMENDED = "student"


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
    counted = []
    for number in range(datasets):
        scores = scores_of(cell["law"], uniform_numbers(shape, seed, cell["name"], number))
        resampled = int(stream_key(seed, "trust", SUBJECT, cell["name"], number)[0])
        limits, errors = _limits(scores, replicates, resampled)
        scale = typical_magnitude(scores)
        for i, method in enumerate(METHODS):
            for k, metric in enumerate(FOUR_METRICS):
                low, high = limits[i, :, k]
                # An interval that does not exist holds nothing, and has no width.
                missed = np.isnan(low) or exceeds(low, truth[k], scale) or exceeds(truth[k], high, scale)
                known = errors.degrees[k], errors.skewness[k]
                remark = metric_remark(method, metric, list(scores.T), CONFIDENCE, known, high - low)
                counted.append((method, metric, bool(missed), high - low, remark))
    table = pd.DataFrame(counted, columns=["method", "target", "missed", "width", "remark"])
    rows = []
    for (method, metric), group in table.groupby(["method", "target"], sort=False):
        bare, remark = group["remark"] == "", usual(group["remark"].tolist())
        row = {
            "method": method,
            "target": metric,
            "failures": int(group["missed"].sum()),
            "width": group["width"].mean(),
        }
        row |= {"recommended": method == RECOMMENDED and not remark, "remark": remark}
        row |= {"remarked": 1.0 - bare.mean(), "failures_unremarked": int((group["missed"] & bare).sum())}
        rows.append(row)
    return failure_table(SUBJECT, cell, datasets, rows, data=cell["law"], algorithms=1)


def _limits(scores: Floats, replicates: int, seed: int) -> tuple[Floats, StandardErrors]:
    """The limits of every method, float64[methods, 2, metrics], NaN where a method has none for a metric; and what
    student takes of the metrics."""
    values = metric_values(scores, FOUR_METRICS)
    drawn = replicate_metrics(scores, FOUR_METRICS, replicates, seed)
    errors, magnitude = standard_errors(scores, FOUR_METRICS, "runs", drawn), typical_magnitude(scores)
    found = np.full((len(METHODS), 2, values.size), np.nan)
    for i, method in enumerate(METHODS):
        if method in ("percentile", "basic", "normal"):
            found[i] = interval(drawn, values, method, CONFIDENCE)[:2]
            continue
        if method == "student":
            found[i] = student_interval(values, errors.errors, errors.degrees, CONFIDENCE, drawn)[:2]
            continue
        accelerations = ACCELERATIONS[method](scores, FOUR_METRICS) if method in ACCELERATIONS else values
        for k, value in enumerate(values):
            try:
                found[i, :, k] = interval(
                    drawn[:, k], value, method, CONFIDENCE, accelerations[k], magnitude=magnitude
                )[:2]
            except NoIntervalError:
                continue
    return found, errors
