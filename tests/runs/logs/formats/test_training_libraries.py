"""Weights & Biases, RLlib, marl-eval, BenchMARL, Dopamine, Acme, Hydra, rliable's dictionaries and long tables.

The files are made by hand, in the layout of the tools' own writers.
"""

import json
import os
import pickle
from pathlib import Path

import numpy as np
import pytest
from support.read_folders import read_folder, rows, told
from support.write_logs import write_json, write_json_lines, write_monitor, write_pickle, write_text

import surefoot
from surefoot.errors import InputError
from surefoot.runs.logs.account import reading_account

NAMES = ("algorithm", "environment", "run")


def trial(root, name, lines, **config):
    write_json(root / name / "params.json", config)
    write_json_lines(root / name / "result.json", lines)


def test_an_rllib_trial_with_nan_tokens_and_a_late_evaluation(tmp_path):
    """progress.csv has the columns of the first line alone, so that its evaluation is missing; it is not read."""
    trained, evaluated = ({"env_runners": {"episode_return_mean": mean}} for mean in (20.0, 30.0))
    lines = [
        {"num_env_steps_sampled_lifetime": 4000, "env_runners": {"episode_return_mean": np.nan}},
        {"num_env_steps_sampled_lifetime": 8000, **trained, "evaluation": evaluated},
    ]
    lines = [{"training_iteration": number} | line for number, line in enumerate(lines, 1)]
    name = "PPO_CartPole-v1_3a1b4_00000_0_lr=0.1"
    trial(tmp_path, name, lines, env="CartPole-v1", seed=7)
    assert "NaN" in (tmp_path / name / "result.json").read_text()
    write_text(tmp_path / name / "progress.csv", "training_iteration,num_env_steps_sampled_lifetime\n1,4000\n2,8000\n")
    (tmp_path / name / "events.out.tfevents.1700000000.host").write_bytes(b"")
    found = read_folder(tmp_path)
    assert found.format == "rllib"
    assert rows(found.table, *NAMES, "step", "score", "kind") == [("PPO", "CartPole-v1", 7, 8000, 30.0, "eval")]
    assert rows(read_folder(tmp_path, score_kind="train").table, "step", "score") == [(8000, 20.0)]


def test_an_old_half_written_rllib_trial_without_a_seed(tmp_path):
    def line(step, evaluated):
        of_evaluation = {"episode_reward_mean": evaluated}
        return {"training_iteration": 1, "timesteps_total": step, "trial_id": "x1", "evaluation": of_evaluation}

    trial(tmp_path, "DQN_Pong_x1_00000", [line(10, 1.0), line(20, 1.0), line(30, 2.0)], env="Pong", seed=None)
    path = tmp_path / "DQN_Pong_x1_00000" / "result.json"
    path.write_text(path.read_text() + json.dumps(line(40, 9.0))[:-5])
    found = read_folder(tmp_path)
    assert rows(found.table, *NAMES, "step", "score") == [
        ("DQN", "Pong", "x1", 10, 1.0),
        ("DQN", "Pong", "x1", 30, 2.0),
    ]
    assert "last line is half-written" in found.remarks[0]
    path.write_text("{\n" + path.read_text())
    with pytest.raises(InputError, match=r"result\.json: line 1: not valid JSON"):
        read_folder(tmp_path, format="rllib")


def marl(metric="mean_episode_return", **steps):
    runs = {
        f"seed_{seed}": {
            "step_0": {"step_count": 100, metric: [seed, seed + 2.0], "elapsed_time": 1.0},
            "step_1": {"step_count": 200, metric: [seed + 1.0, seed + 3.0]},
            "absolute_metrics": {metric: [50.0 + seed]},
        }
        for seed in (0, 1)
    }
    return {"smax": {"3m": {"ippo": runs}}}


def evaluation_of_a_policy(root, name, *successes):
    """As lerobot-eval writes it."""
    metrics = [
        {"sum_rewards": [float(one) for one in outcomes], "successes": outcomes, "video_paths": ["0.mp4"]}
        for outcomes in successes
    ]
    tasks = [{"task_group": "libero_goal", "task_id": task, "metrics": of_task} for task, of_task in enumerate(metrics)]
    write_json(root / name / "eval_info.json", {"per_task": tasks, "per_group": {}, "overall": {"pc_success": 50.0}})


