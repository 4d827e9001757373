"""Tables of final scores, as people export them."""

import gzip
import json
import re
import shlex

import pandas as pd
import pytest
from support.paths import SHARED
from support.read_folders import read_folder, rows, told
from support.write_logs import write_text

import surefoot
from surefoot.cli.commands import main
from surefoot.errors import InputError

CASES = SHARED / "cases" / "score_tables"
WANTED = [
    (name, run, score) for name, scores in (("a", (1.5, 2.5)), ("b", (3.5, 4.5))) for run, score in enumerate(scores)
]
LONG = "".join(f"{name},e,{run},{score}\n" for name, run, score in WANTED)


def scores(path, **options):
    return rows(read_folder(path, **options).table, "algorithm", "run", "score")


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
    assert scores(tmp_path / "scores.csv") == scores(tmp_path) == WANTED


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
    assert scores(path) == WANTED


def test_options_name_what_is_not_there(tmp_path):
    path = tmp_path / "scores.csv"
    write_text(path, "algo,seed,return\n" + LONG.replace(",e,", ","))
    assert set(read_folder(path, environment="Ant").table["environment"]) == {"Ant"}
    write_text(path, "config,where,seed,fitness\n" + LONG)
    keys = {"algorithm": "config", "environment": "where"}
    assert scores(path, metric="fitness", names_from=keys) == WANTED
    one = read_folder(
        path, metric="fitness", algorithm="ours", names_from={"environment": "where", "run": "fitness"}
    ).table
    assert set(one["algorithm"]) == {"ours"}


@pytest.mark.parametrize(
    ("wide", "text"),
    [
        ("runs", "agent,env,seed_0,seed_1\na,Pong,1,3\na,Breakout,2,4\nb,Pong,5,\nb,Breakout,6,\n"),
        ("tasks", "agent,seed,Pong,Breakout\na,0,1,2\na,1,3,4\nb,0,5,6\n"),
        ("tasks", ",agent,Pong,Breakout\n0,a,1,2\n1,a,3,4\n2,b,5,6\n"),
        ("algorithms", "env,seed,a,b\nPong,0,1,5\nPong,1,3,\nBreakout,0,2,6\nBreakout,1,4,\n"),
    ],
)
def test_wide_tables(tmp_path, wide, text):
    path = tmp_path / "scores.csv"
    write_text(path, text)
    options = {} if wide == "tasks" else {"invalid_scores": "drop"}
    table = read_folder(path, wide=wide, **options).table
    assert rows(table, "algorithm", "environment", "run", "score") == [
        ("a", "Breakout", 0, 2.0),
        ("a", "Breakout", 1, 4.0),
        ("a", "Pong", 0, 1.0),
        ("a", "Pong", 1, 3.0),
        ("b", "Breakout", 0, 6.0),
        ("b", "Pong", 0, 5.0),
    ]
    assert "--wide tasks, algorithms or runs" in told(path)


@pytest.mark.parametrize(
    ("wide", "text"),
    [
        (None, f"algo,env,seed,return\n{LONG}a,e,mean,2.0\nb,e,mean,4.0\n"),
        (None, f"algo,env,seed,return\n{LONG}a,Average,0,2.0\n"),
        ("tasks", "agent,seed,Pong,Breakout,Mean\na,0,1,2,1.5\n"),
    ],
)
def test_means_among_the_scores_of_runs_are_no_runs(tmp_path, wide, text):
    write_text(tmp_path / "scores.csv", text)
    assert "seems to be a summary of the others" in told(tmp_path / "scores.csv", wide=wide)


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
    assert scores(tmp_path, pattern="{algorithm}") == WANTED


def test_columns_of_seeds_are_not_proposed_as_metrics(tmp_path):
    for name in ("Ant", "Hopper"):
        write_text(tmp_path / f"{name}.csv", "step,seed_0,seed_1\n1,1.5,2.5\n2,3.5,4.5\n")
    assert "--wide runs with --algorithm and --environment" in told(tmp_path)
    table = read_folder(tmp_path, wide="runs", algorithm="ppo", pattern="{environment}").table
    assert rows(table, "run", "step", "score") == [(0, 1, 1.5), (0, 2, 3.5), (1, 1, 2.5), (1, 2, 4.5)] * 2


