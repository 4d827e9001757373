"""The table of runs: a remark names equal runs; and summaries of such tables."""

import time

import numpy as np
import pandas as pd
import pytest
from support.read_folders import read_folder
from support.write_logs import write_text

import surefoot
from surefoot.errors import HintedError
from surefoot.runs.logs.run_table import summarize_runs


def test_runs_that_are_equal_to_the_last_digit_are_told(tmp_path):
    for name, first in (("1", 0.5), ("2", 1.5), ("2 (copy)", 1.5)):
        write_text(tmp_path / "ppo" / "Ant" / f"{name}.csv", f"step,return\n1,{first}\n2,2.5\n3,4.5\n")
    found = read_folder(tmp_path, pattern="{algorithm}/{environment}/{run}")
    (remark,) = [remark for remark in found.remarks if "to the last digit" in remark]
    assert remark.startswith("2 runs have") and "run 2, and ppo in Ant, run 2 (copy)" in remark


def test_what_was_found_takes_time_in_proportion_to_algorithms():
    """Pandas copies what a table carries beside its rows for each group: 10,000 algorithms took hours."""
    names = [f"a{number}" for number in range(500)]
    table = pd.DataFrame({"algorithm": np.repeat(names, 2), "environment": "t", "run": [0, 1] * 500, "score": 1.0})
    table.attrs = {"format": "table", "metrics": dict.fromkeys(names, "score")}
    started = time.process_time()
    assert len(summarize_runs(table)) == 500
    assert time.process_time() - started < 1.0


def test_a_summary_counts_runs_steps_and_episodes():
    rows = [("a", "x", 0, 10), ("a", "x", 0, 20), ("a", "x", 1, 30), ("a", "y", 0, 5), ("b", "x", 0, 20)]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "step"]).assign(score=1.0, episodes=3)
    found = surefoot.summarize_runs(table.assign(kind="eval"))
    assert found.to_dict("records") == [
        {"format": "table", "algorithm": "a", "kind": "eval", "environments": 2, "runs": 3, "min_runs": 1}
        | {"max_runs": 2, "points": 4, "episodes": 12, "last_step_of_shortest": 5, "last_step_of_longest": 30},
        {"format": "table", "algorithm": "b", "kind": "eval", "environments": 1, "runs": 1, "min_runs": 1}
        | {"max_runs": 1, "points": 1, "episodes": 3, "last_step_of_shortest": 20, "last_step_of_longest": 20},
    ]
    with pytest.raises(HintedError, match="column score is missing"):
        surefoot.summarize_runs(table.drop(columns="score"))
