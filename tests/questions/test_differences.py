"""Pairwise differences of runs: paired runs, each task, and standardized differences."""

import math

import numpy as np
import pytest
from scipy import stats
from support.naive_formulas import EVEN, NAMES, TASKS, one, table_of
from support.two_algorithms import ARRAYS, TABLE

import surefoot
from surefoot.errors import HintedError
from surefoot.statistics.runs.shared_run_test import run_effect

RNG = np.random.default_rng


def test_runs_that_are_all_alike_have_no_interval():
    scores = {"a": np.full((5, 3), 2.0), "b": np.full((5, 3), 7.0)}
    found = surefoot.pairwise_differences(scores, metrics=["iqm"], n_resamples=50, skip_checks=True)
    row = found.table().iloc[0]
    assert row["estimate"] == -5 and np.isnan(row["low"]) and np.isnan(row["high"]) and "be estimated" in row["remark"]
    assert "not compared" in found.finding() and "nan" not in found.finding() and found.chart()


def test_the_question_is_asked_of_runs():
    rng = RNG(3)
    scores = {name: rng.normal(mean, 1, (5, 6)) for name, mean in (("a", 0.0), ("b", 5.0), ("c", 5.2))}
    found = surefoot.pairwise_differences(
        scores, metrics=["mean", "optimality_gap"], n_resamples=2000, skip_checks=True
    )
    table = found.table().set_index(["metric", "algorithm", "baseline"])
    row = table.loc["mean", "a", "b"]
    assert row["estimate"] == pytest.approx(scores["a"].mean() - scores["b"].mean())
    assert row["high"] < 0 and row["runs"] == 5 and row["runs_to_settle"] <= 5
    # Means of tasks with equal variances: the standard error is known in closed form, replicates give it to 3 %.
    error = np.sqrt(sum((scores[name].var(axis=0, ddof=1) / 5).sum() for name in "ab")) / 6
    half = stats.t.ppf(1 - 0.05 / 6, row["degrees"]) * error
    assert (row["high"] - row["low"]) / 2 == pytest.approx(half, rel=0.08)
    assert "c comes first, separated from 1 of 2 others. It is better than a." in found.finding()
    with pytest.raises(HintedError, match="a comparison needs at least two algorithms, but got only a"):
        surefoot.pairwise_differences({"a": scores["a"]}, skip_checks=True)
    with pytest.raises(HintedError, match="n_resamples: 1 is not allowed"):
        surefoot.pairwise_differences(scores, n_resamples=1, skip_checks=True)
    with pytest.raises(HintedError, match="one run of each of 6 tasks"):
        surefoot.pairwise_differences({name: one[:1] for name, one in scores.items()}, skip_checks=True)


def paired_scores(rho, runs, tasks, rng):
    """Two equal algorithms whose runs with the same name are correlated."""
    first, second = rng.standard_normal((2, runs, tasks))
    return {"a": first, "b": rho * first + np.sqrt(1 - rho**2) * second}


def test_paired_runs_have_the_interval_of_scipys_paired_test():
    """For shared runs, the limits are exact, from the means of whole runs. For one task they agree within 3 % of the
    width, since the standard error is that of 4,000 resamples, whose own standard error is 1.1 %."""
    own = paired_scores(0.8, 6, 3, RNG(1))
    options = {"metrics": ["mean"], "paired": True, "skip_checks": True}
    row = surefoot.pairwise_differences(own, shared_runs=True, **options).table().iloc[0]
    known = stats.ttest_rel(own["a"].mean(axis=1), own["b"].mean(axis=1))
    assert (row["low"], row["high"]) == pytest.approx(tuple(known.confidence_interval(0.95)))
    assert row["p_value"] == pytest.approx(known.pvalue)
    one = {name: scores[:, :1] for name, scores in own.items()}
    row = surefoot.pairwise_differences(one, n_resamples=4_000, **options).table().iloc[0]
    known = stats.ttest_rel(one["a"][:, 0], one["b"][:, 0]).confidence_interval(0.95)
    assert row["degrees"] == 5 and row["high"] - row["low"] == pytest.approx(known.high - known.low, rel=0.04)
    both = surefoot.multiple_comparisons(one, metric="mean", paired=True, n_resamples=4_000, skip_checks=True)
    assert both.tables()["pairs"][["low", "high"]].iloc[0].tolist() == row[["low", "high"]].tolist()


