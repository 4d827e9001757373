"""Folders in which no results can be made, and empty targets, are one sentence before any job runs."""

import os
from pathlib import Path

import pytest

from surefoot.build.errors import InputError
from surefoot.build.job import Job
from surefoot.cli import workflow

JOBS = [Job("draw", "mine", "figures", "", {}, (), {}, {"scores": "results/draw/mine/scores.svg"})]


@pytest.mark.parametrize("folder", ["results/draw", "results/draw/mine", "results/logs/draw", "results/manifest"])
@pytest.mark.parametrize("kind", ["file", "dangling link", "protected"])
def test_a_blocked_folder_of_results_is_one_sentence(tmp_path, monkeypatch, folder, kind):
    monkeypatch.chdir(tmp_path)
    workflow.check_places(JOBS)
    path = Path(folder)
    path.parent.mkdir(parents=True)
    workflow.check_places(JOBS)
    if kind == "file":
        path.write_text("mine")
    elif kind == "dangling link":
        path.symlink_to("nowhere")
    else:
        path.mkdir()
        monkeypatch.setattr(os, "access", lambda asked, mode: Path(asked) != path)
    with pytest.raises(InputError, match=rf"^{folder}: .*\. Hint: move it out of the way or make it writable"):
        workflow.check_places(JOBS)


@pytest.mark.parametrize("targets", [[""], ["mine", " "]])
def test_an_empty_target_is_one_sentence(targets):
    with pytest.raises(InputError, match=r"^command line: a target is empty\. Hint: leave it out"):
        workflow.check_targets(targets, ["mine"], JOBS, ["mine"])
