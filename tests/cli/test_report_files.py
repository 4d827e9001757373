"""A second `surefoot report`: the study is kept with what its author tells, options must not contradict it, and other
runs never replace it."""

import numpy as np
import pandas as pd
import pytest
import yaml
from support.jobs import leave_out_pages

from surefoot.cli.commands import main
from surefoot.cli.report_files import renew_study_file, study_text
from surefoot.workflow.configuration.validation import validate_configuration

STEPS = range(1, 21)


@pytest.fixture(autouse=True)
def no_workflow(monkeypatch, tmp_path):
    """`surefoot report` stops where it would run the workflow."""
    leave_out_pages(monkeypatch)
    monkeypatch.chdir(tmp_path)


def written_curves(folder, algorithms="ab", missing=()):
    rng = np.random.default_rng(2)
    rows = [
        (a, e, run, step, rng.normal(step, 2))
        for a in algorithms
        for e in ("x", "y")
        for run in range(3)
        for step in STEPS
        if (a, e) not in missing
    ]
    folder.mkdir(parents=True)
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "seed", "step", "score"])
    table.to_csv(folder / "curves.csv", index=False)
    return folder


def source(folder):
    (study,) = yaml.safe_load((folder / "study.yaml").read_text())["studies"].values()
    return study["sources"]["runs"]


def test_what_is_edited_stays_and_decides_how_runs_are_scored(tmp_path, capsys):
    written_curves(tmp_path / "tidy")
    assert main(["report", "tidy", "-o", "o", "--rule", "last_k", "--rule-argument", "3"]) == 0
    file = tmp_path / "o" / "study.yaml"
    edited = (
        file.read_text()
        .replace("rule: last_k", "rule: last_k  # as in the paper")
        .replace("label: Report", "label: Mine")
    )
    file.write_text(edited)
    capsys.readouterr()
    for options in ([], ["--rule", "last_k", "--rule-argument", "3"]):
        assert main(["report", "tidy", "-o", "o", *options]) == 0
        assert "score of a run: last_k(3)" in capsys.readouterr().out
    assert file.read_text() == edited
    file.write_text(edited.replace("rule_argument: 3.0", "rule_argument: 2"))
    assert main(["report", "tidy", "-o", "o"]) == 0
    assert "score of a run: last_k(2)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("option", "has"),
    [
        (["--rule", "auc"], "rule: window"),
        (["--missing-cells", "drop_algorithm"], "missing_cells: error"),
        (["--scale", "none"], "scale: min_max"),
        (["--lower-is-better", "x"], "lower_is_better: False"),
    ],
)
def test_an_option_contradicting_the_study_is_refused(tmp_path, capsys, option, has):
    written_curves(tmp_path / "tidy")
    assert main(["report", "tidy", "-o", "o", "--scale", "min_max"]) == 0
    text = (tmp_path / "o" / "study.yaml").read_text()
    assert main(["report", "tidy", "-o", "o", *option]) == 2
    error = capsys.readouterr().err
    assert (
        f"command line: {option[0]}: the study in o/study.yaml has {has}. Hint: use -o o-2 for a separate report"
        in error
    )
    assert (tmp_path / "o" / "study.yaml").read_text() == text
    assert main(["report", "tidy", "-o", "o-2", *option]) == 0
    assert main(["report", "tidy", "-o", "o-2", *option]) == 0, "the same options contradict nothing"


