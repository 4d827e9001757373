"""`surefoot check` and `why`: studies that were never made are one line, and published numbers that differ fail."""

import json
from pathlib import Path

import pandas as pd
import pytest

from surefoot.build.errors import InputError
from surefoot.build.job import CONFIGURATION, Job, specification
from surefoot.build.verify import results_of_others, unplanned_files
from surefoot.cli import housekeeping
from surefoot.configuration.models import Configuration
from surefoot.statistics.reproduction.comparison import VERDICTS

PATH = "results/compare/mine/run.parquet"
ROWS = pd.DataFrame(
    {
        "item": ["mean/a/b", "mean/a/c", "claim/differs/not"],
        "published": [0.21, 3.0, 1.0],
        "ours": [-1000.0, 3.01, 1.0],
        "verdict": ["differs", "reproduced", "reproduced"],
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
    assert "mine: 3 published numbers compared: reproduced 2" in printed
    assert all(verdict in printed for verdict in VERDICTS)


def test_check_passes_where_none_differs_whatever_items_are_called(checked, capsys):
    assert checked(ROWS.iloc[1:]) == 0
    assert "claim/differs/not" not in capsys.readouterr().out


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
