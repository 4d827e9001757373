"""Files of loggers: one run a file, arrays of runs x points, MLflow's stores, and the files of Weights & Biases."""

import itertools
import json
import sqlite3
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.read_folders import read_folder, told
from support.write_logs import write_evaluations, write_json, write_json_lines, write_monitor, write_pickle, write_text

import surefoot
from surefoot.cli.commands import main
from surefoot.errors import InputError
from surefoot.runs.logs.account import reading_account
from surefoot.runs.logs.protocol_in_logs import protocols_in_logs

CURVES = {(name, seed): [seed + 1.25, 2.5 * seed, 3.0 + len(name)] for name in ("my_ppo", "sac") for seed in (0, 1)}
STEPS = [1000, 2000, 3000]


def lines(scores, form="{},{}\n"):
    """A line for each step and score."""
    return "".join(form.format(step, score) for step, score in zip(STEPS, scores, strict=True))


def curves_of(found):
    return {
        (name, run): rows["score"].tolist()
        for (name, run), rows in found.table.groupby(["algorithm", "run"], sort=False)
    }


@pytest.fixture
def asked_for_nothing(tmp_path):
    """What is read of the folder without an option: all scores, at their steps."""

    def check(format, **asked):
        found = read_folder(tmp_path / "runs", **asked)
        assert found.format == format and curves_of(found) == CURVES
        assert set(found.table["step"]) == set(STEPS) and set(found.table["environment"]) == {"Hopper-v4"}
        return found

    return check


def test_a_csv_for_each_run_is_read_with_its_usual_columns(tmp_path, asked_for_nothing):
    for (name, seed), scores in CURVES.items():
        text = "timestep,mean_return,loss\n" + lines(scores, "{0},{1},{0}7\n")
        write_text(tmp_path / "runs" / name / "Hopper-v4" / f"seed_{seed}.csv", text)
    found = asked_for_nothing("run_files")
    assert found.remarks[0] == "scores are from the column mean_return, and steps from the column timestep"
    assert "kind" not in protocols_in_logs(found.table)["sac"], "nothing says whether they are of evaluations"
    other = read_folder(tmp_path / "runs", metric="loss").table
    assert other["score"].tolist() == [10007, 20007, 30007] * 4
    with pytest.raises(
        InputError, match=r'no column "iteration" among timestep, mean_return, loss. Hint: use --step with one of'
    ):
        read_folder(tmp_path / "runs", step="iteration")
    assert read_folder(tmp_path / "runs", step="loss").table["step"].max() == 30007


@pytest.mark.parametrize("path", ["{0}_Hopper-v4_seed{1}_1/progress.csv", "Hopper-v4__{0}__{1}__17000000/logs/a.csv"])
def test_names_are_read_from_folders_whose_files_have_one_name(tmp_path, asked_for_nothing, path):
    for (name, seed), scores in CURVES.items():
        write_text(tmp_path / "runs" / path.format(name, seed), f"timestep,mean_return\n{lines(scores)}")
    asked_for_nothing("run_files")


@pytest.mark.parametrize("by_steps", [False, True])
def test_columns_tell_apart_the_runs_of_one_file(tmp_path, asked_for_nothing, by_steps):
    """Such as rows of Weights & Biases' scan_history() with the configuration of the run beside them; in any order."""
    rows = "".join(
        lines(scores, f"{name}-{seed},Hopper-v4,{name},{seed},{{}},{{}}\n") for (name, seed), scores in CURVES.items()
    ).splitlines()
    rows = sorted(rows, key=lambda row: int(row.split(",")[4])) if by_steps else rows
    head = "run_id,env_id,exp_name,seed,global_step,eval/mean_reward"
    write_text(tmp_path / "runs" / "export.csv", "\n".join([head, *rows, ""]))
    found = asked_for_nothing("run_files")
    assert not any("restart" in remark for remark in found.remarks)


