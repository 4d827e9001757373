"""What results answer and how they are printed, and which remarks they carry."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.two_algorithms import ARRAYS, TABLE

import surefoot
from surefoot.statistics.metrics.catalogue import Metric
from surefoot.statistics.runs.shared_run_test import run_effect


def test_answers_of_several_sets_are_told_apart():
    sets = {"plain": ARRAYS, "doubled": {name: 2 * scores for name, scores in ARRAYS.items()}}
    found = surefoot.aggregate_metrics(sets, metrics="mean", n_resamples=50)
    assert found.table()["scores"].tolist() == ["plain"] * 2 + ["doubled"] * 2
    assert found.table()["estimate"][2:].tolist() == pytest.approx(
        [2 * value for value in found.table()["estimate"][:2]]
    )
    profiles = surefoot.performance_profiles(
        {"a": TABLE, "b": TABLE.query("run < 4")}, thresholds=[1.0, 3.0], n_resamples=9
    )
    heights = profiles.table().set_index(["scores", "threshold", "algorithm"])["estimate"].unstack()
    for name, own in profiles.tables()["dominance"].groupby("scores"):
        assert own[["algorithm", "baseline"]].to_numpy().tolist() == [["ours", "base"]]
        assert (heights.loc[name, "ours"] >= heights.loc[name, "base"]).all()
    with pytest.raises(
        ValueError, match=r"surefoot\.subsample_metrics: 2 sets of runs\. Hint: ask it of one of plain, doubled"
    ):
        surefoot.subsample_metrics(sets, metrics="iqm", sizes=[3], datasets=9)
    with pytest.raises(ValueError, match=r"doubled: scores: .*ours / 0 / run 0: nan"):
        surefoot.aggregate_metrics(sets | {"doubled": {"ours": [np.nan, 1.0]}})


def test_paired_differences_take_the_same_runs():
    """Noise that both share is in the interval of the difference only where runs are not paired."""
    shared, own = np.random.default_rng(5).normal(size=(2, 8, 3))
    noisy = {"ours": shared + 0.1 * own + 1.0, "base": shared}
    paired = surefoot.pairwise_differences(noisy, metrics="mean", paired=True, n_resamples=400)
    apart = surefoot.pairwise_differences(noisy, metrics="mean", n_resamples=400).table().iloc[0]
    row = paired.table().iloc[0]
    assert row["estimate"] == apart["estimate"] and 3 * (row["high"] - row["low"]) < apart["high"] - apart["low"]
    assert paired.finding() and paired.chart()
    alike = {"ours": shared + 1.0, "base": shared}
    same = surefoot.pairwise_differences(alike, metrics=["mean", "iqm"], paired=True, n_resamples=50).table()
    assert same["estimate"].to_numpy() == pytest.approx(1.0) and same[["low", "high"]].isna().all(axis=None)
    other = TABLE.assign(run=TABLE["run"] + (TABLE["algorithm"] == "ours"))
    with pytest.raises(ValueError, match=r"ours and base have other runs in task 0\. Hint: pairs have the same run"):
        surefoot.pairwise_differences(other, paired=True)


def test_runs_that_are_all_alike_have_no_interval_without_width():
    alike = {"a": np.ones((10, 1)), "b": np.zeros((10, 1))}
    apart = surefoot.pairwise_differences(alike)
    (rate,) = apart.table().itertuples()
    gap = surefoot.pairwise_differences(alike, metrics="optimality_gap").table().iloc[0]
    mean = surefoot.pairwise_differences(alike, metrics="mean").table().iloc[0]
    assert gap["low"] == pytest.approx(-mean["high"]) and gap["high"] == pytest.approx(-mean["low"])
    assert rate.metric == "mean" and 0 < rate.low < rate.high and "success rates are compared" in rate.remark
    # Ten of ten have a rate of at least p with p ** 10 = 0.025, and Newcombe's limit is that far from both rates.
    assert rate.low == pytest.approx(1.0 - np.sqrt(2.0) * (1.0 - 0.025**0.1))


def test_metrics_say_their_weighting():
    rng = np.random.default_rng(2)
    ragged = {"a": [rng.normal(size=20), rng.normal(5.0, size=3)]}
    by_runs = ["iqm weighted by runs", Metric("optimality_gap", 1 / 3, "runs")]
    found = surefoot.aggregate_metrics(ragged, metrics=by_runs, n_resamples=200)
    assert found.table()["metric"].tolist() == ["iqm weighted by runs", "optimality_gap(0.333333) weighted by runs"]
    named = surefoot.subsample_metrics({"a": ARRAYS["ours"]}, metrics=Metric("optimality_gap"), sizes=3, datasets=9)
    assert named.table()["metric"].tolist() == ["optimality_gap"]
    by_tasks = surefoot.aggregate_metrics(ragged, metrics="iqm weighted by tasks", n_resamples=200).table()
    assert by_tasks["metric"].tolist() == ["iqm"] and abs(by_tasks["estimate"] - found.table()["estimate"])[0] > 1.0


def test_unlike_numbers_of_runs_are_remarked_upon():
    """Only if algorithms divide their runs differently: 3 and 6 runs of every task are alike."""
    rng = np.random.default_rng(4)
    a, b, c = ([rng.normal(size=size) for size in sizes] for sizes in ((3, 6, 6), (6, 3, 6), (3, 6, 6)))
    unlike, alike = {"a": a, "b": b}, {"a": a, "c": c}
    words = "the algorithms have different numbers of runs of a task (3 to 6)"
    assert words in surefoot.pairwise_differences(unlike, n_resamples=200).table()["remark"][0]
    assert (
        surefoot.multiple_comparisons(unlike, n_resamples=200).table()["remark"].str.contains(words, regex=False).all()
    )
    assert "numbers of runs" not in surefoot.pairwise_differences(alike, n_resamples=200).table()["remark"][0]
    by_runs = surefoot.pairwise_differences(unlike, metrics="iqm weighted by runs", n_resamples=200).table()
    assert "equal algorithms differ" in by_runs["remark"][0]


def test_an_interval_that_does_not_exist_says_why():
    found = surefoot.aggregate_metrics({"a": np.ones((3, 2))}, metrics="iqm", methods="bc", n_resamples=20)
    assert np.isnan(found.table()["low"][0]) and "bc is not available" in found.notes()["note"][0]


def test_run_effects_with_their_limits():
    found = surefoot.shared_run_test(TABLE, size=4)
    effect = run_effect(ARRAYS["ours"])
    table = found.table().set_index("algorithm").loc["ours"]
    assert table["correlation"] == effect.correlation() and table["first"] == 4
    assert surefoot.shared_run_test({"a": np.array([[1.0, 2.0], [2.0, 1.0]])}).table()["p_value"].isna().all()


@pytest.mark.parametrize(
    "result",
    [
        lambda: surefoot.performance_profiles(ARRAYS, thresholds=[0.5], n_resamples=10),
        lambda: surefoot.plan_runs(ARRAYS, sizes=[3], datasets=2, n_resamples=10),
        lambda: surefoot.sequential_comparison(ARRAYS, algorithms=["ours", "base"]),
        lambda: surefoot.rank_probabilities(ARRAYS),
    ],
)
def test_results_are_printed_no_wider_than_a_terminal(result):
    found = result()
    shown = repr(found)
    assert all(str(column) in shown for column in found.table().columns if column != "remark")
    assert all(part in " ".join(shown.split()) for part in found.table().get("remark", ()))
    assert all(part in " ".join(shown.split()) for part in found.notes()["note"])
    assert max(map(len, shown.splitlines())) <= 102 and len(shown) < 20_000


def test_aggregates_are_printed_a_line_an_algorithm():
    long = {"a" * 60 + str(number): scores + number for number, scores in enumerate(ARRAYS.values())}
    lines = repr(surefoot.aggregate_metrics(long, n_resamples=20)).splitlines()
    assert max(map(len, lines)) <= 100
    assert "runs: 10; tasks: 5" in lines[0] and lines[1].split() == ["algorithm", "iqm", "interval", "remark"]
    assert sum(line.startswith("a" * 20) and " to " in line for line in lines) == len(long)
    assert "table() has median, mean, optimality_gap too." in lines
    several = surefoot.aggregate_metrics({"first": ARRAYS, "second": ARRAYS}, metrics="mean", n_resamples=20)
    shown = " ".join(repr(several).split())
    assert shown.count("second") == 2
    assert all(shown.count(remark) == (remark != "") for remark in several.table()["remark"].unique() if remark)


def test_shared_runs_are_stated_and_separate_nothing():
    """Three algorithms with one law, whose ten runs share a third of their variance across 26 tasks: by separate
    tasks, the best is better than some other in 7 of 10 such studies."""
    draw = np.random.default_rng(3)
    scores = {name: draw.normal(size=(10, 1)) + 1.4 * draw.normal(size=(10, 26)) for name in "abc"}
    for found in (surefoot.aggregate_metrics(scores), surefoot.pairwise_differences(scores)):
        assert (found.table()["shared_runs"] == "found").all()
        seem = r"uns seem to vary together on all tasks( \(p = 0\.\d+\))?, so the interval"
        assert found.table()["remark"].str.fullmatch(f"r{seem} is of whole runs").all()
        assert re.search(f" R{seem}s take whole runs\\.$", found.finding())
    assert "(p = 0.00" in surefoot.aggregate_metrics(scores).finding()
    assert "do not show that it is best" in surefoot.pairwise_differences(scores).finding()
    apart = surefoot.pairwise_differences(scores, shared_runs=False)
    assert "do not show" not in apart.finding() and "whole runs" not in apart.finding()
    percentile = surefoot.aggregate_metrics(scores, methods="percentile")
    assert percentile.table()["remark"].str.contains("which this interval does not allow for").all()
    few = {name: of[:3, :5] for name, of in scores.items()}
    declared = surefoot.aggregate_metrics(few, shared_runs=True)
    assert declared.finding().endswith("Tasks share runs, so the intervals take whole runs.")


def test_few_runs_may_vary_together_and_both_intervals_are_given():
    draw = np.random.default_rng(4)
    found = surefoot.aggregate_metrics({name: draw.normal(size=(3, 5)) for name in "ab"}, metrics=["iqm"])
    table = found.table()
    assert (table["shared_runs"] == "cannot tell").all() and (table["shared_runs_p_value"] > 0.05).all()
    whole = surefoot.aggregate_metrics(
        {name: draw.normal(size=(3, 5)) for name in "ab"}, metrics=["iqm"], shared_runs=True
    )
    assert (whole.table()[["low", "high"]].to_numpy() == whole.table().filter(like="whole_runs").to_numpy()).all()
    assert table["remark"].str.startswith("runs may vary together on all tasks (p = ").all()
    best = table.loc[table["estimate"].idxmax()]
    said = f"{best['low_whole_runs']:.3f} to {best['high_whole_runs']:.3f}".replace("-", "\N{MINUS SIGN}")
    assert said in found.finding() and "which 3 runs do not rule out" in found.finding()
    apart = surefoot.aggregate_metrics({name: draw.normal(size=(3, 5)) for name in "ab"}, shared_runs=False).table()
    assert apart["low_whole_runs"].isna().all() and not apart["remark"].str.contains("vary together").any()


def test_students_interval_of_whole_runs_is_of_their_means():
    scores = np.random.default_rng(4).lognormal(size=(5, 7))
    found = surefoot.aggregate_metrics({"a": scores}, metrics="mean", resample="whole_runs", n_resamples=20)
    means = scores.mean(axis=1)
    known = stats.t.interval(0.95, len(means) - 1, means.mean(), stats.sem(means))
    assert found.table()[["low", "high"]].iloc[0].tolist() == pytest.approx(known)


def test_the_standard_error_of_a_sample_of_tasks():
    """That of the tasks' means if runs are equal; 20,000 resamples, within 6 standard errors (3 %)."""
    means = np.random.default_rng(4).lognormal(size=7)
    scores = {"a": np.tile(means, (3, 1))}
    asked = {"resample": "tasks_and_runs", "n_resamples": 20_000, "skip_checks": True}
    found = surefoot.aggregate_metrics(scores, metrics="mean", **asked).table().iloc[0]
    assert found["standard_error"] == pytest.approx(stats.sem(means), rel=0.03)
    low, high = stats.t.interval(0.95, 6, means.mean(), stats.sem(means))
    assert found["low"] < low + 0.03 * (high - low) and found["high"] > high - 0.03 * (high - low)


