"""The jackknife: what it leaves out, and what has no interval."""

import numpy as np
import pytest
from support.naive_formulas import cut_of, mean_between

from surefoot.statistics.resampling.jackknife import (
    row_acceleration,
    standard_errors,
    stratified_acceleration,
    whole_run_errors,
    without_each_run,
)


def test_students_interval_needs_runs():
    with pytest.raises(ValueError, match="student: a task has only one run"):
        standard_errors(np.ones((1, 3)), ["iqm"], "runs", np.ones((9, 1)))
    of_equal_runs = standard_errors(np.ones((4, 3)), ["mean"], "runs", np.array([[1.0], [-1.0]]))
    assert of_equal_runs.errors == pytest.approx(np.sqrt(8 / 3))


UNEQUAL = [(2, 3, 6), (3, 10, 3, 10, 7), (1, 1, 1, 4), (5, 5, 5, 5, 4)]


@pytest.mark.parametrize("sizes", UNEQUAL)
def test_leaving_a_run_out_keeps_weights_and_cut(sizes):
    """The acceleration, from values without each run: tasks weigh as much as before."""
    rng = np.random.default_rng([2, *sizes])
    columns = [rng.normal(task, 1.0, size) for task, size in enumerate(sizes)]
    cut, moved = cut_of(columns, 0.25), []
    for task, column in enumerate(columns):
        if len(column) > 1:
            rests = [[*columns[:task], np.delete(column, run), *columns[task + 1 :]] for run in range(len(column))]
            without = np.array([mean_between(rest, cut, 1 - cut) for rest in rests])
            moved += list((len(column) - 1) / len(column) * (without.mean() - without))
    cubes, squares = np.sum(np.array(moved) ** 3), np.sum(np.array(moved) ** 2)
    assert stratified_acceleration(columns, ["iqm"]) == pytest.approx(cubes / (6 * squares**1.5), rel=1e-9)


def test_a_single_run_has_no_acceleration():
    with pytest.raises(ValueError, match="bca: a task has only one run"):
        row_acceleration(np.ones((1, 3)), ["iqm"])
    with pytest.raises(ValueError, match="bca_stratified: a task has only one run"):
        stratified_acceleration(np.ones((1, 3)), ["iqm"])
    with pytest.raises(ValueError, match="2 to 3 runs"):
        row_acceleration([np.ones(2), np.ones(3)], ["iqm"])


def test_runs_are_left_out_by_name():
    """Tasks in another order of runs, one of which lacks a run."""
    one, other, lone = np.array([1.0, 2.0, 4.0]), np.array([8.0, 1.0]), np.array([5.0])
    found = without_each_run([one, other, lone], ["mean weighted by tasks"], [["a", "b", "c"], ["c", "a"], ["a"]])[:, 0]
    expected = [(3.0 + 8.0 + 5.0) / 3, (2.5 + 4.5 + 5.0) / 3, (1.5 + 1.0 + 5.0) / 3]
    assert found == pytest.approx(expected)
    assert whole_run_errors(np.full((3, 1), 0.1))[0] == 0.0