def test_the_report_of_other_runs_is_never_replaced(tmp_path, capsys):
    written_curves(tmp_path / "a" / "tidy")
    written_curves(tmp_path / "b" / "runs", "cd")
    assert main(["report", "a/tidy"]) == 0
    kept = {path.name: path.read_bytes() for path in (tmp_path / "surefoot-report").iterdir()}
    assert b"# Runs: ../a/tidy\n" in kept["study.yaml"]
    assert main(["report", "b/runs"]) == 2
    error = capsys.readouterr().err
    assert (
        "surefoot-report has a report on other runs (a/tidy). Hint: use -o surefoot-report-runs to keep both" in error
    )
    assert {path.name: path.read_bytes() for path in (tmp_path / "surefoot-report").iterdir()} == kept
    assert main(["report", "b/runs", "-o", "surefoot-report-runs"]) == 0
    assert main(["report", "b/runs", "-o", "surefoot-report-runs"]) == 0
    # Both folders moved together are the same runs still; runs moved alone are named anew in the file.
    (tmp_path / "moved").mkdir()
    for name in ("a", "surefoot-report"):
        (tmp_path / name).rename(tmp_path / "moved" / name)
    assert main(["report", "moved/a/tidy", "-o", "moved/surefoot-report"]) == 0
    (tmp_path / "moved" / "a").rename(tmp_path / "a")
    assert main(["report", "a/tidy", "-o", "moved/surefoot-report"]) == 2
    file = tmp_path / "moved" / "surefoot-report" / "study.yaml"
    file.write_text(file.read_text().replace("# Runs: ../a/tidy", "# Runs: ../../a/tidy"))
    assert main(["report", "a/tidy", "-o", "moved/surefoot-report"]) == 0


def test_who_is_left_out_for_missing_cells_is_named(tmp_path, capsys):
    written_curves(tmp_path / "tidy", "abc", {("c", "y")})
    assert main(["report", "tidy"]) == 2
    refused = capsys.readouterr()
    assert "cells without a run (1): c / y. Hint: use --missing-cells drop_algorithm or drop_environment" in refused.err
    assert "what a score is" not in refused.out, "nothing is counted of runs that are refused"
    assert main(["report", "tidy", "--missing-cells", "drop"]) == 2
    assert "argument --missing-cells: invalid choice: 'drop' (choose from 'error', 'drop_alg" in capsys.readouterr().err
    assert main(["report", "tidy", "--missing-cells", "drop_algorithm"]) == 0
    said = capsys.readouterr().out
    assert "Left out, since runs are missing: c (no run in y)." in said and "in each of 2 environments" in said
    assert source(tmp_path / "surefoot-report")["missing_cells"] == "drop_algorithm"
    assert main(["report", "tidy", "-o", "o", "--missing-cells", "drop_environment"]) == 0
    said = capsys.readouterr().out
    assert "Left out, since runs are missing: y (no run of c)." in said and "of each algorithm" in said


def test_short_runs_are_also_scored_by_another_policy(tmp_path, capsys):
    file = written_curves(tmp_path / "tidy") / "curves.csv"
    curves = pd.read_csv(file)
    short = (curves["algorithm"] == "a") & (curves["environment"] == "y") & (curves["seed"] == 1) & (curves["step"] > 9)
    curves[~short].to_csv(file, index=False)
    assert main(["report", "tidy", "-o", "o", "--short-runs", "error"]) == 2
    assert "a in y, run 1: 9 of 20" in capsys.readouterr().err
    assert main(["report", "tidy", "-o", "o", "--rule", "last"]) == 0
    assert "runs that ended early (1): a / y / 1" in capsys.readouterr().out
    (study,) = yaml.safe_load((tmp_path / "o" / "study.yaml").read_text())["studies"].values()
    assert [one["short_runs"] for one in study["sources"].values()] == ["worst_score", "drop"]
    for option in ("drop", "carry_forward"):
        policies = [option, "worst_score"]
        assert main(["report", "tidy", "-o", option, "--short-runs", option, "--rule", "last"]) == 0
        (study,) = yaml.safe_load((tmp_path / option / "study.yaml").read_text())["studies"].values()
        assert [one["short_runs"] for one in study["sources"].values()] == policies
        assert {one["rule"] for one in study["sources"].values()} == {"last"}
    validate_configuration({"shipped_studies": False, "studies": {"mine": study}}, [])


def test_an_algorithm_of_short_runs_is_not_left_out_silently(tmp_path, capsys):
    file = written_curves(tmp_path / "tidy") / "curves.csv"
    curves = pd.read_csv(file)
    curves[(curves["algorithm"] == "b") | (curves["environment"] == "x") | (curves["step"] < 10)].to_csv(file)
    for policy in ("drop", "carry_forward"):
        assert main(["report", "tidy", "--short-runs", policy]) == 2
        assert "runs with different protocols are not compared: a: " in capsys.readouterr().err
    assert main(["report", "tidy", "--short-runs", "carry_forward", "--allow-mixed-protocols"]) == 0
    (study,) = yaml.safe_load((tmp_path / "surefoot-report" / "study.yaml").read_text())["studies"].values()
    assert list(study["sources"]) == ["runs"]


