"""The study of a report."""

import pandas as pd
import pytest
from support.jobs import leave_out_pages, written

from surefoot.cli.commands import main


@pytest.mark.parametrize("rule", [["best"], ["steps_to", "--rule-argument", "50"]])
def test_rules_for_high_scores_are_refused_for_losses(runs, tmp_path, capsys, rule):
    command = ["report", str(runs), "--pattern", "{environment}__{algorithm}__{seed}", "-o", str(tmp_path / "page")]
    assert main([*command, "--rule", *rule, "--lower-is-better"]) == 2
    assert f"--rule: {rule[0]} treats higher scores as better" in capsys.readouterr().err
    assert main([*command, "--rule", f"{rule[0]}t"]) == 2
    assert f'command line: --rule: "{rule[0]}t" is not known. Hint: did you mean "{rule[0]}"' in capsys.readouterr().err


def test_runs_are_compared_up_to_the_end_of_the_shortest(tmp_path, monkeypatch, capsys):
    """None of them ended early."""
    leave_out_pages(monkeypatch)
    rows = [
        (a, "x", run, pace * k, k) for a, pace in (("a", 1.0), ("b", 3.0)) for run in range(3) for k in range(1, 31)
    ]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "seconds", "score"])
    table.to_csv(tmp_path / "runs.csv", index=False)
    command = [
        "report",
        str(tmp_path / "runs.csv"),
        "-o",
        str(tmp_path / "page"),
        "--step",
        "seconds",
        "--rule",
        "last",
    ]
    assert main(command) == 0
    said = capsys.readouterr().out
    assert "Runs are compared up to the seconds at which the shortest ends (30 in x)." in said and "early" not in said
    assert pd.read_parquet(tmp_path / "page" / "curves.parquet")["step"].max() == 30
    assert "runs_otherwise" not in written(tmp_path)["sources"]


def test_lower_is_better_in_all_or_some(atari, capsys):
    command = ["report", str(atari / "runs.csv"), "-o", str(atari / "page"), "--lower-is-better"]
    assert main([*command, "ALE/Pong-v4"]) == 2
    assert 'no runs for the environment "ALE/Pong-v4". Hint: did you mean "ALE/Pong-v5"' in capsys.readouterr().err
    assert main([*command, "ALE/Pong-v5"]) == 0
    assert written(atari)["sources"]["runs"]["lower_is_better"] == ["ALE/Pong-v5"]
    assert main([*command[:2], "-o", str(atari / "all" / "page"), "--lower-is-better"]) == 0
    assert written(atari / "all")["sources"]["runs"]["lower_is_better"] is True


@pytest.mark.parametrize(("sign", "option"), [(1.0, ["--lower-is-better"]), (-1.0, [])])
def test_a_plan_of_negative_scores_has_no_lifts(tmp_path, monkeypatch, sign, option):
    """Losses are negated; raising a negative score by a factor makes it worse, which the plan refuses."""
    leave_out_pages(monkeypatch)
    rows = [(name, "x", run, sign * (level + run)) for level, name in enumerate("ab", 1) for run in range(4)]
    pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"]).to_csv(tmp_path / "runs.csv", index=False)
    assert main(["report", str(tmp_path / "runs.csv"), "-o", str(tmp_path / "page"), *option]) == 0
    assert written(tmp_path)["questions"]["how_many_runs"] == {"kind": "plan_runs", "lifts": [0]}
