"""Score tables: every flaw is an error that lists the cells, every policy does what it says."""

import csv
import io

import numpy as np
import pandas as pd
import pytest
from support.one_study import write_runs

from surefoot.errors import InputError
from surefoot.questions._framework.question_registry import questions
from surefoot.questions.game import check_game_intervals
from surefoot.runs.result_tables import LEFT_OUT, read_table, write_table
from surefoot.runs.scales.none import NoScale as AsTheyAre
from surefoot.runs.scales.scaling import scaled
from surefoot.runs.sources.score_tables import _read_csv, read
from surefoot.runs.sources.tables import ScoreTable
from surefoot.statistics.runs.score_arrays import scores_of

COLUMNS = ("algorithm", "environment", "run", "score")


def read_score_table(path, **settings):
    return read(ScoreTable(file=str(path), **settings), {"file": path})


def rows(*changes):
    """Two algorithms, two environments, three runs each, with changes (row number, column, value)."""
    table = pd.DataFrame(
        [(a, e, run, 10.0 * run + len(e)) for a in ("slow", "fast") for e in ("maze", "pole_") for run in (1, 2, 10)],
        columns=list(COLUMNS),
    ).astype(object)
    for row, column, value in changes:
        table.loc[row, column] = value
    return table


def written(tmp_path, table, suffix="csv"):
    return write_runs(tmp_path / f"scores.{suffix}", table)


@pytest.mark.parametrize("suffix", ["csv", "json", "parquet"])
def test_the_kinds_of_files_give_the_same_table(tmp_path, suffix):
    found = read_score_table(written(tmp_path, rows(), suffix))
    assert list(found.columns) == ["algorithm", "environment", "run", "score"]
    assert found["algorithm"].unique().tolist() == ["slow", "fast"]
    assert found["environment"].unique().tolist() == ["maze", "pole_"]
    assert found["run"].tolist() == [1, 2, 10] * 4
    assert found["score"].tolist() == rows()["score"].tolist()


@pytest.mark.parametrize("score", [-1e308, 1e151])
def test_scores_whose_squares_overflow_are_refused(tmp_path, score):
    with pytest.raises(InputError, match=r"scores beyond ±1e\+150 \(1\): slow / maze / run 2: ") as caught:
        read_score_table(written(tmp_path, rows((1, "score", score))))
    assert caught.value.hint == "divide all scores by a power of ten, or correct invalid values"


def test_a_column_of_clusters_has_no_effect_and_is_refused(tmp_path):
    with pytest.raises(InputError, match='the column "cluster" has no effect in a study') as caught:
        read_score_table(written(tmp_path, rows().assign(cluster="text")))
    assert "use_clusters: true" in caught.value.hint


def test_named_runs_stand_in_the_order_of_their_numbers(tmp_path):
    table = rows()
    found = read_score_table(written(tmp_path, table.assign(run="run" + table["run"].astype(str)).iloc[::-1]))
    assert found["run"].tolist() == ["run1", "run2", "run10"] * 4
    (_, scores) = scores_of(found, "slow")
    assert scores.tolist() == found.query("algorithm == 'slow' and environment == 'pole_'")["score"].tolist()
    first = scaled({"runs": found}, {"s": AsTheyAre(max_runs=2)})
    assert set(first["run"]) == {"run1", "run2"}


def test_numbers_with_many_digits_are_different_runs(tmp_path):
    seeds = {1: "9007199254740992", 2: "9007199254740993", 10: "12345678901234567890"}
    found = read_score_table(written(tmp_path, rows().replace({"run": seeds})))
    assert found["run"].tolist() == list(seeds.values()) * 4


def test_columns_are_mapped_and_a_single_environment_needs_none(tmp_path):
    table = rows().query("environment == 'maze'").drop(columns="environment")
    table = table.rename(columns={"algorithm": "agent", "score": "return", "run": "seed"})
    columns = {"algorithm": "agent", "environment": None, "run": "seed", "score": "return"}
    found = read_score_table(written(tmp_path, table), columns=columns)
    assert len(found) == 6
    assert found["environment"].nunique() == 1


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (rows((1, "run", 1)), "duplicate runs (1): slow / maze / run 1. Hint"),
        (
            rows((1, "run", "01"), (2, "run", "1e0")),
            "duplicate runs (2): slow / maze / run 1; slow / maze / run 1. Hint",
        ),
        (rows((0, "run", "x"), (4, "run", "1.0")), "duplicate runs (1): slow / pole_ / run 1. Hint"),
        (rows((4, "score", np.nan)), "scores that are not finite numbers (1): slow / pole_ / run 2: ''. Hint"),
        (rows((4, "score", np.inf)), "scores that are not finite numbers (1): slow / pole_ / run 2: 'inf'"),
        (rows((4, "score", "high")), "slow / pole_ / run 2: 'high'"),
        (rows().drop(index=[9, 10, 11]), "cells without a run (1): fast / pole_. Hint"),
        (rows((0, "algorithm", "")), "data row 1 has no algorithm. Hint"),
        (rows().iloc[:0], "the table has no rows"),
        (rows().rename(columns={"score": "scores"}), 'no column "score" for score. Hint: did you mean "scores"?'),
    ],
)
def test_flaws_are_errors_that_list_the_cells(tmp_path, table, message):
    with pytest.raises(InputError) as caught:
        read_score_table(written(tmp_path, table))
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{tmp_path / 'scores.csv'}: ")
    assert "\n" not in str(caught.value)


