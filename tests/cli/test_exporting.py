"""`surefoot export`: what is refused before anything is written, and files that are replaced."""

from pathlib import Path

import pytest
from support.jobs import run_jobs

from surefoot.cli.commands import main
from surefoot.cli.exporting import put_files
from surefoot.errors import InputError
from surefoot.workflow.configuration.configuration_files import read_configuration
from surefoot.workflow.configuration.validation import validate_configuration
from surefoot.workflow.planning.plan import plan

RUNS = [f"{name},maze,{run},{run}" for name in "ab" for run in range(3)]
SCORES = "\n".join(["algorithm,environment,run,score", *RUNS])
STUDY = """
shipped_studies: false
studies:
  mine:
    title: Two algorithms
    sources: {runs: {kind: score_table, file: scores.csv}}
    scales: {runs: {kind: min_max}}
    questions: {aggregate_metrics: {}}
"""


def test_what_is_wrong_is_said_before_anything_is_written(tmp_path, monkeypatch, capsys):
    """In a folder where a figure of a study was deleted."""
    output = tmp_path / "paper"
    (tmp_path / "scores.csv").write_text(SCORES)
    (tmp_path / "mine.yaml").write_text(STUDY)
    run_jobs(tmp_path / "mine.yaml", lambda job: False)
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "mine.yaml"
    configuration = validate_configuration(read_configuration([file]), [file])
    drawn = [job for job in plan(configuration) if job.stage == "draw"]
    for path in {path for job in drawn if job.study == "mine" for path in job.outputs.values()}:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).touch()

    def refused(*arguments):
        assert main(["export", *arguments, "-o", str(output)]) == 2
        return capsys.readouterr().err

    assert "invalid choice: 'neurisp' (choose from 'neurips'" in refused("mine", "--venue", "neurisp")
    assert 'no study "mien" here. Hint: did you mean "mine"?' in refused("mien", "--venue", "neurips")
    said = refused("mine", "--venue", "neurips")
    assert "mine may be out of date: results/" in said and ".csv: missing. Hint: delete files that were " in said, said
    for path in {path for job in drawn if job.study == "mine" for path in job.inputs.values()}:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).touch()
    said = refused("mine", "--venue", "neurips")
    assert "mine may be out of date: " in said and ": no entry in the store: " in said, said
    assert "Hint: run the workflow again, which makes what is out of date; " in said, said
    (tmp_path / "results" / "draw" / "mine" / "aggregate_metrics.json").unlink()
    missing = "the results of the study mine do not exist yet: results/draw/mine/aggregate_metrics.json"
    again = "missing. Hint: run the command that made these results again"
    assert f"{missing} is {again}" in refused("mine", "--venue", "neurips")
    (tmp_path / "results" / "draw" / "mine" / "aggregate_metrics.csv").unlink()
    assert f" and 1 more are {again}" in refused("mine", "--venue", "neurips")
    assert not output.exists()


def test_a_folder_in_which_nothing_was_made(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["export", "mine", "--venue", "jmlr"]) == 2
    assert "there are no results here. Hint: name the folder of the results with --directory" in capsys.readouterr().err


def test_other_files_are_replaced_only_where_it_is_asked_for(tmp_path):
    put_files(tmp_path, {"a/b.txt": b"1"}, False)
    put_files(tmp_path, {"a/b.txt": b"1"}, False)
    (tmp_path / "c.txt").write_text("theirs")
    with pytest.raises(
        InputError, match=r"different files with these names: c.txt\. Hint: choose another folder, or use --replace"
    ):
        put_files(tmp_path, {"a/d.txt": b"3", "c.txt": b"ours"}, False)
    assert not (tmp_path / "a" / "d.txt").exists()
    put_files(tmp_path, {"c.txt": b"ours"}, True)
    assert (tmp_path / "c.txt").read_bytes() == b"ours"
