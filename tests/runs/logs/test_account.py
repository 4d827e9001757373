"""The account of a folder: what became of each file and row, on the terminal, in its file, and with --strict."""

import gzip
import html
import json
import re
import warnings

import numpy as np
import pandas as pd
import pytest
import yaml
from support.jobs import leave_out_pages, page_of_questions
from support.read_folders import BY_FOLDERS, read_folder, told
from support.write_logs import write_evaluations, write_monitor, write_text

import surefoot
from surefoot.cli.commands import main
from surefoot.cli.report_choices import Choices
from surefoot.cli.report_writing import write_study
from surefoot.errors import Remark
from surefoot.runs.logs.account import LOSSES, OUTCOMES, account_sentence, account_summary


def table_of_two(folder, rows):
    header = "algorithm,environment,run,step,score\n"
    write_text(folder / "runs.csv", header + rows)


def write_whole(folder):
    for run in (1, 2):
        write_evaluations(folder / "ppo" / "Ant" / str(run) / "evaluations.npz", [10, 20], [[1.0, 2.0], [2.0, 3.0]])


def cut(folder):
    path = folder / "ppo" / "Ant" / "3" / "evaluations.npz"
    write_evaluations(path, [10, 20], [[1.0], [2.0]])
    path.write_bytes(path.read_bytes()[:100])
    return {}


def empty(folder):
    write_text(folder / "ppo" / "Ant" / "3" / "evaluations.npz", "")
    return {}


def another_kind(folder):
    for run in (1, 2):
        write_monitor(folder / "ppo" / "Ant" / str(run) / "monitor.csv", [(7.0, 10, 1.0)])
    return {}


def without_evaluations(folder):
    another_kind(folder)
    write_monitor(folder / "ppo" / "Ant" / "3" / "monitor.csv", [(7.0, 10, 1.0)])
    return {"score_kind": "eval"}


def without_an_episode(folder):
    another_kind(folder)
    write_monitor(folder / "ppo" / "Ant" / "3" / "monitor.csv", [])
    return {}


def of_another_format(folder):
    write_monitor(folder / "ppo" / "Ant" / "3" / "monitor.csv", [(7.0, 10, 1.0)])
    return {}


def infinite(folder):
    write_evaluations(folder / "ppo" / "Ant" / "3" / "evaluations.npz", [10, 20], [[1.0], [float("inf")]])
    return {"invalid_scores": "drop"}


def hydra_job(folder):
    write_text(folder / "ppo" / "Ant" / "3" / ".hydra" / "config.yaml", "seed: 3\n")
    return {}


def job_with_configuration(folder):
    for run in (1, 2, 3):
        write_text(folder / "ppo" / "Ant" / str(run) / "params.json", "{}")
    return {}


def empty_folder(folder):
    (folder / "ppo" / "Ant" / "3").mkdir()
    (folder / "ppo" / "Ant" / "2" / "checkpoints").mkdir()  # is no run
    return {}


def model_alone(folder):
    write_text(folder / "ppo" / "Ant" / "3" / "model.zip", "")
    for other in ("plots", "2/checkpoints"):  # are no runs
        write_text(folder / "ppo" / "Ant" / other / "model.zip", "")
    return {}


def nan_at_first(folder):
    rows = "0,nan\n10,nan\n20,3\n30,4\n"
    write_text(folder / "ppo" / "Ant" / "3" / "progress.csv", f"step,return\n{rows}")
    return {"format": "run_files", "pattern": f"{BY_FOLDERS}/{{}}"}


def without_a_step(folder):
    rows = "10,2\n20,3\n,4\n30,5\n"
    write_text(folder / "ppo" / "Ant" / "3" / "progress.csv", f"step,return\n{rows}")
    return {"format": "run_files", "pattern": f"{BY_FOLDERS}/{{}}"}


def restarted(folder):
    rows = "0,1\n10,2\n20,3\n10,4\n20,5\n"
    write_text(folder / "ppo" / "Ant" / "3" / "progress.csv", f"step,return\n{rows}")
    return {"format": "run_files", "pattern": f"{BY_FOLDERS}/{{}}"}


