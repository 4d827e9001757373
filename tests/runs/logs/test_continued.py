"""Logs whose steps are missing, begin anew or go on elsewhere, and scores that are NaN."""

import struct

import pandas as pd
import pytest
from support.paths import SHARED
from support.read_folders import read_folder, rows, told
from support.write_logs import write_evaluations, write_json_lines, write_monitor, write_text, write_zoo

import surefoot
from surefoot.errors import HintedError

PATTERN = "{algorithm}/{environment}/{seed}"
CASES = SHARED / "cases"
NEEDS_CASES = pytest.mark.skipif(not CASES.is_dir(), reason="../shared/cases is not here")


def write_log(folder, text, seed=1):
    write_text(folder / "ppo" / "Ant" / str(seed) / "log.csv", text)


def reasons(table):
    account = surefoot.reading_account(table)
    return dict(zip(account["reason"], account["rows"], strict=True))


def test_scores_that_never_have_a_step_take_the_last_one(tmp_path):
    write_log(tmp_path, "step,train/return,eval/return\n10,1,\n,,5\n20,2,\n,,7\n")
    found = read_folder(tmp_path, pattern=PATTERN + "/{}")
    assert rows(found.table, "step", "score", "kind") == [(10, 5.0, "eval"), (20, 7.0, "eval")]
    assert any("eval/return is logged without a step (step) in 2 rows" in remark for remark in found.remarks)


def test_scores_that_lack_a_step_of_their_own_are_counted(tmp_path):
    write_log(tmp_path, "step,return\n10,1\n,2\n30,3\n40,4\n")
    found = read_folder(tmp_path, pattern=PATTERN + "/{}")
    assert rows(found.table, "step", "score") == [(10, 1.0), (30, 3.0), (40, 4.0)]
    assert any("1 of 4 rows of return without a step (step) is left out" in remark for remark in found.remarks)
    assert reasons(found.table)["no step"] == 1
    assert "1 row of 1 file (no step: " in told(tmp_path, pattern=PATTERN + "/{}", strict=True)


def test_points_that_are_all_at_step_zero_are_numbered(tmp_path):
    write_log(tmp_path, "step,return\n" + "".join(f"0,{score}\n" for score in range(5)))
    found = read_folder(tmp_path, pattern=PATTERN + "/{}")
    assert rows(found.table, "step", "score", "episodes") == [(step, float(step), 1) for step in range(5)]
    assert found.table.attrs["points_are_numbered"]
    assert any("all 5 points of return are at step 0" in remark for remark in found.remarks)


def test_steps_beyond_whole_numbers_are_refused(tmp_path):
    write_log(tmp_path, f"step,return\n1,1\n{2**63},2\n")
    assert "1 row with a step below 0 or too large for 64 bits, the first of ppo in Ant, run 1: step 9.2" in told(
        tmp_path, pattern=PATTERN + "/{}"
    )


@pytest.mark.parametrize("form", ["csv", "jsonl", "result.json"])
def test_nan_that_was_logged_is_not_nothing(tmp_path, form):
    """Before the first number it is counted; after it, it is refused or dropped by choice. An empty cell is nothing."""
    steps = [(1, float("nan")), (2, 1.0), (3, None), (4, float("nan")), (5, 2.0)]
    if form == "csv":
        cells = ["" if score is None else score for _, score in steps]
        text = "step,return\n" + "".join(f"{step},{cell}\n" for (step, _), cell in zip(steps, cells, strict=True))
        write_log(tmp_path, text)
    elif form == "jsonl":
        lines = [{"step": step} | ({} if score is None else {"return": score}) for step, score in steps]
        write_json_lines(tmp_path / "ppo" / "Ant" / "1" / "log.jsonl", lines)
    else:
        lines = [
            {"timesteps_total": step, "training_iteration": step, "trial_id": "a"}
            | ({} if score is None else {"episode_reward_mean": score})
            for step, score in steps
        ]
        write_json_lines(tmp_path / "ppo" / "Ant" / "1" / "result.json", lines)
    options = {"pattern": PATTERN + ("" if form == "result.json" else "/{}")}
    assert "1 score is not finite, the first nan of ppo in Ant, run 1 at step 4" in told(tmp_path, **options)
    found = read_folder(tmp_path, invalid_scores="drop", **options)
    assert rows(found.table, "step", "score") == [(2, 1.0), (5, 2.0)]
    counted = reasons(found.table)
    assert (counted["NaN"], counted["not finite"]) == (1, 1)


def test_episodes_without_a_return_are_refused(tmp_path):
    write_monitor(tmp_path / "ppo" / "Ant" / "1" / "monitor.csv", [(1.0, 10, 1.0), ("", 10, 2.0), (3.0, 10, 3.0)])
    assert "1 score is not finite" in told(tmp_path, pattern=PATTERN)
    dropped = read_folder(tmp_path, pattern=PATTERN, invalid_scores="drop").table
    assert rows(dropped, "step", "score") == [(10, 1.0), (30, 3.0)]


ANEW = "step,return\n10,1\n20,2\n30,3\n10,4\n20,5\n"


def test_steps_that_begin_anew_are_a_question(tmp_path):
    write_log(tmp_path, ANEW)
    options = {"pattern": PATTERN + "/{}"}
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
    found = read_folder(tmp_path, pattern=PATTERN + "/{}")
    assert rows(found.table, "step", "score") == [(10, 1.0), (20, 4.0), (30, 5.0)]
    assert reasons(found.table)["before a restart"] == 2


