"""Which files of a folder are logs of runs, of which format, and what is said of the others."""

import zipfile
from itertools import product

import numpy as np
import pandas as pd
import pytest
from support.read_folders import BY_FOLDERS, read_folder, told
from support.write_logs import write_evaluations, write_monitor, write_text

import surefoot
from surefoot.errors import InputError


def test_files_that_are_empty_or_broken_are_said(tmp_path):
    write_text(tmp_path / "a" / "progress.csv", "")
    assert "among its 1 file (1 .csv): a/progress.csv is empty. Hint:" in told(tmp_path)
    write_text(tmp_path / "b" / "scores.parquet", "PAR1 and no more")
    assert "a/progress.csv is empty; b/scores.parquet is not readable as .parquet" in told(tmp_path)
    write_text(tmp_path / "c.csv", "algorithm,environment,run,step,score\n")
    assert "c.csv: the table has no rows. Hint: write one row per run" in told(tmp_path / "c.csv")


def test_files_of_blanks_alone_are_empty(tmp_path):
    """Alone they are refused; beside runs, each is a run without a score."""
    write_text(tmp_path / "ppo" / "Ant-v4" / "1" / "progress.csv", "\n \n\n")
    assert "ppo/Ant-v4/1/progress.csv is empty" in told(tmp_path)
    for name, run in product(("ppo", "sac"), (2, 3)):
        write_text(tmp_path / name / "Ant-v4" / str(run) / "progress.csv", "\nstep,return\n\n1,2\n\n3,4\n\n")
    table = read_folder(tmp_path).table
    assert table.groupby(["algorithm", "run"])["score"].sum().tolist() == 4 * [6.0]
    account = surefoot.reading_account(table).set_index("file")
    assert account.loc["ppo/Ant-v4/1/progress.csv", "reason"] == "is empty"
    assert table.attrs["unfinished"] == [["ppo", "Ant-v4", "1"]]


def test_spreadsheets_are_refused_with_a_way_to_save_them(tmp_path):
    for place in ("scores.xlsx", "scores/more.XLS"):
        write_text(tmp_path / place, "PK")
    assert "scores/more.XLS: spreadsheets are not read. Hint: save each sheet that has scores as CSV" in told(tmp_path)
    for name, run in product(("ppo", "sac"), (1, 2)):
        write_evaluations(tmp_path / name / "Ant-v4" / str(run) / "evaluations.npz", [1], [[1.0]])
    account = surefoot.reading_account(read_folder(tmp_path).table).set_index("file")
    assert account.loc["scores/more.XLS", "reason"] == "a spreadsheet, which is not read"


def test_two_formats_in_one_folder_are_named(tmp_path):
    write_evaluations(tmp_path / "a" / "evaluations.npz", [1], [[1.0]])
    write_text(tmp_path / "b" / "scores.csv", "algorithm,environment,run,score\na,e,0,1\n")
    said = told(tmp_path)
    assert "1 place of the format stable_baselines3_evaluations (such as a)" in said
    assert "1 place of the format table (such as b/scores)" in said
    assert said.endswith("Hint: choose one: --format stable_baselines3_evaluations or --format table")


def test_training_returns_are_preferred_to_running_means(tmp_path):
    """Monitor files and the logger's in one folder; what the logger has of evaluations goes before both."""
    for seed in (1, 2):
        folder = tmp_path / "ppo" / "Ant-v4" / f"{seed}"
        write_monitor(folder / "0.monitor.csv", [(1.0, 10, 1.0), (2.0, 10, 2.0)])
        write_text(folder / "progress.csv", "time/total_timesteps,rollout/ep_rew_mean\n10,1.0\n20,1.5\n")
    found = read_folder(tmp_path, pattern=BY_FOLDERS)
    assert found.format == "stable_baselines3_monitor"
    assert found.table["score"].tolist() == [1.0, 2.0] * 2 and set(found.table["kind"]) == {"train"}
    (remark,) = found.remarks
    assert remark.startswith("scores of the kind train are read from stable_baselines3_monitor, not from")
    asked = read_folder(tmp_path, pattern=BY_FOLDERS, format="stable_baselines3_progress")
    assert asked.table["score"].tolist() == [1.0, 1.5] * 2
    for seed in (1, 2):
        path = tmp_path / "ppo" / "Ant-v4" / f"{seed}" / "progress.csv"
        path.write_text("time/total_timesteps,rollout/ep_rew_mean,eval/mean_reward\n10,1.0,7.0\n20,1.5,8.0\n")
    evaluated = read_folder(tmp_path, pattern=BY_FOLDERS)
    assert evaluated.format == "stable_baselines3_progress" and evaluated.table["score"].tolist() == [7.0, 8.0] * 2


