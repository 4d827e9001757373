"""What the library answers about the same scores, and what it says to questions that it cannot answer."""

import numpy as np
import pandas as pd
import pytest
from ours_and_base import ARRAYS, TABLE, tidy

import surefoot
from surefoot.statistics.jackknife import row_acceleration
from surefoot.statistics.metrics import Metric


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


def test_further_metrics_keep_the_weighting():
    rng = np.random.default_rng(2)
    ragged = {"a": [rng.normal(size=20), rng.normal(5.0, size=3)]}
    found = surefoot.aggregate(ragged, ["iqm", "mean"], replicates=200, weighting="tasks")
    again = found.with_metrics("iqm")
    assert found.table()["metric"].tolist() == ["iqm weighted by tasks", "mean weighted by tasks"]
    pd.testing.assert_frame_equal(again.table(), found.table()[:1])
    assert again.interval("a", "iqm").low == found.interval("a", Metric("iqm", None, "tasks")).low
    by_runs = found.with_metrics(Metric("iqm")).table()
    assert by_runs["metric"].tolist() == ["iqm"] and abs(by_runs["value"] - again.values[0, 0])[0] > 1.0
    with pytest.raises(ValueError, match=r"\"iqm\" was not asked for. Hint: `with_metrics\(Metric\(name='iqm'"):
        found.interval("a", Metric("iqm"))


def test_an_interval_that_does_not_exist_says_why():
    table = surefoot.aggregate({"a": np.ones((3, 2))}, ["iqm"], replicates=20).table("bc")
    assert np.isnan(table["low"][0]) and "bc is not available" in table["note"][0]


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
