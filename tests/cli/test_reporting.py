"""`surefoot report`: from a folder of runs to a page."""

import argparse
import html
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

import surefoot
from surefoot.cli.commands import main
from surefoot.cli.reporting import RUNS_OF_A_GAME, source_of, study
from surefoot.configuration.validation import validate_configuration
from surefoot.protocol.sentences import REMARK

SOURCE = str(Path(surefoot.__file__).parents[1])
"""Alone: a folder of tests may hide a package that is imported, as `coverage` does."""
ALGORITHMS, ENVIRONMENTS, RUNS = ("ppo", "sac"), ("Hopper-v4", "Ant-v4"), 3


@pytest.fixture
def runs(tmp_path):
    """Evaluations of two algorithms in two environments, three runs of each, as a callback of Stable-Baselines3 writes
    them; in the last tenth of its steps each run has one evaluation."""
    rng = np.random.default_rng(8)
    steps = np.arange(1, 11) * 1000
    for algorithm in ALGORITHMS:
        for environment in ENVIRONMENTS:
            for seed in range(RUNS):
                folder = tmp_path / "runs" / f"{environment}__{algorithm}__{seed}"
                folder.mkdir(parents=True)
                returns = rng.normal(100 if algorithm == "sac" else 50, 5, (10, 4))
                np.savez(folder / "evaluations.npz", timesteps=steps, results=returns, ep_lengths=np.ones((10, 4), int))
    return tmp_path / "runs"


def report(runs, *more):
    pattern = ["--pattern", "{environment}__{algorithm}__{seed}"]
    command = [sys.executable, "-m", "surefoot", "report", str(runs), *pattern, "--cores", "2", *more]
    found = os.environ | {"PYTHONPATH": SOURCE}
    return subprocess.run(command, cwd=runs.parent, env=found, capture_output=True, text=True, check=False)


@pytest.mark.workflow
def test_a_page_is_made_and_an_edited_study_is_kept(runs):
    first = report(runs)
    assert first.returncode == 0, first.stdout + first.stderr
    lines = first.stdout.splitlines()
    assert lines[0].startswith("format stable_baselines3_evaluations, kind eval")
    assert "score of a run: window(0.1)" in lines
    folder = runs.parent / "surefoot-report"
    assert lines[-1] == "surefoot-report/results/render/runs.html"
    page = (runs.parent / lines[-1]).read_text()
    assert "<h1" in page and "The runs in runs" in page
    scores = pd.read_parquet(folder / "results" / "collect" / "runs" / "runs.parquet")
    last = np.load(runs / "Ant-v4__sac__1" / "evaluations.npz")["results"][-1].mean()
    found = scores[(scores["algorithm"] == "sac") & (scores["environment"] == "Ant-v4")].set_index("run")["score"]
    assert len(scores) == 12 and found.loc[found.index.astype(str) == "1"].item() == pytest.approx(last)
    linked = {word.split('"')[0] for word in page.split('href="')[1:]}
    pages = {link for link in linked if link.endswith(".html") and ":" not in link}
    assert pages and all((folder / "results" / "render" / link).is_file() for link in pages)

    file = folder / "study.yaml"
    assert 'id="sec-curves"' in page and 'id="fig-sample_efficiency"' in page and 'id="fig-run_curves"' in page
    assert "bands of the whole curves; the curve of sac is the highest" in page

    file.write_text(file.read_text().replace("The runs in runs", "My own title").replace("window", "best"))
    second = report(runs)
    assert second.returncode == 0 and "surefoot-report/study.yaml is kept as it is" in second.stdout
    assert "My own title" in (folder / "results" / "render" / "runs.html").read_text()
    third = report(runs)  # nothing is left to do
    assert third.returncode == 0 and third.stdout.splitlines()[-1] == lines[-1]

    best = pd.read_parquet(folder / "results" / "collect" / "runs" / "runs.parquet")
    assert (best["score"] >= scores["score"]).all() and (best["score"] > scores["score"]).any()

    file.write_text(file.read_text().replace("min_max", "min_maxx"))
    wrong = report(runs)
    assert wrong.returncode == 2 and "min_maxx" in wrong.stderr and "Hint:" in wrong.stderr


def source_asked(table, **options):
    options = {"rule": "window", "amount": None, "short_runs": "error", "unlike_protocols": "error"} | options
    return source_of(table, argparse.Namespace(**options))


def test_the_study_takes_curves_where_every_run_has_some():
    table = pd.DataFrame(
        [(a, e, run, step, 1.0) for a in "ab" for e in "xy" for run in range(2) for step in (10, 20)],
        columns=["algorithm", "environment", "run", "step", "score"],
    )
    assert source_asked(table)["along"] == "steps" and "amount" not in source_asked(table)
    assert source_asked(table, rule="last_k", amount=2.0)["amount"] == 2.0
    longer = table.assign(step=table["step"].where(table["environment"] == "x", 10 * table["step"]))
    assert source_asked(longer)["along"] == "percent"
    for single in (table[1:], table.drop(columns="step")):
        assert source_asked(single) == {"kind": "score_table", "file": "scores.parquet"}


def test_curves_are_asked_about_where_there_are_several_runs():
    for environments, runs, metric in ((1, 5, "mean"), (2, 5, "iqm"), (2, 1, None)):
        written = study("mine", "Mine", environments, runs, {"kind": "learning_curves", "file": "curves.parquet"})
        asked = written["studies"]["mine"]
        assert asked["questions"]["run_curves"] == {}
        assert asked["scales"]["curves"] == asked["scales"]["runs"] | {"source": "runs_curves"}
        assert asked["questions"].get("sample_efficiency", {}).get("metrics") == (metric and [metric])
        validate_configuration(written, [])


