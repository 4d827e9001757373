"""The metrics and the steps of a log by their names, which may be given."""

import itertools

import pytest
from support.read_folders import read_folder, told
from support.write_logs import write_evaluations, write_json, write_json_lines, write_monitor, write_pickle, write_text

from surefoot.cli.commands import main
from surefoot.errors import InputError
from surefoot.runs.logs.account import reading_account
from surefoot.runs.logs.protocol_in_logs import protocols_in_logs

PROGRESS = "time/total_timesteps,time/time_elapsed,eval/mean_reward\n"
ACME = "actor_steps,seconds,episode_return\n"


def test_several_columns_that_may_be_the_return_are_asked_for(tmp_path):
    write_text(tmp_path / "sac" / "Hopper-v4" / "0.csv", "step,return,reward\n1,2,3\n")
    with pytest.raises(InputError, match="choose a score with --metric: return, reward"):
        read_folder(tmp_path)


def test_steps_can_be_named_in_tables_alone(tmp_path):
    write_text(tmp_path / "t.csv", "algorithm,environment,run,step,frames,score\na,x,0,1,4,2\n")
    assert read_folder(tmp_path).table["step"].tolist() == [1]
    assert read_folder(tmp_path, step="frames").table["step"].tolist() == [4]
    assert protocols_in_logs(read_folder(tmp_path, step="frames").table)["a"]["steps"] == 4
    write_text(tmp_path / "t.csv", "algorithm,environment,run,epoch,score\na,x,0,1,2\n")
    assert "steps" not in protocols_in_logs(read_folder(tmp_path, step="epoch").table)["a"]
    (tmp_path / "t.csv").unlink()
    write_evaluations(tmp_path / "Hopper-v4__sac__1" / "evaluations.npz", [1], [[2.0]])
    with pytest.raises(InputError, match='no column "frames" among timesteps'):
        read_folder(tmp_path, step="frames")
    (tmp_path / "Hopper-v4__sac__1" / "evaluations.npz").unlink()
    write_text(tmp_path / "Hopper-v4__sac__1" / "progress.csv", "time/total_timesteps,eval/mean_reward\n1,2\n")
    with pytest.raises(InputError, match='no column "frames" among time/total_timesteps, eval/mean_reward'):
        read_folder(tmp_path, step="frames")


def test_each_environment_may_have_a_metric_of_its_own(tmp_path):
    for algorithm, game in itertools.product("ab", ("Hopper-v4", "Door-v2")):
        log = "step,eval/return,eval/success\n1,10,0.1\n2,20,0.2\n"
        write_text(tmp_path / f"{game}__{algorithm}__0" / "log.csv", log)
    pattern = "{environment}__{algorithm}__{seed}/{}"
    of_each = {"Hopper-v4": "eval/return", "Door-v2": "eval/success"}
    table = read_folder(tmp_path, pattern=pattern, metric=of_each).table
    assert "metric" not in table
    assert table.groupby("environment")["score"].max().to_dict() == {"Hopper-v4": 20, "Door-v2": 0.2}
    excluded = reading_account(table).query("outcome == 'not asked for'")
    assert excluded["rows"].sum() == 8 and set(excluded["reason"]) == {"another metric"}
    options = [f"--metric={name}={metric}" for name, metric in of_each.items()]
    assert main(["read", str(tmp_path), "--pattern", pattern, *options]) == 0
    assert "no metric is given for the environment Door-v2" in told(
        tmp_path, pattern=pattern, metric={"Hopper-v4": "eval/return"}
    )
    assert 'no runs for the environment "Dor-v2"' in told(
        tmp_path, pattern=pattern, metric=of_each | {"Dor-v2": "eval/success"}
    )
    assert "no scores under eval/cost" in told(tmp_path, pattern=pattern, metric=of_each | {"Door-v2": "eval/cost"})


