"""Folders are read run by run, with progress, and a file that disappears is left out."""

import time

from support.read_folders import BY_FOLDERS, read_folder
from support.write_logs import write_evaluations, write_monitor

from surefoot.runs.logs import folder_curves
from surefoot.runs.logs.run_formats import RUN_FORMATS


def test_a_file_that_goes_while_the_folder_is_read_is_left_out(tmp_path, monkeypatch):
    for run in (1, 2):
        write_evaluations(tmp_path / "ppo" / "Ant" / str(run) / "evaluations.npz", [1], [[1.0]])
    evaluations = RUN_FORMATS.complete()["stable_baselines3_evaluations"]

    def then_gone(reading, files):
        found = evaluations.recognize(reading, files)
        (tmp_path / "ppo" / "Ant" / "1" / "evaluations.npz").unlink()
        return found

    monkeypatch.setitem(RUN_FORMATS, "stable_baselines3_evaluations", evaluations._replace(recognize=then_gone))
    found = read_folder(tmp_path, pattern=BY_FOLDERS, format="stable_baselines3_evaluations")
    assert found.table["run"].tolist() == [2] and "evaluations.npz disappeared before it was read" in found.remarks[0]


def test_a_thousand_files_are_read_in_seconds_with_progress(tmp_path, monkeypatch, capsys):
    for run in range(300):
        folder = tmp_path / "ppo" / "Ant" / str(run)
        folder.mkdir(parents=True)
        for name in ("model.zip", "notes.txt", "config.cfg"):
            (folder / name).touch()
        write_monitor(folder / "monitor.csv", [(run, 10, 1.0)])
    monkeypatch.setattr(folder_curves, "_BETWEEN_REPORTS", 0.0)
    started = time.process_time()
    found = read_folder(tmp_path, pattern=BY_FOLDERS).table
    assert time.process_time() - started < 5
    assert found["score"].tolist() == list(range(300))
    first = capsys.readouterr().err.splitlines()[0]
    assert first.startswith("read ") and " of 300 runs" in first