def test_columns_in_which_two_rows_of_a_run_differ_are_named(tmp_path):
    path = tmp_path / "scores.csv"
    write_text(path, "algo,variant,env,seed,return\n" + "".join(f"x,{line}\n" for line in LONG.split()))
    assert "two rows have algo x, env e, seed 0, and differ in variant, return. Hint:" in told(path)
    assert scores(path, names_from={"algorithm": "variant"}) == WANTED
    write_text(path, f"algo,env,seed,return\n{LONG}{LONG}")
    assert "seed 0, and are equal in all columns" in told(path)


def test_a_column_of_clusters_is_not_ignored(tmp_path):
    write_text(tmp_path / "scores.csv", "algo,env,seed,cluster,return\na,e,1,c,1.5\na,e,2,d,2.5\n")
    assert 'the column "cluster" has no effect' in told(tmp_path / "scores.csv")


def test_numbers_as_people_write_them_are_refused_with_the_way(tmp_path):
    for number in ('"1,250.5"', "26.0%", "1.250,5"):
        write_text(tmp_path / "scores.csv", f"algo;env;seed;return\na;e;1;{number}\na;e;2;1.5\n")
        assert "Hint: write numbers without thousands separators" in told(tmp_path / "scores.csv")


def test_a_table_that_names_tasks_has_none_in_columns(tmp_path):
    write_text(tmp_path / "scores.csv", "algo,env,seed,return\n" + LONG)
    assert "but env names them. Hint: leave --wide out" in told(tmp_path / "scores.csv", wide="tasks")


def test_rows_of_a_table_without_a_step_are_counted(tmp_path):
    text = "".join(f"a,e,{run},{step},1\n" for run in (1, 2) for step in (10, "", ""))
    write_text(tmp_path / "scores.csv", "algo,env,seed,step,return\n" + text)
    assert "4 rows with no step" in told(tmp_path / "scores.csv")


def test_columns_that_may_each_be_the_score(tmp_path):
    path = tmp_path / "scores.csv"
    write_text(path, "algo,env,seed,return,success_rate\n" + LONG.replace("\n", ",0.5\n"))
    assert "the columns 'return', 'success_rate' may all be the score. Hint: choose one with --metric" in told(path)
    assert scores(path, metric="return") == WANTED


def test_the_table_of_runs_of_weights_and_biases(tmp_path):
    path = tmp_path / "export.csv"
    rest = [f"r{k},finished,2026,{name},e,{run},100,{score}" for k, (name, run, score) in enumerate(WANTED)]
    rest[0] = rest[0].replace("finished", "crashed")
    for metric in ("charts/episodic_return", "eval/mean_reward"):
        write_text(path, f"Name,State,Created,algo,env_id,seed,global_step,{metric}\n" + "\n".join(rest) + "\n")
        assert scores(path) == WANTED
    assert read_folder(path).remarks == ("export.csv: 1 of its 4 runs are crashed, but are read",)


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


def test_lines_before_the_header_and_blanks_after_commas(tmp_path):
    path = tmp_path / "scores.csv"
    write_text(path, f"\ufeffsep=;\nalgo;env;seed;return\n{LONG}".replace(",", ";").replace(".", ","))
    assert scores(path) == scores(tmp_path) == WANTED
    write_text(path, f"algo,env,seed,return\n{LONG}".replace(",", ", "))
    assert scores(path) == WANTED


@pytest.mark.parametrize("sign", [";", "\t", "|"])
def test_columns_may_be_separated_by_other_signs(tmp_path, sign):
    path = tmp_path / "scores.csv"
    write_text(path, f"# a comment\nalgo,env,seed,return\n{LONG}".replace(",", sign))
    assert scores(path) == WANTED
    if sign == ";":
        write_text(path, f"algo;env;seed;return\n{LONG}".replace(",", sign).replace(".", ","))
        assert scores(path) == WANTED


def test_commas_that_may_stand_between_thousands_are_asked_about(tmp_path):
    """The hint has the call that reads them; other numbers of the file may tell."""
    path = tmp_path / "scores.csv"
    rows = "algo;env;seed;return\na;e;1;1,250\na;e;2;2,500\n"
    write_text(path, rows)
    said = told(path)
    assert "commas may be decimal signs or thousands separators, as in 1,250" in said
    call = re.search(r"Hint: (pandas.*?) treats", said)[1]
    eval(call, {"pandas": pd, "file": path, "other": tmp_path / "other.csv"})
    assert scores(tmp_path / "other.csv") == [("a", 1, 1.25), ("a", 2, 2.5)]
    write_text(path, f"{rows}a;e;3;0,5\n")
    assert scores(path)[:1] == [("a", 1, 1.25)]


