"""Sentences on learning curves."""

import pandas as pd

import surefoot
from surefoot.charts.learning_curve_charts import run_curves_finding as of_run_curves


def test_mean_curves_are_described_without_a_verdict():
    runs = pd.DataFrame(
        [
            {"algorithm": name, "environment": place, "run": run, "step": step, "score": factor * step + run}
            for place in ("here", "there")
            for name, factor, last in (("a", 1.0, 9), ("b", 1.2, 5))
            for run in range(3)
            for step in range(last + 1)
        ]
    )
    said = surefoot.run_curves(runs).finding()
    assert said == "Mean scores of each algorithm in each environment, with 95 % intervals at each step."
    single = surefoot.run_curves(runs[runs["run"] == 0])
    assert single.table()["low"].isna().all() and "No interval" in single.finding() and single.chart()
    alone = surefoot.run_curves(runs[runs["algorithm"] == "a"]).table()
    assert of_run_curves(alone) == "Learning curves of 6 runs of a."