@pytest.mark.workflow
def test_unlike_protocols_are_compared_only_with_a_remark(runs):
    """One algorithm is evaluated with fewer episodes; its name is markup, which the page shows as it is."""
    for folder in runs.glob("*__sac__*"):
        arrays = dict(np.load(folder / "evaluations.npz"))
        np.savez(folder / "evaluations.npz", **arrays | {"results": arrays["results"][:, :2]})
        folder.rename(folder.with_name(folder.name.replace("sac", "<i>sac")))
    refused = report(runs)
    unlike = "ppo: evaluation, mean of 4 episodes"
    assert (
        refused.returncode == 2 and "runs of unlike protocols are not compared: <i>sac: evaluation, " in refused.stderr
    )
    assert unlike in refused.stderr and "Hint: --unlike-protocols remark" in refused.stderr
    made = report(runs, "--unlike-protocols", "remark", "--rule", "best")
    assert made.returncode == 0, made.stdout + made.stderr
    assert "remark: These algorithms were scored by unlike protocols (" in made.stdout and unlike in made.stdout
    assert "selection bias: The highest of 10 scores that a run of ppo logged exceeds" in made.stdout
    page = (runs.parent / made.stdout.splitlines()[-1]).read_text()
    lead = page.partition('class="lead"')[2].partition("<h2")[0]
    assert "were scored by unlike protocols" in lead and "&lt;i&gt;sac" in lead and "<i>sac" not in page
    assert "Scores are selected maxima, too high by an estimated" in lead
    assert page.count("Bias of the selected maximum") >= 2 and "estimated from the curves" in page
    captions = re.findall(r"<figcaption.*?</figcaption>", page, re.DOTALL)
    assert captions and all(REMARK in html.unescape(caption) for caption in captions)
    beside = (runs.parent / "surefoot-report" / "results" / "render" / "runs_how_many_runs.html").read_text()
    assert "were scored by unlike protocols" in beside and REMARK in html.unescape(beside)

    file = runs.parent / "surefoot-report" / "study.yaml"
    file.write_text(file.read_text().replace("unlike: remark", "unlike: error"))
    wrong = report(runs, "--unlike-protocols", "remark")
    assert wrong.returncode == 2 and "study.yaml: studies.runs.protocol: runs of unlike" in wrong.stderr
    assert "rule: window(0.1)" in file.read_text(), "what the logs say is written anew"


def test_a_folder_of_something_else_is_left_alone(runs, tmp_path, capsys):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "precious.txt").write_text("precious")
    assert main(["report", str(runs), "-o", str(tmp_path / "notes")]) == 2
    assert "notes holds something else already. Hint: the name of another folder" in capsys.readouterr().err
    assert main(["report", str(runs), "-o", str(tmp_path / "notes" / "precious.txt")]) == 2
    assert "precious.txt is not a folder. Hint:" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "notes").iterdir()] == ["precious.txt"]


def test_one_algorithm_is_no_comparison(runs, tmp_path, capsys):
    output = tmp_path / "page"
    pattern = ["--pattern", "{environment}__{}__{seed}", "--algorithm", "sac"]
    ours = tmp_path / "ours"
    ours.mkdir()
    for folder in runs.glob("*__sac__*"):
        folder.rename(ours / folder.name)
    assert main(["report", str(ours), *pattern, "-o", str(output)]) == 2
    assert "a comparison needs two algorithms, and there is only sac. Hint: name a folder" in capsys.readouterr().err
    assert not output.exists()


def test_intervals_of_the_game_are_asked_of_many_runs_only():
    asked = study("mine", "Mine", 2, RUNS_OF_A_GAME - 1)["studies"]["mine"]["questions"]
    assert "game_intervals" not in asked and asked["aggregates"]["methods"] == ["student"]
    many = study("mine", "Mine", 1, RUNS_OF_A_GAME)["studies"]["mine"]
    assert "game_intervals" in many["questions"] and many["scales"]["runs"]["kind"] == "none"
    assert "how_many_runs" not in study("mine", "Mine", 2, 2)["studies"]["mine"]["questions"]
    assert yaml.safe_load(yaml.safe_dump(study("mine", "Mine", 2, 5))) == study("mine", "Mine", 2, 5)


def test_a_kept_study_gets_the_files_that_it_names(runs, tmp_path, monkeypatch, capsys):
    """The scores of one that was edited to take these, and the curves, whose rule is the study's own."""
    monkeypatch.setattr("surefoot.cli.reporting._run", lambda *_: 1)
    pattern = ["--pattern", "{environment}__{algorithm}__{seed}"]
    folder = tmp_path / "page"
    assert main(["report", str(runs), *pattern, "-o", str(folder)]) == 1
    assert "score of a run: window(0.1)" in capsys.readouterr().out
    assert {path.name for path in folder.iterdir()} == {"study.yaml", "curves.parquet"}
    (folder / "curves.parquet").unlink()
    assert main(["report", str(runs), *pattern, "-o", str(folder)]) == 1
    assert "score of a run: window(0.1)" in capsys.readouterr().out
    assert len(pd.read_parquet(folder / "curves.parquet")) == 120
    file = folder / "study.yaml"
    file.write_text(
        file.read_text().replace("curves.parquet", "scores.parquet").replace("learning_curves", "score_table")
    )
    assert main(["report", str(runs), *pattern, "-o", str(folder), "--rule", "last"]) == 1
    assert "score of a run: last" in capsys.readouterr().out
    assert len(pd.read_parquet(folder / "scores.parquet")) == 12