def with_a_text(folder):
    write_text(folder / "ppo" / "Ant" / "3" / "progress.csv", "step,return\n10,2\n20,oops\n30,5\n")
    return {"format": "run_files", "pattern": f"{BY_FOLDERS}/{{}}", "invalid_scores": "drop"}


def with_an_empty_cell(folder):
    write_text(folder / "ppo" / "Ant" / "3" / "progress.csv", "step,return,loss\n10,2,1\n20,,1\n30,5,1\n")
    return {"format": "run_files", "pattern": f"{BY_FOLDERS}/{{}}"}


def recorded_twice(folder):
    write_text(folder / "ppo" / "Ant" / "1" / "progress.csv", "time/total_timesteps,eval/mean_reward\n10,1.5\n")
    return {}


LOST = [
    (nan_at_first, "left out", "NaN", "ppo/Ant/3/progress.csv"),
    (without_a_step, "left out", "no step", "ppo/Ant/3/progress.csv"),
    (restarted, "left out", "before a restart", "ppo/Ant/3/progress.csv"),
    (with_a_text, "left out", "not a number", "ppo/Ant/3/progress.csv"),
    (with_an_empty_cell, "not logged", "other columns only", "ppo/Ant/3/progress.csv"),
    (recorded_twice, "second record", "another log of the run", "ppo/Ant/1/progress.csv"),
    (cut, "left out", "damaged", "ppo/Ant/3/evaluations.npz"),
    (empty, "left out", "damaged", "ppo/Ant/3/evaluations.npz"),
    (another_kind, "left out", "another kind", "ppo/Ant/1/monitor.csv"),
    (without_evaluations, "no score", "no scores of the kind eval", "ppo/Ant/3/monitor.csv"),
    (without_an_episode, "no score", "no complete episode", "ppo/Ant/3/monitor.csv"),
    (of_another_format, "no score", "of the format stable_baselines3_monitor", "ppo/Ant/3/monitor.csv"),
    (infinite, "left out", "not finite", "ppo/Ant/3/evaluations.npz"),
    (hydra_job, "no score", "a job without a log", "ppo/Ant/3"),
    (model_alone, "no score", "a folder without a log", "ppo/Ant/3"),
    (empty_folder, "no score", "an empty folder", "ppo/Ant/3"),
    (job_with_configuration, "no score", "a job without a log", "ppo/Ant/3"),
]


@pytest.mark.parametrize(("lose", "outcome", "reason", "file"), LOST, ids=[lost[0].__name__ for lost in LOST])
def test_each_loss_is_in_the_account(tmp_path, capsys, lose, outcome, reason, file):
    """In the account of the table, in the file of the command, in its summary, in that of pages and of methods, and
    refused by `strict`."""
    runs = tmp_path / "runs"
    write_whole(runs)
    options = {"pattern": BY_FOLDERS} | lose(runs)
    table = read_folder(runs, **options).table
    account = surefoot.reading_account(table)
    losses = account[account["outcome"] == outcome]
    assert file in set(losses["file"]) and reason in set(losses["reason"])
    arguments = [text for name, value in options.items() for text in (f"--{name.replace('_', '-')}", value)]
    written = tmp_path / "account.csv"
    assert main(["read", str(runs), "--account", str(written), *arguments]) == 0
    again = pd.read_csv(written, keep_default_na=False)
    assert ((again["file"] == file) & (again["reason"] == reason)).any()
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("account: ")]
    assert file in " ".join(lines)
    summary = account_summary(account)
    assert any(row["reason"] == reason and file in row["which"] for row in summary["rows"])
    assert reason in summary["sentence"] and file not in summary["sentence"]
    if outcome in LOSSES:
        assert "--strict: " in told(runs, strict=True, **options)
        assert main(["read", str(runs), "--strict", *arguments]) == 2
        assert file in capsys.readouterr().err


