"""Limits of success rates of runs with several trials each.

Means over items in clusters: Miller's standard errors, pass^k and pass@k, limits near 0 and 1, and their level.
"""

from itertools import combinations
from math import comb

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import surefoot
from surefoot.errors import HintedError
from surefoot.runs.result_tables import read_table
from surefoot.statistics.intervals.rate_limits import (
    all_of,
    item_mean,
    mean_rate_variance,
    rate_limits,
    training_limits,
)
from surefoot.workflow.planning.drawing_jobs import TRUST_RECORDS


def clopper_pearson(successes, trials, tail=0.025):
    low = stats.beta.ppf(tail, successes, trials - successes + 1) if successes else 0.0
    high = stats.beta.ppf(1 - tail, successes + 1, trials - successes) if successes < trials else 1.0
    return low, high


@pytest.mark.parametrize(("successes", "runs"), [(0, 7), (1, 7), (4, 6), (29, 30), (30, 30), (500, 1000)])
def test_runs_of_one_trial_have_clopper_pearson_limits(successes, runs):
    outcomes = (np.arange(runs) < successes).astype(float)
    found = rate_limits(outcomes, np.ones(runs), 0.95)
    np.testing.assert_allclose(found[:2], clopper_pearson(successes, runs), atol=1e-9)
    assert np.isnan(found.overdispersion), "one trial a run says nothing of the correlation"


def collapsing(share, rate):
    return lambda rng, runs: np.where(rng.random(runs) < share, 0.0, rate)


def beta(mean, dispersion):
    both = 1 / dispersion - 1
    return lambda rng, runs: rng.beta(mean * both, (1 - mean) * both, runs)


@pytest.mark.parametrize(
    ("law", "mean", "runs"),
    [
        (collapsing(0.2, 0.95), 0.76, 5),
        (collapsing(0.2, 0.95), 0.76, 50),
        (beta(0.8, 0.2), 0.8, 5),
        (beta(0.99, 0.05), 0.99, 3),
    ],
)
def test_the_level_holds_for_runs_that_collapse(law, mean, runs):
    """400 experiments of a nominal 95 %, of 100 trials a run: an interval that fails in exactly 5 % holds in fewer than
    360 of them less than once in 20,000 times, as that of pooled trials does."""
    rng, trials = np.random.default_rng(31), np.full(runs, 100.0)
    held = dict.fromkeys(("ours", "pooled"), 0)
    for _ in range(400):
        successes = rng.binomial(100, law(rng, runs)).astype(float)
        limits = {
            "ours": rate_limits(successes, trials, 0.95)[:2],
            "pooled": clopper_pearson(successes.sum(), trials.sum()),
        }
        for name, (low, high) in limits.items():
            held[name] += low <= mean <= high
    assert held["ours"] >= 360
    assert held["pooled"] < (180 if runs == 5 else 360), "a third of beta-distributed rates, as the documentation says"


def test_85_of_100_trials_in_five_trainings():
    rows = [("a", "maze", run, won, 20) for run, won in enumerate([15, 16, 17, 18, 19])]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "successes", "trials"])
    (row,) = surefoot.success_rates(table).table().itertuples()
    assert (row.rate, row.runs, row.trials) == (0.85, 5, 100)
    # The rates vary less than independent trials would, so that the variance is that of 100 trials, but for one more
    # success and failure; with 4 degrees of freedom.
    variance = 86 / 102 * 16 / 102 / 100
    effective = 0.85 * 0.15 / variance * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 4)) ** 2
    np.testing.assert_allclose((row.low, row.high), clopper_pearson(0.85 * effective, effective), atol=1e-9)
    assert row.distribution_free_low < 0.45 < 0.7 < row.low and row.high <= row.distribution_free_high


@pytest.mark.parametrize(("law", "mean"), [(beta(0.8, 0.2), 0.8), (beta(0.5, 0.05), 0.5), (collapsing(0.5, 1.0), 0.5)])
@pytest.mark.parametrize("runs", [3, 10])
def test_the_spread_of_runs_gives_limits_that_hold(law, mean, runs):
    """400 experiments of a nominal 95 %: an interval that fails in exactly 5 % fails in more than 40 of them less than
    once in 20,000 times."""
    rng, failures = np.random.default_rng([7, runs]), 0
    for _ in range(400):
        successes, trials = rng.binomial(20, law(rng, runs)).astype(float), np.full(runs, 20.0)
        variance = mean_rate_variance(successes, trials)
        low, high = training_limits(successes, trials, variance, runs - 1.0, 0.025)
        failures += not low <= mean <= high
    assert failures <= 40


