"""Files and exports of Weights & Biases."""

import json
import struct

import numpy as np
import pandas as pd
import pytest
from support.paths import FIXTURES
from support.read_folders import read_folder, rows
from support.write_logs import write_json, write_text

from surefoot.errors import InputError
from surefoot.runs.logs.protocol_in_logs import protocols_in_logs

WANDB = FIXTURES / "run-abcd1234.wandb"
"""Written by wandb 0.31.0, offline: three evaluations, and a row with a loss alone that is not finite."""
STEPS = [1000, 2000, 3000]


def test_a_file_of_weights_and_biases_is_read_as_it_wrote_it(tmp_path):
    (tmp_path / "wandb" / "offline-run-1").mkdir(parents=True)
    path = tmp_path / "wandb" / "offline-run-1" / WANDB.name
    path.write_bytes(WANDB.read_bytes())
    found = read_folder(tmp_path)
    names = ["algorithm", "environment", "run", "step", "score", "kind"]
    assert found.table[names].values.tolist() == [
        ["sac", "Hopper-v4", 3, step, score, "eval"] for step, score in zip(STEPS, [10.5, 11.5, 12.5], strict=True)
    ]
    assert protocols_in_logs(found.table)["sac"] == {
        "kind": "eval",
        "metric": "eval/mean_reward",
        "quantity": "return",
        "steps": 3000,
        "evaluations": 3,
    }, "no tool, no number of episodes and no policy that the log does not tell"
    with pytest.raises(
        InputError, match="1 score is not finite, the first nan of sac in Hopper-v4, run 3 at step 3,500"
    ):
        read_folder(tmp_path, metric="losses/td")
    losses = read_folder(tmp_path, metric="losses/td", invalid_scores="drop")
    assert losses.table["score"].tolist() == [1.0, 0.5, 0.25]
    path.write_bytes(WANDB.read_bytes()[:-700])
    assert "half-written" in read_folder(tmp_path).remarks[0]
    path.write_bytes(WANDB.read_bytes()[:7] + b"\0\0\0\0\x04\0\x01\xff\xff\xff\xff")
    with pytest.raises(InputError, match=r"it has a damaged record. Hint: upload it with wandb sync"):
        read_folder(tmp_path)


def test_a_second_record_of_the_same_runs_is_left_alone(tmp_path):
    """As CleanRL leaves one with --track, beside its own."""
    (tmp_path / "wandb" / "offline-run-1").mkdir(parents=True)
    (tmp_path / "wandb" / "offline-run-1" / WANDB.name).write_bytes(WANDB.read_bytes())
    write_text(tmp_path / "runs" / "sac_Ant-v4_0" / "progress.csv", "time/total_timesteps,eval/mean_reward\n1,2\n")
    found = read_folder(tmp_path, algorithm="sac")
    assert found.format == "stable_baselines3_progress" and set(found.table["environment"]) == {"Ant-v4"}
    assert read_folder(tmp_path, format="wandb_folders").format == "wandb_folders"


def test_records_of_weights_and_biases_may_reach_over_blocks(tmp_path):
    """As LevelDB divides them: a row of 70,000 letters and a return."""

    def message(number, content):
        size, length = b"", len(content)
        while length > 127:
            size, length = size + bytes([length & 127 | 128]), length >> 7
        return bytes([number << 3 & 127 | 2 | (128 if number > 15 else 0), *([number >> 4] if number > 15 else [])]) + (
            size + bytes([length]) + content
        )

    def item(key, value):
        return message(1, message(2, key.encode()) + message(16, json.dumps(value).encode()))

    row = item("text", "x" * 70_000) + item("global_step", 7) + item("eval/return", 1.5)
    run = message(17, message(4, item("env_id", "Ant-v4") + item("algo", "sac") + item("seed", 0)))
    written = b":W&B\xe1\xbe\0"
    for record in (run, message(2, row)):
        begun = 0
        while begun < len(record):
            left = 32_768 - len(written) % 32_768 - 7
            if left < 0:
                written += b"\0" * (left + 7)
                continue
            piece = record[begun : begun + left]
            ends = begun + len(piece) == len(record)
            kind = {(True, True): 1, (True, False): 2, (False, False): 3, (False, True): 4}[begun == 0, ends]
            written += struct.pack("<IHB", 0, len(piece), kind) + piece
            begun += len(piece)
    (tmp_path / "run-x.wandb").write_bytes(written)
    assert read_folder(tmp_path).table[["step", "score"]].values.tolist() == [[7, 1.5]]


