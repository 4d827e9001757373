"""What runs share across tasks: against scipy, for few or equal runs, and with runs matched by their names."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import f_oneway

import surefoot
from surefoot.statistics.coverage.simulated_scores import simulated_scores
from surefoot.statistics.runs.shared_run_test import FEWEST, TOLERATED, inflation_limit, run_effect


def test_limits_are_those_of_a_ratio_of_variances():
    """F of Friedman's ranks is that of an analysis of variance of runs with the tasks taken out."""
    ranks = pd.DataFrame(simulated_scores("normal", 9, 4, 0.2, 1, "limits", 0)).rank()
    found = run_effect(ranks.to_numpy())
    w = found.inflation / 4
    between = f_oneway(*(ranks - ranks.mean()).to_numpy()).statistic * (8 * 3) / (9 * 3)
    assert 3 * w / (1 - w) == pytest.approx(between)
    for confidence_level in (0.05, 0.5, 0.95):
        limit = inflation_limit(found.inflation, 9, 4, confidence_level)
        assert inflation_limit(limit, 9, 4, 0.5) == pytest.approx(
            inflation_limit(inflation_limit(found.inflation, 9, 4, 0.5), 9, 4, confidence_level)
        )


def test_few_or_equal_runs_cannot_tell():
    for scores in (np.ones((20, 3)), np.ones((1, 3)), np.arange(8.0)[:, None]):
        found = run_effect(scores)
        assert (found.finding, found.p_value, found.inflation_high) == ("cannot tell", 1.0, scores.shape[1])
    table = surefoot.shared_run_test({"a": np.arange(8.0)}).table()
    assert table["finding"].tolist() == ["cannot tell"] and table["correlation"].isna().all()
    even = np.array([np.arange(FEWEST - 1.0), -np.arange(FEWEST - 1.0)]).T
    assert run_effect(even).finding == "cannot tell" and run_effect(even).inflation_high <= TOLERATED
    assert run_effect(np.repeat(np.arange(6.0)[:, None], 4, axis=1)).finding == "found"


def test_the_library_matches_runs_by_their_names():
    random = np.random.default_rng(2)
    luck = random.normal(size=15)
    rows = [
        (algorithm, task, f"run{run}", (algorithm == "shared") * luck[run] + 0.3 * random.normal())
        for algorithm in ("shared", "separate")
        for task in "abcd"
        for run in random.permutation(15)[: 12 + ord(task) % 4]
    ]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])
    found = surefoot.shared_run_test(table).table().set_index("algorithm")
    assert found["finding"].to_dict() == {"shared": "found", "separate": "cannot tell"}
    assert found.loc["shared", "correlation"] > 0.5 and (found["runs"] < 15).all()
    given = {"a": random.normal(size=(40, 2)), "b": [random.normal(size=n) for n in (5, 9)]}
    assert surefoot.shared_run_test(given).table()["runs"].tolist() == [40, 5]
    apart = table.assign(run=table["environment"] + table["run"])
    with pytest.raises(ValueError, match=r"no run of shared covers all tasks\. Hint: runs are matched by name"):
        surefoot.shared_run_test(apart)