@pytest.mark.parametrize("items", [10, 20, 50])
@pytest.mark.parametrize(("law", "most"), [("normal", 34), ("exponential", 48), ("log-normal", 72)])
def test_means_of_skewed_unbounded_scores(law, most, items):
    """400 experiments at 5 %: a true rate of 5 % (normal), 8 % (exponential), 12.5 % (log-normal) fails more often than
    `most` about once in 200 times. With 20 and 50 log-normal items there are at most four misses for five of Student's
    interval."""
    rng = np.random.default_rng([17, items])
    draw = {"normal": rng.normal, "exponential": rng.exponential, "log-normal": rng.lognormal}[law]
    mean = {"normal": 0.0, "exponential": 1.0, "log-normal": np.exp(0.5)}[law]
    names = [str(item) for item in range(items)]
    missed, missed_student = 0, 0
    for _ in range(400):
        scores = draw(size=items)
        found = item_mean(scores, names, items)
        missed += not found.low <= mean <= found.high
        low, high = stats.t.interval(0.95, items - 1, scores.mean(), scores.std(ddof=1) / np.sqrt(items))
        missed_student += not low <= mean <= high
    assert missed <= most
    assert law != "log-normal" or missed < missed_student * (0.8 if items > 10 else 1.0)


RNG = np.random.default_rng


def evaluation(seed=0, passages=12, models=("a", "b", "c"), samples=3):
    """Scores of 0 and 1 of several questions about each passage, which have a difficulty in common."""
    rng = RNG(seed)
    rows = []
    for passage in range(passages):
        easy = rng.normal()
        for item in range(rng.integers(1, 6)):
            for place, model in enumerate(models):
                chance = stats.norm.cdf(easy + rng.normal(0, 0.3) + 0.8 * place)
                rows += [(model, f"text {passage}/{item}", one, float(rng.random() < chance)) for one in range(samples)]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])


def clustered_error(values, clusters):
    """Miller's equation 4, written out: the squares and the products of all two items of a cluster."""
    deviations = [value - sum(values) / len(values) for value in values]
    total = sum(one * one for one in deviations)
    total += sum(
        2 * one * other
        for (one, first), (other, second) in combinations(zip(deviations, clusters, strict=True), 2)
        if first == second
    )
    return total**0.5 / len(values)


def test_standard_errors_are_millers_to_1e_12():
    table = evaluation()
    found = surefoot.evaluation_scores(table, use_clusters=True).table().set_index("algorithm")
    for model, own in table.groupby("algorithm"):
        values = own.groupby("environment", sort=False)["score"].mean()
        clusters = [name.split("/")[0] for name in values.index]
        row = found.loc[model]
        assert abs(row["standard_error"] - clustered_error(list(values), clusters)) < 1e-12
        assert (row["items"], row["clusters"], row["samples"]) == (len(values), 12, 3)
        assert row["estimate"] == pytest.approx(values.mean(), abs=1e-15)


def test_paired_differences_are_those_of_clusters():
    """The interval of a difference is the clustered one of the items' differences; with one item a cluster, the paired
    t test. Scores of 0 and 1 have limits of their own, and so these are 0 and 10."""
    table = evaluation(1)
    table["score"] *= 10
    means = table.pivot_table(index="environment", columns="algorithm", values="score", sort=False)
    both = surefoot.multiple_comparisons(
        table, metric="mean", tasks="random", use_clusters=True, algorithms=["a", "b"], skip_checks=True
    )
    (pair,) = both.tables()["pairs"].to_dict("records")
    clusters = [name.split("/")[0] for name in means.index]
    error = clustered_error(list(means["a"] - means["b"]), clusters) * (12 / 11) ** 0.5
    assert (pair["high"] - pair["low"]) / 2 == pytest.approx(stats.t.ppf(0.975, 11) * error, rel=1e-9)
    assert pair["p_value"] == pytest.approx(2 * stats.t.sf(abs(pair["difference"]) / error, 11), rel=1e-6)
    alone = surefoot.multiple_comparisons(table, metric="mean", tasks="random", algorithms=["a", "b"], skip_checks=True)
    test = stats.ttest_rel(means["a"], means["b"])
    row = alone.tables()["pairs"].iloc[0]
    wanted = (test.pvalue, *test.confidence_interval(0.95))
    assert (row["p_value"], row["low"], row["high"]) == pytest.approx(wanted, rel=1e-9)
    with pytest.raises(HintedError, match="clusters"):
        surefoot.multiple_comparisons(table, metric="mean", use_clusters=True, skip_checks=True)


