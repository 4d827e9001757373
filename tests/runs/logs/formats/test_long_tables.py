"""Tables with one row per run (and step), or with a column of scores per task, algorithm or run."""

import pandas as pd
import pytest
from support.paths import SHARED
from support.read_folders import read_folder, rows, told
from support.score_tables import LONG, WANTED, read_scores
from support.write_logs import write_text

from surefoot.errors import InputError

CASES = SHARED / "cases" / "score_tables"


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


def test_columns_in_which_two_rows_of_a_run_differ_are_named(tmp_path):
    path = tmp_path / "scores.csv"
    write_text(path, "algo,variant,env,seed,return\n" + "".join(f"x,{line}\n" for line in LONG.split()))
    assert "two rows have algo x, env e, seed 0, and differ in variant, return. Hint:" in told(path)
    assert read_scores(path, names_from={"algorithm": "variant"}) == WANTED
    write_text(path, f"algo,env,seed,return\n{LONG}{LONG}")
    assert "seed 0, and are equal in all columns" in told(path)


def test_a_table_that_names_tasks_has_none_in_columns(tmp_path):
    write_text(tmp_path / "scores.csv", "algo,env,seed,return\n" + LONG)
    assert "but env names them. Hint: leave --wide out" in told(tmp_path / "scores.csv", wide="tasks")


def test_rows_of_a_table_without_a_step_are_counted(tmp_path):
    text = "".join(f"a,e,{run},{step},1\n" for run in (1, 2) for step in (10, "", ""))
    write_text(tmp_path / "scores.csv", "algo,env,seed,step,return\n" + text)
    assert "4 rows with no step" in told(tmp_path / "scores.csv")


def test_the_table_of_runs_of_weights_and_biases(tmp_path):
    path = tmp_path / "export.csv"
    rest = [f"r{k},finished,2026,{name},e,{run},100,{score}" for k, (name, run, score) in enumerate(WANTED)]
    rest[0] = rest[0].replace("finished", "crashed")
    for metric in ("charts/episodic_return", "eval/mean_reward"):
        write_text(path, f"Name,State,Created,algo,env_id,seed,global_step,{metric}\n" + "\n".join(rest) + "\n")
        assert read_scores(path) == WANTED
    assert read_folder(path).remarks == ("export.csv: 1 of its 4 runs is crashed, but is read",)


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
