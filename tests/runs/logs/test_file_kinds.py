"""Kinds of scores that the names of files and folders tell, on files made by hand and on the shared cases."""

import pytest
from support.read_folders import BY_FOLDERS, CASES, NEEDS_CASES, read_folder, rows, told
from support.write_logs import write_evaluations, write_json_lines, write_monitor, write_text

from surefoot.runs.logs.file_kinds import kind_in_name, without_kind_folder

RUN = ("ppo", "Ant", "1")


@pytest.mark.parametrize(
    ("name", "kind", "rest"),
    [
        ("eval_results", "eval", ""),
        ("train", "train", ""),
        ("seed_0_eval", "eval", "seed_0"),
        ("TestMonitor", "", "TestMonitor"),
        ("metrics", "", ""),
        ("0", "", "0"),
        ("train_eval", "", ""),
        ("latest_reval", "", "latest_reval"),
    ],
)
def test_kind_in_name(name, kind, rest):
    assert kind_in_name(name) == (kind, rest)


@pytest.mark.parametrize(
    ("place", "kind", "rest"),
    [("ppo/0/eval", "eval", "ppo/0"), ("train/ppo/0", "train", "ppo/0"), ("ppo/eval0/1", "", "ppo/eval0/1")],
)
def test_kind_folder_of_a_path(place, kind, rest):
    assert without_kind_folder(place) == (kind, rest)


@pytest.mark.parametrize("names", [("monitor", "eval_results.monitor"), ("train.monitor", "eval.monitor")])
def test_monitors_of_training_and_evaluation(tmp_path, names):
    folder = tmp_path.joinpath(*RUN)
    write_monitor(folder / f"{names[0]}.csv", [(1.0, 10, 1.0), (2.0, 10, 2.0)])
    write_monitor(folder / f"{names[1]}.csv", [(9.0, 10, 1.5)])
    train = read_folder(tmp_path, pattern=BY_FOLDERS, score_kind="train").table
    assert rows(train, "step", "score") == [(10, 1.0), (20, 2.0)]
    evaluated = read_folder(tmp_path, pattern=BY_FOLDERS)
    assert rows(evaluated.table, "step", "score", "kind") == [(10, 9.0, "eval")]
    assert "steps of evaluations count their own episodes" in evaluated.remarks
    write_evaluations(folder / "evaluations.npz", [20], [[7.0, 8.0]])
    assert rows(read_folder(tmp_path, pattern=BY_FOLDERS).table, "step", "score") == [(20, 7.5)]


def test_only_numbers_make_workers(tmp_path):
    """Monitors whose names differ in a number are workers; others are runs."""
    for name in ("a", "b"):
        for worker in (0, 1):
            write_monitor(tmp_path / "ppo" / f"{name}.{worker}.monitor.csv", [(1.0 + worker, 10, 1.0 + worker)])
    table = read_folder(tmp_path, pattern="{algorithm}/{run}").table
    assert rows(table, "run", "step", "score") == [(name, 10 * k, float(k)) for name in "ab" for k in (1, 2)]


@pytest.mark.parametrize(
    "files",
    [
        ("train.csv", "eval.csv"),
        ("train/log.csv", "eval/log.csv"),
        ("train_metrics.csv", "test_metrics.csv"),
        ("train/monitor.csv", "evaluation/monitor.csv"),
    ],
)
def test_files_of_two_kinds_are_one_run(tmp_path, files):
    for seed in (1, 2):
        for file, score in zip(files, (seed, seed + 10), strict=True):
            path = tmp_path / "ppo" / "Ant" / str(seed) / file
            if "monitor" in file:
                write_monitor(path, [(score, 10, 1.0)])
            else:
                write_text(path, f"step,episode_reward\n10,{score}\n")
    for options in ({}, {"score_kind": "eval"}):
        found = read_folder(tmp_path, pattern=BY_FOLDERS, **options).table
        assert rows(found, "run", "score", "kind") == [(1, 11.0, "eval"), (2, 12.0, "eval")]
    assert rows(read_folder(tmp_path, pattern=BY_FOLDERS, score_kind="train").table, "score") == [(1.0,), (2.0,)]
    if "/" in files[0]:
        full = read_folder(tmp_path, pattern=BY_FOLDERS + "/{}") if "monitor" in files[0] else None
        assert full is None or full.table["run"].tolist() == [1, 2], "the folder of the kind may be in the pattern"


def test_files_of_one_kind_in_a_run_are_chosen(tmp_path):
    for seed in (1, 2):
        folder = tmp_path / "dreamer" / "walker" / str(seed)
        write_json_lines(folder / "metrics.jsonl", [{"step": 10, "return": 1.0}])
        write_json_lines(folder / "losses.jsonl", [{"step": 10, "return": 2.0}])
        write_json_lines(folder / "stats.jsonl", [{"step": 10, "return": 3.0}])
    pattern = BY_FOLDERS
    said = told(tmp_path, pattern=pattern, files=["metrics.jsonl", "stats.jsonl"])
    assert "run 1 twice" in said and "--files" in said
    table = read_folder(tmp_path, pattern=pattern + "/{}", files="stats.jsonl").table
    assert table["score"].tolist() == [3.0, 3.0]


@NEEDS_CASES
def test_case_of_monitors_of_both_kinds():
    train = read_folder(CASES / "train_and_eval_monitors" / "runs", score_kind="train").table
    for _, run in train.groupby(["algorithm", "run"]):
        assert (len(run), run["step"].max(), run[run["step"] > 45_000]["score"].mean()) == (50, 50_000, 470.0)
    evaluated = read_folder(CASES / "train_and_eval_monitors" / "runs").table
    assert all(len(run) == 20 for _, run in evaluated.groupby(["algorithm", "run"]))


@NEEDS_CASES
def test_case_of_csv_of_both_kinds():
    found = read_folder(CASES / "train_and_eval_csv" / "exp", pattern=BY_FOLDERS).table
    assert found.groupby(["algorithm", "run"]).ngroups == 6 and set(found["kind"]) == {"eval"}
    last = found.groupby(["algorithm", "run"])["score"].last()
    assert all(score == 200 + run for (_, run), score in last.items())
