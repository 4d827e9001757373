"""Points of one kind and one metric are compared."""

import pandas as pd
from support.read_folders import told
from support.write_logs import write_text


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
