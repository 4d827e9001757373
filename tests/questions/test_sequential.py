"""Comparisons that may end early, as they are asked of runs."""

import numpy as np
import pytest

import surefoot
from surefoot.statistics.comparison.group_sequential import group_sequential


def test_equal_means_of_different_distributions_may_be_separated():
    """What is shown is that the distributions differ, as documented: of 40 pairs with means of 0.8, where one algorithm
    collapses in 20 % of runs, about 12 are separated. At a level of 5 % 8 or more would be once in 1,500 times."""
    rng = np.random.default_rng(12)
    separated = 0
    for draw in range(40):
        steady = 0.8 + 0.05 * rng.normal(size=(5, 5))
        collapsing = np.where(rng.random((5, 5)) < 0.2, 0.0, 1.0) + 0.05 * rng.normal(size=(5, 5))
        separated += bool(group_sequential(np.stack([steady, collapsing]), 5, seed=draw).separated[0])
    assert separated >= 8
    found = surefoot.group_sequential({"a": np.linspace(0.7, 0.9, 5)[:, None], "b": np.zeros((5, 1))}, skip_checks=True)
    assert "Their distributions differ. So far, a has a higher mean than b." in found.finding()


def test_what_no_design_has_is_refused():
    rng = np.random.default_rng(7)
    with pytest.raises(ValueError, match="got 3 groups of runs for 2 planned looks"):
        surefoot.group_sequential({name: rng.normal(size=(15, 2)) for name in "ab"}, looks=2, skip_checks=True)
    with pytest.raises(ValueError, match=r"2 runs of a task, but a group needs 5\. Hint: collect more runs$"):
        surefoot.group_sequential({name: np.zeros((2, 1)) for name in "ab"}, skip_checks=True)
    with pytest.raises(ValueError, match="4 runs of a task, but a group needs 5"):
        surefoot.group_sequential({name: rng.normal(size=(4, 2)) for name in "ab"}, skip_checks=True)


PILOT = np.random.default_rng(0).normal(10.0, 2.0, (25, 4))


UNEQUAL = {"a": [PILOT[:8, 0] + 2.0, PILOT[:6, 1] + 2.0], "b": [PILOT[8:16, 0], PILOT[8:14, 1]]}
"""Two tasks with 8 and 6 runs."""


def test_rounds_are_those_that_all_tasks_have():
    asked = {"algorithms": ["a", "b"], "confidence_level": 0.9, "n_resamples": 60, "skip_checks": True}
    found = surefoot.sequential_comparison(UNEQUAL, tasks_independent=True, **asked).table()
    assert found["round"].tolist() == [1, 2, 3, 4, 5, 6] and (found["left_out"] == 2).all()
    wins = [np.mean(x[:3] > y[:3]) for x, y in zip(UNEQUAL["a"], UNEQUAL["b"], strict=True)]
    assert found["estimate"][2] == pytest.approx(np.mean(wins))
    assert np.isnan(found["ordinary_low"][0]) and found["ordinary_low"][1:].notna().all()
    assert found["tasks_counted_separately"].all() and (found["inflation_low"] <= found["inflation_high"]).all()
    assert (
        not surefoot.sequential_comparison(UNEQUAL, tasks_independent="auto", **asked)
        .table()["tasks_counted_separately"]
        .any()
    )
    assert found["decided"].tolist() == ((found["low"] > 0.5) | (found["high"] < 0.5)).tolist()
    other = surefoot.sequential_comparison(
        UNEQUAL, tasks_independent=True, **asked | {"algorithms": ["b", "a"]}
    ).table()
    assert other["estimate"].to_numpy() == pytest.approx(1 - found["estimate"].to_numpy())
    assert other["low"].to_numpy() == pytest.approx(1 - found["high"].to_numpy(), abs=1e-6)
