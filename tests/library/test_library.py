"""The library on tables as people have them: the same numbers from a table and from arrays, and mistakes caught."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import surefoot
from surefoot.statistics.jackknife import row_acceleration
from surefoot.statistics.stratified_bootstrap import metric_values

RNG = np.random.default_rng(0)
DIFFICULTY = RNG.normal(size=5)
ARRAYS = {name: np.exp(RNG.normal(DIFFICULTY + skill, 0.3, (10, 5))) for name, skill in (("ours", 0.3), ("base", 0.0))}
TASKS = [f"task {number}" for number in range(5)]


def tidy(arrays=ARRAYS):
    rows = [
        (algorithm, task, run, score)
        for algorithm, array in arrays.items()
        for run, scores in enumerate(array)
        for task, score in zip(TASKS, scores, strict=True)
    ]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])


TABLE = tidy()


def test_importing_surefoot_imports_nothing_heavy():
    path = os.environ | {"PYTHONPATH": str(Path(surefoot.__file__).parents[1])}
    code = "import sys, surefoot; print({'numpy', 'pandas', 'numba', 'scipy'} & set(sys.modules), surefoot.__version__)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True, env=path) == "set() 0.1.0\n"
    assert set(surefoot.__all__) <= set(dir(surefoot))
    with pytest.raises(AttributeError, match="no attribute 'agregate'"):
        surefoot.agregate  # noqa: B018


def test_a_table_and_arrays_give_the_same():
    from_table, from_arrays = (surefoot.aggregate(scores, replicates=500, seed=1) for scores in (TABLE, ARRAYS))
    assert from_table.values == pytest.approx(from_arrays.values)
    assert from_table.values[0] == pytest.approx(
        metric_values(ARRAYS["ours"], ["median", "iqm", "mean", "optimality_gap"])
    )
    shuffled = surefoot.aggregate(TABLE.sample(frac=1, random_state=2), replicates=500, seed=1)
    ours = shuffled.algorithms.index("ours")
    assert np.sort(shuffled.replicates[ours, :, 1]) == pytest.approx(np.sort(from_table.replicates[0, :, 1]))
    table = from_table.table()
    assert table.columns.tolist() == ["algorithm", "metric", "value", "low", "high", "runs", "note"]
    assert (table["low"] < table["value"]).all() and (table["value"] < table["high"]).all()
    assert table["runs"].eq("10").all() and table["note"].eq("").all()


def test_a_second_question_needs_no_new_resamples():
    found = surefoot.aggregate(ARRAYS, replicates=2_000)
    wide, narrow = (found.interval("ours", "iqm", confidence=level) for level in (0.99, 0.5))
    assert wide.low < narrow.low < narrow.high < wide.high
    bca = found.interval("ours", "mean", "bca")
    assert bca.acceleration == pytest.approx(row_acceleration(ARRAYS["ours"], ["mean"])[0])
    assert found.interval("ours", "mean", "bca_stratified").low < found.values[0, 2]
    replicates = found.replicates[0] - found.replicates[1]
    difference = found.difference("ours", "base")
    assert difference["low"] == np.quantile(replicates[:, 1], 0.025)
    assert difference["value"] == pytest.approx(found.values[0, 1] - found.values[1, 1])
    assert difference["above"] == np.mean(replicates[:, 1] > 0) + 0.5 * np.mean(replicates[:, 1] == 0)
    assert found.lift("ours", "base", "mean")["value"] == pytest.approx(
        100 * (found.values[0, 2] / found.values[1, 2] - 1)
    )
    more = found.with_metrics("iqm", "optimality_gap(0.5)")
    assert np.array_equal(more.replicates[:, :, 0], found.replicates[:, :, 1])


def test_paired_differences_take_the_same_runs():
    shift = {"ours": ARRAYS["base"] + 1.0, "base": ARRAYS["base"]}
    found = surefoot.aggregate(shift, replicates=200)
    assert found.difference("ours", "base", "mean", paired=True)[["low", "high"]].tolist() == pytest.approx([1.0, 1.0])
    assert found.difference("ours", "base", "mean")["low"] < 0.99
    other = tidy()
    other.loc[other["algorithm"] == "ours", "run"] += 1
    with pytest.raises(ValueError, match="ours and base have other runs in task 0"):
        surefoot.aggregate(other, replicates=9).difference("ours", "base", paired=True)


def test_profiles_improvement_ranks_and_curves():
    thresholds = np.linspace(0.0, 3.0, 16)
    drawn = surefoot.profiles(TABLE, thresholds, replicates=200)
    pointwise, simultaneous = (drawn.table(band) for band in ("pointwise", "simultaneous"))
    assert (simultaneous["low"] <= pointwise["low"]).all() and (simultaneous["high"] >= pointwise["high"]).all()
    assert pointwise["value"].between(pointwise["low"], pointwise["high"]).mean() > 0.9
    assert drawn.dominance().shape == (2, 2) and not drawn.dominance().loc["base", "ours"]
    found = surefoot.improvement(TABLE, [("ours", "base")], replicates=300).table()
    assert found["value"][0] == pytest.approx((ARRAYS["ours"][:, None] > ARRAYS["base"]).mean())
    assert found["significant"][0] and found["low"][0] < found["value"][0] < found["high"][0]
    assert surefoot.improvement(TABLE, replicates=9).pairs == (("base", "ours"),)
    ranks = surefoot.rank_distribution(TABLE)
    mean = ranks[(ranks["task"] == "mean") & (ranks["algorithm"] == "ours")]
    assert mean["probability"].tolist() == pytest.approx([found["value"][0], 1 - found["value"][0]])
    curves = pd.concat([TABLE.assign(step=step, score=TABLE["score"] * step) for step in (1, 2, 4)])
    table = surefoot.sample_efficiency(curves, replicates=300).table()
    first = table[table["step"] == 1].reset_index(drop=True)
    last = table[table["step"] == 4].reset_index(drop=True)
    assert last[["value", "low", "high"]].to_numpy() == pytest.approx(4 * first[["value", "low", "high"]].to_numpy())


def test_frames_of_runs_and_tasks_are_arrays():
    frames = {name: pd.DataFrame(array, columns=TASKS) for name, array in ARRAYS.items()}
    found, expected = (surefoot.aggregate(scores, replicates=20).replicates for scores in (frames, ARRAYS))
    assert np.array_equal(found, expected)


def test_a_single_task_and_unequal_runs_work():
    single = {"a": RNG.normal(size=8), "b": list(RNG.normal(size=6))}
    found = surefoot.aggregate(single, ["mean"], replicates=200)
    assert found.values[:, 0] == pytest.approx([np.mean(x) for x in single.values()])
    column = surefoot.aggregate({"a": single["a"][:, None]}, ["mean"], replicates=200)
    assert np.array_equal(column.replicates[0], found.replicates[0])
    ragged = surefoot.aggregate({"a": [RNG.normal(size=3), RNG.normal(size=7)]}, replicates=50)
    assert ragged.table()["runs"].tolist() == ["3 to 7"] * 4
    with pytest.raises(ValueError, match=r"bca: tasks have 3 to 7 runs. Hint: bca_stratified"):
        ragged.table("bca")


def test_an_interval_that_does_not_exist_says_why():
    table = surefoot.aggregate({"a": np.ones((3, 2))}, ["iqm"], replicates=20).table("bc")
    assert np.isnan(table["low"][0]) and "bc is not available" in table["note"][0]


def test_episodes_of_a_run_are_averaged():
    twice = pd.concat([TABLE.assign(episode=n, score=TABLE["score"] + n - 0.5) for n in (0, 1)])
    once, averaged = (surefoot.aggregate(table, replicates=9).values for table in (TABLE, twice))
    assert averaged == pytest.approx(once)


def test_plausible_tables_pass_and_mistakes_are_caught():
    """Of 180 right tables none is refused (one is in 100,000 cases); wrong ones are, in 57 of 60 cases at least, where
    tasks differ three times as much as runs, and where runs differ as much as their episodes."""
    rng = np.random.default_rng(3)
    caught = {"differ as tasks do": 0, "as episodes of the same run are": 0}
    for _ in range(60):
        difficulty = 3.0 * rng.normal(size=8)
        right = np.exp(rng.normal(difficulty, 1.0, (40, 8)))
        surefoot.rank_distribution({"a": right, "b": right[:5], "c": right - right.mean(axis=0)})
        episodes = np.repeat(rng.normal(difficulty, 1.0, (5, 8)), 20, axis=0) + rng.normal(0, 1.0, (100, 8))
        for message, wrong in zip(caught, (right[:10].T, episodes), strict=True):
            surefoot.rank_distribution({"a": wrong}, checked=True)
            try:
                surefoot.rank_distribution({"a": wrong})
            except ValueError as refused:
                caught[message] += message in str(refused)
    assert min(caught.values()) >= 57


def without(name):
    return TABLE.drop(columns=name)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([1.0], "a list. Hint: a pandas table"),
        ({}, "an empty dict"),
        ({"a": np.ones((2, 3, 4))}, r"shape \(2, 3, 4\). Hint: runs x tasks; average the episodes"),
        ({"a": np.array([["1", "x"]])}, "values of type <U1"),
        ({"a": ["1", "x"]}, "could not convert string to float: 'x'. Hint: scores are numbers"),
        ({"a": np.empty((0, 3))}, "a has no scores but"),
        ({"a": [[1.0], []]}, "no runs of a in 1"),
        ({"a": 3.0}, "a has no scores but 3.0"),
        ({"a": np.ones((26, 5)), "b": np.ones((26, 10))}, "a 5, b 10. Hint: .*transposed"),
        ({"a": np.ones((3, 5)), "b": np.ones((4, 6))}, "all algorithms need the same tasks"),
        ({"a": [[1.0, 2.0], [np.nan, 1.0]]}, "a in 1: run 0 has the score nan"),
        ({"a": np.ones((1, 9))}, "one run of each of 9 tasks.*scores\\[:, None\\]"),
        (without("run"), "column run is missing. Hint: .*rename"),
        (TABLE[:0], "no rows"),
        (pd.concat([TABLE, TABLE[:1]]), "ours in task 0: run 0 occurs 2 times. Hint: .*column episode"),
        (
            TABLE.assign(run=TABLE["run"].astype(object).replace({1: "0.0"})),
            "ours in task 0: run 0 occurs 2 times",
        ),
        (TABLE.assign(score=["many", *TABLE["score"][1:]]), 'the score "many" is no number'),
        (TABLE.assign(score=TABLE["score"].where(TABLE.index != 7)), "ours in task 2: run 1 has the score nan"),
        (TABLE.assign(run=TABLE["run"].where(TABLE.index != 7)), "row 7 has no run"),
        (TABLE[(TABLE["algorithm"] != "base") | (TABLE["environment"] != "task 3")], "no runs of base in task 3"),
    ],
)
def test_mistakes_are_one_sentence_and_a_hint(scores, message):
    with pytest.raises(ValueError, match=message) as refused:
        surefoot.aggregate(scores, replicates=10)
    assert "Hint: " in str(refused.value) and "\n" not in str(refused.value)


def test_questions_that_were_not_asked():
    found = surefoot.aggregate(ARRAYS, ["iqm"], replicates=20)
    for message, ask in {
        'no algorithm "our". Hint: one of ours, base': lambda: found.interval("our"),
        r'"mean" was not asked for. Hint: `with_metrics\("mean"\)`': lambda: found.interval("ours", "mean"),
        '"BCA" is not known': lambda: found.table("BCA"),
        "0 replicates": lambda: surefoot.aggregate(ARRAYS, replicates=0),
        "is no pair": lambda: surefoot.improvement(ARRAYS, ["ours"]),
        "a pair needs two": lambda: surefoot.improvement({"ours": ARRAYS["ours"]}),
        '"both" is not known': lambda: surefoot.profiles(ARRAYS, [0.0], replicates=9).table("both"),
        "run 3 has no score at step 1": lambda: surefoot.sample_efficiency(
            pd.concat([TABLE.assign(step=0), TABLE[TABLE["run"] != 3].assign(step=1)])
        ),
        "runs x tasks x steps; one task is": lambda: surefoot.sample_efficiency(ARRAYS),
    }.items():
        with pytest.raises(ValueError, match=message):
            ask()


def test_compiled_kernels_are_kept_by_the_state_of_the_code(tmp_path):
    code = """
import numba, surefoot
numba.config.CACHE_DIR = before = "elsewhere"
surefoot.improvement
from surefoot.statistics.improvement_kernels import improvement_replicates
assert numba.config.CACHE_DIR == before
print(improvement_replicates.stats.cache_path)
"""
    environment = os.environ | {"PYTHONPATH": str(Path(surefoot.__file__).parents[1]), "SUREFOOT_STORE": str(tmp_path)}
    del environment["NUMBA_CACHE_DIR"]
    folder = subprocess.check_output([sys.executable, "-c", code], text=True, env=environment)
    assert Path(folder).is_relative_to(tmp_path / "kernels")