def test_each_loss_is_on_the_page_and_in_the_methods_text(tmp_path, monkeypatch):
    """Of a report on a table whose account has every kind of loss, and in the methods section that is exported."""
    tables = []
    for number, (lose, *_) in enumerate(LOST):
        write_whole(tmp_path / str(number))
        options = {"pattern": BY_FOLDERS} | lose(tmp_path / str(number))
        tables.append(read_folder(tmp_path / str(number), **options).table)
    evaluated = max(tables, key=lambda one: one["run"].nunique())
    table = pd.concat([evaluated, evaluated.assign(algorithm="sac", score=evaluated["score"] + 1.0)])
    together = [entry for one in tables for entry in json.loads(one.attrs["account"])]
    table.attrs = evaluated.attrs | {"account": json.dumps(together)}
    folder = tmp_path / "report"
    with warnings.catch_warnings(), monkeypatch.context() as without_pages:
        warnings.simplefilter("ignore", Remark)
        leave_out_pages(without_pages)
        surefoot.report(table, folder)
    page = page_of_questions(folder, "multiple_comparisons", "aggregate_metrics")
    shown = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())
    _, _, fold = shown.partition("What was read, and what was left out")
    _, _, methods = shown.partition("For your paper")
    (name,) = [path.stem for path in (folder / "results" / "draw").iterdir() if (path / "table_account.csv").is_file()]
    assert main(["export", name, "--venue", "neurips", "--directory", str(folder), "-o", str(tmp_path / "paper")]) == 0
    exported = (tmp_path / "paper" / "methods.tex").read_text()
    account = pd.read_csv(folder / "account.csv")
    for _, outcome, reason, file in LOST:
        assert re.search(f"{outcome} {reason} .*?{re.escape(file)}", fold), reason
        assert reason in methods and reason in exported.replace("\\_", "_")
        assert (account["file"] == file).any()


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("exp_name,env_id,seed,global_step,eval/return", "{name},Ant,{run},{step},{score}"),
        (
            "_step,run_id,exp_name,env_id,seed,global_step,eval/return",
            "{step},{name}{run},{name},Ant,{run},{step},{score}",
        ),
    ],
    ids=["history", "wandb"],
)
def test_a_run_in_a_file_of_several_is_not_lost_without_a_score(tmp_path, header, row):
    runs = [("ppo", 1), ("ppo", 2), ("sac", 1), ("sac", 2)]
    lines = [
        row.format(name=name, run=run, step=step, score="" if (name, run) == ("sac", 2) else step)
        for name, run in runs
        for step in (10, 20)
    ]
    write_text(tmp_path / "history.csv", "\n".join([header, *lines, ""]))
    table = read_folder(tmp_path).table
    assert table.attrs["unfinished"] == [["sac", "Ant", "2"]]
    account = surefoot.reading_account(table)
    lost = account[account["outcome"] == "no score"]
    assert lost[["file", "algorithm", "run"]].to_numpy().tolist() == [["history.csv", "sac", "2"]]
    assert "Began and left no score: 1 job" in account_sentence(account)


def test_hidden_folders_are_counted(tmp_path, capsys):
    """The configuration of a job is read, and its other files are not."""
    write_whole(tmp_path)
    for run in (1, 2):
        for name in ("config", "overrides", "hydra"):
            write_text(tmp_path / "ppo" / "Ant" / str(run) / ".hydra" / f"{name}.yaml", "seed: 1\n")
    write_text(tmp_path / ".git" / "refs" / "heads" / "main", "0\n")
    write_text(tmp_path / ".DS_Store", "0\n")
    account = surefoot.reading_account(read_folder(tmp_path, pattern=BY_FOLDERS, strict=True).table)
    hidden = account[account["outcome"] == "hidden"]
    assert dict(zip(hidden["file"], hidden["rows"], strict=True)) == {
        ".DS_Store": 1,
        ".git": 1,
        "ppo/Ant/1/.hydra": 2,
        "ppo/Ant/2/.hydra": 2,
    }
    assert set(account.loc[account["reason"] == "configuration", "file"]) == {
        f"ppo/Ant/{run}/.hydra/config.yaml" for run in (1, 2)
    }
    assert main(["read", str(tmp_path), "--pattern", BY_FOLDERS]) == 0
    assert "account: Hidden folders: 6 files (not read: " in capsys.readouterr().out
    summary = account_summary(account)
    assert [row["files"] for row in summary["rows"] if row["outcome"] == "hidden"] == [6]
    assert "Hidden" not in summary["sentence"]