def test_event_files_that_begin_anew_are_a_question(tmp_path):
    events = pytest.importorskip("support.write_event_files")
    folder = tmp_path / "ppo" / "Ant" / "1"
    for time, begin in ((1700000000, 0.0), (1700000100, 10.0)):
        scalars = [events.simple("eval/mean_reward", 10 * k, begin + k) for k in (1, 2, 3)]
        events.write_events(folder, scalars, time=time)
    said = told(tmp_path, pattern=PATTERN)
    assert "steps begin again at 10, after 30 in earlier files" in said
    joined = read_folder(tmp_path, pattern=PATTERN, continued="join").table
    assert joined["step"].tolist() == [10, 20, 30, 40, 50, 60] and joined["score"].tolist() == [1, 2, 3, 11, 12, 13]
    parts = read_folder(tmp_path, pattern=PATTERN, continued="separate").table
    assert rows(parts, "run", "step", "score") == [
        *(("1-part1", 10 * k, float(k)) for k in (1, 2, 3)),
        *(("1-part2", 10 * k, 10.0 + k) for k in (1, 2, 3)),
    ]


def test_damaged_records_of_event_files_are_noticed(tmp_path):
    """Any changed byte of a score is, by the checksum of its record; the other records are read."""
    events = pytest.importorskip("support.write_event_files")
    folder = tmp_path / "ppo" / "Ant" / "1"
    path = events.write_events(folder, [events.simple("eval/mean_reward", 10 * k, float(k)) for k in (1, 2, 3)])
    content = bytearray(path.read_bytes())
    place = bytes(content).index(struct.pack("<f", 2.0))
    content[place] ^= 1
    path.write_bytes(content)
    found = read_folder(tmp_path, pattern=PATTERN)
    assert rows(found.table, "step", "score") == [(10, 1.0), (30, 3.0)]
    assert reasons(found.table)["damaged"] == 1
    assert "1 record with a wrong checksum left out" in " ".join(found.remarks)


def test_runs_called_7_and_07_are_told_apart(tmp_path):
    names = ("7", "07", "007")
    cells = "".join(f"{name},e,{run},{k}\n" for name in "ab" for k, run in enumerate(names))
    write_text(tmp_path / "runs.csv", f"algorithm,environment,run,score\n{cells}")
    table = read_folder(tmp_path / "runs.csv").table
    assert sorted(table["run"].unique()) == sorted(names)
    with pytest.raises(HintedError, match="run 7 occurs 3 times"):
        surefoot.aggregate_metrics(table)


@pytest.mark.parametrize("other", ["ppo ", "pp\u200bo", "\ufeffppo"])
def test_names_that_look_alike_are_refused(tmp_path, other):
    cells = "".join(f"{name},e,{run},1\n" for name in ("ppo", other) for run in (1, 2))
    write_text(tmp_path / "runs.csv", f"algorithm,environment,run,score\n{cells}")
    assert "two values of algorithm look the same" in told(tmp_path / "runs.csv")
    table = pd.DataFrame({"algorithm": ["ppo", other], "environment": "e", "run": 0, "score": [1.0, 2.0]})
    with pytest.raises(HintedError, match="two values of algorithm look the same"):
        surefoot.aggregate_metrics(table)


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
def test_case_of_counters_that_begin_anew():
    folder = CASES / "counters_begin_anew" / "ray_results"
    assert "steps begin again, from 160,000 to 4,000" in told(folder)
    assert read_folder(folder, continued="join").table.groupby(["algorithm", "run"])["step"].max().unique() == [200_000]


@NEEDS_CASES
def test_case_of_evaluations_without_steps():
    found = read_folder(CASES / "evaluations_without_step" / "history.csv")
    assert set(found.table["kind"]) == {"eval"} and set(found.table.groupby(["algorithm", "run"]).size()) == {4}
    asked = read_folder(CASES / "evaluations_without_step" / "history.csv", metric="eval/episodic_return")
    assert len(asked.table) == 24


@NEEDS_CASES
def test_case_of_points_at_step_zero():
    pytest.importorskip("tensorboard")
    found = read_folder(CASES / "all_at_step_zero" / "runs")
    assert len(found.table) == 120 and any("at step 0, as if no step had been logged" in one for one in found.remarks)


@NEEDS_CASES
def test_case_of_evaluations_that_are_cut():
    found = read_folder(CASES / "cut_evaluations" / "runs").table
    account = surefoot.reading_account(found)
    losses = account[account["outcome"] == "left out"]
    assert rows(losses, "file", "reason") == [("ppo/Hopper-v4/1/evaluations.npz", "damaged")]


def test_runs_that_are_equal_to_the_last_digit_are_told(tmp_path):
    for name, first in (("1", 0.5), ("2", 1.5), ("2 (copy)", 1.5)):
        write_text(tmp_path / "ppo" / "Ant" / f"{name}.csv", f"step,return\n1,{first}\n2,2.5\n3,4.5\n")
    found = read_folder(tmp_path, pattern="{algorithm}/{environment}/{run}")
    (remark,) = [remark for remark in found.remarks if "to the last digit" in remark]
    assert remark.startswith("2 runs have") and "run 2, and ppo in Ant, run 2 (copy)" in remark
