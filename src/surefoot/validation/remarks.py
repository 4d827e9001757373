"""Failure rates of Student's interval of a metric, by remark.

The kinds of studies are those of `drawn_kinds`, and the intervals and remarks are those that `aggregate_metrics`
returns. A row counts the data sets of a kind that have a given remark, so its failure rate applies to data sets with
this remark, even if most data sets of the kind do not have it. The column failures_whole_runs counts the misses of the
interval that treats a run on all tasks as one observation.
"""

from typing import Any

import numpy as np
import pandas as pd

from surefoot.statistics.arrays import Floats, exceeds, typical_magnitude
from surefoot.statistics.coverage.failure_rates import Study, failure_table
from surefoot.statistics.metrics.metric_catalogue import metric
from surefoot.statistics.resampling.interval_remarks import metric_remark
from surefoot.statistics.resampling.jackknife import standard_errors
from surefoot.statistics.resampling.replicate_intervals import student_interval
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics
from surefoot.statistics.runs.shared_run_findings import EXCLUDED, Sharing, finding_of_test
from surefoot.statistics.runs.shared_run_sentences import is_of_sharing
from surefoot.statistics.runs.shared_run_test import FOUND, sharing_test
from surefoot.streams import stream_key
from surefoot.validation.drawn_kinds import _CELLS, kind

METRICS = ("iqm", "mean", "optimality_gap", "median")
NONE = "none"
_BEGINNINGS = {
    "all runs that determine": "no width",
    "runs may": "runs may vary together",
    "runs seem": "runs seem to vary together",
    "with": "few runs",
}


def remark_class(remark: str) -> str:
    """Return the short name of a remark; if it has several parts, of the part that is not about shared runs."""
    parts = sorted(remark.split("; "), key=is_of_sharing)
    return next((name for beginning, name in _BEGINNINGS.items() if parts[0].startswith(beginning)), NONE)


def _sharing(scores: list[Floats], seed: int) -> Sharing:
    """Implement `sharing_of_runs` for the scores of one algorithm, whose runs are matched by index."""
    if len(scores) < 2:
        return Sharing(EXCLUDED)
    fewest = min(map(len, scores))
    matched = np.array([column[:fewest] for column in scores]).T
    test = sharing_test({"a": matched}, seed)
    p_value = test.alone["a"]
    return Sharing(finding_of_test(p_value, test.degrees, len(scores), test.inflation), p_value)


def _misses(low: Any, high: Any, truth: float, magnitude: float) -> bool:
    return bool(exceeds(low, truth, magnitude) or exceeds(truth, high, magnitude))


def _cover(cell: dict[str, Any], datasets: int, n_resamples: int, seed: int) -> pd.DataFrame:
    drawn = kind(seed, cell["number"])
    truths = drawn.true_values()
    study_seed = int(stream_key(seed, "trust", "remarks", cell["name"])[0] % 2**31)
    metrics = [metric(name) for name in METRICS]
    counted: list[tuple[str, str, bool, bool, float]] = []
    for number in range(datasets):
        scores = drawn.samples(seed, "a", number)
        sharing = _sharing(scores, study_seed + number)
        resamples = replicate_metrics(scores, metrics, n_resamples, study_seed, f"{number}")
        values = metric_values(scores, metrics)
        apart = standard_errors(scores, metrics, "runs", resamples)
        whole = standard_errors(scores, metrics, "whole_runs") if len(scores) > 1 else apart
        magnitude = typical_magnitude(np.concatenate(scores))
        for place, name in enumerate(METRICS):
            of_tasks = student_interval(
                values[place], apart.errors[place], apart.degrees[place], 0.95, resamples[:, place], magnitude
            )
            of_runs = student_interval(values[place], whole.errors[place], whole.degrees[place], 0.95, None, magnitude)
            low, high = of_runs if sharing.finding == FOUND else of_tasks
            width = float(high - low)
            remark = metric_remark("student", name, scores, width=width, sharing=sharing)
            missed = _misses(low, high, truths[name], magnitude)
            whole_missed = _misses(*of_runs, truths[name], magnitude) if len(scores) > 1 else missed
            counted.append((remark_class(remark), name, missed, whole_missed, width))
    table = pd.DataFrame(counted, columns=["method", "target", "missed", "whole_runs_missed", "width"])
    rows = [
        {
            "method": remark,
            "target": name,
            "datasets": len(group),
            "failures": int(group["missed"].sum()),
            "failures_whole_runs": int(group["whole_runs_missed"].sum()),
            "width": group["width"].mean(),
            "recommended": True,
        }
        for (remark, name), group in table.groupby(["method", "target"], sort=False)
    ]
    about = {"data": drawn.described, "runs": min(drawn.sizes), "tasks": len(drawn.sizes), "algorithms": 1}
    return failure_table("remarks", cell, datasets, rows, shared=drawn.correlation > 0.0, **about)


remarks = Study(_CELLS, _cover)
