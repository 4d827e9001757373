"""Logs whose steps are missing, scores that are NaN, and cells of scores that are no numbers."""

import json

import pytest
from support.read_folders import BY_FOLDERS, CASES, NEEDS_CASES, read_folder, reasons, rows, told
from support.write_logs import write_json_lines, write_log, write_monitor, write_text

import surefoot


def test_scores_that_never_have_a_step_take_the_last_one(tmp_path):
    write_log(tmp_path, "step,train/return,eval/return\n10,1,\n,,5\n20,2,\n,,7\n")
    found = read_folder(tmp_path, pattern=BY_FOLDERS + "/{}")
    assert rows(found.table, "step", "score", "kind") == [(10, 5.0, "eval"), (20, 7.0, "eval")]
    assert any("eval/return is logged without a step (step) in 2 rows" in remark for remark in found.remarks)


def test_scores_that_lack_a_step_of_their_own_are_counted(tmp_path):
    write_log(tmp_path, "step,return\n10,1\n,2\n30,3\n40,4\n")
    found = read_folder(tmp_path, pattern=BY_FOLDERS + "/{}")
    assert rows(found.table, "step", "score") == [(10, 1.0), (30, 3.0), (40, 4.0)]
    assert any("1 of 4 rows of return without a step (step) is left out" in remark for remark in found.remarks)
    assert reasons(found.table)["no step"] == 1
    assert "1 row of 1 file (no step: " in told(tmp_path, pattern=BY_FOLDERS + "/{}", strict=True)


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
    options = {"pattern": BY_FOLDERS + ("" if form == "result.json" else "/{}")}
    assert "1 score is not finite, the first nan of ppo in Ant, run 1 at step 4" in told(tmp_path, **options)
    found = read_folder(tmp_path, invalid_scores="drop", **options)
    assert rows(found.table, "step", "score") == [(2, 1.0), (5, 2.0)]
    counted = reasons(found.table)
    assert (counted["NaN"], counted["not finite"]) == (1, 1)


def test_episodes_without_a_return_are_refused(tmp_path):
    write_monitor(tmp_path / "ppo" / "Ant" / "1" / "monitor.csv", [(1.0, 10, 1.0), ("", 10, 2.0), (3.0, 10, 3.0)])
    assert "1 score is not finite" in told(tmp_path, pattern=BY_FOLDERS)
    dropped = read_folder(tmp_path, pattern=BY_FOLDERS, invalid_scores="drop").table
    assert rows(dropped, "step", "score") == [(10, 1.0), (30, 3.0)]


@NEEDS_CASES
def test_case_of_evaluations_without_steps():
    found = read_folder(CASES / "evaluations_without_step" / "history.csv")
    assert set(found.table["kind"]) == {"eval"} and set(found.table.groupby(["algorithm", "run"]).size()) == {4}
    asked = read_folder(CASES / "evaluations_without_step" / "history.csv", metric="eval/episodic_return")
    assert len(asked.table) == 24


def test_a_cell_that_is_no_number_leaves_the_run_its_score(tmp_path):
    for run, cell in ((1, "2"), (2, "x")):
        text = f"time/total_timesteps,eval/mean_reward\n10,1\n20,{cell}\n30,3\n"
        write_text(tmp_path / "ppo" / "Ant" / str(run) / "progress.csv", text)
    assert '2/progress.csv: the eval/mean_reward "x" is not a number' in told(tmp_path, pattern=BY_FOLDERS)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("runs.csv", "algorithm,environment,run,step,score\na,e,0,10,1\na,e,0,20,oops\na,e,1,10,2\na,e,1,20,3\n"),
        (
            "runs.json",
            json.dumps([{"algo": "a", "env": "e", "run": str(score), "score": score} for score in (1, "oops", 3)]),
        ),
        (
            "marl.json",
            json.dumps({"e": {"t": {"a": {"0": {"step_0": {"step_count": 1, "return": [1, "oops", 3]}}}}}}),
        ),
    ],
    ids=["csv", "records", "episodes"],
)
def test_a_text_among_scores_is_refused_until_it_is_dropped(tmp_path, name, text):
    write_text(tmp_path / name, text)
    sentence = told(tmp_path)
    assert '"oops" is not a number' in sentence and "--invalid-scores drop" in sentence
    found = read_folder(tmp_path, invalid_scores="drop")
    account = surefoot.reading_account(found.table)
    assert account.loc[account["outcome"] == "left out", ["reason", "rows"]].to_numpy().tolist() == [
        ["not a number", 1]
    ]
    assert "oops" in found.remarks[0]
    assert found.table.attrs.get("unfinished", []) == ([["a", "e", "oops"]] if name == "runs.json" else [])
