"""Scores as people have them, arrays and tables of many kinds: the same numbers from all of them."""

import numpy as np
import pandas as pd
import pytest
from ours_and_base import ARRAYS, TABLE, tidy

import surefoot
from surefoot.statistics.resampling.stratified_bootstrap import metric_values


def test_a_table_and_arrays_give_the_same():
    from_table, from_arrays = (surefoot.aggregates(scores, replicates=500, seed=1) for scores in (TABLE, ARRAYS))
    assert from_table.table()["value"].tolist() == pytest.approx(from_arrays.table()["value"].tolist())
    assert from_table.table().query("algorithm == 'ours'")["value"].to_numpy() == pytest.approx(
        metric_values(ARRAYS["ours"], ["median", "iqm", "mean", "optimality_gap"])
    )
    shuffled = surefoot.aggregates(TABLE.sample(frac=1, random_state=2), replicates=500, seed=1)
    table = from_table.table()
    pd.testing.assert_frame_equal(
        *(each.sort_values(["algorithm", "metric"], ignore_index=True) for each in (shuffled.table(), table))
    )
    assert (table["low"] < table["value"]).all() and (table["value"] < table["high"]).all()
    assert table["runs"].eq(10).all() and table.loc[table["metric"] == "iqm", "remark"].eq("").all()
    assert from_table.notes().empty


def test_a_masked_array_that_masks_nothing_is_an_array():
    found = surefoot.aggregates({name: np.ma.array(scores) for name, scores in ARRAYS.items()}, replicates=10)
    pd.testing.assert_frame_equal(found.table(), surefoot.aggregates(ARRAYS, replicates=10).table())


def test_a_single_task_and_unequal_runs_work():
    rng = np.random.default_rng(1)
    single = {"a": rng.normal(size=8), "b": list(rng.normal(size=6))}
    found = surefoot.aggregates(single, metrics="mean", replicates=200)
    assert found.table()["value"].tolist() == pytest.approx([np.mean(x) for x in single.values()])
    column = surefoot.aggregates({"a": single["a"][:, None]}, metrics="mean", replicates=200)
    pd.testing.assert_frame_equal(column.table(), found.table()[:1])
    unequal = {"a": [rng.normal(size=3), rng.normal(size=7)]}
    ragged = surefoot.aggregates(unequal, replicates=50)
    assert ragged.table()["runs"].tolist() == [3] * 4
    with pytest.raises(ValueError, match=r"bca: tasks have 3 to 7 runs\. Hint: use bca_stratified"):
        surefoot.aggregates(unequal, methods="bca")


def test_names_that_are_numbers():
    arrays = dict(zip((1, 2), ARRAYS.values(), strict=True))
    table = tidy(arrays)
    for scores in (arrays, table):
        found = surefoot.aggregates(scores, metrics="iqm", replicates=50)
        assert found.table()["algorithm"].tolist() == ["1", "2"]
        improvement = surefoot.improvement(scores, pairs=[(1, 2)], method="percentile", replicates=50)
        expected = surefoot.improvement(scores, pairs=[("1", "2")], method="percentile", replicates=50)
        pd.testing.assert_frame_equal(improvement.table(), expected.table())
        assert set(surefoot.sequential_comparison(scores, compare=(1, 2), replicates=5).table()["x"]) == {"1"}
    plans = surefoot.run_plans(arrays, algorithms=1, metrics="iqm", sizes=3, lifts=10, datasets=2, replicates=20)
    assert plans.table()["algorithm"].unique().tolist() == ["1"]


def test_runs_are_compared_in_the_order_of_the_numbers_in_their_names():
    """The run of each pair that wins is number 2 alone, which is the third round and not the last of twelve."""
    runs = [f"run{number}" for number in range(12)]
    rows = [(name, "t", run, float(name == "x" and run == "run2")) for name in "xy" for run in runs]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"]).sample(frac=1, random_state=1)
    wins = surefoot.sequential_comparison(table, compare=["x", "y"], replicates=5).table()["wins"]
    assert wins.tolist() == [0.5, 0.5, 1.0, *[0.5] * 9]


def test_episodes_of_a_run_are_averaged():
    twice = pd.concat([TABLE.assign(episode=n, score=TABLE["score"] + n - 0.5) for n in (0, 1)])
    once, averaged = (surefoot.aggregates(table, replicates=9).table() for table in (TABLE, twice))
    assert averaged["value"].tolist() == pytest.approx(once["value"].tolist())


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


def test_arrays_of_other_libraries_are_runs_x_tasks_like_those_of_numpy():
    scores = np.random.default_rng(11).normal(size=(4, 7))
    for given in (scores, scores[:, 0]):
        found, plain = (surefoot.ranks({"a": one, "b": one}).table() for one in (OtherArray(given), given))
        pd.testing.assert_frame_equal(found, plain)
    curves = np.random.default_rng(12).normal(size=(4, 3, 5))
    tables = [surefoot.sample_efficiency({"a": one}, replicates=20).table() for one in (OtherArray(curves), curves)]
    pd.testing.assert_frame_equal(*tables)


def test_dicts_of_dicts_of_lists_are_not_guessed():
    """Algorithms in environments were taken for sets of algorithms, and environments were compared."""
    by_environment = {"ppo": {"Ant": [1.0, 2, 3], "Hopper": [1.0, 2, 3]}, "sac": {"Ant": [4.0, 5], "Hopper": [4.0, 5]}}
    with pytest.raises(ValueError, match=r"may be sets of algorithms, or algorithms in environments\. Hint: for"):
        surefoot.aggregates(by_environment)
    sets = {name: {of: np.array(runs)[:, None] for of, runs in own.items()} for name, own in by_environment.items()}
    assert surefoot.aggregates(sets, replicates=20).table()["scores"].unique().tolist() == ["ppo", "sac"]
