"""Jobs and tables of sources, and files that are not there."""

import pytest

from surefoot.errors import InputError
from surefoot.runs.sources.source_settings import StudySources, check_files, end_of_name, source_jobs, tables_of
from surefoot.runs.sources.tables import LearningCurves, ScoreTable

CURVES = LearningCurves(file="curves.csv")


@pytest.mark.parametrize(
    ("source", "table", "end"),
    [("runs", "runs", "runs"), ("runs", "runs_curves", "curves"), ("mine", "mine", "runs"), ("mine", "plays", "plays")],
)
def test_a_table_is_named_after_its_source(source, table, end):
    assert end_of_name(source, table) == end


def test_a_file_has_one_job_whose_settings_have_no_path():
    study = StudySources("mine", 0, {"mine": CURVES, "other": CURVES}, stated=["a"])
    jobs = source_jobs(study)
    assert [(job.stage, job.part, job.rule) for job in jobs] == [
        ("collect", "mine", "read_curves"),
        ("collect", "other", "read_curves"),
    ]
    first, second = jobs
    assert first.settings == second.settings and "curves.csv" not in str(first.settings)
    assert first.settings["stated"] == ["a"] and set(first.inputs.values()) == {"curves.csv"}
    found = tables_of(study, jobs, [])
    assert found["mine"] == {"runs": "results/collect/mine/mine.parquet"}
    assert found["mine_curves"] == {"runs": "results/collect/mine/mine_curves.parquet"}
    assert not {path for paths in found.values() for path in paths.values()} - {
        path for job in jobs for path in job.outputs.values()
    }


def test_a_file_that_is_not_there_is_named_with_its_key(own_folder):
    (own_folder / "folder").mkdir()
    (own_folder / "scores.csv").touch()
    check_files(ScoreTable(file="scores.csv"))
    with pytest.raises(InputError, match=r"^file: nowhere\.csv: no such file\. Hint: paths are relative"):
        check_files(ScoreTable(file="nowhere.csv"))
    with pytest.raises(InputError, match=r"^file: folder: it is a folder\. Hint: name a file in it"):
        check_files(ScoreTable(file="folder"))
