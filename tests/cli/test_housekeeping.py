"""`surefoot check`, `why` and `prune`: what differs or was altered is named, and nothing that is needed is deleted."""

import json
import os
import time
from pathlib import Path

import pandas as pd
import pytest
from surefoot.build.verify import results_of_others, unplanned_files

from surefoot.build.errors import InputError
from surefoot.build.job import CONFIGURATION, Job, specification
from surefoot.build.project import PLANNED_BY, PROJECT, command, keep_options, kept_options
from surefoot.build.store import enter, entry_key, entry_path, files_of, read_entry
from surefoot.cli import housekeeping
from surefoot.configuration.models import Configuration
from surefoot.statistics.reproduction.comparison import AGAINST
from surefoot.statistics.reproduction.verdicts import VERDICTS

PATH = "results/compare/mine/run.parquet"
ROWS = pd.DataFrame(
    {
        "item": ["mean/a/b", "mean/a/c", "claim/differs/not", "claim/few"],
        "published": [0.21, 3.0, 1.0, 1.0],
        "ours": [-1000.0, 3.01, 1.0, 0.0],
        "verdict": ["differs", "reproduced", "reproduced", "contradicted"],
        "reason": ["", "", "", "too few runs"],
    }
)


def compare_job(side, path):
    return Job("compare", "mine", side, "", {}, (), {}, {"comparison": path})


@pytest.fixture
def checked(tmp_path, monkeypatch):
    """check() on a folder whose only job makes a comparison; returns the exit status."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results/compare/mine").mkdir(parents=True)
    monkeypatch.setattr(housekeeping, "altered_results", lambda jobs: [])
    monkeypatch.setattr(housekeeping, "unplanned_files", lambda jobs, others: [])
    monkeypatch.setattr(housekeeping, "damaged_files", lambda store, keys: [])
    monkeypatch.setattr(housekeeping, "damaged_results", lambda job, manifest: [])
    configuration = tmp_path / CONFIGURATION
    configuration.parent.mkdir(parents=True)
    study = {"title": "Mine", "sources": {"runs": {"kind": "score_table", "file": "scores.csv"}}}
    configuration.write_text(json.dumps({"studies": {"mine": study}}))

    def check(rows, record=None):
        jobs = [compare_job("run", PATH)]
        if record is not None:
            jobs.append(compare_job("record", "results/compare/mine/record.parquet"))
            record.to_parquet("results/compare/mine/record.parquet", index=False)
        monkeypatch.setattr(housekeeping, "plan", lambda config: jobs)
        if isinstance(rows, str):
            (tmp_path / PATH).write_text(rows)
        else:
            rows.to_parquet(tmp_path / PATH, index=False)
        return housekeeping.check(tmp_path)

    return check


def test_check_fails_on_a_number_that_differs_and_names_it(checked, capsys):
    assert checked(ROWS) == 1
    printed = capsys.readouterr().out
    assert f"mine: mean/a/b: published 0.21, ours -1000: differs ({PATH})" in printed
    assert "mean/a/c" not in printed
    assert "mine: 4 published numbers compared: contradicted 1, differs 1, reproduced 2" in printed
    assert all(verdict in printed for verdict in VERDICTS)


def test_check_passes_where_none_differs_whatever_items_are_called(checked, capsys):
    assert checked(ROWS.iloc[1:]) == 0
    printed = capsys.readouterr().out
    assert "claim/differs/not" not in printed
    assert f"mine: claim/few: published 1, ours 0: contradicted: too few runs ({PATH})" in printed


def test_check_fails_on_a_claim_that_our_runs_decide_against(checked, capsys):
    assert checked(ROWS.iloc[1:].assign(reason=AGAINST)) == 1
    assert f"mine: claim/few: published 1, ours 0: contradicted: {AGAINST}" in capsys.readouterr().out


def test_check_fails_on_a_record_that_differs(checked, capsys):
    assert checked(ROWS.iloc[1:], record=ROWS) == 1
    assert "mine (record of a large run): mean/a/b: published 0.21, ours -1000" in capsys.readouterr().out
    assert checked(ROWS.iloc[1:], record=ROWS.iloc[1:]) == 0


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "{}", '{"studies": {}}', '{"studies": []}', '{"studies": {"mine": {"collect": {}}}}']
)
def test_a_configuration_of_another_state_of_the_code_is_one_sentence(content, tmp_path, monkeypatch):
    """Nothing of it can be relied on: it is to be written anew."""
    monkeypatch.chdir(tmp_path)
    CONFIGURATION.parent.mkdir(parents=True)
    CONFIGURATION.write_text(content)
    with pytest.raises(InputError, match=r"configuration\.json: no checked configuration\. Hint: `.*` writes it anew"):
        housekeeping.read_checked()


@pytest.mark.parametrize("content", ["", "altered", ROWS.assign(published="many"), ROWS.drop(columns="verdict")])
def test_a_file_that_holds_no_verdicts_has_not_been_found_to_agree(content, checked, capsys):
    assert checked(content) == 1
    assert f"{PATH}: not a table of verdicts" in capsys.readouterr().out


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
        monkeypatch.setattr(housekeeping, "read_checked", lambda: config)
        Path("results/draw/mine").mkdir(parents=True, exist_ok=True)
        Path("results/draw/mine/a.csv").touch()
        status = command(tmp_path)
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


def test_results_of_another_configuration_are_counted_and_not_to_be_moved(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = "results/render/docs-commands.html"
    theirs = Job("render", "docs", "commands", "surefoot.rounding:written", {}, (), {}, {"page": page})
    for path in (theirs.spec, theirs.log, page, "results/render/left.html"):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(json.dumps(specification(theirs)) if path == theirs.spec else "")
    jobs = [compare_job("run", PATH)]
    others = results_of_others(jobs)
    assert others == dict.fromkeys((theirs.spec, theirs.log, page), "docs")
    assert [line.partition(":")[0] for line in unplanned_files(jobs, others)] == ["results/render/left.html"]


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
