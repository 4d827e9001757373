"""Files of loggers: one run a file, and arrays of runs x points."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.four_runs import CURVES, STEPS, curves_of, lines
from support.read_folders import read_folder, told
from support.write_logs import write_json_lines, write_text

import surefoot
from surefoot.errors import InputError
from surefoot.runs.logs.account import reading_account
from surefoot.runs.logs.protocol_in_logs import protocols_in_logs


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
