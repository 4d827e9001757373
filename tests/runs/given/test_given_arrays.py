"""Arrays and tables of several libraries give the same numbers, and none is guessed."""

import numpy as np
import pandas as pd
import pyarrow
import pytest
from support.two_algorithms import ARRAYS

import surefoot


def test_a_masked_array_that_masks_nothing_is_an_array():
    found = surefoot.aggregate_metrics({name: np.ma.array(scores) for name, scores in ARRAYS.items()}, n_resamples=10)
    pd.testing.assert_frame_equal(found.table(), surefoot.aggregate_metrics(ARRAYS, n_resamples=10).table())


class OtherArray:
    """As arrays of other libraries are: sized, iterable by rows, and convertible; no NumPy array."""

    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.values, dtype)

    def __len__(self):
        return len(self.values)

    def __getitem__(self, place):
        return OtherArray(self.values[place])


def test_arrays_of_other_libraries_are_runs_by_tasks():
    scores = np.random.default_rng(11).normal(size=(4, 7))
    for given in (scores, scores[:, 0]):
        found, plain = (surefoot.rank_probabilities({"a": one, "b": one}).table() for one in (OtherArray(given), given))
        pd.testing.assert_frame_equal(found, plain)
    curves = np.random.default_rng(12).normal(size=(4, 3, 5))
    tables = [surefoot.sample_efficiency({"a": one}, n_resamples=20).table() for one in (OtherArray(curves), curves)]
    pd.testing.assert_frame_equal(*tables)


def test_dicts_of_dicts_of_lists_are_not_guessed():
    """Algorithms in environments were taken for sets of algorithms, and environments were compared."""
    by_environment = {"ppo": {"Ant": [1.0, 2, 3], "Hopper": [1.0, 2, 3]}, "sac": {"Ant": [4.0, 5], "Hopper": [4.0, 5]}}
    with pytest.raises(ValueError, match=r"may be sets of algorithms, or algorithms in environments\. Hint: for"):
        surefoot.aggregate_metrics(by_environment)
    sets = {name: {of: np.array(runs)[:, None] for of, runs in own.items()} for name, own in by_environment.items()}
    assert surefoot.aggregate_metrics(sets, n_resamples=20).table()["scores"].unique().tolist() == ["ppo", "sac"]


SCORES = np.random.default_rng(0).normal([0.0, 10.0, 100.0], size=(6, 3))


def arrow(table):
    """A table of pyarrow, which is read as one of polars is: as a table that narwhals knows."""
    return pyarrow.Table.from_pandas(table, preserve_index=False)


def values(scores, **settings):
    return (
        surefoot.aggregate_metrics(scores, metrics="mean", n_resamples=10, skip_checks=True, **settings)
        .table()["estimate"]
        .tolist()
    )


def test_tables_in_a_dict_are_refused():
    table = pd.DataFrame(SCORES, columns=["pong", "qbert", "seaquest"])
    for given in (table, arrow(table)):
        with pytest.raises(ValueError, match=r"x is a separate table.* Hint: pass one table of all algorithms"):
            values({"x": given})


class Labelled:
    """An array that names its dimensions, as those of xarray do."""

    dims = ("game", "seed")

    def __array__(self, dtype=None, copy=None):
        return SCORES.T


def test_arrays_with_named_dimensions_are_not_guessed():
    with pytest.raises(ValueError, match=r"x has named dimensions: game, seed\. Hint: .*transpose"):
        values({"x": Labelled()})


class OnAnotherDevice:
    """As a tensor is that must be copied first."""

    def __array__(self, dtype=None, copy=None):
        raise TypeError("can't convert cuda:0 device type tensor to numpy.\nUse Tensor.cpu() first.")

    def __len__(self):
        return 3


def test_arrays_that_cannot_be_read_say_why():
    with pytest.raises(ValueError, match=r"x cannot be read as an array: can't .* first\. Hint: .*detach") as refused:
        values({"x": OnAnotherDevice()})
    assert "\n" not in str(refused.value)


def test_a_tidy_table_of_another_library():
    rows = [("x", task, run, SCORES[run, task]) for run in range(6) for task in range(3)]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])
    assert values(arrow(table)) == values(table)
