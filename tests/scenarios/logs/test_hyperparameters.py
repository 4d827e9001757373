"""Hyperparameters of runs as columns of the table, out of the configurations that tools write."""

import json
import subprocess
import sys

import pandas as pd
import pytest
from support.paths import SWEEP
from support.read_folders import read_folder
from support.write_logs import write_json, write_json_lines, write_text, write_zoo

import surefoot
from surefoot.errors import InputError

NAMES = ["optimizer.lr", "agent.entropy"]


def test_a_sweep_of_hydra_is_answered_straight_away():
    curves = read_folder(SWEEP, hyperparameters=NAMES).table
    assert len(curves) == 16 * 2 and set(curves["run"]) == {1, 2}
    assert set(curves[NAMES].itertuples(index=False, name=None)) == {(r, e) for r in (0.001, 0.01) for e in (0.0, 0.1)}
    scores = surefoot.score_curves(curves, "last")
    assert len(scores) == 16
    by_hand = curves[curves["step"] == 1000].groupby(["environment", *NAMES])["score"].mean().unstack([1, 2])
    tuned, cross = by_hand.max(axis=1).mean(), by_hand.mean().max()
    table = surefoot.hyperparameter_sensitivity(scores, skip_checks=True).table().set_index("quantity")
    assert table["estimate"].to_dict() == pytest.approx({"tuned": tuned, "cross": cross, "sensitivity": tuned - cross})
    assert table["settings"].tolist() == [4, 4, 4] and (table["low"] < table["high"]).all()
    scaled = surefoot.normalize_scores(scores, "min_max")
    dimension = surefoot.effective_dimension(scaled).table()
    assert dimension["hyperparameters"].tolist() == ["", "optimizer.lr", "optimizer.lr, agent.entropy"]
    assert surefoot.hyperparameter_selection(scaled).table()["settings"].tolist() == [4]


def test_what_was_read_is_read_again_from_a_file(tmp_path):
    command = [sys.executable, "-m", "surefoot", "read", str(SWEEP), "--hyperparameters", *NAMES]
    subprocess.run([*command, "-o", str(tmp_path / "sweep.csv")], check=True, capture_output=True)
    again = read_folder(tmp_path / "sweep.csv", hyperparameters=NAMES).table
    first = read_folder(SWEEP, hyperparameters=NAMES).table
    pd.testing.assert_frame_equal(again[first.columns.drop("source")], first.drop(columns="source"))
    with pytest.raises(InputError, match="two rows have"):
        read_folder(tmp_path / "sweep.csv")


def test_the_configurations_of_other_tools(tmp_path):
    write_zoo(tmp_path / "zoo", "ppo", "CartPole-v1", 1, 1)
    arguments = tmp_path / "zoo" / "ppo" / "CartPole-v1_1" / "CartPole-v1"
    pairs = "- - - gamma\n    - 0.98\n  - - policy\n    - MlpPolicy\n"
    (arguments / "config.yml").write_text(f"!!python/object/apply:collections.OrderedDict\n{pairs}")
    zoo = read_folder(tmp_path / "zoo", hyperparameters=["gamma", "policy", "seed"], score_kind="eval").table
    assert set(zip(zoo["gamma"], zoo["policy"], zoo["seed"], strict=True)) == {(0.98, "MlpPolicy", 1)}
    for rate in (0.1, 0.01):
        trial = tmp_path / "rllib" / f"PPO_Maze_{rate}"
        write_json(
            trial / "params.json", {"env": "Maze", "seed": 1, "model": {"layers": [64, 64], "value": 2}, "lr": rate}
        )
        row = {"training_iteration": 1, "num_env_steps_sampled_lifetime": 10, "episode_reward_mean": 1.0}
        write_json_lines(trial / "result.json", [row])
    names = ["lr", "model.layers", "model.value"]
    rllib = read_folder(tmp_path / "rllib", algorithm="ppo", hyperparameters=names).table
    assert set(rllib[names].itertuples(index=False, name=None)) == {(0.1, "[64, 64]", 2), (0.01, "[64, 64]", 2)}
    export = pd.DataFrame(
        {"run_name": ["a", "b"], "_step": 0, "global_step": 1, "eval/mean_reward": [1.0, 2.0], "lr": [0.1, 0.2]}
    )
    export = export.assign(algo="ppo", env_id="Maze", seed=1)
    (tmp_path / "wandb").mkdir()
    export.to_csv(tmp_path / "wandb" / "export.csv", index=False)
    assert read_folder(tmp_path / "wandb", format="wandb", hyperparameters=["lr"]).table["lr"].tolist() == [0.1, 0.2]


def test_what_no_configuration_has_is_refused(tmp_path):
    with pytest.raises(InputError) as refused:
        read_folder(SWEEP, hyperparameters=["lr"])
    assert 'no hyperparameter "lr"' in refused.value.what and "optimizer.lr" in refused.value.hint
    with pytest.raises(InputError, match="every table already has a column"):
        read_folder(SWEEP, hyperparameters=["score"])
    write_text(tmp_path / "ppo" / "Maze-v0" / "1.csv", "step,return\n1,0.5\n")
    with pytest.raises(InputError, match="no hyperparameter"):
        read_folder(tmp_path, pattern="{algorithm}/{environment}/{seed}", hyperparameters=["lr"])


def test_runs_of_one_seed_are_told_apart_by_what_is_named():
    with pytest.raises(InputError) as refused:
        read_folder(SWEEP)
    assert "twice" in refused.value.what and "--hyperparameters" in refused.value.hint
    curves = pd.DataFrame(json.loads(read_folder(SWEEP, hyperparameters=NAMES).table.to_json(orient="records")))
    with pytest.raises(ValueError, match="twice"):
        surefoot.score_curves(curves)
    assert len(surefoot.score_curves(curves, hyperparameters=NAMES)) == 16
