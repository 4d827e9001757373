"""The questions that `surefoot report` asks: with a baseline, and of a single environment."""

from itertools import product

import numpy as np
import pandas as pd
import yaml
from support.jobs import leave_out_pages

from surefoot.cli.commands import main


def test_a_baseline_is_that_of_all_comparisons(tmp_path, monkeypatch, capsys):
    leave_out_pages(monkeypatch)
    each = product(enumerate("abc"), "xy", range(4), (10, 20))
    rows = [(name, place, run, step, level + run + step) for (level, name), place, run, step in each]
    pd.DataFrame(rows, columns=["algorithm", "environment", "run", "step", "score"]).to_csv(
        tmp_path / "runs.csv", index=False
    )
    command = ["report", str(tmp_path / "runs.csv"), "-o", str(tmp_path / "page")]
    assert main([*command, "--baseline", "d"]) == 2
    error = capsys.readouterr().err
    assert '--baseline: no runs for the algorithm "d". Hint: ' in error and not (tmp_path / "page").exists()
    assert main([*command, "--baseline", "b"]) == 0
    (study,) = yaml.safe_load((tmp_path / "page" / "study.yaml").read_text())["studies"].values()
    asked = study["questions"]
    assert {
        asked[name]["baseline"]
        for name in (
            "multiple_comparisons",
            "pairwise_differences",
            "probability_of_improvement",
            "curve_differences",
        )
    } == {"b"}
    assert main([*command, "--baseline", "a"]) == 2
    assert "has baseline: b. Hint: use -o " in capsys.readouterr().err


def test_no_mean_is_asked_twice(tmp_path, monkeypatch):
    """That of one environment is that of all, whose interval is computed otherwise; the median of two means is their
    mean."""
    leave_out_pages(monkeypatch)
    draw = np.random.default_rng(1)
    rows = [(name, place, run, draw.normal()) for name, place, run in product("ab", "xyz", range(4))]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])
    asked = {}
    parts = (("one", table[table["environment"] == "x"]), ("two", table[table["environment"] < "z"]), ("three", table))
    for where, part in parts:
        part.to_csv(tmp_path / f"{where}.csv", index=False)
        assert main(["report", str(tmp_path / f"{where}.csv"), "-o", str(tmp_path / where)]) == 0
        (study,) = yaml.safe_load((tmp_path / where / "study.yaml").read_text())["studies"].values()
        asked[where] = study["questions"]
    assert "task_means" not in asked["one"] and asked["one"]["aggregate_metrics"]["metrics"] == ["iqm", "mean"]
    assert "task_means" in asked["two"] and "median" not in asked["two"]["aggregate_metrics"]["metrics"]
    assert "median" in asked["three"]["aggregate_metrics"]["metrics"]
