"""prune deletes what the configuration does not need and nobody used of late."""

import os
import time
from pathlib import Path

import pytest

from surefoot.build.project import PLANNED_BY, PROJECT, command, keep_options, kept_options
from surefoot.build.store import enter, entry_key, entry_path, files_of, read_entry
from surefoot.cli import housekeeping
from surefoot.configuration.models import Configuration

DAY = 24 * 3600


@pytest.fixture
def store(tmp_path, monkeypatch):
    """An empty store that commands take; the current folder is one in which the workflow ran."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("SUREFOOT_STORE", str(tmp_path / "store"))
    return tmp_path / "store"


def made(store, name, days=100):
    """Key of an entry that was last used so many days ago."""
    file = store.parent / f"{name}.txt"
    file.write_text(name)
    key = entry_key("test", {"name": name})
    enter(store, key, {"out": file}, {"units": []})
    os.utime(entry_path(store, key), (time.time() - days * DAY,) * 2)
    return key


def run_prune(monkeypatch, keys=(), days=30.0, dry_run=False):
    """Prune with a configuration that needs these keys."""
    monkeypatch.setattr(housekeeping, "read_checked", lambda: Configuration.model_construct(studies={}))
    monkeypatch.setattr(housekeeping, "needed", lambda store: set(keys))
    monkeypatch.setattr(housekeeping, "kernel_folders", lambda: {"needed"})
    assert housekeeping.prune(Path(), days, dry_run) == 0


def test_what_the_configuration_needs_stays_and_what_is_old_goes(store, monkeypatch, capsys):
    needed, old = made(store, "needed"), made(store, "old")
    run_prune(monkeypatch, [needed], dry_run=True)
    assert "2 files would be deleted" in capsys.readouterr().out and read_entry(store, old)
    run_prune(monkeypatch, [needed])
    assert read_entry(store, needed) and read_entry(store, old) is None
    assert len(list((store / "blobs").glob("*/*"))) == 1


def test_what_was_used_of_late_stays(store, monkeypatch, capsys):
    recent = made(store, "recent", days=20)
    run_prune(monkeypatch)
    assert read_entry(store, recent)
    assert "kept 1 entries used within 30 days. Hint: `--days 0` keeps none" in capsys.readouterr().out
    run_prune(monkeypatch, days=10)
    assert not list(files_of(store / "entries"))


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"blobs": 3, "facts": {}}'])
def test_damaged_entries_go_though_they_are_needed(store, monkeypatch, content):
    first, second = made(store, "first"), made(store, "second")
    (path,) = (path for path in files_of(store / "entries") if path.name == first)
    path.write_text(content)
    run_prune(monkeypatch, [first, second])
    assert not path.exists() and read_entry(store, second)


def test_kernels_that_were_used_of_late_stay(store, monkeypatch):
    for name, days in (("needed", 90), ("recent", 5), ("old", 90)):
        file = store / "kernels" / name / "k.nbc"
        file.parent.mkdir(parents=True)
        file.write_text("k")
        for path in (file, file.parent):
            os.utime(path, (time.time() - days * DAY,) * 2)
    run_prune(monkeypatch)
    assert sorted(path.parent.name for path in (store / "kernels").glob("*/*")) == ["needed", "recent"]


def test_hints_repeat_the_options_of_the_command_that_planned(store):
    keep_options(["--snakefile", str(PROJECT / "Snakefile"), "--configfile", "mine.yaml"])
    assert command("check") == "surefoot run check --configfile mine.yaml", "in a folder without a workflow"
    Path("Snakefile").touch()
    keep_options(["--configfile", "my file.yaml", "b.yaml", "--config", "store=x"])
    assert command("check") == "snakemake check --configfile 'my file.yaml' b.yaml --config store=x"
    for damage in ("", "{}", "\x00"):
        PLANNED_BY.write_text(damage)
        assert kept_options() == []
