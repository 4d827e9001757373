"""`surefoot report`: from a folder of runs to a page."""

import html
import os
import re
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from support.fork_server import run_module
from support.jobs import leave_out_pages, page_of_questions, written

import surefoot
from surefoot.cli.commands import main
from surefoot.runs.protocol_card import REMARK

SOURCE = str(Path(surefoot.__file__).parents[1])
"""Alone: a folder of tests may hide a package that is imported, as `coverage` does."""


def report(runs, *more):
    pattern = ["--pattern", "{environment}__{algorithm}__{seed}"]
    command = [sys.executable, "-m", "surefoot", "report", str(runs), *pattern, "--cores", "2", *more]
    return run_module(command, runs.parent, os.environ | {"PYTHONPATH": SOURCE})


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
    assert "<h1" in page and " in 2 environments</h1>" in page
    scores = pd.read_parquet(folder / "results" / "collect" / "runs" / "runs.parquet")
    last = np.load(runs / "Ant-v4__sac__1" / "evaluations.npz")["results"][-1].mean()
    found = scores[(scores["algorithm"] == "sac") & (scores["environment"] == "Ant-v4")].set_index("run")["score"]
    assert len(scores) == 12 and found.loc[found.index.astype(str) == "1"].item() == pytest.approx(last)
    entry = re.search('href="(.*)"', (folder / "report.html").read_text())[1]
    assert (folder / entry).read_text() == (folder / "results" / "render" / "runs.html").read_text()
    made = list((folder / "results" / "render").glob("*.html"))
    links = {link for path in made for link in re.findall(r'href="([^":#]+\.html)', path.read_text())}
    assert len(links) > 10 and all((folder / "results" / "render" / link).is_file() for link in links)
    look = [sys.executable, "-m", "surefoot", "check", "--directory", str(folder)]
    checked = run_module(look, folder.parent, os.environ | {"PYTHONPATH": SOURCE})
    assert checked.returncode == 0 and checked.stdout.endswith(" last run: 0 problems\n"), checked.stdout

    file = folder / "study.yaml"
    # The file, the terminal and the page say the same: each as seen from where it is read.
    assert "# surefoot run runs --configfile study.yaml\n" in file.read_text()
    assert "run <code>surefoot run runs --configfile study.yaml</code> in the folder" in " ".join(page.split())
    command = "surefoot run runs --directory surefoot-report --configfile surefoot-report/study.yaml"
    assert any(line.endswith(f": {command}") for line in lines)
    assert 'id="sec-curves"' in page and 'id="fig-sample_efficiency"' in page and 'id="fig-run_curves"' in page
    assert "bands that cover whole curves" in page and "with 95&nbsp;% intervals at each step" in page
    assert "ends highest" not in page, "the curves give no second verdict"

    file.write_text(file.read_text().replace("title: ppo", "title: My own comparison of ppo"))
    second = report(runs)
    assert second.returncode == 0 and "surefoot-report/study.yaml is unchanged" in second.stdout
    assert "<h1>My own comparison of ppo" in (folder / "results" / "render" / "runs.html").read_text()
    assert second.stdout.splitlines()[-1] == lines[-1]

    file.write_text(file.read_text().replace("min_max", "min_maxx"))
    wrong = report(runs)
    assert wrong.returncode == 2 and "min_maxx" in wrong.stderr and "Hint:" in wrong.stderr


