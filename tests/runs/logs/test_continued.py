"""Logs whose steps begin anew, and trainings that go on in another folder."""

import pytest
from support.read_folders import BY_FOLDERS, CASES, NEEDS_CASES, read_folder, reasons, rows, told
from support.write_logs import write_evaluations, write_log, write_text, write_zoo

import surefoot


def test_trainings_that_go_on_in_another_folder_are_a_question(tmp_path):
    for number in (1, 2, 3):
        steps = [100 * number - 50, 100 * number]
        text = "time/total_timesteps,eval/mean_reward\n" + "".join(f"{step},{step}\n" for step in steps)
        write_text(tmp_path / f"PPO_{number}" / "progress.csv", text)
    options = {"environment": "CartPole-v1", "algorithm": "PPO"}
    said = told(tmp_path, **options)
    assert "PPO_2/progress.csv: it begins at step 150, after PPO_1 ends at step 100" in said
    assert "--continued join" in said
    joined = read_folder(tmp_path, continued="join", **options).table
    assert joined["run"].nunique() == 1 and joined["step"].tolist() == [50, 100, 150, 200, 250, 300]
    account = surefoot.reading_account(joined)
    assert account["file"].tolist() == [f"PPO_{number}/progress.csv" for number in (1, 2, 3)]
    assert set(account["outcome"]) == {"used"} and account["run"].nunique() == 1
    assert read_folder(tmp_path, continued="separate", **options).table["run"].nunique() == 3


def test_folders_of_the_zoo_that_go_on_are_not_doubles(tmp_path):
    write_zoo(tmp_path, "ppo", "Ant-v4", 1, 7)
    write_zoo(tmp_path, "ppo", "Ant-v4", 2, 7)
    write_evaluations(tmp_path / "ppo" / "Ant-v4_2" / "evaluations.npz", [30, 40], [[3.0], [4.0]])
    said = told(tmp_path, score_kind="eval")
    assert "ppo/Ant-v4_2/evaluations.npz: it begins at step 30, after ppo/Ant-v4_1 ends at step 20" in said
    joined = read_folder(tmp_path, score_kind="eval", format="stable_baselines3_evaluations", continued="join",
                         algorithm="ppo", environment="Ant-v4").table  # fmt: skip
    assert joined["step"].tolist() == [10, 20, 30, 40]


@NEEDS_CASES
def test_case_of_evaluations_that_are_cut():
    found = read_folder(CASES / "cut_evaluations" / "runs").table
    account = surefoot.reading_account(found)
    losses = account[account["outcome"] == "left out"]
    assert rows(losses, "file", "reason") == [("ppo/Hopper-v4/1/evaluations.npz", "damaged")]


ANEW = "step,return\n10,1\n20,2\n30,3\n10,4\n20,5\n"


def test_steps_that_begin_anew_are_a_question(tmp_path):
    write_log(tmp_path, ANEW)
    options = {"pattern": BY_FOLDERS + "/{}"}
    said = told(tmp_path, **options)
    assert "steps begin again, from 30 to 10 in row 4: either" in said
    assert "--continued join" in said and "--continued separate" in said
    joined = read_folder(tmp_path, continued="join", **options)
    assert "in row 4; the 2 parts are read as one training" in joined.remarks[0]
    assert rows(joined.table, "run", "step", "score") == [(1, 10 * k, float(k)) for k in range(1, 6)]
    parts = read_folder(tmp_path, continued="separate", **options).table
    assert rows(parts, "run", "step", "score") == [
        *(("1-part1", 10 * k, float(k)) for k in (1, 2, 3)),
        *(("1-part2", 10 * k - 30, float(k)) for k in (4, 5)),
    ]


def test_a_restart_from_a_checkpoint_replaces_what_it_repeats(tmp_path):
    write_log(tmp_path, "step,return\n10,1\n20,2\n30,3\n20,4\n30,5\n")
    found = read_folder(tmp_path, pattern=BY_FOLDERS + "/{}")
    assert rows(found.table, "step", "score") == [(10, 1.0), (20, 4.0), (30, 5.0)]
    assert reasons(found.table)["before a restart"] == 2


def test_event_files_that_begin_anew_are_a_question(tmp_path):
    events = pytest.importorskip("support.write_event_files")
    folder = tmp_path / "ppo" / "Ant" / "1"
    for time, begin in ((1700000000, 0.0), (1700000100, 10.0)):
        scalars = [events.simple("eval/mean_reward", 10 * k, begin + k) for k in (1, 2, 3)]
        events.write_events(folder, scalars, time=time)
    said = told(tmp_path, pattern=BY_FOLDERS)
    assert "steps begin again at 10, after 30 in earlier files" in said
    joined = read_folder(tmp_path, pattern=BY_FOLDERS, continued="join").table
    assert joined["step"].tolist() == [10, 20, 30, 40, 50, 60] and joined["score"].tolist() == [1, 2, 3, 11, 12, 13]
    parts = read_folder(tmp_path, pattern=BY_FOLDERS, continued="separate").table
    assert rows(parts, "run", "step", "score") == [
        *(("1-part1", 10 * k, float(k)) for k in (1, 2, 3)),
        *(("1-part2", 10 * k, 10.0 + k) for k in (1, 2, 3)),
    ]


@NEEDS_CASES
def test_case_of_counters_that_begin_anew():
    folder = CASES / "counters_begin_anew" / "ray_results"
    assert "steps begin again, from 160,000 to 4,000" in told(folder)
    assert read_folder(folder, continued="join").table.groupby(["algorithm", "run"])["step"].max().unique() == [200_000]
