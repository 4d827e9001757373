"""Simultaneous intervals of differences between algorithms.

How many runs would settle a difference: by brute force, and over many pilots.
"""

import numpy as np
import pytest
from scipy import special, stats

import surefoot
from surefoot.errors import HintedError
from surefoot.statistics.comparison.differences import pairwise_differences
from surefoot.statistics.comparison.fresh_runs import POWER, runs_to_settle
from surefoot.statistics.comparison.multiple_comparisons import joint_level, joint_tails

RNG = np.random.default_rng


def test_two_means_have_welchs_interval_with_other_freedom():
    """Standard errors, values and width beside scipy's; the degrees by the formula of the docstring, written out."""
    x, y = RNG(0).normal(0, 1, 7), RNG(1).normal(1, 3, 5)
    errors = [stats.sem(x), stats.sem(y)]
    found = pairwise_differences([x.mean(), y.mean()], errors, [6.0, 4.0], 0.025)
    parts = np.square(errors)
    degrees = parts.sum() ** 2 / (parts[0] ** 2 / 8 + parts[1] ** 2 / 6) - 2
    known = stats.t.interval(0.95, degrees, x.mean() - y.mean(), np.sqrt(parts.sum()))
    assert (found.low[0], found.high[0]) == pytest.approx(known) and found.degrees[0] == pytest.approx(degrees)
    assert degrees == pytest.approx(stats.ttest_ind(x, y, equal_var=False).df, abs=1.0)


def test_three_means_with_known_error_have_tukeys_range():
    """With equal errors and many degrees of freedom, the joint level is that of the studentized range; 0.5 % is three
    standard errors of its 20,000 draws."""
    level = joint_level(joint_tails([1.0] * 3, [1e6] * 3), 0.9)
    found = pairwise_differences([0.0, 1.0, 3.0], [1.0] * 3, [1e6] * 3, level)
    assert list(zip(found.x, found.y, strict=True)) == [(0, 1), (0, 2), (1, 2)]
    half = ((found.high - found.low) / 2).tolist()
    assert half == pytest.approx([stats.studentized_range.ppf(0.9, 3, np.inf)] * 3, rel=0.02)
    assert stats.studentized_range.cdf(half[0], 3, np.inf) == pytest.approx(0.9, abs=0.007)
    assert found.estimate.tolist() == pytest.approx([-1, -3, -2])


def test_some_of_55_intervals_of_two_runs_each_miss_in_5_percent():
    """Bonferroni's level missed in 18 % of such data sets. Four standard errors of 1,000 data sets more at the most."""
    rng, missed = RNG(8), 0
    level = joint_level(joint_tails([1.0] * 11, [1.0] * 11), 0.95)
    for _ in range(1000):
        scores = rng.normal(0, 1, (11, 2))
        errors = scores.std(axis=1, ddof=1) / np.sqrt(2)
        # Errors differ by chance, and so does the level of a data set; that of equal ones stands for all here.
        found = pairwise_differences(scores.mean(axis=1), errors, [1.0] * 11, level)
        missed += bool(((found.low > 0) | (found.high < 0)).any())
    assert missed <= 50 + 4 * np.sqrt(50 * 0.95)


def test_without_any_spread_the_interval_has_no_width():
    found = pairwise_differences([0.0, 1.0, 1.0], [0.0] * 3, [4.0] * 3, 0.01)
    assert (found.low == found.estimate).all() and (found.high == found.estimate).all()
    tiny = pairwise_differences([0.0, 1e-200], [1e-200, 2e-200], [4.0, 4.0], 0.025)
    assert np.isfinite([tiny.low[0], tiny.high[0], tiny.degrees[0]]).all() and tiny.low[0] < 0 < tiny.high[0]


def test_runs_that_are_all_alike_have_no_interval():
    scores = {"a": np.full((5, 3), 2.0), "b": np.full((5, 3), 7.0)}
    found = surefoot.pairwise_differences(scores, metrics=["iqm"], n_resamples=50, skip_checks=True)
    row = found.table().iloc[0]
    assert row["estimate"] == -5 and np.isnan(row["low"]) and np.isnan(row["high"]) and "nothing tells" in row["remark"]
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
    with pytest.raises(HintedError, match="a comparison is of two algorithms or more, and a is one"):
        surefoot.pairwise_differences({"a": scores["a"]}, skip_checks=True)
    with pytest.raises(HintedError, match="n_resamples: 1 is not allowed"):
        surefoot.pairwise_differences(scores, n_resamples=1, skip_checks=True)
    with pytest.raises(HintedError, match="one run of each of 6 tasks"):
        surefoot.pairwise_differences({name: one[:1] for name, one in scores.items()}, skip_checks=True)


LEVEL = 0.975


@pytest.mark.parametrize("runs", [3, 20])
@pytest.mark.parametrize(("found", "degrees"), [(0.6, 4.0), (1.2, 60.0), (4.7, 50.0), (12.0, 50.0), (31.0, 50.0)])
@pytest.mark.parametrize("level", [LEVEL, 0.999])
def test_the_number_of_runs_has_the_power_on_average_over_pilots(found, degrees, level, runs):
    """For large differences too, for which bisection begins at thousands of runs, so far out that scipy's noncentral
    distribution has no value. The average is taken over 100 quantiles of the pilot's standard error; the number of runs
    rests on a normal approximation, to 1 % in power."""

    def average_power(tried):
        of_tried = max((degrees + 2.0) * (tried + 1.0) / (runs + 1.0) - 2.0, 1.0)
        ratios = np.sqrt(stats.chi2.ppf((np.arange(100) + 0.5) / 100, degrees) / degrees)
        center = np.minimum(found * np.sqrt(tried / runs) * ratios, 35.0)
        return 1.0 - special.nctdtr(of_tried, center, stats.t.ppf(level, of_tried)).mean()

    (needed,), (low,), (high,) = runs_to_settle([found], [1.0], [degrees], runs, level)
    assert average_power(needed) >= POWER - 0.01 and low <= needed <= high
    assert needed == 2 or average_power(needed - 1) < POWER + 0.01


