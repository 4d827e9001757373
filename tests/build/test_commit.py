"""The commit that pages are said to be made at."""

import shutil
import subprocess

import pytest

from surefoot.build.project import commit_of_checkout

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="no git")


def git(folder, *words):
    person = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", "-C", folder, *person, *words], check=True, capture_output=True)


def test_the_commit_says_when_the_checkout_was_changed_beyond_it(tmp_path):
    assert commit_of_checkout(tmp_path) == ""
    git(tmp_path, "init")
    assert commit_of_checkout(tmp_path) == ""  # none yet
    (tmp_path / "file").write_text("1")
    git(tmp_path, "add", "file")
    git(tmp_path, "commit", "-m", "First")
    commit = commit_of_checkout(tmp_path)
    assert len(commit) == 12 and int(commit, 16)
    (tmp_path / "file").write_text("2")
    assert commit_of_checkout(tmp_path) == f"{commit} with changes"
    git(tmp_path, "checkout", "file")
    (tmp_path / "other").write_text("new")
    assert commit_of_checkout(tmp_path) == f"{commit} with changes"


def test_a_folder_within_another_checkout_has_no_commit_of_its_own(tmp_path):
    git(tmp_path, "init")
    git(tmp_path, "commit", "--allow-empty", "-m", "First")
    (tmp_path / "below").mkdir()
    assert commit_of_checkout(tmp_path / "below") == ""


def test_without_git_there_is_no_commit(tmp_path, monkeypatch):
    git(tmp_path, "init")
    monkeypatch.setenv("PATH", "")
    assert commit_of_checkout(tmp_path) == ""