def test_lightning_metrics_have_gaps_and_hyperparameters(tmp_path, asked_for_nothing):
    for (name, seed), scores in CURVES.items():
        folder = tmp_path / "runs" / name / str(seed) / "version_0"
        rows = "".join(f",{step - 500},0.5\n{score},{step},\n" for step, score in zip(STEPS, scores, strict=True))
        write_text(folder / "metrics.csv", f"eval/return,step,train/loss\n{rows}")
        write_text(folder / "hparams.yaml", f"algo: {name}\nenv_id: Hopper-v4\nseed: {seed}\n")
    assert set(asked_for_nothing("run_files").table["kind"]) == {"eval"}


def test_torchrl_has_a_file_for_each_metric(tmp_path, asked_for_nothing):
    for (name, seed), scores in CURVES.items():
        folder = tmp_path / "runs" / f"{name}_Hopper-v4_{seed}" / "scalars"
        write_text(folder / "eval" / "reward.csv", lines(scores))
        write_text(folder / "loss.csv", lines(STEPS))
    asked_for_nothing("run_files")
    assert read_folder(tmp_path / "runs", metric="loss").table["score"].tolist() == STEPS * 4


def test_d3rlpy_has_a_file_without_a_header_for_each_metric(tmp_path):
    """Epoch, step and value; its users mostly call the returns of evaluations `environment`."""
    for (name, seed), scores in CURVES.items():
        folder = tmp_path / name / "hopper" / f"{seed}"
        rows = [f"{epoch},{step},{score}\n" for epoch, (step, score) in enumerate(zip(STEPS, scores, strict=True), 1)]
        write_text(folder / "environment.csv", "".join(rows))
        write_text(folder / "critic_loss.csv", "".join(rows))
        write_text(folder / "params.json", "{}")
    table = read_folder(tmp_path, pattern="{algorithm}/{environment}/{seed}", strict=True).table
    account = reading_account(table)
    assert {Path(file).name for file in account.loc[account["outcome"] == "used", "file"]} == {"environment.csv"}
    assert set(table["metric"] if "metric" in table else table.attrs["metrics"].values()) == {"environment"}
    assert set(table["kind"]) == {"eval"} and "unit" not in table.attrs
    for (name, seed), scores in CURVES.items():
        own = table[(table["algorithm"] == name) & (table["run"].astype(str) == str(seed))]
        assert own["step"].tolist() == STEPS and own["score"].tolist() == scores


def test_d3rlpys_online_evaluations_are_no_other_metric(tmp_path):
    """`fit_online` writes evaluation.csv and rollout_return.csv, and gradients as tables with a header."""
    for (name, seed), scores in CURVES.items():
        folder = tmp_path / name / "hopper" / f"{seed}"
        write_text(folder / "rollout_return.csv", "".join(f"1,{step},-1.0\n" for step in STEPS))
        write_text(folder / "evaluation.csv", lines(scores, "1,{},{}\n"))
        write_text(folder / "q_func_grad.csv", "epoch,step,min,max,mean,std\n" + lines(STEPS, "1,{},{},0,0,0\n"))
    found = read_folder(tmp_path, pattern="{algorithm}/{environment}/{seed}")
    assert curves_of(found) == {(name, seed): scores for (name, seed), scores in CURVES.items()}
    account = reading_account(found.table)
    assert set(account.loc[account["outcome"] == "left out", "metric"]) == {"rollout_return"}
    assert "no score" not in set(account["outcome"])


@pytest.mark.parametrize("suffix", [".CSV", ".csv.gz", ".tsv", ".parquet", ".json"])
def test_a_run_in_another_kind_of_file_is_not_lost(tmp_path, asked_for_nothing, suffix):
    for (name, seed), scores in CURVES.items():
        path = tmp_path / "runs" / name / "Hopper-v4" / f"{seed}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        log = pd.DataFrame({"step": STEPS, "return": scores})
        other = path.with_suffix(suffix)
        if (name, seed) != ("sac", 1) or suffix == ".CSV":
            log.to_csv(other if name == "sac" and suffix == ".CSV" else path, index=False)
        elif suffix == ".parquet":
            log.to_parquet(other)
        elif suffix == ".json":
            log.to_json(other, orient="records")
        else:
            log.to_csv(other, index=False, sep="\t" if suffix == ".tsv" else ",")
    asked_for_nothing("run_files", strict=True)


