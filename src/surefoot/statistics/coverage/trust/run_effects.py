"""Do intervals of aggregates hold where a run has an effect on all of its tasks?

The percentile interval by the stratified bootstrap resamples the runs of each task on their own, and takes tasks for
independent. Resampling whole runs does not.
"""

from typing import Any

import pandas as pd

from surefoot.statistics.coverage.failure_rates import CONFIDENCE, Tally, failure_table
from surefoot.statistics.coverage.simulated_scores import population, simulated_scores
from surefoot.statistics.resampling.replicate_intervals import interval
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics
from surefoot.statistics.runs.run_effects import FOUND, run_effect
from surefoot.streams import stream_key

METRICS = ("mean", "iqm")


def cells() -> list[dict[str, Any]]:
    """Effects of each size with 10 and 30 runs of 10 tasks, and of skewed and two-point scores."""
    made = [("normal", correlation, runs) for runs in (10, 30) for correlation in (0.0, 0.1, 0.3, 1.0)]
    made += [("skewed", 0.3, 10), ("two_point", 0.3, 10)]
    keys = ("law", "correlation", "runs")
    return [
        {"name": f"{law}, effect of runs {correlation:g}, {runs} runs"}
        | dict(zip(keys, (law, correlation, runs), strict=True))
        | {"tasks": 10}
        for law, correlation, runs in made
    ]


def cover(cell: dict[str, Any], datasets: int, replicates: int, seed: int) -> pd.DataFrame:
    """How often intervals of each kind of resampling miss the metric of the law.

    Parameters
    ----------
    cell : one of `cells()`; datasets : sets of scores; replicates : resamples of each

    Returns
    -------
    the columns of a study of trust, and remarked (fraction of the data sets in which an effect of runs is found at 1
    %, and the remark is made)
    """
    truth = metric_values([population(cell["law"])] * cell["tasks"], METRICS)
    remarked, tally = 0, Tally(datasets)
    for number in range(datasets):
        shape = cell["law"], cell["runs"], cell["tasks"], cell["correlation"]
        scores = simulated_scores(*shape, seed, cell["name"], number)
        remarked += run_effect(scores, 0.99, 199).finding == FOUND
        for resampled in ("runs", "whole_runs"):
            key = int(stream_key(seed, cell["name"], number, resampled)[0])
            drawn = replicate_metrics(scores, METRICS, replicates, key, resampled=resampled)
            low, high = interval(drawn, None, "percentile", CONFIDENCE)[:2]
            for name, *limits, true in zip(METRICS, low, high, truth, strict=True):
                missed = true < limits[0] or true > limits[1]
                tally.add(f"percentile, {resampled}", name, missed, limits[1] - limits[0])
    rows = [row | {"recommended": False, "remarked": remarked / datasets} for row in tally.rows()]
    data = f"{cell['law']}, {cell['correlation']:g}"
    return failure_table("run effects", cell, datasets, rows, data=data, algorithms=1)
