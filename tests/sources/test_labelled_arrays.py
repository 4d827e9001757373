"""Arrays and tables of other libraries."""

import numpy as np
import pandas as pd
import pyarrow
import pytest

import surefoot

SCORES = np.random.default_rng(0).normal([0.0, 10.0, 100.0], size=(6, 3))


def arrow(table):
    """A table of pyarrow, which is read as one of polars is: as a table that narwhals knows."""
    return pyarrow.Table.from_pandas(table, preserve_index=False)


def values(scores, **settings):
    return (
        surefoot.aggregates(scores, metrics="mean", replicates=10, checked=True, **settings).table()["value"].tolist()
    )


def test_tables_in_a_dict_are_refused():
    table = pd.DataFrame(SCORES, columns=["pong", "qbert", "seaquest"])
    for given in (table, arrow(table)):
        with pytest.raises(ValueError, match=r"x is a table of its own.* Hint: one table of all algorithms"):
            values({"x": given})


class Labelled:
    """An array that names its dimensions, as those of xarray do."""

    dims = ("game", "seed")

    def __array__(self, dtype=None, copy=None):
        return SCORES.T


def test_arrays_that_name_their_dimensions_are_not_taken_by_place():
    with pytest.raises(ValueError, match=r"x names its dimensions: game, seed\. Hint: .*transpose"):
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
