"""The analyses of numbers of runs: tables as a study has them."""

import numpy as np
import pandas as pd
import pytest
from asking import ask

from surefoot.statistics.coverage.failure_rates import fraction_error

OPTIONS = {
    "metrics": ["iqm", "mean"],
    "sizes": [3, 12],
    "lifts": [0.0, 30.0],
    "confidence": 0.9,
    "datasets": 20,
    "replicates": 60,
    "seed": 4,
    "compare": ["a", "b"],
    "tasks_independent": True,
    "rounds": 5,
}


def table(runs=(8, 6), advantage=2.0):
    rng = np.random.default_rng(5)
    rows = [
        (algorithm, task, run, rng.normal(10.0 + advantage * (algorithm == "a")))
        for algorithm in "ab"
        for task, number in zip(("x", "y"), runs, strict=True)
        for run in range(number)
    ]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])


def test_plans_are_of_the_first_algorithm_unless_others_are_named():
    found = ask("run_plans", {"s": table()}, OPTIONS)
    assert set(found["algorithm"]) == {"a"} and set(found["quantity"]) == {"width", "chance"}
    assert (found[["pilot_low", "pilot_high", "tasks"]] == [6, 8, 2]).all(axis=None)
    assert len(found) == 2 * 2 * (1 + 2)
    for low, high in (("low", "high"), ("inner_low", "inner_high")):
        assert (found[low] <= found["value"]).all() and (found["value"] <= found[high]).all()
    assert (
        set(found["effect"]) <= {"negligible", "found", "cannot tell"} and found["inflation_high"].between(0, 2).all()
    )
    both = ask("run_plans", {"s": table()}, OPTIONS | {"algorithms": ["b", "a"]})
    assert list(dict.fromkeys(both["algorithm"])) == ["b", "a"]
    with pytest.raises(ValueError, match='no scores of "c"'):
        ask("run_plans", {"s": table()}, OPTIONS | {"algorithms": ["c"]})


def test_rounds_are_those_that_all_tasks_have():
    found = ask("sequential_comparison", {"s": table()}, OPTIONS)
    assert found["round"].tolist() == [1, 2, 3, 4, 5, 6] and (found["left_out"] == 2).all()
    rows = table().query("run < 3").pivot(index=["environment", "run"], columns="algorithm", values="score")
    assert found["value"][2] == pytest.approx((rows["a"] > rows["b"]).mean())
    assert np.isnan(found["ordinary_low"][0]) and found["ordinary_low"][1:].notna().all()
    assert found["apart"].all() and (found["inflation_low"] <= found["inflation_high"]).all()
    assert not ask("sequential_comparison", {"s": table()}, OPTIONS | {"tasks_independent": "auto"})["apart"].any()
    assert found["decided"].tolist() == ((found["low"] > 0.5) | (found["high"] < 0.5)).tolist()
    other = ask("sequential_comparison", {"s": table()}, OPTIONS | {"compare": ["b", "a"]})
    assert other["value"].to_numpy() == pytest.approx(1 - found["value"].to_numpy())
    assert other["low"].to_numpy() == pytest.approx(1 - found["high"].to_numpy(), abs=1e-6)


def test_false_alarms_are_of_unequal_runs_too():
    found = ask("false_alarm_rates", {"s": table()}, OPTIONS)
    assert set(found["algorithm"]) == {"b"} and (found["experiments"] == 20).all()
    assert found.groupby("method")["round"].max().tolist() == [5, 5]
    last = found[found["round"] == 5].set_index("method")["ever"]
    assert last["betting"] <= last["percentile"]


def test_the_error_of_a_fraction():
    """Beside the exact standard deviation of a fraction of 400; and none is taken to be exact."""
    assert fraction_error(0.3, 400) == pytest.approx(np.sqrt(0.3 * 0.7 / 400), rel=0.01)
    assert fraction_error(0.0, 100) == pytest.approx(np.sqrt(2 * 102) / 104**1.5)
    assert fraction_error(np.array([0.0, 1.0]), 50).min() > 0
