"""prune deletes what no study has a use for, and nothing that another configuration's study or another folder uses."""

import os
import time
from pathlib import Path

import pytest

from surefoot.build.errors import InputError
from surefoot.build.planned_command import PLANNED_BY, command, keep_options, kept_options
from surefoot.build.project import PROJECT
from surefoot.build.store import enter, entry_key, entry_paths, read_entry
from surefoot.build.store_uses import note_unit, note_use, read_uses
from surefoot.cli import pruning
from surefoot.cli.command_list import command_named
from surefoot.cli.parsing import parsed
from surefoot.configuration.models import Configuration

DAY = 24 * 3600


@pytest.fixture
def store(tmp_path, monkeypatch):
    """An empty store that commands take; the current folder is one in which the workflow ran."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("SUREFOOT_STORE", str(tmp_path / "store"))
    return tmp_path / "store"


def made(store, name, study=None, days=100, options=(), units=()):
    """Key of an entry that a job of the study made in the current folder so many days ago."""
    file = store.parent / f"{name}.txt"
    file.write_text(name)
    key = entry_key("test", {"name": name})
    enter(store, key, {"out": file}, {"units": list(units)})
    paths = [path for path in entry_paths(store) if path.name == key]
    if study is not None:
        spec = {"study": study, "manifest": f"results/manifest/estimate/{study}/{name}.json"}
        paths.append(note_use(store, spec, key, options))
    for path in paths:
        os.utime(path, (time.time() - days * DAY,) * 2)
    return key


def run_prune(monkeypatch, keys=(), known=("small",), studies="", days=30.0, dry_run=False, directory="."):
    """Prune with a configuration that needs these keys and knows these studies."""
    jobs = [pruning_job(name) for name in known]
    monkeypatch.setattr(pruning, "read_checked", lambda path: Configuration.model_construct(studies={}))
    monkeypatch.setattr(pruning, "plan", lambda config, files: jobs)
    monkeypatch.setattr(pruning, "needed", lambda store, jobs: (set(keys), {"needed"}))
    options = pruning.argparse.Namespace(
        configuration=[Path("any")], studies=studies, days=days, dry_run=dry_run, directory=Path(directory)
    )
    assert pruning.prune(options) == 0


def pruning_job(study):
    class Job:
        pass

    job = Job()
    job.study = study
    return job


def test_what_the_configuration_needs_stays_and_what_is_old_goes(store, monkeypatch):
    needed, old = made(store, "needed", "small"), made(store, "old", "small")
    run_prune(monkeypatch, [needed])
    assert read_entry(store, needed) and read_entry(store, old) is None
    assert len(list((store / "blobs").glob("*/*"))) == 1
    assert [use.keys for use in read_uses(store)] == [{needed}]


def test_the_study_of_an_overlay_stays_until_it_is_named(store, monkeypatch, capsys):
    unit = made(store, "unit", days=400)
    mine = made(store, "mine", "mine", days=400, options=["--configfile", "mine.yaml"], units=[unit])
    runs = made(store, "runs", "mine_how_many_runs", days=400)
    run_prune(monkeypatch, days=0)
    assert all(read_entry(store, key) for key in (mine, unit, runs))
    told = capsys.readouterr().out
    assert "kept 3 entries of 1 studies that this configuration does not know (mine)" in told
    assert "`surefoot prune --studies mine`" in told
    run_prune(monkeypatch, studies="mine", dry_run=True)
    assert all(read_entry(store, key) for key in (mine, unit, runs))
    told = capsys.readouterr().out
    assert "mine (`snakemake mine --configfile mine.yaml` in " in told and "files would be deleted" in told
    run_prune(monkeypatch, studies="mine")
    assert not any(read_entry(store, key) for key in (mine, unit, runs))
    assert list(read_uses(store)) == []


def test_what_was_used_of_late_stays(store, monkeypatch, capsys):
    recent, unnoted = made(store, "recent", "small", days=20), made(store, "unnoted", days=20)
    run_prune(monkeypatch)
    assert read_entry(store, recent) and read_entry(store, unnoted)
    assert "kept 2 entries used within 30 days. Hint: `surefoot prune --days 0` keeps none" in capsys.readouterr().out
    run_prune(monkeypatch, days=10)
    assert not list(entry_paths(store))


def test_a_use_counts_from_its_last_time(store, monkeypatch):
    key = made(store, "x", "small", days=90)
    unit = made(store, "piece", days=90)
    note = note_use(store, {"study": "small", "manifest": "results/manifest/estimate/small/x.json"}, key, [])
    note_unit(note, store, unit)
    run_prune(monkeypatch)
    assert read_entry(store, key) and read_entry(store, unit)


def test_a_named_study_of_another_folder_stays_while_it_is_used(store, tmp_path, monkeypatch):
    here = made(store, "here", "mine", days=1)
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path / "there")
    there, forgotten = made(store, "there", "mine", days=1), made(store, "forgotten", "mine", days=100)
    monkeypatch.chdir(tmp_path / "here")
    run_prune(monkeypatch, studies="mine")
    assert read_entry(store, here) is None and read_entry(store, forgotten) is None
    assert read_entry(store, there)


def test_an_entry_that_two_studies_share_stays_for_the_other(store, monkeypatch):
    key = made(store, "shared", "mine")
    made(store, "shared", "theirs")
    run_prune(monkeypatch, studies="mine")
    assert read_entry(store, key)


def test_a_study_that_left_nothing_is_a_mistake(store, monkeypatch):
    made(store, "mine", "mine")
    with pytest.raises(InputError, match=r'nothing of a study "mime"\. Hint: did you mean "mine"'):
        run_prune(monkeypatch, studies="mime")


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"blobs": 3, "facts": {}}'])
def test_damaged_entries_go_though_they_are_needed(store, monkeypatch, content):
    first, second = made(store, "first", "small"), made(store, "second", "small")
    (path,) = (path for path in entry_paths(store) if path.name == first)
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
    assert sorted(path.name for path in (store / "kernels").iterdir()) == ["needed", "recent"]


def test_hints_repeat_the_options_of_the_command_that_planned(store):
    assert command("check") == "snakemake check"
    keep_options(["--configfile", "my file.yaml", "b.yaml", "--config", "store=x"])
    assert command("check") == "snakemake check --configfile 'my file.yaml' b.yaml --config store=x"
    keep_options(["--snakefile", str(PROJECT / "Snakefile"), "--configfile", "mine.yaml"])
    assert command("check") == "surefoot run check --configfile mine.yaml", "in a folder without a workflow"
    for damage in ("", "{}", "\x00"):
        PLANNED_BY.write_text(damage)
        assert kept_options() == []


def test_hints_repeat_the_folder_of_the_command(store, monkeypatch, capsys):
    """Pasted where the command was typed, they work."""
    made(store, "recent", "small", days=20)
    made(store, "mine", "mine", days=400)
    (store.parent / "here" / "my report").mkdir()
    run_prune(monkeypatch, directory="my report")
    told = capsys.readouterr().out
    assert "`surefoot prune --directory 'my report' --days 0`" in told
    assert "`surefoot prune --directory 'my report' --studies mine`" in told


def test_a_folder_without_results_is_refused_with_the_option_that_names_another(store, monkeypatch):
    monkeypatch.chdir(store.parent)
    with pytest.raises(InputError, match=r"no checked configuration.*Hint: name with --directory the folder"):
        pruning.prune(parsed(command_named("prune"), []))