def test_control_characters_in_paths_are_escaped(tmp_path, capsys):
    """In the terminal, the account, and the file of the study; spaces of any width are kept."""
    runs = tmp_path / "r\x1b[31m"
    for run in (1, 2):
        for name in ("a\u00a0b", "c"):
            write_evaluations(runs / name / "Ant" / str(run) / "evaluations.npz", [10, 20], [[1.0, 2.0], [2.0, run]])
    write_text(runs / "notes\n\u202e.txt", "1\n")
    found = read_folder(runs, pattern=BY_FOLDERS)
    account = surefoot.reading_account(found.table)
    assert set(account.loc[account["outcome"] == "other file", "file"]) == {"notes\\n\\u202e.txt"}
    assert set(found.table["algorithm"]) == {"a\u00a0b", "c"}
    for _ in range(2):  # the second report finds the study of the first
        write_study(runs, tmp_path / "report", Choices(), pattern=BY_FOLDERS)
    out = capsys.readouterr().out
    assert out.replace("\u00a0", " ").replace("\n", " ").isprintable()
    (study,) = yaml.safe_load((tmp_path / "report" / "study.yaml").read_text())["studies"].values()
    assert study["title"] == "a\u00a0b and c in Ant"


def test_rows_that_name_no_run_are_counted(tmp_path):
    """Such as a history that has the configuration in the first row of each run."""
    lines = [
        f"{step},{name if step == 10 else ''},Ant,{run},1" for name, run in (("a", 1), ("b", 2)) for step in (10, 20)
    ]
    write_text(tmp_path / "history.csv", "\n".join(["step,algo,env_id,seed,eval/return", *lines, ""]))
    table = read_folder(tmp_path).table
    account = surefoot.reading_account(table)
    assert account.loc[account["outcome"] == "left out", ["reason", "rows"]].to_numpy().tolist() == [
        ["no name of a run", 2]
    ]
    assert len(table) == 2


def test_a_run_without_a_value_in_a_chart_export_is_listed(tmp_path):
    names = [f"{name}-{run} - eval/return" for name in ("ppo", "sac") for run in (1, 2)]
    header = ",".join(["Step", *(f"{name}{extreme}" for name in names for extreme in ("", "__MIN", "__MAX"))])
    rows = [",".join([str(step), *[str(step)] * 9, "", "", ""]) for step in (10, 20)]
    write_text(tmp_path / "chart.csv", "\n".join([header, *rows, ""]))
    table = read_folder(tmp_path, pattern="{algorithm}-{seed}", environment="Ant").table
    assert table.attrs["unfinished"] == [["sac", "Ant", "2"]]


def test_files_of_workers_of_another_kind_are_not_used(tmp_path):
    """And a run is called in the account what the table calls it."""
    for algorithm, run in (("ppo", "01"), ("ppo", "02"), ("sac", "01")):
        folder = tmp_path / algorithm / "Ant" / f"seed_{run}"
        write_evaluations(folder / "evaluations.npz", [10, 20], [[1.0], [2.0]])
        for worker in (0, 1):
            write_monitor(folder / f"{worker}.monitor.csv", [(7.0, 10, 1.0)])
    account = surefoot.reading_account(read_folder(tmp_path, pattern=BY_FOLDERS, score_kind="eval").table)
    outcomes = account[["file", "outcome"]].assign(file=account["file"].str.rpartition("/")[2])
    assert set(map(tuple, outcomes.to_numpy())) == {
        ("evaluations.npz", "used"),
        ("0.monitor.csv", "not asked for"),
        ("1.monitor.csv", "not asked for"),
    }
    assert set(account["run"]) == {"1", "2"}
    assert account_sentence(account).startswith("3 runs with 6 scores were read from 3 files.")


def test_strict_reads_what_is_whole(tmp_path):
    write_whole(tmp_path)
    write_text(tmp_path / "ppo" / "Ant" / "1" / "config.yaml", "seed: 1\n")
    found = read_folder(tmp_path, pattern=BY_FOLDERS, strict=True)
    account = surefoot.reading_account(found.table)
    assert set(account["outcome"]) == {"used", "other file"} <= set(OUTCOMES)
    assert account_sentence(account) == (
        "2 runs with 4 scores were read from 2 files. Nothing was left out. "
        "Other files: 1 file (configuration: ppo/Ant/1/config.yaml)."
    )
    another_kind(tmp_path)
    asked = read_folder(tmp_path, pattern=BY_FOLDERS, strict=True, score_kind="eval").table
    assert "not asked for" in set(surefoot.reading_account(asked)["outcome"])


