"""Columns that name runs: names that look alike are refused, and others are distinguished."""

import pandas as pd
import pytest
from support.read_folders import read_folder, told
from support.write_logs import write_text

import surefoot
from surefoot.errors import HintedError


def test_runs_called_7_and_07_are_told_apart(tmp_path):
    names = ("7", "07", "007")
    cells = "".join(f"{name},e,{run},{k}\n" for name in "ab" for k, run in enumerate(names))
    write_text(tmp_path / "runs.csv", f"algorithm,environment,run,score\n{cells}")
    table = read_folder(tmp_path / "runs.csv").table
    assert sorted(table["run"].unique()) == sorted(names)
    with pytest.raises(HintedError, match="run 7 occurs 3 times"):
        surefoot.aggregate_metrics(table)


@pytest.mark.parametrize("other", ["ppo ", "pp\u200bo", "\ufeffppo"])
def test_names_that_look_alike_are_refused(tmp_path, other):
    cells = "".join(f"{name},e,{run},1\n" for name in ("ppo", other) for run in (1, 2))
    write_text(tmp_path / "runs.csv", f"algorithm,environment,run,score\n{cells}")
    assert "two values of algorithm look the same" in told(tmp_path / "runs.csv")
    table = pd.DataFrame({"algorithm": ["ppo", other], "environment": "e", "run": 0, "score": [1.0, 2.0]})
    with pytest.raises(HintedError, match="two values of algorithm look the same"):
        surefoot.aggregate_metrics(table)