@pytest.mark.parametrize(("tasks", "runs"), [(1, 5), (1, 10), (5, 5)])
def test_fresh_runs_show_the_difference_four_times_out_of_five(tasks, runs):
    """The true power of the planned number, if the true difference is the observed one of 1.3 true standard errors, on
    average over 200 pilots with normal scores: its standard error is at most 0.012. Planning with the pilot's standard
    error itself gave 0.74, 0.77 and 0.79."""
    rng = np.random.default_rng([3, tasks, runs])
    degrees = tasks * (runs - 1.0)
    variances = rng.chisquare(degrees, (200, 2)) / degrees
    together = np.maximum(variances.sum(1) ** 2 / ((variances**2).sum(1) / (degrees + 2.0)) - 2.0, degrees)
    planned = runs_to_settle(np.full(200, 1.3), np.sqrt(variances.mean(1)), together, runs, LEVEL)[0]
    of_planned = 2.0 * tasks * (planned - 1.0)
    center = np.minimum(1.3 * np.sqrt(planned / runs), 35.0)
    power = 1.0 - special.nctdtr(of_planned, center, stats.t.ppf(LEVEL, of_planned))
    assert 0.775 <= power.mean() <= 0.845


def test_no_difference_needs_infinitely_many_and_no_spread_two():
    found, low, high = runs_to_settle([0.0, 1.0, 50.0], [1.0, 0.0, 1.0], [8.0] * 3, 5, LEVEL)
    assert found.tolist() == [np.inf, 2.0, 2.0]
    assert np.isinf(high[0]) and low[0] > 5


def paired_scores(rho, runs, tasks, rng):
    """Two equal algorithms whose runs with the same name are correlated."""
    first, second = rng.standard_normal((2, runs, tasks))
    return {"a": first, "b": rho * first + np.sqrt(1 - rho**2) * second}


def test_paired_runs_have_the_interval_of_scipys_paired_test():
    """Of shared runs exactly, by the means of whole runs; of one task within 3 % of the width, since the standard error
    is that of 4,000 resamples, whose own standard error is 1.1 %."""
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
    with pytest.raises(HintedError, match="a and b have other runs in 0"):
        surefoot.pairwise_differences({"a": scores, "b": scores[:4]}, paired=True, skip_checks=True)


@pytest.mark.parametrize(
    ("tasks", "share", "decimals"),
    [(1, 0.0, 9), (1, 0.0, 0), (8, 0.3, 0)],
    ids=["normal", "tied", "tied and shared"],
)
@pytest.mark.parametrize("rho", [-0.9, 0.9])
def test_paired_runs_hold_their_level_with_few_runs(rho, tasks, share, decimals):
    """Equal algorithms, three pairs, in at most 5 % and four standard errors of 200 data sets (a level that chance
    exceeds in 3 of 100,000 runs); percentiles separated about 25 %, and pairs of eight tasks that are taken as
    independent about as many. The scores are rounded; a share of their variance is common to the tasks of a run."""
    rng = RNG(3)
    wrong = 0
    options = {"metrics": ["mean"], "paired": True, "n_resamples": 200, "skip_checks": True, "shared_runs": share > 0}
    for _ in range(200):
        common, own = paired_scores(rho, 3, 1, rng), paired_scores(rho, 3, tasks, rng)
        scores = {
            name: (np.sqrt(share) * common[name] + np.sqrt(1 - share) * own[name]).round(decimals) for name in own
        }
        wrong += surefoot.pairwise_differences(scores, **options).table()["separated"].iloc[0]
    assert wrong <= 200 * 0.05 + 4 * np.sqrt(200 * 0.05 * 0.95)


def test_each_task_is_compared_with_all_of_them_together():
    """Without a difference, one or more of the 12 comparisons of 4 environments is separated in at most 5 % and four
    standard errors of 150 data sets; each alone at 5 % would be in a third or more."""
    rng, wrong = RNG(4), 0
    options = {"metrics": ["mean"], "per_task": True, "n_resamples": 200, "skip_checks": True}
    for _ in range(150):
        own = {name: rng.normal(0, spread, (6, 4)) for name, spread in (("a", 0.5), ("b", 1.0), ("c", 3.0))}
        table = surefoot.pairwise_differences(own, **options).table()
        wrong += table["separated"].any()
    assert len(table) == 12 and table["environment"].nunique() == 4
    assert wrong <= 150 * 0.05 + 4 * np.sqrt(150 * 0.05 * 0.95)
    own["b"][:, 2] += 30.0
    found = surefoot.pairwise_differences(own, **options)
    assert "b is better than a in 2" in found.finding() and found.chart()


def test_a_standardized_difference_is_cohens_d_of_one_task():
    x, y = RNG(5).normal(0, 1, (8, 1)), RNG(6).normal(1, 2, (8, 1))
    row = surefoot.pairwise_differences({"x": x, "y": y}, metrics=["mean"], skip_checks=True).table().iloc[0]
    pooled = np.sqrt((x.var(ddof=1) + y.var(ddof=1)) / 2)
    assert row["standardized_difference"] == pytest.approx((x.mean() - y.mean()) / pooled)
