"""Mean scores in single environments."""

import numpy as np
import pandas as pd
import pytest

import surefoot
from surefoot.charts.aggregates import task_means_finding as finding
from surefoot.charts.aggregates import task_means_table as table


@pytest.fixture
def runs():
    rng = np.random.default_rng(0)
    sizes = {("b", "far"): 4, ("a", "far"): 3, ("b", "near"): 5, ("a", "near"): 1}
    parts = [
        pd.DataFrame({"algorithm": name, "environment": task, "run": range(size), "score": rng.normal(1000, 40, size)})
        for (name, task), size in sizes.items()
    ]
    return pd.concat(parts, ignore_index=True)


def test_the_drawn_table_has_numbers_and_titles(runs):
    means = surefoot.task_means(runs).table()
    settings = {"analysis": "task_means", "algorithm_titles": {"a": "Ours"}, "environment_titles": {}}
    drawn = table({"estimate/task_means": means}, settings)[1]
    assert drawn.columns.tolist() == ["environment", "algorithm", "runs", "mean", "low", "high"]
    assert set(drawn["algorithm"]) == {"b", "Ours"} and drawn["mean"].dtype == float
    keyed = drawn.set_index(["algorithm", "environment"])["mean"]
    known = means.set_index(["algorithm", "environment"])["mean"]
    assert keyed.loc["b", "far"] == known.loc["b", "far"] and keyed.loc["Ours", "near"] == known.loc["a", "near"]


def test_the_sentence_counts_environments():
    rows = [("x", "a", 1.0), ("x", "b", 2.0), ("y", "a", 1.0), ("y", "b", 1.5), ("z", "a", 3.0), ("z", "b", 0.0)]
    means = pd.DataFrame(rows, columns=["environment", "algorithm", "mean"]).assign(runs=5, low=0.0, high=4.0)
    said = finding(means, {"algorithm_titles": {}})
    assert said.startswith("Highest mean: b in 2 of 3 environments, a in 1.")
    assert finding(means[:2], {"algorithm_titles": {}}).startswith("b has the highest mean.")
    many = means[:2].assign(runs=30)
    assert finding(many, {"algorithm_titles": {}}) == "b has the highest mean."
    few = finding(means[:2].assign(runs=3), {"algorithm_titles": {}})
    assert few.endswith("With 3 runs, an interval is right only if scores are nearly normal, without rare failures.")
    equal = finding(many.assign(low=1.0, high=1.0), {"algorithm_titles": {}})
    assert equal.endswith("Equal runs give 2 intervals that have no width, which means nothing for runs not seen.")
