"""A report on several metrics."""

from itertools import product

import pandas as pd
import yaml
from support.jobs import leave_out_pages
from support.write_event_files import simple, write_events

from surefoot.cli.commands import main


def test_several_metrics_are_studies_of_one_file(tmp_path, monkeypatch, capsys):
    """Two tags of a folder of TensorBoard, of which a lower cost is better."""
    leave_out_pages(monkeypatch)
    for algorithm, environment, run in product("ab", "xy", range(3)):
        level = run + (algorithm == "b")
        folder = tmp_path / "runs" / algorithm / environment / str(run)
        write_events(folder, [simple("eval/return", 1, 10.0 + level), simple("eval/cost", 1, 50.0 + level)])
    command = ["report", str(tmp_path / "runs"), "-o", str(tmp_path / "page"), "--metric", "eval/return"]
    command += ["--pattern", "{algorithm}/{environment}/{run}", "--metric", "eval/cost"]
    assert main([*command, "--lower-is-better", "eval/cos"]) == 2
    assert 'no runs for the environment "eval/cos"' in capsys.readouterr().err
    assert main([*command, "--lower-is-better", "eval/cost"]) == 0
    studies = yaml.safe_load((tmp_path / "page" / "study.yaml").read_text())["studies"]
    sources = {name: one["sources"]["runs"] for name, one in studies.items()}
    assert sources["runs_eval_cost"]["lower_is_better"] is True and "lower_is_better" not in sources["runs_eval_return"]
    found = pd.read_parquet(tmp_path / "page" / sources["runs_eval_cost"]["file"])
    assert len(found) == 12 and found["score"].min() == 50
    assert studies["runs_eval_return"]["title"] == "a and b in 2 environments: eval/return"
    assert main(command) == 0, "a file that is kept has its studies"
    assert main(command[:-2]) == 2
    assert "it does not have one study. Hint: move the file away" in capsys.readouterr().err


def test_a_final_score_that_is_missing_is_told_once(tmp_path, monkeypatch, capsys):
    """As a run without a score, which gets the worst one: not as left out, too, nor as one that ended early."""
    leave_out_pages(monkeypatch)
    rows = [f"{name},{place},{run},{run + 0.5}" for name in "ab" for place in "xy" for run in range(4)]
    (tmp_path / "final.csv").write_text("\n".join(["algorithm,environment,run,score", *rows, "a,x,4,"]))
    command = ["report", str(tmp_path / "final.csv"), "--invalid-scores", "drop", "-o", str(tmp_path / "page")]
    assert main(command) == 0
    said = capsys.readouterr().out
    assert "runs that left no score (1): a / x / 4" in said and "ended early" not in said
    assert "Some runs left no score (1 of a); each has the worst score of any run in its environment." in said
    remarks = pd.read_parquet(tmp_path / "page" / "scores.parquet").attrs.get("remarks", [])
    assert not any("left out" in remark for remark in remarks)