def test_metrics_of_a_sample_of_tasks_of_which_half_are_solved():
    """The truth is 1/2 by symmetry. At a level of 5 %, more than 15 of 100 data sets miss it once in 27,000 tests; the
    jackknife over tasks misses the median in about 80."""
    draw = np.random.default_rng(6)
    missed = np.zeros(2)
    for number in range(100):
        scores = draw.integers(2, size=10) + 0.05 * draw.normal(size=(5, 10))
        found = surefoot.aggregate_metrics(
            {"a": scores}, metrics=["iqm", "median"], resample="tasks_and_runs", n_resamples=200, seed=number
        ).table()
        missed += ((found["low"] > 0.5) | (found["high"] < 0.5)).to_numpy()
    assert (missed <= 15).all()


WITH_INTERVALS = {
    "aggregate_metrics": {},
    "curve_differences": {},
    "evaluation_game_intervals": {},
    "probability_of_improvement": {},
    "multiple_comparisons": {},
    "pairwise_differences": {},
    "performance_profiles": {"thresholds": [0.2, 0.5, 1.0]},
    "plan_runs": {"datasets": 20},
    "sample_efficiency": {},
    "sequential_comparison": {"algorithms": ["a", "b"]},
    "subsample_metrics": {"metrics": "iqm", "sizes": 3, "datasets": 20},
    "task_means": {},
}


