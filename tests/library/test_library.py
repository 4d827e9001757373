"""The library on tables as people have them: the same numbers from a table and from arrays, and mistakes caught."""

import os
import subprocess
import sys
from importlib import resources
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import surefoot
from surefoot.statistics.jackknife import row_acceleration
from surefoot.statistics.metrics import Metric
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
    assert table.columns.tolist() == ["algorithm", "metric", "value", "low", "high", "runs", "note", "remark"]
    assert (table["low"] < table["value"]).all() and (table["value"] < table["high"]).all()
    assert table["runs"].eq("10").all() and table[["note", "remark"]].eq("").all(axis=None)


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
    assert (simultaneous["high"] - simultaneous["low"]).mean() > 1.2 * (pointwise["high"] - pointwise["low"]).mean()
    assert simultaneous["low"].between(0, simultaneous["value"]).all() and (simultaneous["high"] <= 1).all()
    assert set(simultaneous["remark"]) == {""} and len(drawn.table("corrected")) == len(pointwise)
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


def test_frames_whose_columns_are_tasks_give_the_same_as_a_tidy_table():
    """Resamples of a task depend on its name."""
    frames = {name: pd.DataFrame(array, columns=TASKS) for name, array in ARRAYS.items()}
    found, expected = (surefoot.aggregate(scores, replicates=20).replicates for scores in (frames, TABLE))
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


def test_further_metrics_keep_the_weighting():
    ragged = {"a": [RNG.normal(size=20), RNG.normal(5.0, size=3)]}
    found = surefoot.aggregate(ragged, ["iqm", "mean"], replicates=200, weighting="tasks")
    again = found.with_metrics("iqm")
    assert found.table()["metric"].tolist() == ["iqm weighted by tasks", "mean weighted by tasks"]
    pd.testing.assert_frame_equal(again.table(), found.table()[:1])
    assert again.interval("a", "iqm").low == found.interval("a", Metric("iqm", None, "tasks")).low
    by_runs = found.with_metrics(Metric("iqm")).table()
    assert by_runs["metric"].tolist() == ["iqm"] and abs(by_runs["value"] - again.values[0, 0])[0] > 1.0
    with pytest.raises(ValueError, match=r"\"iqm\" was not asked for. Hint: `with_metrics\(Metric\(name='iqm'"):
        found.interval("a", Metric("iqm"))


def test_names_that_are_numbers():
    arrays = dict(zip((1, 2), ARRAYS.values(), strict=True))
    table = tidy(arrays)
    for scores in (arrays, table):
        found = surefoot.aggregate(scores, ["iqm"], replicates=50)
        assert found.algorithms == ("1", "2") and found.interval(1) == found.interval("1")
        assert found.difference(1, 2, paired=True)["value"] == pytest.approx(found.values[0, 0] - found.values[1, 0])
        improvement = surefoot.improvement(scores, [(1, 2)], replicates=50)
        expected = surefoot.improvement(scores, [("1", "2")], replicates=50)
        assert improvement.pairs == (("1", "2"),) and np.array_equal(improvement.replicates, expected.replicates)
        assert surefoot.sequential_comparison(scores, 1, 2).x == "1"
    assert len(surefoot.plan_runs(arrays, 1, ["iqm"], [3], [10], studies=2, replicates=20).widths) == 1


def test_runs_are_compared_in_the_order_of_the_numbers_in_their_names():
    """The run of each pair that wins is number 2 alone, which is the third round and not the last of twelve."""
    runs = [f"run{number}" for number in range(12)]
    rows = [(name, "t", run, float(name == "x" and run == "run2")) for name in "xy" for run in runs]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"]).sample(frac=1, random_state=1)
    wins = surefoot.sequential_comparison(table, "x", "y").table()["wins"]
    assert wins.tolist() == [0.5, 0.5, 1.0, *[0.5] * 9]


def test_an_interval_that_does_not_exist_says_why():
    table = surefoot.aggregate({"a": np.ones((3, 2))}, ["iqm"], replicates=20).table("bc")
    assert np.isnan(table["low"][0]) and "bc is not available" in table["note"][0]


def test_an_episode_without_a_score_is_not_averaged_away():
    twice = pd.concat([TABLE.assign(episode=n) for n in (0, 1)], ignore_index=True)
    for bad in (np.nan, np.inf):
        wrong = twice.assign(score=twice["score"].where(twice.index != 103, bad))
        with pytest.raises(ValueError, match=f"ours in task 3: run 0 has the score {bad} in episode 1. Hint: drop"):
            surefoot.aggregate(wrong, replicates=9)