def test_unlike_columns_of_steps_are_said(tmp_path):
    for algorithm in ("ppo", "sac"):
        for run, axis in enumerate(("step", "step", "global_step")):
            text = f"{axis},eval/return\n10,1\n20,{run}\n"
            write_text(tmp_path / algorithm / "Ant-v4" / str(run) / "progress.csv", text)
    found = read_folder(tmp_path)
    assert found.table.groupby(["algorithm", "run"])["step"].max().tolist() == [20] * 6
    said = "step in 4 runs (such as ppo/Ant-v4/0/progress) and global_step in 2 runs (such as ppo/Ant-v4/2/progress)"
    assert any(said in remark for remark in found.remarks)
    assert "or leave --step out to use the common name in each file" in told(tmp_path, step="global_step")


def write_event_file(folder):
    from support.write_event_files import simple, write_events

    events = [simple("eval/mean_reward", step, step / 10) for step in (10, 20)]
    events.insert(1, simple("episodes", 15, 7.0))
    events.insert(0, simple("episodes", 0, 3.0))
    for number, event in enumerate(events):
        event.wall_time = 1000.0 + 2 * number
    write_events(folder, events)


def write_dopamine(folder):
    of_one = {"eval_episode_returns": [1.0], "train_episode_lengths": [10, 20]}
    of_other = {"eval_episode_returns": [2.0], "train_episode_lengths": [60]}
    write_pickle(folder / "logs" / "log_1", {"iteration_0": of_one, "iteration_1": of_other})


def write_nested_json(folder):
    steps = {
        f"step_{n}": {"step_count": 10 * n, "elapsed_time": [time], "episode_return": [n]}
        for n, time in ((1, 2), (2, 5))
    }
    write_json(folder / "metrics.json", {"mujoco": {"Hopper-v4": {"sac": {"seed_0": steps}}}})


def write_mlflow(folder):
    write_text(folder / "meta.yaml", "lifecycle_stage: active\n")
    write_text(folder.parent / "meta.yaml", "name: mine\n")
    write_text(folder / "metrics" / "eval" / "return", "3000 1.0 10\n7000 2.0 20\n")
    write_text(folder / "metrics" / "epoch", "1000 5 0\n4000 6 20\n")


@pytest.mark.parametrize(
    ("write", "step", "found"),
    [
        (lambda run: write_monitor(run / "monitor.csv", [(1, 10, 2.5), (2, 10, 4.0)]), "wall_time", [2.5, 4.0]),
        (
            lambda run: write_text(run / "progress.csv", f"{PROGRESS}1,5,1\n2,9,2\n"),
            "time/time_elapsed",
            [5, 9],
        ),
        (write_event_file, "wall_time", [2, 6]),
        (write_event_file, "episodes", [3, 7]),
        (
            lambda run: write_json_lines(
                run / "result.json",
                [{"training_iteration": n, "timesteps_total": 10 * n, "time_total_s": 1.5 * n, "episode_reward_mean": n}
                 for n in (1, 2)]),
            "time_total_s",
            [1.5, 3.0],
        ),
        (
            lambda run: write_text(run / "logs" / "evaluator" / "logs.csv", f"{ACME}1,5,1\n2,9,2\n"),
            "seconds",
            [5, 9],
        ),
        (write_mlflow, "wall_time", [2, 6]),
        (
            lambda run: write_evaluations(run / "evaluations.npz", [10, 20], [[1.0], [2.0]], hours=[0.5, 1.5]),
            "hours",
            [0.5, 1.5],
        ),
        (write_dopamine, "iteration", [0, 1]),
        (write_dopamine, "train_episode_lengths", [30, 90]),
        (write_nested_json, "elapsed_time", [2, 5]),
        (write_mlflow, "epoch", [5, 6]),
    ],
)  # fmt: skip
def test_the_time_and_any_other_counter_may_be_the_steps(tmp_path, write, step, found):
    """Steps are then no environment steps, which nothing says of them."""
    write(tmp_path / "runs" / "Hopper-v4__sac__1")
    read = read_folder(tmp_path / "runs", step=step, algorithm="sac", environment="Hopper-v4")
    assert read.table["step"].tolist() == found and read.table["score"].is_monotonic_increasing
    assert "steps" not in protocols_in_logs(read.table)["sac"] and "unit" not in read.table.attrs
    said = told(tmp_path / "runs", step="nothing", algorithm="sac", environment="Hopper-v4")
    assert '"nothing" among ' in said and f"{step}" in said
