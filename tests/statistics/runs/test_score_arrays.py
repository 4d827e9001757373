"""Names of runs, in the order of their numbers."""

import numpy as np
import pandas as pd
import pytest

from surefoot.errors import HintedError
from surefoot.statistics.runs.score_arrays import natural_order, plain_names, runs_of, scores_of


@pytest.mark.parametrize(
    "ordered",
    [
        [f"run{number}" for number in range(12)],
        ["-10", "-2", "0.5", "7", "07a", "7a", "a", "a2b10", "a10b2", "b"],
        ["1_2", "1_10", "2_0", "2_1"],
        ["9", "1e1", "11", "10000000000000000001", "10000000000000000002", "run", "run 1"],
        [-3, 0, 0.5, 2, 10],
        [2, "3", 10, "first"],
        ["nan", "x"],
    ],
)
def test_names_are_ordered_by_their_numbers(ordered):
    shuffled = np.random.default_rng(1).permutation(len(ordered))
    names = [ordered[place] for place in shuffled]
    assert natural_order(names).tolist() == shuffled.tolist()


def test_integers_have_the_order_of_their_names():
    runs = pd.Series([10, -3, 2**62, 2, -3, 0, 2**62 + 1], index=range(7, 0, -1))
    assert natural_order(runs).to_dict() == natural_order(runs.astype(str)).to_dict()


def test_runs_of_a_table_in_any_order_are_sorted_on_each_task():
    rows = [("a", "y", 10, 1.0), ("b", "y", 1, 5.0), ("a", "x", 2, 2.0), ("a", "y", 9, 3.0), ("a", "x", 1, 4.0)]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])
    assert [scores.tolist() for scores in scores_of(table, "a")] == [[4.0, 2.0], [3.0, 1.0]]
    assert runs_of(table, "a") == [[1, 2], [9, 10]]
    for algorithm, tasks in (("b", "x"), ("c", "x, y")):
        with pytest.raises(HintedError, match=f"{algorithm} has no scores in {tasks}. Hint"):
            scores_of(table, algorithm)


def test_a_series_keeps_its_index_and_sorts_a_table():
    table = pd.DataFrame({"run": ["s10", "s9", "s10", "s1"]}, index=[4, 3, 2, 1])
    assert natural_order(table["run"]).to_dict() == {4: 2, 3: 1, 2: 2, 1: 0}
    assert table.sort_values("run", key=natural_order)["run"].tolist() == ["s1", "s9", "s10", "s10"]
    assert natural_order(table["run"][:0]).tolist() == []
    assert natural_order(table["run"].astype("category")).tolist() == [2, 1, 2, 0]


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        (["1", "01", "1.0", "1e0", " +1 ", "1.", 1, 1.0], "1"),
        (["0", "0.0", "-0", "00", 0], "0"),
        (["10", "1e1", "10.00"], "10"),
        (["0.5", ".5", "5e-1", 0.5], "0.5"),
        (["-7", "-07.0"], "-7"),
        (["9007199254740993", "9007199254740993.0"], "9007199254740993"),
    ],
)
def test_a_number_is_one_name_however_it_is_written(written, plain):
    assert plain_names(pd.Series([*written, "other"], dtype=object)).tolist() == [plain] * len(written) + ["other"]
