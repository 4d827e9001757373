"""`surefoot plan`: the jobs that a run would make, in a table that fits a screen."""

import re

import pytest
from studying import make, planned
from surefoot.cli.planning import jobs_to_make

from surefoot.cli import commands

MINE = """
studies:
  mine:
    title: Mine
    seed: 7
    sources:
      runs:
        kind: trials
        algorithms: [sarsa, q]
        environments: [chain_10_deterministic, acrobot]
        trials: 4000
        block: 500
    questions: {game_scores: {}}
"""
SMALL = {
    "sources": {"runs": {"kind": "score_table", "file": "scores.csv"}},
    "scales": {"runs": {"kind": "min_max"}},
    "questions": {"ranks": {}},
}


@pytest.fixture
def told(tmp_path, monkeypatch, capsys):
    """What the command prints of a study, with a store and a folder of results of its own."""
    monkeypatch.setenv("SUREFOOT_STORE", str(tmp_path / "store"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.yaml").write_text(MINE)

    def run(*arguments, status=0):
        assert commands.main(["plan", *arguments, "--configfile", "mine.yaml"]) == status
        return capsys.readouterr()

    return run


def row(text, name):
    (line,) = [line for line in text.splitlines() if line.startswith(name)]
    return re.split(r" {2,}", line.strip())


def test_a_study_that_never_ran(told, tmp_path):
    text = told("mine").out
    lines = text.splitlines()
    assert max(map(len, lines)) <= 100
    assert re.split(r" {2,}", lines[0]) == ["study, stage", "jobs", "to make", "core hours"]
    name, jobs, to_make, hours = row(text, "  simulate")
    assert (name, jobs, to_make) == ("simulate", "2", "2")
    # 4,000 trials of acrobot at 0.7 s for each of two algorithms.
    assert float(hours) == pytest.approx(2 * 4000 * 0.7 / 3600, rel=0.01)
    assert row(text, "all")[1] == row(text, "all")[2]
    assert not (tmp_path / "results").exists()


def test_what_is_made_is_not_to_make_and_what_is_damaged_is_with_all_that_needs_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SUREFOOT_STORE", str(tmp_path / "store"))
    rows = "".join(f"{name},maze,{run},{run}\n" for name in "ab" for run in range(3))
    tmp_path.joinpath("scores.csv").write_text(f"algorithm,environment,run,score\n{rows}")
    jobs = [job for job in planned(SMALL) if job.stage in ("collect", "normalize")]
    assert jobs_to_make(jobs) == {job.manifest for job in jobs}
    make(jobs)
    assert jobs_to_make(jobs) == set()
    for number, lost in reversed(list(enumerate(jobs))):
        tmp_path.joinpath(*lost.outputs.values()).unlink()
        assert jobs_to_make(jobs) == {job.manifest for job in jobs[number:]}


def test_a_target_that_nothing_makes_names_the_nearest(told):
    said = told("mien", status=2)
    assert said.err == 'surefoot: command line: nothing makes mien. Hint: did you mean "mine"?\n'


def test_a_figure_and_a_file_are_targets_as_well(told):
    jobs = {
        target: int(row(told(target).out, "all")[1]) for target in ("figure_5", "results/collect/mine/runs.parquet")
    }
    assert jobs["results/collect/mine/runs.parquet"] == 3
    assert jobs["figure_5"] > 3
