"""Names of tasks and of axes decide, not their places."""

import numpy as np
import pandas as pd
import pytest

import surefoot

SCORES = np.random.default_rng(0).normal([0.0, 10.0, 100.0], size=(6, 3))


class Labelled:
    """What an array of xarray offers: dimensions, coordinates and `__array__`."""

    def __init__(self, values, dims, coords=None):
        self.values, self.dims, self.coords = values, dims, coords or {}
        self.ndim = values.ndim

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype)

    def __len__(self):
        return len(self.values)


class Polars:
    """What a table of polars offers."""

    def __init__(self, table):
        self.table, self.columns = table, list(table.columns)

    def to_pandas(self):
        return self.table


def values(scores, **settings):
    return surefoot.aggregate(scores, ["mean"], replicates=10, checked=True, **settings).table()["value"].tolist()


def test_tasks_of_tables_are_matched_by_name():
    tasks = ["pong", "qbert", "seaquest"]
    x, y = pd.DataFrame(SCORES, columns=tasks), pd.DataFrame(SCORES + 1, columns=tasks)
    wanted = surefoot.improvement({"x": x, "y": y}, [("y", "x")], replicates=10, checked=True).table()
    for shuffled in (y[tasks[::-1]], Polars(y[tasks[::-1]])):
        found = surefoot.improvement({"x": x, "y": shuffled}, [("y", "x")], replicates=10, checked=True).table()
        pd.testing.assert_frame_equal(found, wanted)


def test_tables_with_other_tasks_are_refused():
    x = pd.DataFrame(SCORES, columns=["pong", "qbert", "seaquest"])
    y = pd.DataFrame(SCORES, columns=["pong", "qbert", "freeway"])
    with pytest.raises(ValueError, match=r'y and x have other tasks, such as "freeway"\. Hint: all algorithms'):
        values({"x": x, "y": y})
    with pytest.raises(ValueError, match=r'x has the task "pong" twice'):
        values({"x": x.set_axis(["pong", "pong", "qbert"], axis=1)})


def test_tables_without_names_are_matched_by_place():
    assert values({"x": pd.DataFrame(SCORES)}) == values({"x": SCORES})


@pytest.mark.parametrize("dims", [("seed", "game"), ("run", "environment")])
def test_dimensions_decide_which_axis_is_which(dims):
    names = ["a", "b", "c"]
    upright = Labelled(SCORES, dims, {dims[1]: names})
    lying = Labelled(SCORES.T[::-1], dims[::-1], {dims[1]: names[::-1]})
    wanted = surefoot.aggregate({"x": SCORES, "y": SCORES}, ["iqm"], replicates=50).table()
    found = surefoot.aggregate({"x": upright, "y": lying}, ["iqm"], replicates=50).table()
    pd.testing.assert_frame_equal(found[["value"]], wanted[["value"]])
    rows = found.set_index("algorithm")
    assert rows.loc["x", "value"] == rows.loc["y", "value"]


def test_dimensions_without_names_are_taken_by_place():
    assert values({"x": Labelled(SCORES, ("dim_0", "dim_1"))}) == values({"x": SCORES})


def test_unknown_dimensions_are_refused():
    with pytest.raises(ValueError, match=r"x has the dimensions seed, colour\. Hint: one of them is that of the tasks"):
        values({"x": Labelled(SCORES, ("seed", "colour"))})


def test_dimensions_of_curves():
    curves = np.random.default_rng(1).normal(size=(5, 3, 4))
    turned = Labelled(np.moveaxis(curves, 1, 2), ("seed", "step", "task"))
    wanted = surefoot.sample_efficiency({"x": curves}, metrics=["mean"], replicates=10)
    found = surefoot.sample_efficiency({"x": turned}, metrics=["mean"], replicates=10)
    pd.testing.assert_frame_equal(found.table(), wanted.table())


def test_a_tidy_table_of_polars():
    rows = [("x", task, run, SCORES[run, task]) for run in range(6) for task in range(3)]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])
    assert values(Polars(table)) == values(table)