def test_single_runs_get_means_and_curves_alone(tmp_path, capsys):
    file = written_curves(tmp_path / "tidy") / "curves.csv"
    curves = pd.read_csv(file)
    curves[curves["seed"] == 1].to_csv(file, index=False)
    assert main(["report", "tidy", "-o", "o"]) == 0
    assert "Each algorithm has a single run (seed) in each environment. A second run might" in capsys.readouterr().out
    (study,) = yaml.safe_load((tmp_path / "o" / "study.yaml").read_text())["studies"].values()
    assert set(study["questions"]) == {"task_means", "run_curves"} and "scales" not in study
    validate_configuration({"shipped_studies": False, "studies": {"mine": study}}, [])
    curves.to_csv(file, index=False)
    assert main(["report", "tidy", "-o", "o"]) == 0
    assert "A second" not in capsys.readouterr().out
    # In the folder of a report that was made, a new study is written where the old one was moved away.
    (tmp_path / "o" / "results").mkdir()
    (tmp_path / "o" / "results" / "configuration.json").touch()
    (tmp_path / "o" / "study.yaml").unlink()
    assert main(["report", "tidy", "-o", "o"]) == 0
    (study,) = yaml.safe_load((tmp_path / "o" / "study.yaml").read_text())["studies"].values()
    assert "pairwise_differences" in study["questions"]


def test_scores_are_not_made_of_curves(tmp_path, capsys):
    written_curves(tmp_path / "tidy")
    table = pd.read_csv(next((tmp_path / "tidy").iterdir())).drop_duplicates(["algorithm", "environment", "seed"])
    table.drop(columns="step").to_csv(tmp_path / "scores.csv", index=False)
    assert main(["report", "scores.csv", "-o", "o", "--rule", "auc"]) == 2
    assert "--rule: it is for learning curves, but these runs have one score each" in capsys.readouterr().err


def test_control_characters_of_folders_do_not_reach_the_terminal(tmp_path, capsys):
    written_curves(tmp_path / "tidy")
    for _ in range(2):
        assert main(["report", "tidy", "-o", "o\x1b[31m"]) == 0
    assert "\x1b" not in capsys.readouterr().out


READ = {"kind": "eval", "logged": "mean", "episodes": 10, "quantity": "return"}


@pytest.fixture
def file(tmp_path):
    """A study's file as a report writes it, without the line that says of which runs it is."""
    path = tmp_path / "study.yaml"
    path.write_text(
        "studies:\n" + study_text("mine", {"title": "Mine"}, {"rule": "last", "logs": {"ppo": READ}}, False)
    )
    return path


def test_a_study_keeps_its_authors_edits_and_updates_from_logs(file):
    assert yaml.safe_load(file.read_text())["studies"]["mine"] == {
        "title": "Mine",
        "protocol": {"allow_mixed_protocols": False, "rule": "last", "logs": {"ppo": READ}},
    }
    file.write_text(
        file.read_text().replace(
            "allow_mixed_protocols: false", "allow_mixed_protocols: true  # mine\n      deterministic: true"
        )
    )
    other = study_text("other", {"title": "Other"}, {"rule": "last", "logs": {"sac": READ}}, False)
    file.write_text(file.read_text() + other)
    newer = {"rule": "window(0.1)", "logs": {"ppo": READ | {"steps": 5}, "<i>: #": READ}}
    newest = {"rule": "best", "logs": {"sac": READ, "td3": READ}}
    assert renew_study_file(file, [newer, newest])
    assert "allow_mixed_protocols: true  # mine" in file.read_text()
    studies = yaml.safe_load(file.read_text())["studies"]
    assert studies["mine"]["protocol"] == {"allow_mixed_protocols": True, "deterministic": True} | newer
    assert studies["other"] == {"title": "Other", "protocol": {"allow_mixed_protocols": False} | newest}
