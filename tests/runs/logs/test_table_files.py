"""Files with tables, in each format; their columns, under common names or as options name them; and the error for a
table that lacks some."""

import gzip
import json
import re
import shlex

import pandas as pd
import pytest
from support.read_folders import read_folder, rows, told
from support.score_tables import LONG, WANTED, read_scores
from support.write_logs import write_text

import surefoot
from surefoot.cli.commands import main
from surefoot.errors import InputError


@pytest.mark.parametrize(
    "kind", ["csv.gz", "tsv", "tsv.gz", "json", "parquet", "index.parquet", "jsonl", "comment.csv", "index.csv"]
)
def test_kinds_of_files(tmp_path, kind):
    table = pd.DataFrame(
        [(name, "e", run, score) for name, run, score in WANTED], columns=["algo", "env", "seed", "score"]
    )
    path = tmp_path / f"scores.{kind}"
    if kind == "json":
        path.write_text(json.dumps(table.to_dict("records")))
    elif kind == "jsonl":
        table.to_json(path, orient="records", lines=True)
    elif "parquet" in kind:
        (table.set_index(["algo", "env"]) if "index" in kind else table).to_parquet(path)
    elif kind == "index.csv":
        table.to_csv(path)
    elif kind == "comment.csv":
        path.write_text("# made by our script\n" + table.to_csv(index=False))
    else:
        text = table.to_csv(index=False, sep="\t" if "tsv" in kind else ",")
        path.write_bytes(gzip.compress(text.encode()) if kind.endswith("gz") else text.encode())
    assert read_scores(path) == WANTED


@pytest.mark.parametrize(
    "header",
    [
        "agent,env,seed,final_return",
        "Algorithm,Environment,Seed,Score",
        "exp_name,env_id,seed,eval/mean_reward",
        "method,task,trial,mean_reward",
        "algo,game,run,success_rate",
        "Algo Name,Task Name,Random Seed,Final Return",
    ],
)
def test_usual_names_of_columns(tmp_path, header):
    write_text(tmp_path / "scores.csv", f"{header}\n{LONG}")
    assert read_scores(tmp_path / "scores.csv") == read_scores(tmp_path) == WANTED


def test_options_name_what_is_not_there(tmp_path):
    path = tmp_path / "scores.csv"
    write_text(path, "algo,seed,return\n" + LONG.replace(",e,", ","))
    assert set(read_folder(path, environment="Ant").table["environment"]) == {"Ant"}
    write_text(path, "config,where,seed,fitness\n" + LONG)
    keys = {"algorithm": "config", "environment": "where"}
    assert read_scores(path, metric="fitness", names_from=keys) == WANTED
    one = read_folder(
        path, metric="fitness", algorithm="ours", names_from={"environment": "where", "run": "fitness"}
    ).table
    assert set(one["algorithm"]) == {"ours"}


@pytest.mark.parametrize("header", ["algo,env,score", "algo,env,score,std,n"])
def test_no_column_is_proposed_for_runs_that_the_table_has_not(tmp_path, header):
    more = ",0.5,5" if "std" in header else ""
    write_text(tmp_path / "scores.csv", f"{header}\na,e,1.5{more}\nb,e,2.5{more}\n")
    said = told(tmp_path / "scores.csv")
    assert "in a column run: 1, 2" in said and "COLUMN" not in said


def test_no_row_of_a_log_is_proposed_as_a_run(tmp_path):
    for seed in (1, 2):
        write_text(tmp_path / "ppo" / f"{seed}.csv", "num_updates,eval/return\n1,1.5\n2,2.5\n")
    for options in ({}, {"algorithm": "ppo", "environment": "Ant"}, {"metric": "eval/return"}):
        said = told(tmp_path, **options)
        assert "specify the columns with --metric and --step" in said and "--name-from run" not in said


def test_the_name_of_each_table_may_be_that_of_its_algorithm(tmp_path):
    """The command of the refusal reads all of them."""
    for name in ("a", "b"):
        text = "".join(f"e,{run},{score}\n" for algorithm, run, score in WANTED if algorithm == name)
        write_text(tmp_path / f"{name}.csv", f"env,seed,return\n{text}")
    assert f"surefoot read {tmp_path} --pattern '{{algorithm}}'" in told(tmp_path)
    assert read_scores(tmp_path, pattern="{algorithm}") == WANTED


def test_columns_of_seeds_are_not_proposed_as_metrics(tmp_path):
    for name in ("Ant", "Hopper"):
        write_text(tmp_path / f"{name}.csv", "step,seed_0,seed_1\n1,1.5,2.5\n2,3.5,4.5\n")
    assert "--wide runs with --algorithm and --environment" in told(tmp_path)
    table = read_folder(tmp_path, wide="runs", algorithm="ppo", pattern="{environment}").table
    assert rows(table, "run", "step", "score") == [(0, 1, 1.5), (0, 2, 3.5), (1, 1, 2.5), (1, 2, 4.5)] * 2


def test_columns_that_may_each_be_the_score(tmp_path):
    path = tmp_path / "scores.csv"
    write_text(path, "algo,env,seed,return,success_rate\n" + LONG.replace("\n", ",0.5\n"))
    assert "the columns 'return', 'success_rate' may all be the score. Hint: choose one with --metric" in told(path)
    assert read_scores(path, metric="return") == WANTED


@pytest.mark.parametrize(
    ("header", "filled"),
    [
        ("algo,env,seed,fitness", {}),
        ("setup,env,seed,fitness", {}),
        (
            "setup,where,seed,fitness",
            {"--algorithm NAME": "--name-from algorithm=setup", "--environment NAME": "--name-from environment=where"},
        ),
        ("algo,env,number,score", {"COLUMN": "number"}),
    ],
)
def test_the_command_of_a_refusal_reads_the_table(tmp_path, capsys, header, filled):
    """As it stands, once the user fills in what the header doesn't tell."""
    path = tmp_path / "my scores.csv"
    write_text(path, f"{header}\n{LONG}")
    said = told(path)
    assert all(repr(name) in said for name in header.split(","))
    command = re.search(r"Hint: surefoot (read .*?);", said)[1]
    for blank, value in filled.items():
        command = command.replace(blank, value)
    assert "NAME" not in command and "COLUMN" not in command
    assert main(shlex.split(command)) == 0
    assert "4 runs with 4 scores" in capsys.readouterr().out


def test_a_table_lacking_a_column_beside_others_is_left_out(tmp_path):
    write_text(tmp_path / "whole.csv", f"algo,env,seed,return\n{LONG}")
    write_text(tmp_path / "lacking.csv", "algo,env,seed\na,e,1\n")
    write_text(tmp_path / "readme.csv", "what,where\nthis,there\n")
    table = read_folder(tmp_path).table
    assert "unnamed_jobs" not in table.attrs
    account = surefoot.reading_account(table)
    outcomes = dict(zip(account["file"], account["outcome"], strict=True))
    assert outcomes == {"whole.csv": "used", "lacking.csv": "left out", "readme.csv": "other file"}


def test_columns_differing_only_in_case_or_blanks_are_refused(tmp_path):
    write_text(tmp_path / "runs.csv", "algorithm,environment,run,score,Score, score\na,e,0,1,2,3\n")
    with pytest.raises(InputError, match="'score' and 'Score' and 'score'"):
        read_folder(tmp_path)