def test_rows_of_a_file_add_up(tmp_path):
    """Each row of a log is a point, was averaged, was left out, or has no score."""
    rows = [
        (step, score) for step, score in ((0, 1.0), (10, 2.0), (10, 4.0), (20, 3.0), (30, 5.0), (20, 6.0), (30, 7.0))
    ]
    text = "step,return\n" + "".join(f"{step},{score}\n" for step, score in rows)
    write_text(tmp_path / "ppo_Ant_1" / "progress.csv", text + "40,\n")
    table = read_folder(tmp_path, pattern="{algorithm}_{environment}_{seed}/{}").table
    account = surefoot.reading_account(table)
    outcomes = {"averaged": 1, "left out": 2, "not logged": 1, "used": 4}
    assert dict(zip(account["outcome"], account["rows"], strict=True)) == outcomes
    assert set(account.loc[account["outcome"] == "used", "run"]) == {"1"}
    assert account["rows"].sum() == len(rows) + 1


def test_a_table_keeps_its_account(tmp_path):
    """Through pandas' operations and in a Parquet file, since it is a text in `attrs`."""
    write_whole(tmp_path / "runs")
    cut(tmp_path / "runs")
    table = read_folder(tmp_path / "runs", pattern=BY_FOLDERS).table
    table.to_parquet(tmp_path / "table.parquet")
    again = surefoot.reading_account(pd.read_parquet(tmp_path / "table.parquet"))
    pd.testing.assert_frame_equal(again, surefoot.reading_account(table.sort_values("score")))
    assert set(again["outcome"]) & set(LOSSES)
    assert pd.concat([table, table]).attrs["account"] == table.attrs["account"]
    json.loads(table.attrs["account"])


def test_files_are_chosen_by_a_glob(tmp_path):
    for run in (1, 2):
        folder = tmp_path / "ppo" / "Ant" / str(run)
        write_text(folder / "main.csv", "step,return\n0,1\n10,2\n")
        write_text(folder / "other.csv", "step,return\n0,3\n10,4\n")
    pattern = BY_FOLDERS + "/{}"
    assert "twice" in told(tmp_path, pattern=pattern)
    table = read_folder(tmp_path, pattern=pattern, files="main.csv").table
    assert table["score"].tolist() == [1.0, 2.0] * 2
    account = surefoot.reading_account(table)
    assert account.loc[account["outcome"] == "not asked for", "reason"].tolist() == ["by --files"] * 2
    assert "no file matches nothing.csv among ppo/Ant/1/main.csv" in told(tmp_path, files="nothing.csv")
    assert main(["read", str(tmp_path), "--pattern", pattern, "--files", "*/1/main.csv"]) == 0


def test_jobs_without_a_score_are_unfinished_runs(tmp_path):
    """By the path, or by the configuration of a job without a log; others, and those of no algorithm with scores in the
    environment, are kept apart. A table that was written and is read again has them, too."""
    runs = tmp_path / "runs"
    write_whole(runs)
    options = without_evaluations(runs)
    write_text(runs / "ppo" / "Ant" / "4" / ".hydra" / "config.yaml", "task: other\n")
    write_text(runs / "multirun" / ".hydra" / "config.yaml", "algorithm: ppo\nenv_id: Ant\nseed: 5\n")
    write_text(runs / "sac" / "Ant" / "1" / ".hydra" / "config.yaml", "seed: 1\n")
    write_text(runs / "multirun2" / ".hydra" / "config.yaml", "seed: 6\n")
    table = read_folder(runs, pattern=BY_FOLDERS, **options).table
    assert sorted(table.attrs["unfinished"]) == [["ppo", "Ant", run] for run in "345"]
    assert sorted(table.attrs["unnamed_jobs"]) == ["multirun2", "sac/Ant/1"]
    table.to_parquet(tmp_path / "runs.parquet")
    again = read_folder(tmp_path / "runs.parquet").table
    assert [again.attrs[name] for name in ("unfinished", "unnamed_jobs")] == [
        table.attrs[name] for name in ("unfinished", "unnamed_jobs")
    ]


