"""`surefoot check` and `prune`: what differs or was altered is named, and nothing that is needed is deleted."""

import json
import os
import time
from pathlib import Path

import pandas as pd
import pytest
from support.jobs import run_job
from support.one_study import planned

from surefoot.cli import housekeeping
from surefoot.errors import InputError
from surefoot.statistics.reproduction.published_comparison import AGAINST
from surefoot.statistics.reproduction.verdicts import VERDICTS, verdict_in_words
from surefoot.workflow.files import sha256_file
from surefoot.workflow.folder import CONFIGURATION, read_configuration_of_results
from surefoot.workflow.job import Job
from surefoot.workflow.kernel_cache import kernel_folders
from surefoot.workflow.store import blob_path, entry_path, put, read_entry

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


MINE = {"studies": {"mine": {"title": "Mine", "sources": {"runs": {"kind": "score_table", "file": "scores.csv"}}}}}


@pytest.fixture
def checked(tmp_path, monkeypatch):
    """Return a function that checks jobs which have made the given comparisons, and returns the exit status."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results/compare/mine").mkdir(parents=True)
    store = tmp_path / "store"

    def check(rows, record=None):
        jobs = []
        for part, content in (("run", rows), ("record", record)):
            if content is None:
                continue
            path = Path(f"results/compare/mine/{part}.parquet")
            if isinstance(content, str):
                path.write_text(content)
            else:
                content.to_parquet(path, index=False)
            job = Job("compare", "mine", part, "compare", {"part": part}, (), {}, {"comparison": str(path)})
            put(store, job.key({}), {"comparison": path}, {"seconds": 0.0, "made": ""})
            jobs.append(job)
        return housekeeping.check_jobs(jobs, store)

    return check


def test_check_fails_on_a_number_that_differs_and_names_it(checked, capsys):
    assert checked(ROWS) == 1
    printed = capsys.readouterr().out
    assert f"mine: mean/a/b: published 0.21, ours -1000: differs ({PATH})" in printed
    assert "mean/a/c" not in printed
    assert "mine: 4 published numbers compared: contradicted 1, differs 1, reproduced 2" in printed
    assert all(verdict_in_words(verdict) in printed for verdict in VERDICTS)


def test_check_passes_if_nothing_differs_whatever_the_names(checked, capsys):
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


@pytest.mark.parametrize("content", [None, "{}"])
def test_results_without_their_configuration_are_one_sentence(content, tmp_path, monkeypatch):
    """As the results of a module, or after the file was deleted: a run in which nothing is to be done writes none."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results/logs").mkdir(parents=True)
    if content is not None:
        CONFIGURATION.write_text(content)
    with pytest.raises(InputError, match=r"configuration\.json: it is missing or damaged, .* with --force"):
        read_configuration_of_results()