def test_files_of_runs_give_way_to_formats_that_are_known(tmp_path):
    write_text(tmp_path / "runs.csv", "algorithm,environment,run,step,score\na,x,0,1,2\n")
    write_text(tmp_path / "notes.csv", "step,return\n1,2\n")
    assert read_folder(tmp_path).format == "table"


def test_what_is_no_log_is_not_taken_for_one(tmp_path):
    write_text(tmp_path / "a.csv", "only\n1\n")
    write_text(tmp_path / "b.json", '{"a": 1}')
    (tmp_path / "c.db").write_bytes(b"SQLite format 3\0 and no more")
    (tmp_path / "d.wandb").write_text("nothing")
    np.save(tmp_path / "e.npy", np.zeros(3))
    np.savez(tmp_path / "f.npz", steps=np.arange(3), returns=np.zeros((2, 3)))
    damaged = bytearray((tmp_path / "f.npz").read_bytes())
    damaged[-4] = 1  # where the archive's directory begins: before the file does
    (tmp_path / "f.npz").write_bytes(damaged)
    with pytest.raises(OSError, match="Invalid argument"), zipfile.ZipFile(tmp_path / "f.npz") as file:
        file.open(file.namelist()[0])
    with pytest.raises(InputError, match="no runs of a known format"):
        read_folder(tmp_path)
    pd.DataFrame({"x": [1], "y": [2]}).to_csv(tmp_path / "f.csv", index=False)
    with pytest.raises(InputError, match=r"f.csv: no column of steps among x, y, .*Hint: specify the columns with"):
        read_folder(tmp_path)


def test_evaluations_are_preferred_to_monitor_files(tmp_path):
    """As `Monitor` and `EvalCallback` leave them in one folder; only the monitor file names the environment."""
    for algorithm in ("A2C", "PPO"):
        for seed in (0, 1):
            folder = tmp_path / f"{algorithm}_{seed}"
            write_monitor(folder / "monitor.csv", [(5, 10, 1.0), (7, 10, 2.0)])
            write_evaluations(folder / "evaluations.npz", [10, 20], [[1.0, 3.0], [seed, seed]])
            write_text(folder / "progress.csv", "time/total_timesteps,rollout/ep_rew_mean\n10,5\n")
    found = read_folder(tmp_path)
    assert found.format == "stable_baselines3_evaluations" and set(found.table["kind"]) == {"eval"}
    assert found.table["score"].tolist() == [2.0, 0.0, 2.0, 1.0] * 2
    assert found.table["algorithm"].unique().tolist() == ["A2C", "PPO"] and set(found.table["run"]) == {0, 1}
    assert set(found.table["environment"]) == {"CartPole-v1"}
    assert found.remarks[1:] == ("scores of the kind train are not used for 4 runs (--score-kind train reads them)",)
    for asked in ({"score_kind": "train"}, {"format": "stable_baselines3_monitor"}):
        found = read_folder(tmp_path, **asked)
        assert found.format == "stable_baselines3_monitor" and found.table["score"].tolist() == [5.0, 7.0] * 4
    (tmp_path / "PPO_1" / "evaluations.npz").unlink()
    (tmp_path / "PPO_1" / "progress.csv").unlink()
    with pytest.raises(InputError, match="1 of 4 runs has no scores of the kind eval"):
        read_folder(tmp_path)
    assert set(read_folder(tmp_path, score_kind="train").table["run"]) == {0, 1}
