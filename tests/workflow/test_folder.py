"""A folder of results when a run begins."""

import shutil

import pytest

from surefoot.workflow import folder
from surefoot.workflow.folder import UNFINISHED


def test_what_a_killed_job_left_is_deleted_when_a_run_begins(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / f"results/estimate/mine/{UNFINISHED}abc").mkdir(parents=True)
    (tmp_path / f"results/estimate/mine/{UNFINISHED}abc/part").touch()
    (tmp_path / "results/estimate/mine/.0123456789abcdef.tmp").touch()
    (tmp_path / "results/estimate/mine/table.csv").touch()
    folder.begin({"studies": {}})
    try:
        assert [path.name for path in (tmp_path / "results/estimate/mine").iterdir()] == ["table.csv"]
        with pytest.raises(SystemExit), monkeypatch.context() as patch:
            patch.setattr(folder, "_PATIENCE", 0.1)
            folder.begin({"studies": {}})
    finally:
        for lock in folder._held:
            lock.release()
        folder._held.clear()
    shutil.rmtree(tmp_path / "results")
    with pytest.raises(folder.InputError, match=r"there are no results here. Hint: name the folder"):
        folder.read_configuration_of_results()