@pytest.mark.skipif(not CASES.is_dir(), reason="../shared/cases is not here")
def test_cases_are_read_or_told_apart():
    options = {"noenv.csv": {"environment": "X"}}
    refused = {"episodes_unnumbered.csv", "percent.csv", "plusminus.csv"}
    for path in sorted(CASES.iterdir()):
        if path.name in refused:
            told(path)
        elif path.name != "expected.json":
            table = read_folder(path, **options.get(path.name, {})).table
            assert table[["algorithm", "environment", "run"]].drop_duplicates().shape[0] == 10, path.name


NAMES = ("algorithm", "environment", "run")


def test_long_tables_keep_names_as_they_are(tmp_path):
    text = "algo,env_id,seed,score\n007,NA,1,1.5\n007,NA,2,2.5\n1e3,NA,1,3\n"
    write_text(tmp_path / "scores.csv", text)
    found = read_folder(tmp_path / "scores.csv")
    assert found.format == "table" and "step" not in found.table.columns
    assert rows(found.table, *NAMES, "score") == [("007", "NA", 1, 1.5), ("007", "NA", 2, 2.5), ("1e3", "NA", 1, 3.0)]
    curves = found.table.assign(step=5, kind="eval")
    of_step = (curves.assign(step=9, score=score, episode=number) for number, score in enumerate((0.0, 1.0)))
    curves = pd.concat([curves.assign(episode=0), *of_step])
    (tmp_path / "scores.csv").unlink()
    curves.drop(columns="episodes").to_parquet(tmp_path / "curves.parquet")
    found = read_folder(tmp_path)
    assert rows(found.table[:2], *NAMES, "step", "score", "kind", "episodes") == [
        ("007", "NA", 1, 5, 1.5, "eval", 1),
        ("007", "NA", 1, 9, 0.5, "eval", 2),
    ]


REPEATED = "algorithm,environment,seed,step,score\na,e,0,0,1\na,e,0,10,2\nb,e,0,0,1\n"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (
            REPEATED.replace("step", "learning_rate,step").replace(",0,1\n", ",0.1,0,1\na,e,0,1.0,0,9\n", 1),
            "learning_rate",
        ),
        (REPEATED + "a,e,0,10,2\n", "column episode"),
        ("algorithm,environment,run,score\na,e,0,1\na,e,0,1\n", "column episode"),
        ("algorithm,environment,run,episode,score\na,e,0,1,1\na,e,0,1,0\n", "column episode"),
    ],
)
def test_several_rows_of_a_run_and_step_are_refused(tmp_path, text, hint):
    """They are two trainings, or pasted twice: their mean would be of neither."""
    write_text(tmp_path / "runs.csv", text)
    with pytest.raises(InputError, match="two rows have algorithm a, environment e") as caught:
        read_folder(tmp_path)
    assert hint in caught.value.hint


@pytest.mark.parametrize("names", [{"algorithm": "x"}, {"environment": "x"}, {"pattern": "{algorithm}"}])
def test_one_name_for_a_table_of_several_is_refused(tmp_path, names):
    text = "algorithm,environment,run,score\na,d,0,1\na,e,0,1\nb,d,0,1\nb,e,0,2\n"
    write_text(tmp_path / "runs.csv", text)
    with pytest.raises(InputError, match=r"its column has [ad], [be]"):
        read_folder(tmp_path, **names)
    write_text(
        tmp_path / "runs.csv",
        text.replace("b,", "a,").replace("e,", "d,").replace("d,0,1\na,d,0,1\na,d,0,1\n", "d,1,1\n"),
    )
    assert len(read_folder(tmp_path, **names).table) == 2


def test_columns_differing_only_in_case_or_blanks_are_refused(tmp_path):
    write_text(tmp_path / "runs.csv", "algorithm,environment,run,score,Score, score\na,e,0,1,2,3\n")
    with pytest.raises(InputError, match="'score' and 'Score' and 'score'"):
        read_folder(tmp_path)
