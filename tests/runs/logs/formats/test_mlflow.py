"""MLflow keeps runs in files and in a database."""

import sqlite3

import pytest
from support.four_runs import CURVES, STEPS, lines
from support.read_folders import read_folder
from support.write_logs import write_text

from surefoot.errors import InputError
from surefoot.runs.logs.account import reading_account
from surefoot.runs.logs.protocol_in_logs import protocols_in_logs


def test_mlflow_keeps_runs_in_files(tmp_path, asked_for_nothing):
    store = tmp_path / "runs" / "123"
    write_text(store / "meta.yaml", "name: hopper\n")
    for place, ((name, seed), scores) in enumerate([*CURVES.items(), (("old", 0), [0.0, 0.0, 0.0])]):
        run = store / f"{place}a"
        write_text(run / "meta.yaml", f"lifecycle_stage: {'deleted' if name == 'old' else 'active'}\n")
        write_text(run / "metrics" / "eval" / "return", lines(scores, "17000 {1} {0}\n"))
        for key, value in (("algo", name), ("env_id", "Hopper-v4"), ("seed", seed)):
            write_text(run / "params" / key, str(value))
    for file in store.rglob("metrics/eval/return"):
        file.rename(file.parent.parent / "return")
    assert "kind" not in protocols_in_logs(asked_for_nothing("mlflow").table)["sac"], "the name does not say it"
    for file in store.rglob("metrics/return"):
        file.rename(file.parent / "eval" / "return")
    write_text(store / "4a" / "metrics" / "eval" / "return", "a deleted run may be broken\n")
    found = asked_for_nothing("mlflow")
    assert found.remarks == ("hopper/4a: deleted in MLflow, and left out",)
    account = reading_account(found.table)
    files = account.groupby("outcome")["file"].agg(set)
    assert files["used"] == {f"123/{place}a/metrics/eval/return" for place in range(4)}
    assert all(file.startswith("123/4a/") for file in files["left out"]) and len(files["left out"]) == 5
    assert set(account.loc[account["outcome"] == "other file", "reason"]) == {"configuration"}
    write_text(store / "0a" / "metrics" / "eval" / "return", "no numbers here\n")
    with pytest.raises(InputError, match="its lines are not time, value and step"):
        read_folder(tmp_path / "runs")


def test_mlflow_keeps_runs_in_a_database(tmp_path, asked_for_nothing):
    (tmp_path / "runs").mkdir()
    with sqlite3.connect(tmp_path / "runs" / "mlflow.db") as database:
        database.executescript(
            """CREATE TABLE experiments (experiment_id INTEGER, name TEXT);
            CREATE TABLE runs (run_uuid TEXT, name TEXT, experiment_id INTEGER, lifecycle_stage TEXT, start_time TEXT);
            CREATE TABLE metrics (key TEXT, value REAL, timestamp INTEGER, run_uuid TEXT, step INTEGER, is_nan BOOLEAN);
            CREATE TABLE params (key TEXT, value TEXT, run_uuid TEXT);
            INSERT INTO experiments VALUES (1, 'hopper');"""
        )
        for place, ((name, seed), scores) in enumerate([*CURVES.items(), (("old", 0), [0.0, 0.0, 0.0])]):
            stage = "deleted" if name == "old" else "active"
            database.execute("INSERT INTO runs VALUES (?, ?, 1, ?, 0)", (str(place), f"{name}_{seed}", stage))
            for key, value in (("algo", name), ("env_id", "Hopper-v4"), ("seed", str(seed))):
                database.execute("INSERT INTO params VALUES (?, ?, ?)", (key, value, str(place)))
            for step, score in zip(STEPS, scores, strict=True):
                rows = ("eval/return", score, step, str(place), step, False)
                database.execute("INSERT INTO metrics VALUES (?, ?, ?, ?, ?, ?)", rows)
    found = asked_for_nothing("mlflow")
    assert found.remarks == ("hopper/old_0: deleted in MLflow, and left out",)
    database.execute("UPDATE metrics SET is_nan = 1 WHERE step = 2000 AND run_uuid = '1'")
    database.commit()
    database.close()
    with pytest.raises(InputError, match="1 score is not finite"):
        read_folder(tmp_path / "runs")
