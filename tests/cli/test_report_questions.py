"""`surefoot report --baseline`: each algorithm against one, which is checked before any job."""

from itertools import product

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
    assert '--baseline: no runs of the algorithm "d". Hint: ' in error and not (tmp_path / "page").exists()
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
    assert "has baseline: b. Hint: -o " in capsys.readouterr().err