@pytest.mark.parametrize("content", [None, "", "{", "[]", "{}"])
def test_a_folder_without_results_is_one_sentence(content, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if content is not None:
        CONFIGURATION.parent.mkdir()
        CONFIGURATION.write_text(content)
    with pytest.raises(InputError, match=r"configuration\.json: there are no results here\. Hint: name the folder of"):
        read_configuration_of_results()


@pytest.mark.parametrize("content", ["", "altered", ROWS.assign(published="many"), ROWS.drop(columns="verdict")])
def test_a_file_without_verdicts_does_not_agree(content, checked, capsys):
    assert checked(content) == 1
    assert f"{PATH}: not a table of verdicts" in capsys.readouterr().out


@pytest.fixture
def results(own_folder):
    """The jobs of a small study whose first three were run in the current folder: a table, its scale, and an answer."""
    rows = [(a, e, run, run + len(a + e)) for a in ("ppo", "q") for e in "xy" for run in range(3)]
    pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"]).to_csv("scores.csv", index=False)
    sources = {"runs": {"kind": "score_table", "file": "scores.csv"}}
    jobs = planned({"sources": sources, "questions": {"rank_probabilities": {}}})
    for job in jobs[:3]:
        run_job(job)
    study = {"title": "Mine", "sources": sources, "questions": {"rank_probabilities": {}}}
    CONFIGURATION.write_text(json.dumps({"studies": {"mine": study}}))
    return jobs[:3]


def edit(path, old, new):
    Path(path).write_text(Path(path).read_text().replace(old, new))


SCALED = "results/normalize/mine/runs.parquet"
RANKS = "results/estimate/mine/rank_probabilities.csv"
RUNS = "results/collect/mine/runs.parquet"
NO_ENTRY = ": no entry in the store: made with other settings, code or inputs, or the entry was deleted "
DEPENDENT = ": not checked, since an input is one of the files above"


def prune_all():
    housekeeping.prune(Path(), 0.0, dry_run=False)


@pytest.mark.parametrize(
    ("change", "lines", "ending", "hints"),
    [
        (lambda: None, [], "0 problems", []),
        (lambda: Path(RANKS).unlink(), [], "0 problems", []),  # as before its job was run
        (lambda: edit(RANKS, "ppo", "PPO"), [f"{RANKS}: {housekeeping.CHANGED}"], "1 problem", ["delete"]),
        (
            lambda: edit("scores.csv", "ppo,x,0,4", "ppo,x,0,5"),
            [RUNS + NO_ENTRY],
            "0 problems, 1 without an entry",
            ["run"],
        ),
        (
            lambda: edit(CONFIGURATION, '"rank_probabilities": {}', '"rank_probabilities": {"algorithms": ["ppo"]}'),
            [RANKS + NO_ENTRY],
            "0 problems, 1 without an entry",
            ["run"],
        ),
        (
            lambda: Path(SCALED).unlink(),
            [f"{SCALED}: missing", RANKS + DEPENDENT],
            "1 problem, 1 without an entry",
            ["delete"],
        ),
        (
            lambda: Path(SCALED).write_text("altered"),
            [f"{SCALED}: {housekeeping.CHANGED}", RANKS + DEPENDENT],
            "1 problem, 1 without an entry",
            ["delete"],
        ),
        (prune_all, [f"{RUNS}, {SCALED}, {RANKS}{NO_ENTRY}"], "0 problems, 3 without an entry", ["run"]),
        (
            lambda: (prune_all(), Path(SCALED).unlink()),
            [f"{SCALED}: missing", RANKS + DEPENDENT, RUNS + NO_ENTRY],
            "1 problem, 2 without an entry",
            ["delete", "run"],
        ),
    ],
)
def test_results_are_compared_with_the_store(results, change, lines, ending, hints, capsys):
    change()
    capsys.readouterr()
    assert housekeeping.check(Path()) == bool(lines)
    printed = capsys.readouterr().out.splitlines()
    made = sum(Path(path).is_file() for job in results for path in job.outputs.values())
    summary = f"{made} results of {made} jobs checked with the settings of the last run: {ending}"
    starts = [*lines, summary, *(f"Hint: {hint} " for hint in hints)]
    assert len(printed) == len(starts) and all(map(str.startswith, printed, starts)), printed


def test_results_of_no_job_are_told_but_are_no_problem(results, capsys):
    """A question was renamed, so the result with its old name is not made again."""
    old, hidden = Path(RANKS).with_name("old.csv"), Path(RANKS).with_name(".unfinished")
    for path in (old, hidden, Path("results/render/made.js")):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("1\n")
    capsys.readouterr()
    assert housekeeping.check(Path()) == 0
    told, summary = capsys.readouterr().out.splitlines()
    assert told == f"{old}: not made with the settings of the last run, and not checked"
    assert summary.endswith("0 problems")


def test_many_results_without_an_entry_are_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    jobs = [
        Job("estimate", "mine", name, "estimate", {}, (), {}, {"table": f"results/{name}.csv"}) for name in "abcdefgh"
    ]
    (tmp_path / "results").mkdir()
    for job in jobs:
        Path(job.outputs["table"]).write_text("table")
    assert housekeeping.check_jobs(jobs, tmp_path / "empty") == 1
    line, summary, hint = capsys.readouterr().out.splitlines()
    assert line.startswith(f"{', '.join(f'results/{name}.csv' for name in 'abcde')} and 3 more{NO_ENTRY}")
    assert summary.endswith(": 0 problems, 8 without an entry")
    assert "delete" not in hint, "they may be right, and have taken days"


DAY = 24 * 3600


@pytest.fixture
def store(own_folder, monkeypatch):
    """An empty store that commands take; the current folder is one in which the workflow ran."""
    configuration = own_folder / "here" / CONFIGURATION
    configuration.parent.mkdir(parents=True)
    configuration.write_text(json.dumps(MINE))
    monkeypatch.chdir(own_folder / "here")
    return own_folder / "store"


def made(store, name, days=100):
    """Key of an entry that was last used so many days ago."""
    file = store.parent / f"{name}.txt"
    file.write_text(name)
    key = f"{name:0>64}"
    put(store, key, {"out": file}, {})
    for path in (entry_path(store, key), blob_path(store, sha256_file(file))):
        os.utime(path, (time.time() - days * DAY,) * 2)
    return key


def run_prune(days=30.0, dry_run=False):
    assert housekeeping.prune(Path(), days, dry_run) == 0


def test_what_was_used_of_late_stays_and_what_is_old_goes(store, capsys):
    recent, old = made(store, "recent", days=20), made(store, "old")
    run_prune(dry_run=True)
    assert "2 files would be deleted" in capsys.readouterr().out and read_entry(store, old)
    run_prune()
    assert read_entry(store, recent) and read_entry(store, old) is None
    assert len(list((store / "blobs").glob("*/*"))) == 1
    run_prune(days=10)
    assert not list((store / "entries").glob("*/*")) and not list((store / "blobs").glob("*/*"))


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"blobs": 3, "facts": {}}'])
def test_damaged_entries_go_however_new_they_are(store, content):
    first, second = made(store, "first", days=0), made(store, "second", days=0)
    entry_path(store, first).write_text(content)
    run_prune()
    assert not entry_path(store, first).exists() and read_entry(store, second)


def test_kernels_that_were_used_of_late_stay(store):
    needed = min(kernel_folders())
    for name, days in ((needed, 90), ("recent", 5), ("old", 90)):
        file = store / "kernels" / name / "k.nbc"
        file.parent.mkdir(parents=True)
        file.write_text("k")
        os.utime(file, (time.time() - days * DAY,) * 2)
    run_prune()
    assert sorted(path.parent.name for path in (store / "kernels").glob("*/*")) == sorted([needed, "recent"])
