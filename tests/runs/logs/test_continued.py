"""Trainings that go on in another folder."""

from support.read_folders import CASES, NEEDS_CASES, read_folder, rows, told
from support.write_logs import write_evaluations, write_text, write_zoo

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