def test_a_log_cut_within_a_number_is_read_without_it(tmp_path):
    for seed in (1, 2):
        write_text(tmp_path / "ppo" / "Ant-v4" / f"{seed}.csv", "step,return\n1,1000.5\n2,1000.5\n3,10")
    table = read_folder(tmp_path, pattern="{algorithm}/{environment}/{seed}").table
    assert set(table["score"]) == {1000.5}
    left_out = reading_account(table).query("outcome == 'left out'")
    assert set(left_out["reason"]) == {"half-written"} and left_out["rows"].tolist() == [1, 1]


def test_a_header_that_a_resumed_training_repeats_is_no_row(tmp_path):
    for seed in (1, 2):
        parts = ("step,return", "1,10.0", "2,20.0", "3,25.0", "step,return", "2,21.0", "3,30.0")
        write_text(tmp_path / "ppo" / "Ant-v4" / f"{seed}.csv", "\n".join(parts) + "\n")
    table = read_folder(tmp_path, pattern="{algorithm}/{environment}/{seed}").table
    assert table["score"].tolist() == [10.0, 21.0, 30.0] * 2
    left_out = reading_account(table).query("outcome == 'left out'")
    assert set(left_out["reason"]) == {"before a restart"} and left_out["rows"].tolist() == [2, 2]


def test_an_array_for_each_run_as_the_authors_of_td3_save_it(tmp_path):
    for (name, seed), scores in CURVES.items():
        (tmp_path / "results").mkdir(exist_ok=True)
        np.save(tmp_path / "results" / f"{name}_Hopper-v4_{seed}.npy", np.array(scores))
    found = read_folder(tmp_path, pattern="{algorithm}_{environment}_{seed}", strict=True)
    assert found.format == "run_arrays" and "the arrays have no steps: points are numbered from 0" in found.remarks
    assert len(found.table) == sum(map(len, CURVES.values())) and "unit" not in found.table.attrs
    assert found.table.drop_duplicates(["algorithm", "run"]).shape[0] == len(CURVES)


@pytest.mark.parametrize("suffix", ["jsonl", "json"])
def test_json_lines_may_be_nested_and_name_their_run(tmp_path, asked_for_nothing, suffix):
    for place, ((name, seed), scores) in enumerate(CURVES.items()):
        rows = [
            {"env_steps": step, "eval": {"return": score}, "agent": name, "env": "Hopper-v4"}
            for step, score in zip(STEPS, scores, strict=True)
        ]
        write_json_lines(tmp_path / "runs" / f"{place}" / f"log.{suffix}", rows)
        write_text(tmp_path / "runs" / f"{place}" / "config.json", json.dumps({"seed": seed}))
    if suffix == "jsonl":
        asked_for_nothing("run_files", names_from={"algorithm": "agent", "environment": "env", "run": "seed"})
    with pytest.raises(InputError, match="choose a score with --metric: "):
        for path in (tmp_path / "runs").rglob(f"log.{suffix}"):
            path.write_text(path.read_text().replace("return", "number"))
        read_folder(tmp_path / "runs")


def test_spinning_up_writes_columns_of_text(tmp_path, asked_for_nothing):
    for (name, seed), scores in CURVES.items():
        path = tmp_path / "runs" / f"{name}_Hopper-v4" / f"{name}_Hopper-v4_s{seed}" / "progress.txt"
        write_text(path, "TotalEnvInteracts\tAverageTestEpRet\tEpoch\n" + lines(scores, "{}\t{}\t1\n"))
    asked_for_nothing("run_files")


def test_several_columns_that_may_be_the_return_are_asked_for(tmp_path):
    write_text(tmp_path / "sac" / "Hopper-v4" / "0.csv", "step,return,reward\n1,2,3\n")
    with pytest.raises(InputError, match="choose a score with --metric: return, reward"):
        read_folder(tmp_path)


def test_files_of_runs_give_way_to_formats_that_are_known(tmp_path):
    write_text(tmp_path / "runs.csv", "algorithm,environment,run,step,score\na,x,0,1,2\n")
    write_text(tmp_path / "notes.csv", "step,return\n1,2\n")
    assert read_folder(tmp_path).format == "table"


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