@pytest.mark.parametrize("name", WITH_INTERVALS)
def test_no_interval_without_a_width_is_printed_without_a_remark(name):
    """Where no run differs from another of its task."""
    rows = [
        (algorithm, task, run, step, step * factor * scale)
        for algorithm, factor in (("a", 0.1), ("b", 0.2))
        for task, scale in (("x", 1.0), ("y", 1.5))
        for run in range(4)
        for step in (1, 2, 3)
    ]
    runs = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "step", "score"])
    if name not in ("curve_differences", "sample_efficiency"):
        runs = runs[runs["step"] == 3].drop(columns="step")
    found = getattr(surefoot, name)(runs, **WITH_INTERVALS[name])
    table = found.table()
    if (table["low"] == table["high"]).any():
        assert "no width" in repr(found)
        quoted = (
            found.finding()
            if name not in ("evaluation_game_intervals", "performance_profiles", "subsample_metrics")
            else "no width"
        )
        assert "no width" in quoted


@pytest.mark.parametrize("compare", [surefoot.pairwise_differences, surefoot.multiple_comparisons])
@pytest.mark.parametrize("count", [2, 3])
def test_comparisons_stand_beside_those_of_whole_runs(compare, count):
    """Few runs with names in common, of which the test cannot tell whether they vary together."""
    draw = np.random.default_rng(4)
    scores = {name: draw.normal(size=(3, 5)) for name in "abc"[:count]}
    found = compare(scores)
    table = found.table()
    whole = compare(scores, shared_runs=True).table()
    assert (table["shared_runs"] == "cannot tell").all() and (table["shared_runs_p_value"] > 0.05).all()
    assert table["remark"].str.startswith("runs may vary together on all tasks (p = ").all()
    assert (table[["low_whole_runs", "high_whole_runs"]].to_numpy() == whole[["low", "high"]].to_numpy()).all()
    assert (whole[["low", "high"]].to_numpy() == whole[["low_whole_runs", "high_whole_runs"]].to_numpy()).all()
    assert f"(p = {table['shared_runs_p_value'].min():.2g})" in found.finding()
    apart = compare(scores, shared_runs=False).table()
    assert (apart[["low", "high"]].to_numpy() == table[["low", "high"]].to_numpy()).all()
    assert apart["low_whole_runs"].isna().all() and not apart["remark"].str.contains("vary together").any()