def test_episodes_of_a_run_are_averaged():
    twice = pd.concat([TABLE.assign(episode=n, score=TABLE["score"] + n - 0.5) for n in (0, 1)])
    once, averaged = (surefoot.aggregate(table, replicates=9).values for table in (TABLE, twice))
    assert averaged == pytest.approx(once)


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
        ({"a": [[1.0, 2.0, 3.0], [np.nan, 1.0]]}, "a in 1: run 0 has the score nan"),
        (
            {"a": ARRAYS["ours"].tolist()},
            r"a list of 10 members of length 5, .* Hint: numpy\.array\(\.\.\.\) of runs x",
        ),
        ({"a": list(ARRAYS["ours"].T)}, "a list of 5 members of length 10, which may be runs or tasks"),
        (
            {"a": np.array([[1.0, 2.0], [3.0]], object)},
            "an array of 2 lists, not a table. Hint: .* a list of one",
        ),
        ({"a": np.array([1.0, "x"], object)}, "values of type object. Hint: scores are numbers"),
        ({1: [1.0, 2.0], "1": [2.0, 3.0]}, 'two algorithms are called "1". Hint: '),
        (TABLE.assign(algorithm=[1, "1"] * 50), 'two of the column algorithm are written "1". Hint: .*astype'),
        (TABLE.assign(environment=[1, *["1"] * 99]), 'two of the column environment are written "1"'),
        (pd.concat([TABLE[:50], TABLE[50:].astype({"run": str})]), 'two of the column run are written "0"'),
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


MASKED = np.ma.masked_greater(ARRAYS["ours"], 2.0)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (
            {"a": ARRAYS["ours"], "b": MASKED},
            r"^scores: b: \d+ of 50 values are masked. Hint: .* column.compressed\(\)",
        ),
        ({"a": [*MASKED.T[:3], np.ones(4)]}, r"^scores: a: \d of 10 values are masked"),
        ({"a": ARRAYS["ours"] + 1j}, r"^scores: a: complex numbers such as \(.*\+1j\). Hint: scores are real"),
        ({"a": [[1.0, 2.0], [1.0, 2j, 3.0]]}, "^scores: a: complex numbers such as 2j"),
        ({"a": [1.0, 2j, 3.0]}, r"^scores: a: complex numbers such as 2j"),
        (TABLE.assign(score=TABLE["score"] + 1j), "^scores: the column score: complex numbers such as"),
        (
            TABLE.assign(score=TABLE["score"].where(TABLE.index != 7, 1e300)),
            r"ours in task 2: run 1 has .* 1e\+300, which",
        ),
        ({"a": 1e308 * np.ones((3, 2))}, r"a in 0: run 0 has the score 1e\+308, which overflows .*Hint: divide all"),
        ({"a": np.array([[1.0], [-1e300]])}, r"a in 0: run 1 has the score -1e\+300, which overflows"),
    ],
)
def test_masked_complex_and_overflowing_scores_are_one_sentence_and_a_hint(scores, message):
    for question in (surefoot.aggregate, surefoot.rank_distribution, surefoot.improvement):
        with pytest.raises(ValueError, match=message) as refused:
            question(scores)
        assert "Hint: " in str(refused.value) and "\n" not in str(refused.value)


def test_a_masked_array_that_masks_nothing_is_an_array():
    plain = surefoot.aggregate(ARRAYS, replicates=10)
    masked = surefoot.aggregate({name: np.ma.array(scores) for name, scores in ARRAYS.items()}, replicates=10)
    assert masked.replicates.tobytes() == plain.replicates.tobytes()