def test_lerobots_evaluations_are_success_rates_of_rollouts(tmp_path):
    for name, wins in (("act", 3), ("pi0", 10)):
        evaluation_of_a_policy(tmp_path, name, [rollout < wins for rollout in range(10)], [True] * 4)
    found = read_folder(tmp_path)
    assert found.format == "lerobot" and not found.remarks
    assert rows(found.table, *NAMES, "score", "episodes")[:3] == [
        ("act", "libero_goal/0", 0, 0.3, 10),
        ("act", "libero_goal/1", 0, 1.0, 4),
        ("pi0", "libero_goal/0", 0, 1.0, 10),
    ]
    rates = found.table.rename(columns={"episodes": "trials"})
    first, second = surefoot.success_rate_differences(rates).table().itertuples()
    assert first.unit == "rollout" and (first.estimate, first.algorithm_trials, first.separated) == (-0.7, 10, True)
    assert second.estimate == 0 and not second.separated
    assert read_folder(tmp_path, metric="sum_rewards").table["score"].tolist() == rates["score"].tolist()


def test_lerobots_trainings_differ_by_their_folders(tmp_path):
    for place in ("act/1", "act/2", "pi0/1", "pi0/2"):
        evaluation_of_a_policy(tmp_path, place, [True, False])
    found = read_folder(tmp_path, pattern="{algorithm}/{seed}").table
    assert rows(found, "algorithm", "run") == [("act", 1), ("act", 2), ("pi0", 1), ("pi0", 2)]
    write_json(tmp_path / "act" / "1" / "eval_info.json", {"per_task": [{"task_id": 0}]})
    with pytest.raises(InputError, match=r"per_task is not a list of tasks with metrics\. Hint: "):
        read_folder(tmp_path)


def test_json_of_marl_eval_has_lists_of_episodes(tmp_path):
    write_json(tmp_path / "json" / "ippo" / "20240101" / "metrics.json", marl())
    write_json(tmp_path / "wandb-summary.json", {"step_count": 3})
    found = read_folder(tmp_path)
    assert found.format == "marl_eval"
    assert rows(found.table[2:], *NAMES, "step", "score", "episodes", "kind") == [
        ("ippo", "smax/3m", 1, 100, 2.0, 2, "eval"),
        ("ippo", "smax/3m", 1, 200, 3.0, 2, "eval"),
    ]
    absolute = read_folder(tmp_path, score_kind="absolute").table
    assert rows(absolute, "run", "step", "score", "kind") == [(0, 200, 50.0, "absolute"), (1, 200, 51.0, "absolute")]


def test_an_evaluation_of_marl_eval_without_a_step_is_refused(tmp_path):
    content = marl()
    del content["smax"]["3m"]["ippo"]["seed_1"]["step_0"]["step_count"]
    write_json(tmp_path / "metrics.json", content)
    with pytest.raises(InputError, match="1 row with no step, the first of ippo in smax/3m, run seed_1"):
        read_folder(tmp_path)


def test_the_absolute_metrics_of_benchmarl_are_never_read(tmp_path):
    """There they are the largest single episode of any evaluation."""
    name = "mappo_balance_mlp__0a1b2c3d"
    content = {"vmas": {"balance": {"mappo": marl("return")["smax"]["3m"]["ippo"]}}}
    write_json(tmp_path / name / f"{name}.json", content)
    found = read_folder(tmp_path)
    assert found.format == "benchmarl" and set(found.table["kind"]) == {"eval"}
    with pytest.raises(InputError, match='no scores of the kind "absolute"'):
        read_folder(tmp_path, score_kind="absolute")


class Harmful:
    def __reduce__(self):
        return (Path.touch, (Path("harm"),))


