"""Snakemake packs the workflow into an archive that runs elsewhere, also where there is no conda."""

import os
import shutil
import subprocess
import tarfile

import pytest
from checkout import Checkout

pytestmark = pytest.mark.workflow


@pytest.mark.skipif(shutil.which("git") is None, reason="no git, which tells Snakemake what belongs to a workflow")
def test_an_archive_is_made_without_conda_and_has_all_that_a_run_needs(checkout, tmp_path, monkeypatch):
    folders = os.environ["PATH"].split(os.pathsep)
    monkeypatch.setenv(
        "PATH", os.pathsep.join(folder for folder in folders if shutil.which("conda", path=folder) is None)
    )
    for command in (["init", "--quiet"], ["add", "--all", "--", ":!results", ":!.snakemake"]):
        subprocess.run(["git", *command], cwd=checkout.folder, check=True)
    checkout.run("--archive", "archive.tar.gz")
    elsewhere = Checkout(tmp_path / "elsewhere")
    elsewhere.store = checkout.store
    with tarfile.open(checkout.folder / "archive.tar.gz") as archive:
        archive.extractall(elsewhere.folder, filter="data")
    did = elsewhere.run("table")
    assert did
    assert set(did.values()) == {"hit"}
