"""Names of tasks and of axes decide, not their places."""

import numpy as np
import pandas as pd
import pyarrow
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


def arrow(table):
    """A table of pyarrow, which is read as one of polars is: as a table that narwhals knows."""
    return pyarrow.Table.from_pandas(table, preserve_index=False)


def values(scores, **settings):
    return (
        surefoot.aggregates(scores, metrics="mean", replicates=10, checked=True, **settings).table()["value"].tolist()
    )


def test_tasks_of_tables_are_matched_by_name():
    tasks = ["pong", "qbert", "seaquest"]
    x, y = pd.DataFrame(SCORES, columns=tasks), pd.DataFrame(SCORES + 1, columns=tasks)
    asked = {"pairs": [("y", "x")], "replicates": 10, "checked": True}
    wanted = surefoot.improvement({"x": x, "y": y}, **asked).table()
    for shuffled in (y[tasks[::-1]], arrow(y[tasks[::-1]])):
        found = surefoot.improvement({"x": x, "y": shuffled}, **asked).table()
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
    wanted = surefoot.aggregates({"x": SCORES, "y": SCORES}, metrics="iqm", replicates=50).table()
    found = surefoot.aggregates({"x": upright, "y": lying}, metrics="iqm", replicates=50).table()
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


class LabelledWithSelection(Labelled):
    """The same with what xarray has to take parts."""

    @property
    def sizes(self):
        return dict(zip(self.dims, self.values.shape, strict=True))

    def isel(self, place):
        ((name, number),) = place.items()
        axis, kept = self.dims.index(name), {key: names for key, names in self.coords.items() if key != name}
        dims = (*self.dims[:axis], *self.dims[axis + 1 :])
        return LabelledWithSelection(np.take(self.values, number, axis=axis), dims, kept)


def test_algorithms_may_be_a_dimension():
    stacked = np.stack([SCORES, SCORES + 1], axis=1)
    named = LabelledWithSelection(stacked, ("seed", "agent", "game"), {"agent": ["x", "y"], "game": list("abc")})
    tables = {name: pd.DataFrame(scores, columns=list("abc")) for name, scores in (("x", SCORES), ("y", SCORES + 1))}
    asked = {"replicates": 20, "checked": True}
    wanted = surefoot.aggregates(tables, **asked).table()
    pd.testing.assert_frame_equal(surefoot.aggregates(named, **asked).table(), wanted)
    curves = LabelledWithSelection(np.stack([stacked, stacked], axis=3), ("seed", "agent", "game", "step"))
    table = surefoot.sample_efficiency(curves, replicates=20, checked=True).table()
    assert table["algorithm"].tolist() == ["0", "0", "1", "1"] and table["step"].tolist() == [0, 1, 0, 1]


def test_dimensions_that_are_too_many_are_refused():
    three = Labelled(np.ones((2, 3, 4)), ("seed", "game", "episode"))
    with pytest.raises(ValueError, match=r"x has the dimensions seed, game, episode\. Hint: runs x tasks; average"):
        values({"x": three})


def test_one_dimension_is_that_of_the_runs_of_one_task():
    assert values({"x": Labelled(SCORES[:, 0], ("trial",))}) == values({"x": SCORES[:, 0]})
    with pytest.raises(ValueError, match=r"x has the dimensions game\. Hint: runs x tasks"):
        values({"x": Labelled(SCORES[0], ("game",))})


def test_missing_values_of_nullable_columns_are_missing_scores():
    table = pd.DataFrame(SCORES, columns=["pong", "qbert", "seaquest"]).astype("Float64")
    assert values({"x": table}) == values({"x": SCORES})
    table.loc[3, "qbert"] = pd.NA
    with pytest.raises(ValueError, match="x in qbert: run 3 has the score nan"):
        values({"x": table})


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