def test_dopamine_logs_are_read_from_the_newest_whole_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    log = {
        f"iteration_{one}": {"train_episode_returns": [one, 2.0 + one], "eval_episode_returns": [np.float64(10 * one)]}
        for one in range(3)
    }
    logs = tmp_path / "dqn" / "Pong" / "1" / "logs"
    write_pickle(logs / "log_1", {name: log[name] for name in list(log)[:2]})
    write_pickle(logs / "log_2", log)
    pattern = "{algorithm}/{environment}/{seed}"
    found = read_folder(tmp_path, pattern=pattern)
    assert found.format == "dopamine"
    assert rows(found.table, *NAMES, "step", "score") == [
        ("dqn", "Pong", 1, 250_000 * (one + 1), 10.0 * one) for one in range(3)
    ]
    account = reading_account(found.table).groupby("outcome")["file"].unique()
    assert account["second record"].tolist() == ["dqn/Pong/1/logs/log_1"]
    assert account["used"].tolist() == ["dqn/Pong/1/logs/log_2"]
    train = read_folder(tmp_path, pattern=pattern, score_kind="train").table
    assert rows(train, "score", "episodes") == [(1.0, 2), (2.0, 2), (3.0, 2)]
    whole = (logs / "log_2").read_bytes()
    (logs / "log_2").write_bytes(whole[:-10])
    found = read_folder(tmp_path, pattern=pattern)
    assert len(found.table) == 2 and "the previous file is read instead" in found.remarks[0]
    for name in ("log_1", "log_2"):
        write_pickle(logs / name, {"iteration_0": Harmful()})
    with pytest.raises(InputError, match=r"not read, and nothing in it was run: pathlib.* is not needed"):
        read_folder(tmp_path, pattern=pattern)
    assert not Path("harm").exists()


def test_loops_of_acme_are_kinds(tmp_path):
    for label, score in (("evaluator", 5.0), ("actor", 1.0)):
        text = f"actor_steps,episode_length,episode_return\n100,10,{score}\n200,10,{score + 1}\n150,10,{score + 2}\n"
        write_text(tmp_path / "d4pg" / "walker" / "1" / "logs" / label / "logs.csv", text)
    write_text(tmp_path / "d4pg" / "walker" / "1" / "logs" / "learner" / "logs.csv", "learner_steps,loss\n1,2\n")
    found = read_folder(tmp_path, pattern="{algorithm}/{environment}/{seed}")
    assert found.format == "acme"
    assert rows(found.table, *NAMES, "step", "score", "kind") == [
        ("d4pg", "walker", 1, 100, 5.0, "eval"),
        ("d4pg", "walker", 1, 150, 7.0, "eval"),
    ]


def test_hydras_configurations_tell_names_around_any_format(tmp_path):
    for job, (algorithm, seed) in enumerate([("sac", 1), ("sac", 2), ("td3", 1), ("td3", 2)]):
        folder = tmp_path / "multirun" / "2024-01-01" / "10-00-00" / str(job)
        write_monitor(folder / "logs" / "0.monitor.csv", [(10 * seed, 5, 1.0)], env_id="Ant-v4")
        write_text(folder / ".hydra" / "config.yaml", f"agent: {{name: {algorithm}, lr: 0.1}}\nseed: {seed}\n")
    found = read_folder(tmp_path)
    assert rows(found.table, *NAMES, "score") == [
        (name, "Ant-v4", seed, 10.0 * seed) for name in ("sac", "td3") for seed in (1, 2)
    ]
    assert set(read_folder(tmp_path, pattern="{run}/logs").table["run"]) == {0, 1, 2, 3}, "the path comes first"
    assert 'has a name under "agent.lr" (algorithm)' in told(tmp_path, names_from={"algorithm": "agent.lr"})


def test_other_pickles_are_ignored_or_refused_by_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_pickle(tmp_path / "plots.pkl", {"results": Harmful()})
    with pytest.raises(InputError, match="no runs of a known format among its 1 file"):
        read_folder(tmp_path)
    with pytest.raises(InputError, match="nothing in it was run"):
        read_folder(tmp_path / "plots.pkl", environment="a")
    (tmp_path / "plots.pkl").write_bytes(pickle.dumps(os.system))
    with pytest.raises(InputError, match="nothing in it was run"):
        read_folder(tmp_path / "plots.pkl", environment="a")
    assert not Path("harm").exists()
