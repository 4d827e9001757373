"""Mean scores in single environments."""

import numpy as np
import pandas as pd
import pytest

import surefoot
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
