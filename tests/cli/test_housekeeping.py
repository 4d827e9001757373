"""`surefoot check` and `why` beside a study of one's own: shipped ones that were never made are named in one line."""

import argparse
from pathlib import Path

import pytest

from surefoot.build.job import Job
from surefoot.cli import housekeeping
from surefoot.configuration.models import Configuration


@pytest.fixture
def looked(tmp_path, monkeypatch, capsys):
    """What a command prints, and its status, where these studies are planned and some results of `mine` are there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SUREFOOT_STORE", str(tmp_path / "store"))

    def look(command, *studies):
        jobs = [
            Job("draw", name, "figures", "surefoot.charts.draw:draw", {}, (), {}, {"a": f"results/draw/{name}/a.csv"})
            for name in (*studies, "home")
        ]
        config = Configuration.model_construct(studies=dict.fromkeys(studies))
        monkeypatch.setattr(housekeeping, "plan", lambda config: jobs)
        monkeypatch.setattr(housekeeping, "read_checked", lambda path: config)
        Path("results/draw/mine").mkdir(parents=True, exist_ok=True)
        Path("results/draw/mine/a.csv").touch()
        status = command(argparse.Namespace(configuration=[Path("any")]))
        return capsys.readouterr().out, status

    return look


def test_studies_of_which_nothing_was_made_are_no_problem(looked):
    told, status = looked(housekeeping.check, "mine", "jordan2020", "recht2018")
    assert status == 1 and "jordan2020/" not in told and "home" not in told
    assert "results/manifest/draw/mine/figures.json: missing" in told, "what was begun is looked at"
    assert "nothing was made here of jordan2020, recht2018\n" in told
    assert "1 results of 1 jobs checked: 2 problems" in told
    told, status = looked(housekeeping.why, "mine", "jordan2020")
    assert told == "results/draw/mine/a.csv: never made\nNothing was made here of jordan2020.\n" and status == 0
    assert "nothing was made here" not in looked(housekeeping.check, "mine")[0]