PROGRESS = "time/total_timesteps,time/time_elapsed,eval/mean_reward\n"
ACME = "actor_steps,seconds,episode_return\n"


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


def test_rows_of_an_archive_with_steps_are_one_run(tmp_path, asked_for_nothing):
    for (name, seed), scores in CURVES.items():
        folder = tmp_path / "runs" / name / "Hopper-v4"
        folder.mkdir(parents=True, exist_ok=True)
        np.savez(folder / f"{seed}.npz", timesteps=STEPS, returns=scores, lengths=[1, 2])
    asked_for_nothing("run_arrays", strict=True)


def test_blanks_beside_names_in_a_header_are_no_part_of_them(tmp_path):
    for name in ("ppo", "sac"):
        for run in (1, 2):
            text = "step , return \n10 , 1.5 \n20 , 2.5 \n"
            write_text(tmp_path / name / "Ant-v4" / str(run) / "progress.csv", text)
    table = read_folder(tmp_path).table
    assert table["step"].tolist() == [10, 20] * 4 and table["score"].tolist() == [1.5, 2.5] * 4


def test_the_header_of_numpy_is_a_comment(tmp_path, asked_for_nothing):
    for (name, seed), scores in CURVES.items():
        folder = tmp_path / "runs" / name / "Hopper-v4"
        folder.mkdir(parents=True, exist_ok=True)
        np.savetxt(folder / f"{seed}.csv", np.c_[STEPS, scores], delimiter=",", header="step,return")
    asked_for_nothing("run_files", strict=True)
    for path in (tmp_path / "runs").rglob("*.csv"):
        path.write_text(path.read_text().partition("\n")[2])
    assert "add a line with names before it" in told(tmp_path / "runs")


@pytest.mark.parametrize("beside", [True, False])
def test_arrays_of_runs_and_points(tmp_path, asked_for_nothing, beside):
    folder = tmp_path / "runs" / "Hopper-v4"
    folder.mkdir(parents=True)
    for name in ("my_ppo", "sac"):
        array = np.array([CURVES[name, 0], CURVES[name, 1]])
        if beside:
            np.save(folder / f"{name}.npy", array)
            np.save(folder / "timesteps.npy", np.array(STEPS))
        else:
            np.savez(folder / f"{name}.npz", returns=array, timesteps=STEPS)
    asked_for_nothing("run_arrays")
    one = next(path for path in folder.iterdir() if path.stem == "sac")
    alone = read_folder(one, algorithm="sac", environment="Hopper-v4")
    assert alone.format == "run_arrays" and alone.table["step"].max() == STEPS[-1]
    if beside:
        (folder / "timesteps.npy").unlink()
        found = read_folder(tmp_path / "runs")
        assert curves_of(found) == CURVES and "points are numbered from 0" in found.remarks[0]
        card = protocols_in_logs(found.table)["sac"]
        assert not {"steps", "kind"} & set(card), "numbers of points are no environment steps"
        found.table.to_parquet(tmp_path / "table.parquet")
        assert protocols_in_logs(read_folder(tmp_path / "table.parquet").table)["sac"] == card
    else:
        np.savez(folder / "sac.npz", returns=array.T, timesteps=STEPS)
        with pytest.raises(InputError, match=r"and there are 3 steps. Hint: rows must be runs: transpose it"):
            read_folder(tmp_path / "runs")


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


def test_a_file_that_is_no_run_is_left_out_with_a_remark(tmp_path):
    for seed in (0, 1):
        write_text(tmp_path / "sac" / "Hopper-v4" / f"{seed}.csv", "step,return\n1,2\n")
    write_text(tmp_path / "sac" / "Hopper-v4" / "2.csv", "step,loss\n1,2\n")
    write_text(tmp_path / "summary.csv", "algorithm,mean\nsac,2\n")
    found = read_folder(tmp_path, algorithm="sac")
    assert set(found.table["run"]) == {0, 1}
    assert "sac/Hopper-v4/2: no scores of an episode, so it is left out" in found.remarks
    account = surefoot.reading_account(found.table).set_index("file")
    assert account.loc["summary.csv", ["outcome", "reason"]].tolist() == ["other file", "no steps"]