def test_missing_and_unknown_files_are_errors(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_score_table(tmp_path / "none.csv")
    with pytest.raises(InputError, match=r'unsupported file type "\.xlsx"'):
        read_score_table(tmp_path / "x.xlsx")


def test_policies_for_missing_cells(tmp_path):
    third = rows().query("algorithm == 'slow'").assign(algorithm="third").iloc[:3]
    path = written(tmp_path, pd.concat([rows(), third]))
    found = read_score_table(path, missing_cells="drop_algorithm")
    assert found["algorithm"].unique().tolist() == ["slow", "fast"]
    write_table(found, tmp_path / "runs.parquet")
    (left_out,) = read_table(tmp_path / "runs.parquet").attrs[LEFT_OUT]
    assert left_out == "Left out, since runs are missing: third (no run in pole_)."
    found = read_score_table(path, missing_cells="drop_environment")
    assert found["environment"].unique().tolist() == ["maze"]
    assert found.attrs[LEFT_OUT] == ["Left out, since runs are missing: pole_ (no run of third)."]
    assert LEFT_OUT not in read_score_table(written(tmp_path, rows())).attrs


def test_hyperparameters_are_kept_and_tell_runs_apart(tmp_path):
    tried = pd.concat([rows().assign(step=step, kind=kind) for step, kind in ((0.1, "on"), (0.2, "off"))])
    path = written(tmp_path, tried[tried["algorithm"] == "slow"])
    found = read_score_table(path, hyperparameters=["step", "kind"])
    assert list(found.columns) == ["algorithm", "environment", "run", "score", "step", "kind"]
    assert len(found) == 12 and found["step"].dtype == float and set(found["kind"]) == {"on", "off"}
    assert list(scaled({"runs": found}, {"s": AsTheyAre(hyperparameters=("step",))}).columns[-2:]) == ["score", "step"]
    with pytest.raises(InputError, match=r'hyperparameters: .*: no column "stop"') as refused:
        read_score_table(path, hyperparameters=["step", "stop"])
    assert refused.value.hint == 'did you mean "step"?'
    with pytest.raises(InputError, match='the runs have no column "stop"'):
        scaled({"runs": found}, {"s": AsTheyAre(hyperparameters=("stop",))})
    again = written(tmp_path, pd.concat([tried, tried[:1]]))
    with pytest.raises(InputError, match=r"duplicate runs \(1\)"):
        read_score_table(again, hyperparameters=["step", "kind"])


def test_a_single_run_is_an_error_for_methods_that_need_a_spread(tmp_path):
    runs = read_score_table(written(tmp_path, rows().drop(index=[1, 2])))
    check_game_intervals(runs, questions()["evaluation_game_intervals"](methods=["pbp", "dkw"]), "scores.csv")
    with pytest.raises(InputError, match=r"scores\.csv: only one run for slow / maze\. Hint: .*bootstrap"):
        check_game_intervals(runs, questions()["evaluation_game_intervals"](methods=["pbp", "bootstrap"]), "scores.csv")


@pytest.mark.parametrize("column", ["step", "rollout/Timesteps"])
def test_learning_curves_are_recognized(tmp_path, column):
    table = pd.concat([rows().assign(**{column: step}) for step in range(20)])
    path = written(tmp_path, table.sample(frac=1, random_state=1), "parquet")
    with pytest.raises(InputError) as caught:
        read_score_table(path)
    assert caught.value.what == f"240 rows of 12 runs with a column {column} are learning curves"
    assert caught.value.hint.startswith("use kind: learning_curves, with a rule")


def test_a_column_of_steps_makes_no_curves_of_scores(tmp_path):
    """Neither where every run has one row, nor where all rows of a run are of one step: these are duplicates."""
    assert len(read_score_table(written(tmp_path, rows().assign(step=1000 + rows().index)))) == 12
    twice = written(tmp_path, pd.concat([rows(), rows()[:1]]).assign(step=1000))
    with pytest.raises(InputError, match=r"duplicate runs \(1\): slow / maze / run 1"):
        read_score_table(twice)


CELLS = (*"ab", *',,,\n\n\r" é', "\r\n", '""', "1.5", '","', '"\n"', "\n\n", ",\n")


def test_cells_are_those_that_the_csv_module_of_python_reads():
    """Texts of every kind of cell, quote and end of a line in any order; about one in twelve is a table.

    Blanks after a comma are no part of a cell.
    """
    rng, accepted = np.random.default_rng(0), 0
    for _ in range(600):
        text = "x,y,z\n" + "".join(rng.choice(CELLS, rng.integers(0, 25)))
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        _, *lines = (fields for fields in csv.reader(io.StringIO(text), skipinitialspace=True) if fields)
        try:
            found = _read_csv(text, "file").to_numpy().tolist()
        except InputError as error:
            assert max(map(len, lines)) > 3 or "EOF inside string" in error.what
            continue
        accepted += 1
        assert found == [fields + [""] * (3 - len(fields)) for fields in lines if "".join(fields).strip()]
    assert accepted > 30
