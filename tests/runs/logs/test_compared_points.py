"""Points of one kind and one metric are compared."""

import pandas as pd
import pytest
from support.read_folders import BY_FOLDERS, read_folder, told
from support.write_logs import write_text, write_zoo

from surefoot.cli.commands import main
from surefoot.errors import InputError


def test_scores_under_unlike_names_are_refused(tmp_path):
    write_text(tmp_path / "a/Ant/1/progress.csv", "time/total_timesteps,eval/mean_reward\n1,2\n")
    frame = pd.DataFrame({"_step": [1], "global_step": [1], "eval/mean_reward": [1.0], "eval/episodic_return": [1.0]})
    for name, dropped in (("x", "eval/mean_reward"), ("y", "eval/episodic_return")):
        frame.drop(columns=dropped).to_parquet(tmp_path / f"{name}.parquet")
    said = told(tmp_path, format="wandb", pattern="{algorithm}", environment="Ant")
    assert "runs with different protocols are not compared: x: " in said
    assert "metric eval/episodic_return; y: " in said and "metric eval/mean_reward. Hint: choose one with" in said
    said = told(tmp_path, format="wandb", algorithm="ours", environment="Ant")
    assert "runs log their returns under different names: eval/episodic_return (x) and eval/mean_reward (y)" in said


def test_runs_of_unlike_kinds_are_refused_unless_chosen(tmp_path):
    write_zoo(tmp_path, "ppo", "CartPole-v1", 1, 1)
    write_zoo(tmp_path, "ppo", "CartPole-v1", 2, 2, evaluated=False)
    with pytest.raises(InputError) as caught:
        read_folder(tmp_path)
    assert "1 of 2 runs has no scores of the kind eval, for example ppo in CartPole-v1, run 2" in caught.value.what
    assert set(read_folder(tmp_path, score_kind="train").table["run"]) == {1, 2}, "as the hint says"
    (tmp_path / "ppo/CartPole-v1_1/0.monitor.csv").unlink()
    (tmp_path / "ppo/CartPole-v1_1/1.monitor.csv").unlink()
    with pytest.raises(InputError) as caught:
        read_folder(tmp_path)
    assert set(caught.value.hint.split("; ")) == {
        "--score-kind eval reads 1 of 2 runs, and counts 1 as without a score",
        "--score-kind train reads 1 of 2 runs, and counts 1 as without a score",
    }
    asked = read_folder(tmp_path, score_kind="eval")
    assert set(asked.table["run"]) == {1}
    assert "1 of 2 runs without scores of the kind eval is left out" in asked.remarks[-1]


def write_progress(folder, algorithm, column, steps=(100, 200), environment="Ant"):
    rows = "".join(f"{step},{step / 10}\n" for step in steps)
    write_text(folder / algorithm / environment / "1" / "progress.csv", f"time/total_timesteps,{column}\n{rows}")


def test_algorithms_of_unlike_kinds_are_read_on_request(tmp_path, capsys):
    write_progress(tmp_path, "ppo", "eval/mean_reward")
    write_progress(tmp_path, "sac", "rollout/ep_rew_mean")
    with pytest.raises(InputError) as caught:
        read_folder(tmp_path, pattern=BY_FOLDERS)
    assert caught.value.what == (
        "runs with different protocols are not compared: ppo: mean returns of 5 deterministic evaluation episodes, "
        "metric eval/mean_reward; sac: running means of the returns of the last 100 training episodes, metric "
        "rollout/ep_rew_mean"
    )
    assert (
        "--score-kind eval or --score-kind train" in caught.value.hint
        and "--allow-mixed-protocols" in caught.value.hint
    )
    table = read_folder(tmp_path, pattern=BY_FOLDERS, allow_mixed_protocols=True).table
    assert dict(zip(table["algorithm"], table["kind"], strict=True)) == {"ppo": "eval", "sac": "train"}
    assert main(["read", str(tmp_path), "--pattern", BY_FOLDERS, "--allow-mixed-protocols"]) == 0
    said = capsys.readouterr().out
    assert "what a score is: Scores of ppo are mean returns of 5 deterministic evaluation episodes" in said
    assert "remark: These algorithms were scored under different protocols (ppo: mean returns of 5" in said
    with pytest.raises(InputError, match="allow_mixed_protocols: 'remarks' is not allowed"):
        read_folder(tmp_path, allow_mixed_protocols="remarks")