def test_allow_mixed_protocols_are_compared_only_with_a_remark(runs, monkeypatch, capsys):
    """One algorithm is evaluated with fewer episodes; its name is markup, which the page shows as it is."""
    for folder in runs.glob("*__sac__*"):
        arrays = dict(np.load(folder / "evaluations.npz"))
        np.savez(folder / "evaluations.npz", **arrays | {"results": arrays["results"][:, :2]})
        folder.rename(folder.with_name(folder.name.replace("sac", "<i>sac")))
    output = runs.parent / "surefoot-report"
    command = ["report", str(runs), "--pattern", "{environment}__{algorithm}__{seed}", "-o", str(output)]
    assert main(command) == 2
    refused, unlike = capsys.readouterr().err, "ppo: mean returns of 4 deterministic evaluation episodes"
    assert "runs with different protocols are not compared: <i>sac: mean " in refused
    assert unlike in refused and "Hint: use --allow-mixed-protocols" in refused
    with monkeypatch.context() as without_pages:
        leave_out_pages(without_pages)
        assert main([*command, "--allow-mixed-protocols", "--rule", "best"]) == 0
    told = capsys.readouterr().out
    assert "remark: These algorithms were scored under different protocols (" in told and unlike in told
    assert "selection: Scores are selected maxima, which are too high" in told

    file = output / "study.yaml"
    (study,) = yaml.safe_load(file.read_text())["studies"].values()
    assert study["protocol"]["rule"] == "best"
    page = page_of_questions(output, "multiple_comparisons", "aggregate_metrics", "task_means", "how_many_runs")
    lead = page.partition('class="lead"')[2].partition("<h2")[0]
    assert "were scored under different protocols" in lead and "&lt;i&gt;sac" in lead and "<i>sac" not in page
    assert "Scores are selected maxima, which are too high" in lead
    captions = re.findall(r"<figcaption.*?</figcaption>", page, re.DOTALL)
    assert captions and all(REMARK in html.unescape(caption) for caption in captions)
    beside = (output / "results" / "render" / "runs_how_many_runs.html").read_text()
    assert "were scored under different protocols" in beside and REMARK in html.unescape(beside)


def test_a_folder_of_something_else_is_left_alone(runs, tmp_path, capsys):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "precious.txt").write_text("precious")
    assert main(["report", str(runs), "-o", str(tmp_path / "notes")]) == 2
    assert "notes already contains other files. Hint: choose another folder" in capsys.readouterr().err
    assert main(["report", str(runs), "-o", str(tmp_path / "notes" / "precious.txt")]) == 2
    assert "precious.txt is not a folder. Hint:" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "notes").iterdir()] == ["precious.txt"]


def test_all_that_is_to_be_decided_is_told_at_once(runs, capsys):
    """A run that crashed, and an algorithm without runs in an environment; with both decided there is a study."""
    steps, short = np.arange(1, 11) * 1000, np.arange(1, 5) * 1000
    for name, points in (("Ant-v4__td3__0", steps), ("Ant-v4__td3__1", steps), ("Hopper-v4__sac__1", short)):
        folder = runs / name
        folder.mkdir(exist_ok=True)
        evaluated = np.linspace(1, 9, len(points))[:, None] + np.zeros(4)
        np.savez(
            folder / "evaluations.npz", timesteps=points, results=evaluated, ep_lengths=np.ones((len(points), 4), int)
        )
    command = ["report", str(runs), "--pattern", "{environment}__{algorithm}__{seed}", "-o", str(runs.parent / "page")]
    command += ["--short-runs", "error"]
    assert main(command) == 2
    error = capsys.readouterr().err
    assert "2 things have to be decided first:\n  1. cells without a run (1): td3 / Hopper-v4" in error
    assert "\n  2. runs that end before the longest (1): sac in Hopper-v4, run 1: 4,000 of 10,000" in error
    assert "--missing-cells drop_algorithm" in error and "--short-runs worst_score" in error
    ppo = next(path for path in sorted(runs.glob("*/evaluations.npz")) if "td3" not in str(path))
    arrays = dict(np.load(ppo))
    np.savez(ppo, **arrays | {"results": np.full_like(arrays["results"], np.nan)})
    assert main(command) == 2
    error = capsys.readouterr().err
    assert "3 things have to be decided first:\n  1. " in error and "scores are not finite, the first nan" in error
    assert "\n  2. cells without a run" in error and "\n  3. runs that end before the longest" in error
    assert not (runs.parent / "page").exists()


@pytest.mark.parametrize(
    ("options", "questions"),
    [([], {"task_means"}), (["--scale", "atari_human"], {"aggregate_metrics", "task_means"})],
)
def test_one_algorithm_is_compared_with_nothing(atari, options, questions):
    """Without reference scores, its own lowest and highest would be the ends of a scale of all environments."""
    table = pd.read_csv(atari / "runs.csv").query("algorithm == 'a'").replace("ALE/Pong-v5", "CartPole-v1")
    table = table.replace("CartPole-v1", "ALE/Pong-v5") if options else table
    table.to_csv(atari / "runs.csv", index=False)
    assert main(["report", str(atari / "runs.csv"), "-o", str(atari / "page"), *options]) == 0
    study = written(atari)
    assert set(study["questions"]) == questions and study["question"].startswith("How good is a, and")
    means = surefoot.task_means(table).finding()
    assert means.startswith("The mean score of a is ") and "best" not in means.lower()