def test_pairs_that_all_differ_alike_have_no_interval():
    scores = RNG(2).normal(size=(5, 2))
    own = {"a": scores, "b": scores + 0.3}
    found = surefoot.pairwise_differences(own, paired=True, skip_checks=True)
    row = found.table().iloc[0]
    assert np.isnan(row["low"]) and np.isnan(row["p_value"]) and not row["separated"]
    assert row["remark"].startswith("the differences of all pairs of runs are equal")
    assert "not compared" in found.finding() and found.chart()
    both = surefoot.multiple_comparisons(own, paired=True, skip_checks=True)
    assert (both.table()["remark"] == row["remark"]).all() and "not compared" in both.finding()
    with pytest.raises(HintedError, match="a and b have different runs in 0"):
        surefoot.pairwise_differences({"a": scores, "b": scores[:4]}, paired=True, skip_checks=True)


@pytest.mark.parametrize(
    ("tasks", "share", "decimals"),
    [(1, 0.0, 9), (1, 0.0, 0), (8, 0.3, 0)],
    ids=["normal", "tied", "tied and shared"],
)
@pytest.mark.parametrize("rho", [-0.9, 0.9])
def test_paired_runs_hold_their_level_with_few_runs(rho, tasks, share, decimals):
    """Equal algorithms, three pairs, in at most 5 % of 100 data sets, but for a number that chance exceeds once in
    10,000 seeds; percentiles separated about 25 %, and pairs of eight tasks that are taken as
    independent about as many. The scores are rounded; a share of their variance is common to the tasks of a run."""
    rng = RNG(3)
    wrong = 0
    options = {"metrics": ["mean"], "paired": True, "n_resamples": 200, "skip_checks": True, "shared_runs": share > 0}
    for _ in range(100):
        common, own = paired_scores(rho, 3, 1, rng), paired_scores(rho, 3, tasks, rng)
        scores = {
            name: (np.sqrt(share) * common[name] + np.sqrt(1 - share) * own[name]).round(decimals) for name in own
        }
        wrong += surefoot.pairwise_differences(scores, **options).table()["separated"].iloc[0]
    assert wrong <= stats.binom.isf(1e-4, 100, 0.05)


def test_each_task_is_compared_with_all_of_them_together():
    """Without a difference, one or more of the 12 comparisons of 4 environments is separated in at most 5 % of 60 data
    sets, but for a number that chance exceeds once in 10,000 seeds; each alone at 5 % would be in a third or more."""
    rng, wrong = RNG(4), 0
    options = {"metrics": ["mean"], "per_task": True, "n_resamples": 200, "skip_checks": True}
    for _ in range(60):
        own = {name: rng.normal(0, spread, (6, 4)) for name, spread in (("a", 0.5), ("b", 1.0), ("c", 3.0))}
        table = surefoot.pairwise_differences(own, **options).table()
        wrong += table["separated"].any()
    assert len(table) == 12 and table["environment"].nunique() == 4
    assert wrong <= stats.binom.isf(1e-4, 60, 0.05)
    own["b"][:, 2] += 30.0
    found = surefoot.pairwise_differences(own, **options)
    assert "b is better than a in 2" in found.finding() and found.chart()


def test_a_standardized_difference_is_cohens_d_of_one_task():
    x, y = RNG(5).normal(0, 1, (8, 1)), RNG(6).normal(1, 2, (8, 1))
    row = surefoot.pairwise_differences({"x": x, "y": y}, metrics=["mean"], skip_checks=True).table().iloc[0]
    pooled = np.sqrt((x.var(ddof=1) + y.var(ddof=1)) / 2)
    assert row["standardized_difference"] == pytest.approx((x.mean() - y.mean()) / pooled)


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
    with pytest.raises(ValueError, match=r"ours and base have different runs in task 0\. Hint: give paired runs"):
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


def test_run_effects_with_their_limits():
    found = surefoot.shared_run_test(TABLE, size=4)
    effect = run_effect(ARRAYS["ours"])
    table = found.table().set_index("algorithm").loc["ours"]
    assert table["correlation"] == effect.correlation() and table["first"] == 4
    assert surefoot.shared_run_test({"a": np.array([[1.0, 2.0], [2.0, 1.0]])}).table()["p_value"].isna().all()


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


def test_formulas_of_shared_run_test():
    found = surefoot.shared_run_test(table_of(EVEN), size=2)
    for name in NAMES:
        ranks = [stats.rankdata(EVEN[name, task]) - 3.0 for task in TASKS]  # (N + 1) / 2 of five runs
        inflation = math.fsum(sum(run) ** 2 for run in zip(*ranks, strict=True)) / np.sum(np.square(ranks))
        row = one(found.table(), algorithm=name)
        assert row["correlation"] == pytest.approx((inflation - 1) / 2)
        # Kendall's W is Friedman's statistic divided by M (N - 1).
        test = stats.friedmanchisquare(*np.transpose([EVEN[name, task] for task in TASKS]))
        assert inflation / 3 == pytest.approx(test.statistic / (3 * 4))
        assert row["p_value"] == pytest.approx(test.pvalue)
