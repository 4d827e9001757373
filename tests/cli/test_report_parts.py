"""A report on several metrics."""

import pandas as pd
import yaml
from support.jobs import leave_out_pages

from surefoot.cli import report_writing
from surefoot.cli.commands import main


def test_several_metrics_are_studies_of_one_file(tmp_path, monkeypatch, capsys):
    """Two tags of a folder of TensorBoard, of which a lower cost is better."""
    leave_out_pages(monkeypatch)
    rows = [
        (a, e, run, metric, base + run + (a == "b"))
        for a in "ab"
        for e in ("x", "y")
        for run in range(3)
        for metric, base in (("eval/return", 10.0), ("eval/cost", 50.0))
    ]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "metric", "score"])
    table.attrs["remarks"] = []
    monkeypatch.setattr(report_writing, "read_runs", lambda folder, **options: table)
    monkeypatch.setattr(report_writing, "summary_lines", lambda table: "")
    command = ["report", str(tmp_path / "runs"), "-o", str(tmp_path / "page"), "--metric", "eval/return"]
    command += ["--metric", "eval/cost"]
    assert main([*command, "--lower-is-better", "eval/cos"]) == 2
    assert 'no runs of the environment "eval/cos"' in capsys.readouterr().err
    assert main([*command, "--lower-is-better", "eval/cost"]) == 0
    studies = yaml.safe_load((tmp_path / "page" / "study.yaml").read_text())["studies"]
    sources = {name: one["sources"]["runs"] for name, one in studies.items()}
    assert sources["runs_eval_cost"]["lower_is_better"] is True and "lower_is_better" not in sources["runs_eval_return"]
    found = pd.read_parquet(tmp_path / "page" / sources["runs_eval_cost"]["file"])
    assert len(found) == 12 and found["score"].min() == 50
    assert studies["runs_eval_return"]["title"] == "a and b in 2 environments: eval/return"
    assert main(command) == 0, "a file that is kept has its studies"
    one = table[table["metric"] == "eval/return"].drop(columns="metric")
    one.attrs["remarks"] = []
    monkeypatch.setattr(report_writing, "read_runs", lambda folder, **options: one)
    assert main(command[:4]) == 2
    assert "it does not have one study. Hint: move it away" in capsys.readouterr().err