NAMES = ("algorithm", "environment", "run")


def history(**columns):
    return pd.DataFrame({"_step": range(len(next(iter(columns.values())))), **columns})


def test_a_wandb_history_with_its_configuration(tmp_path):
    rows_of = history(global_step=[0, 10, 10, 20], **{"charts/episodic_return": [np.nan, 1.0, 3.0, 5.0]})
    for seed in (1, 2):
        folder = tmp_path / f"run-{seed}-history"
        folder.mkdir()
        rows_of.to_parquet(folder / "0000.parquet")
        config = {"env_id": {"value": "Hopper"}, "exp_name": {"value": "sac"}, "seed": {"value": seed}}
        write_json(folder / "config.json", config)
    found = read_folder(tmp_path)
    assert found.format == "wandb"
    assert rows(found.table[:2], *NAMES, "step", "score", "episodes") == [
        ("sac", "Hopper", 1, 10, 2.0, 2),
        ("sac", "Hopper", 1, 20, 5.0, 1),
    ]


def test_a_long_wandb_export_has_names_in_columns(tmp_path):
    parts = [
        history(global_step=[10, 20], **{"eval/mean_reward": [1.0 * seed, 2.0]}).assign(
            run_id=f"r{seed}", env_id="Hopper", exp_name="007", seed=seed
        )
        for seed in (1, 2)
    ]
    pd.concat(parts).to_csv(tmp_path / "export.csv", index=False)
    found = read_folder(tmp_path)
    assert rows(found.table, "environment", "run", "step", "score", "kind")[2:] == [
        ("Hopper", 2, 10, 2.0, "eval"),
        ("Hopper", 2, 20, 2.0, "eval"),
    ]
    # A column with a name that the format does not know holds numbers, unless a pattern says otherwise.
    assert set(read_folder(tmp_path, algorithm="007").table["algorithm"]) == {"007"}


def wide(*runs, metric="charts/episodic_return", spread=0.0):
    columns = {"global_step": [10, 20]}
    for place, run in enumerate(runs):
        values = np.array([1.0, 2.0]) + place
        columns |= {f"{run} - {metric}": values, f"{run} - {metric}__MIN": values - spread}
        columns |= {f"{run} - {metric}__MAX": values + spread}
    return pd.DataFrame(columns)


def test_a_wide_export_names_runs_in_its_columns(tmp_path):
    wide("Hopper__sac__1__1700000000", "Hopper__sac__2__1700000001").to_csv(tmp_path / "chart.csv", index=False)
    found = read_folder(tmp_path)
    assert '--pattern "{environment}__{algorithm}__{seed}__{}"' in found.remarks[0]
    assert rows(found.table, *NAMES, "step", "score") == [
        ("sac", "Hopper", 1, 10, 1.0),
        ("sac", "Hopper", 1, 20, 2.0),
        ("sac", "Hopper", 2, 10, 2.0),
        ("sac", "Hopper", 2, 20, 3.0),
    ]


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (
            wide("a__b__1__2", spread=0.5),
            "is 1 in row 0 and its MIN 0.5: a mean over a bucket of steps or a group of runs",
        ),
        (wide("exp_name: sac"), 'is for a group of runs: "exp_name: sac"'),
    ],
)
def test_aggregates_of_weights_and_biases_are_refused(tmp_path, table, said):
    table.to_csv(tmp_path / "chart.csv", index=False)
    with pytest.raises(InputError) as caught:
        read_folder(tmp_path, pattern="{environment}__{algorithm}__{seed}__{}")
    assert said in caught.value.what and "scan_history()" in caught.value.hint
