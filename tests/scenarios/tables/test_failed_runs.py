"""Runs that ended early or left no score: the worst score of their environment in their place, or left out."""

import numpy as np
import pandas as pd
import pytest
from support.jobs import leave_out_pages

import surefoot
from surefoot.cli.commands import main
from surefoot.errors import InputError
from surefoot.runs.sources import learning_curves, score_tables
from surefoot.runs.sources.tables import LearningCurves, ScoreTable

SCORES = {
    ("a", "x"): (5.0, np.nan, 7.0),
    ("b", "x"): (2.0, 3.0, 4.0),
    ("a", "y"): (1.0, 2.0, 3.0),
    ("b", "y"): (9.0, 8.0, 7.0),
}


def score_table(folder, **settings):
    rows = [(*cell, run, score) for cell, scores in SCORES.items() for run, score in enumerate(scores)]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])
    table.to_csv(folder / "scores.csv", index=False)
    return score_tables.read(ScoreTable(file="scores.csv", **settings), {"file": folder / "scores.csv"})


def test_a_run_without_a_score_gets_the_worst(tmp_path):
    """By hand: in x, b has the lowest score, 2, and where lower is better a has the highest, 7."""
    for lower, worst in ((False, 2.0), (True, -7.0)):
        found = score_table(tmp_path, failed_runs="worst_score", lower_is_better=lower)
        assert found.attrs["unfinished"] == [["a", "x", "1"]] and len(found) == 12
        assert found.set_index(["algorithm", "environment", "run"]).loc[("a", "x", 1), "score"] == worst


def test_a_run_without_a_score_is_refused_or_left_out(tmp_path):
    with pytest.raises(InputError, match="not finite numbers"):
        score_table(tmp_path)
    left = score_table(tmp_path, failed_runs="drop")
    assert len(left) == 11 and left["score"].notna().all() and left.attrs["unfinished"] == [["a", "x", "1"]]


def curves(short=5):
    """Two algorithms in two environments, three runs of each; run 1 of a in x ends at step `short` of 10."""
    rows = [
        (name, place, run, step, level * step + run)
        for name, level in (("a", 2.0), ("b", 1.0))
        for place in "xy"
        for run in range(3)
        for step in range(1, 11)
        if (name, place, run) != ("a", "x", 1) or step <= short
    ]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "step", "score"])


def test_a_short_run_gets_the_worst_score_of_any_run():
    """The lowest last score in x is 10, of run 0 of b; the lowest at each step after the short run."""
    found = surefoot.score_curves(curves(), "last", short_runs="worst_score")
    assert found.attrs["unfinished"] == [["a", "x", "1"]]
    by_run = found.set_index(["algorithm", "environment", "run"])["score"]
    assert by_run[("a", "x", 1)] == by_run[("b", "x", 0)] == 10.0 and by_run[("a", "x", 2)] == 22.0
    aligned = surefoot.align_curves(curves(), short_runs="worst_score")
    own = aligned[(aligned["algorithm"] == "a") & (aligned["environment"] == "x") & (aligned["run"] == 1)]
    assert own["score"].tolist() == [3.0, 5.0, 7.0, 9.0, 11.0, 6.0, 7.0, 8.0, 9.0, 10.0]
    steps = surefoot.score_curves(curves(3), "steps_to", rule_argument=4.0, short_runs="worst_score")
    early = steps.set_index(["algorithm", "environment", "run"]).loc[("a", "x", 1)]
    assert early["censored"] and early["score"] == steps.loc[steps["environment"] == "x", "score"].max()


@pytest.mark.parametrize("short", [10, 9, 5])
def test_a_training_that_left_no_score_is_one_run_of_a_study(tmp_path, short):
    """Also in an environment with a run that ended early, whose score is of an earlier step."""
    table = curves(short)
    crashed = pd.DataFrame([("a", "x", 3, 0, np.nan)], columns=list(table.columns))
    pd.concat([table, crashed]).to_csv(tmp_path / "curves.csv", index=False)
    source = LearningCurves(file="curves.csv", rule="last", short_runs="worst_score")
    found = learning_curves.read(source, {"file": tmp_path / "curves.csv"})
    runs = found["runs"].set_index(["algorithm", "environment", "run"])["score"]
    assert runs.index.is_unique and runs[("a", "x", 3)] == 10.0
    ended_early = [["a", "x", "1"]] if short < 10 else []
    assert found["runs"].attrs["unfinished"] == [*ended_early, ["a", "x", "3"]]
    of_run = found["curves"].query("algorithm == 'a' and environment == 'x' and run == 3")
    assert of_run["score"].tolist() == [float(step) for step in of_run["step"]], "b's run 0 is lowest at each step"


def test_a_job_that_left_no_score_is_named_by_its_path(tmp_path, monkeypatch, capsys):
    """Monitors of Stable-Baselines3: one has its header alone."""
    leave_out_pages(monkeypatch)
    rng = np.random.default_rng(3)
    for name in ("ppo", "sac"):
        for seed in range(4):
            folder = tmp_path / "runs" / name / f"Hopper-v5_{seed}"
            folder.mkdir(parents=True)
            episodes = "" if (name, seed) == ("sac", 2) else "".join(f"{rng.normal(9):.3f},100,1\n" for _ in range(30))
            (folder / "0.monitor.csv").write_text(f'#{{"t_start": 1.0, "env_id": "Hopper-v5"}}\nr,l,t\n{episodes}')
    assert main(["report", str(tmp_path / "runs"), "--yes", "-o", str(tmp_path / "page")]) == 0
    assert "runs that left no score (1): sac / Hopper-v5 / 2" in capsys.readouterr().out
    written = pd.read_parquet(tmp_path / "page" / "curves.parquet")
    assert written.loc[written["score"].isna(), ["algorithm", "environment", "run"]].astype(
        str
    ).to_numpy().tolist() == [["sac", "Hopper-v5", "2"]]


def test_the_end_within_an_episode_is_the_end():
    """Episodes of 300 and 1,000 steps in trainings of 10,000: the last one was cut off. One run did crash."""
    ends = {0: [1000] * 9 + [300], 1: [300] * 4 + [1000] * 8, 2: [1000] * 7}
    rows = [("a", "x", run, step, 1.0) for run, lengths in ends.items() for step in np.cumsum(lengths)]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "step", "score"])
    assert surefoot.score_curves(table, "last", short_runs="drop").attrs["unfinished"] == [["a", "x", "2"]]
