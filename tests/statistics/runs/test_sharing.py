"""Whether runs are shared by tasks, and standard errors that allow for it."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import trim_mean

from surefoot.statistics.resampling.jackknife import whole_run_errors, without_each_run
from surefoot.statistics.runs.run_effects import shared_runs, sharing_sentence


def _scores(draw, runs, tasks, correlation):
    shared = draw.normal(size=(runs, 1))
    return np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * draw.normal(size=(runs, tasks))


def _table(**algorithms):
    parts = [
        pd.DataFrame(scores).melt(ignore_index=False, var_name="environment", value_name="score").assign(algorithm=name)
        for name, scores in algorithms.items()
    ]
    return pd.concat(parts).rename_axis("run").reset_index()


def test_what_is_said_of_runs():
    draw = np.random.default_rng(2)
    shared, apart = _scores(draw, 10, 26, 0.5), _scores(draw, 10, 26, 0.0)
    assert shared_runs(_table(a=shared, b=apart)) == {"a": "found", "b": "found"}  # together
    assert shared_runs(_table(b=apart)) == {"b": "not found"}
    assert shared_runs(_table(b=apart[:3])) == {"b": "cannot tell"}
    assert shared_runs(_table(a=shared), declared=False) == {"a": "excluded"}
    assert shared_runs(_table(a=apart[:3]), declared=True) == {"a": "declared"}
    assert shared_runs(_table(a=shared[:, :1])) == {"a": "excluded"}
    other_names = _table(a=shared)
    other_names["run"] = other_names["run"].astype(str) + other_names["environment"].astype(str)
    assert shared_runs(other_names) == {"a": "other names"}
    with pytest.raises(ValueError, match="0 runs of a are in all tasks"):
        shared_runs(other_names, declared=True)


def test_errors_of_whole_runs_are_the_jackknife_of_rows():
    """The mean's is the standard error of the runs' means; the IQM's, by scipy's trimmed mean."""
    scores = np.random.default_rng(3).lognormal(size=(6, 8))
    error = whole_run_errors(without_each_run(scores, ["mean", "iqm"]))
    assert error[0] == pytest.approx(scores.mean(axis=1).std(ddof=1) / np.sqrt(6))
    left = np.array([trim_mean(np.delete(scores, run, axis=0), 0.25, axis=None) for run in range(6)])
    assert error[1] == pytest.approx(np.sqrt(5 / 6 * ((left - left.mean()) ** 2).sum()))


def test_runs_are_left_out_by_name():
    """Tasks in another order of runs, one of which lacks a run."""
    one, other, lone = np.array([1.0, 2.0, 4.0]), np.array([8.0, 1.0]), np.array([5.0])
    found = without_each_run([one, other, lone], ["mean weighted by tasks"], [["a", "b", "c"], ["c", "a"], ["a"]])[:, 0]
    expected = [(3.0 + 8.0 + 5.0) / 3, (2.5 + 4.5 + 5.0) / 3, (1.5 + 1.0 + 5.0) / 3]
    assert found == pytest.approx(expected)
    assert whole_run_errors(np.full((3, 1), 0.1))[0] == 0.0


def test_runs_with_other_names_in_each_task_cannot_be_matched_and_it_is_said():
    rng = np.random.default_rng(3)
    luck = rng.normal(size=10)
    rows = [("a", f"t{task}", f"id{task}_{run}", luck[run] + rng.normal()) for task in range(26) for run in range(10)]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])
    assert shared_runs(table) == {"a": "other names"}
    assert "runs have other names in each task" in sharing_sentence(["other names", "not found"], 10)
    assert shared_runs(table.assign(run=table["run"].str.partition("_")[2])) == {"a": "found"}
