"""Scores of several tasks without a common scale carry a remark wherever they are averaged, and others none."""

import numpy as np
import pandas as pd
import pytest
from asking import function_of

import surefoot


def returns(*typical: float, algorithms: tuple[str, ...] = ("sac", "ppo")) -> pd.DataFrame:
    """Five runs of each algorithm in each task, of this size."""
    rng = np.random.default_rng(2)
    rows = [
        (name, f"task{task}", run, size * rng.normal(1.0, 0.1))
        for name in algorithms
        for task, size in enumerate(typical)
        for run in range(5)
    ]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])


def test_raw_returns_carry_a_remark_in_the_print_and_the_finding():
    found = surefoot.aggregates(returns(4500, 3000), replicates=50)
    assert "as they are" in found.remark and "task0" in found.remark and "surefoot.normalized_scores" in found.remark
    assert found.remark in " ".join(repr(found).split())
    assert surefoot.pairwise_differences(returns(4500, 3000)).finding().endswith(found.remark)


@pytest.mark.parametrize("question", ["improvement", "ranks", "run_effects"])
def test_what_compares_within_a_task_carries_none(question):
    assert function_of(question)(returns(4500, 3000)).remark == ""


@pytest.mark.parametrize("typical", [(0.5, 0.9), (1.2, 30.0, 2.0), (60.0, 90.0), (4500.0,)])
def test_scores_that_may_be_normalized_and_single_tasks_carry_none(typical):
    assert surefoot.aggregates(returns(*typical), metrics="iqm", replicates=50).remark == ""


def test_returns_of_small_size_are_known_by_their_curves():
    curves = pd.concat([returns(12, 3).assign(step=step) for step in (1, 2)])
    scores = surefoot.scores_of_curves(curves, "last")
    assert "as they are" in surefoot.aggregates(scores, metrics="iqm", replicates=50).remark


def test_min_max_says_that_its_ends_are_of_these_runs_and_reference_scores_do_not():
    normalized = surefoot.normalized_scores(returns(4500, 3000), "min_max")
    assert "(min_max)" in surefoot.aggregates(normalized, metrics="iqm", replicates=50).remark
    of_references = surefoot.normalized_scores(
        returns(4500, 3000), "reference_scores", reference_values={"task0": (0.0, 5000.0), "task1": (0.0, 1.0)}
    )
    assert surefoot.aggregates(of_references, metrics="iqm", replicates=50).remark == ""
    unchanged = surefoot.normalized_scores(returns(4500, 3000), "none")
    assert "as they are" in surefoot.aggregates(unchanged, metrics="iqm", replicates=50).remark
