"""Logs whose steps are missing or begin anew, and scores that are NaN."""

import pytest
from support.read_folders import BY_FOLDERS, CASES, NEEDS_CASES, read_folder, reasons, rows, told
from support.write_logs import write_json_lines, write_log, write_monitor


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


ANEW = "step,return\n10,1\n20,2\n30,3\n10,4\n20,5\n"


def test_steps_that_begin_anew_are_a_question(tmp_path):
    write_log(tmp_path, ANEW)
    options = {"pattern": BY_FOLDERS + "/{}"}
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
    found = read_folder(tmp_path, pattern=BY_FOLDERS + "/{}")
    assert rows(found.table, "step", "score") == [(10, 1.0), (20, 4.0), (30, 5.0)]
    assert reasons(found.table)["before a restart"] == 2


def test_event_files_that_begin_anew_are_a_question(tmp_path):
    events = pytest.importorskip("support.write_event_files")
    folder = tmp_path / "ppo" / "Ant" / "1"
    for time, begin in ((1700000000, 0.0), (1700000100, 10.0)):
        scalars = [events.simple("eval/mean_reward", 10 * k, begin + k) for k in (1, 2, 3)]
        events.write_events(folder, scalars, time=time)
    said = told(tmp_path, pattern=BY_FOLDERS)
    assert "steps begin again at 10, after 30 in earlier files" in said
    joined = read_folder(tmp_path, pattern=BY_FOLDERS, continued="join").table
    assert joined["step"].tolist() == [10, 20, 30, 40, 50, 60] and joined["score"].tolist() == [1, 2, 3, 11, 12, 13]
    parts = read_folder(tmp_path, pattern=BY_FOLDERS, continued="separate").table
    assert rows(parts, "run", "step", "score") == [
        *(("1-part1", 10 * k, float(k)) for k in (1, 2, 3)),
        *(("1-part2", 10 * k, 10.0 + k) for k in (1, 2, 3)),
    ]


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