def test_questions_that_were_not_asked():
    found = surefoot.aggregate(ARRAYS, ["iqm"], replicates=20)
    for message, ask in {
        'no algorithm "our". Hint: one of ours, base': lambda: found.interval("our"),
        r"\"mean\" was not asked for. Hint: `with_metrics\('mean'\)`": lambda: found.interval("ours", "mean"),
        '"BCA" is not known': lambda: found.table("BCA"),
        "0 replicates": lambda: surefoot.aggregate(ARRAYS, replicates=0),
        "True replicates. Hint: ": lambda: surefoot.aggregate(ARRAYS, replicates=True),
        "True threads. Hint: ": lambda: surefoot.aggregate(ARRAYS, replicates=9, threads=True),
        "a function is no metric. Hint: .* aggregate_iqm": lambda: surefoot.aggregate(ARRAYS, lambda x: x),
        "a int is no metric": lambda: surefoot.aggregate(ARRAYS, 3),
        "a confidence of '0.95'. Hint: a number": lambda: found.table(confidence="0.95"),
        "sequential: a confidence of '0.9'. Hint": lambda: surefoot.sequential_comparison(
            ARRAYS, "ours", "base"
        ).decided("0.9"),
        r"sizes of \[\]. Hint: a list": lambda: surefoot.plan_runs(ARRAYS, "ours", sizes=[]),
        r"lifts of \[\]. Hint: a list": lambda: surefoot.plan_runs(ARRAYS, "ours", lifts=[]),
        "lifts of 10. Hint: a list": lambda: surefoot.plan_runs(ARRAYS, "ours", lifts=10),
        "0 draws. Hint: a whole": lambda: surefoot.rank_distribution(ARRAYS, simulated=0),
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


def test_ranks_by_simulation():
    """Probabilities from 40,000 draws within 5 standard errors: fails falsely less than once in 10^5 times."""
    exact, simulated = (surefoot.rank_distribution(TABLE, simulated=draws) for draws in (None, 40_000))
    assert exact.drop(columns="probability").equals(simulated.drop(columns="probability"))
    p = exact["probability"]
    off = (simulated["probability"] - p).abs()
    assert (off <= 5 * np.sqrt(p * (1 - p) / 40_000) + 1e-12).all() and off.max() > 0


def test_profiles_of_times():
    """A method twice as slow on one of three problems, and that fails on another."""
    times = {"a": [1.0, 2.0, 4.0], "b": [2.0, np.nan, 4.0]}
    expected = {"a": [3, 3], "b": [1, 2]}
    for given in (times, pd.DataFrame(times)):
        table = surefoot.time_profiles(given, [1.5, 2.5])
        assert table.columns.tolist() == ["method", "threshold", "count", "fraction"]
        assert table["threshold"].tolist() == [1.5, 2.5] * 2
        assert {name: rows["count"].tolist() for name, rows in table.groupby("method")} == expected
    for message, wrong, factors in [
        ("a 1, b 2. Hint: NaN", {"a": [1.0], "b": [1.0, 2.0]}, 2),
        ("none. Hint", {}, 2),
        ("not all of them are numbers. Hint: ", {"a": ["x"]}, 2),
        ("a time of 0 has no ratio. Hint: ", {"a": [0.0]}, 2),
        ("a factor of 0.5. Hint: ", times, [0.5, 2]),
        ("times: a: complex numbers such as", {"a": [1.0, 2j]}, 2),
        ("times: a: 1 of 2 values are masked", {"a": np.ma.array([1.0, 2.0], mask=[False, True])}, 2),
        ('two algorithms are called "1"', {1: [1.0], "1": [1.0]}, 2),
    ]:
        with pytest.raises(ValueError, match=message):
            surefoot.time_profiles(wrong, factors)


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
        found, plain = (surefoot.rank_distribution({"a": one, "b": one}) for one in (OtherArray(given), given))
        pd.testing.assert_frame_equal(found, plain)
    curves = np.random.default_rng(12).normal(size=(4, 3, 5))
    tables = [surefoot.sample_efficiency({"a": one}, replicates=20).table() for one in (OtherArray(curves), curves)]
    pd.testing.assert_frame_equal(*tables)


def test_type_checkers_are_told_that_the_package_is_typed():
    assert resources.files(surefoot).joinpath("py.typed").is_file()


@pytest.mark.parametrize(
    "result",
    [
        lambda: surefoot.aggregate(ARRAYS, replicates=10),
        lambda: surefoot.profiles(ARRAYS, [0.5], replicates=10),
        lambda: surefoot.improvement(ARRAYS, replicates=10),
        lambda: surefoot.plan_runs(ARRAYS, "ours", sizes=[3], studies=2, replicates=10),
        lambda: surefoot.sequential_comparison(ARRAYS, "ours", "base"),
    ],
)
def test_results_show_their_table_and_no_arrays(result):
    found = result()
    for shown in (repr(found), found._repr_html_()):
        assert "array(" not in shown and len(shown) < 20_000
        assert all(str(column) in shown for column in found.table().columns[:3])


def test_bands_of_other_resamples_say_that_they_were_not_studied():
    found = surefoot.profiles(ARRAYS, [0.5], replicates=10, resampled="whole_runs")
    assert found.table("simultaneous")["remark"].str.contains("whole runs are resampled was not studied").all()