def test_pass_rates_of_several_attempts_are_unbiased():
    """By counting all choices of samples."""
    table = evaluation(2, samples=5)
    found = surefoot.evaluation_scores(table, attempts=[2, 4], algorithms=["b"]).table().set_index("metric")
    of_items = [list(own["score"]) for _, own in table[table["algorithm"] == "b"].groupby("environment")]
    for count in (2, 4):
        choices = [list(combinations(own, count)) for own in of_items]
        every = np.mean([np.mean([all(one) for one in own]) for own in choices])
        some = np.mean([np.mean([any(one) for one in own]) for own in choices])
        assert found.loc[f"pass^{count}", "estimate"] == pytest.approx(every, abs=1e-12)
        assert found.loc[f"pass@{count}", "estimate"] == pytest.approx(some, abs=1e-12)
    assert all_of([1000], [2000], 3)[0] == pytest.approx(comb(1000, 3) / comb(2000, 3), rel=1e-10)


def test_limits_of_all_right_answers_are_clopper_pearson():
    found = item_mean(np.ones(30), [str(one) for one in range(30)], 30)
    exact = stats.binomtest(30, 30).proportion_ci(0.95, "exact")
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high)) and found.standard_error == 0.0


def test_other_scores_have_halls_limits():
    scores = np.array([3.0, 5.0, 4.0, 6.0])
    found = item_mean(scores, list("abcd"), 4)
    assert (found.low, found.high) == pytest.approx(stats.t.interval(0.95, 3, scores.mean(), stats.sem(scores)))
    assert np.isnan(item_mean(scores, ["a"] * 4, 4).low)
    scores = np.array([3.0, 5.0, 4.5, 9.0])
    found = item_mean(scores, list("abcd"), 4)
    skewness = stats.skew(scores) / 2.0
    for limit, quantile in ((found.low, stats.t.ppf(0.975, 3)), (found.high, stats.t.ppf(0.025, 3))):
        ratio = (scores.mean() - limit) / stats.sem(scores)
        transformed = ratio + skewness * ratio**2 / 3 + skewness**2 * ratio**3 / 27 + skewness / 6
        assert transformed == pytest.approx(quantile)


@pytest.mark.parametrize(("what", "asked"), [({"attempts": [4]}, "4 attempts"), ({"algorithms": ["z"]}, "z")])
def test_what_cannot_be_asked_is_said(what, asked):
    with pytest.raises(HintedError, match=asked):
        surefoot.evaluation_scores(evaluation(), **what)


def test_attempts_need_successes_and_failures():
    with pytest.raises(HintedError, match=r"a score is 0\.5"):
        surefoot.evaluation_scores({"a": np.full((3, 2), 0.5)}, attempts=[2], skip_checks=True)


def test_the_detectable_difference_is_millers():
    """His example: rates that are uniform over questions, whose variance is 1/12, of models that correlate by 1/3, so
    that omega^2 is 1/9: 969 questions of many samples show 3 points."""
    known = {"rate": 0.5, "consistency": 1 / 3, "correlation": 1 / 3}
    assert surefoot.minimum_detectable_difference(969, samples=10**9, **known) == pytest.approx(0.03, rel=1e-3)
    one = surefoot.minimum_detectable_difference(198, samples=1, **known)
    assert one == pytest.approx((1.959964 + 0.841621) * ((1 / 9 + 2 / 6) / 198) ** 0.5, rel=1e-5)
    with pytest.raises(HintedError, match="consistency"):
        surefoot.minimum_detectable_difference(10, consistency=2)


def test_recorded_limits_without_a_remark_hold_their_level():
    table = read_table(TRUST_RECORDS / "evaluation_scores.csv")
    own = table[(table["method"] == "clustered") & (table["remark"] == "")]
    assert own["failures"].sum() / own["datasets"].sum() <= 0.05
    assert own["failure_rate"].max() <= 0.1
    usual = table[table["method"] == "standard errors"]
    assert usual["failure_rate"].max() > 0.5