def test_a_run_without_evaluations_is_told_from_its_other_logs(tmp_path):
    """The logger's file, which is a second record of the others, is no format of its own for this run."""
    write_whole(tmp_path)
    another_kind(tmp_path)
    write_monitor(tmp_path / "ppo" / "Ant" / "3" / "monitor.csv", [(7.0, 10, 1.0)])
    for run in (1, 2, 3):
        text = "time/total_timesteps,rollout/ep_rew_mean\n10,1.5\n"
        write_text(tmp_path / "ppo" / "Ant" / str(run) / "progress.csv", text)
    table = read_folder(tmp_path, pattern=BY_FOLDERS, score_kind="eval").table
    assert table.attrs["unfinished"] == [["ppo", "Ant", "3"]]
    account = surefoot.reading_account(table)
    assert set(account.loc[account["file"].str.endswith("progress.csv"), "outcome"]) == {"second record"}


def test_each_setting_of_a_seed_is_a_run_of_the_account(tmp_path):
    rows = [f"ppo,Ant,{seed},{lr},1" for seed in (0, 1) for lr in ("0.1", "0.2", "0.3")]
    write_text(tmp_path / "sweep.csv", "\n".join(["algorithm,environment,seed,lr,score", *rows, ""]))
    table = read_folder(tmp_path, hyperparameters=["lr"]).table
    account = surefoot.reading_account(table)
    assert account["run"].tolist() == ["0, lr=0.1", "0, lr=0.2", "0, lr=0.3", "1, lr=0.1", "1, lr=0.2", "1, lr=0.3"]
    assert account_sentence(account).startswith("6 runs with 6 scores were read from 1 file.")


@pytest.mark.parametrize(
    "name", ["TD3_Ant_2.npy", "weights.npz", "more.csv.gz", "more.parquet"], ids=["npy", "npz", "csv_gz", "parquet"]
)
def test_a_damaged_file_of_any_kind_that_is_read_is_left_out(tmp_path, name):
    """Not counted as a file of another kind, with which nothing is lost, and refused by `strict`."""
    if name.startswith("TD3"):
        for run in (0, 1):
            np.save(tmp_path / f"TD3_Ant_{run}.npy", np.arange(3.0) + run)
    else:
        table_of_two(tmp_path, "ppo,Ant,1,10,1\nppo,Ant,2,10,2\n")
    (tmp_path / name).write_bytes(b"\x1f\x8bcut off")
    names = {"pattern": "{algorithm}_{environment}_{seed}"} if name.startswith("TD3") else {}
    account = surefoot.reading_account(read_folder(tmp_path, **names).table)
    lost = account[account["outcome"] == "left out"]
    assert lost[["file", "reason"]].to_numpy().tolist() == [[name, f"is not readable as .{name.rpartition('.')[2]}"]]
    assert "--strict: left out: 1 file (is not readable as" in told(tmp_path, strict=True, **names)


def test_a_compressed_table_that_is_cut_off_is_unreadable(tmp_path):
    path = tmp_path / "scores.csv.gz"
    rows = "".join(f"ppo,Ant,{run},{run / 7}\n" for run in range(500))
    content = gzip.compress(f"algorithm,environment,run,score\n{rows}".encode())
    path.write_bytes(content[: len(content) // 2])
    assert "scores.csv.gz is not readable as .gz" in told(path)


def test_no_run_is_left_out_without_a_word(tmp_path):
    """An empty file and missing steps, beside runs that can be read, one of them with semicolons."""
    rows = "step,return\n0,1\n100,2\n"
    texts = {"ppo_maze_0": rows, "ppo_maze_1": rows.replace(",1", ",3"), "ppo_maze_2": ""}
    texts |= {"ppo_maze_3": rows.replace(",", ";"), "ppo_maze_4": "step,return\nnan,1\n"}
    for name, text in texts.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "progress.csv").write_text(text)
    found = read_folder(tmp_path, pattern="{algorithm}_{environment}_{seed}/{}", metric="return")
    assert set(found.table["run"]) == {0, 1, 3}
    remarks = " ".join(found.remarks)
    assert all(f"ppo_maze_{run}" in remarks for run in (2, 4)) and remarks.count("is left out") == 2