def test_differences_of_whole_runs_are_of_their_means():
    """Student's interval of the runs' means, at the degrees of freedom that the formula of the question gives."""
    draw = np.random.default_rng(5)
    scores = {"a": draw.normal(size=(3, 4)), "b": draw.normal(size=(4, 4))}
    (row,) = surefoot.pairwise_differences(scores, metrics="mean", baseline="b").table().to_dict("records")
    means = [scores[name].mean(axis=1) for name in "ab"]
    parts = [stats.sem(one) ** 2 for one in means]
    degrees = max(sum(parts) ** 2 / (parts[0] ** 2 / 4 + parts[1] ** 2 / 5) - 2.0, 2.0)
    limits = stats.t.interval(0.95, degrees, means[0].mean() - means[1].mean(), np.sqrt(sum(parts)))
    assert [row["low_whole_runs"], row["high_whole_runs"]] == pytest.approx(limits)


def test_limits_end_at_the_possible_scores():
    """Scores that are all 0 or 1, a table of bounded scores, and scores that are only seen between 0 and 1."""
    a = np.array([[1.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    outcomes = {"a": a, "b": 1.0 - a}
    near_ends = [[700.0, 1000.0], [990.0, 980.0], [1000.0, 600.0]]
    names = ["walker_walk", "cheetah_run"]
    returns = [
        (algorithm, environment, run, score)
        for algorithm in "ab"
        for run, scores in enumerate(near_ends)
        for environment, score in zip(names, scores, strict=True)
    ]
    raw = pd.DataFrame(returns, columns=["algorithm", "environment", "run", "score"])
    bounded = surefoot.normalize_scores(raw)
    between = {name: np.array(near_ends) / 1000.0 for name in "ab"}
    metrics = ["mean", "median", "iqm", "optimality_gap"]
    ends = ["low", "high", "low_whole_runs", "high_whole_runs"]
    for runs, inside in ((outcomes, True), (bounded, True), (between, False)):
        table = surefoot.aggregate_metrics(runs, metrics=metrics, n_resamples=200).table()
        assert table[ends].stack().between(0.0, 1.0).all() == inside
        assert table["remark"].str.contains("where no run scored").any() != inside
    means = surefoot.task_means(outcomes).table()
    assert means["low"].min() == 0.0 and means["high"].max() == 1.0
    assert not surefoot.task_means(between).table()["high"].between(0.0, 1.0).all()
