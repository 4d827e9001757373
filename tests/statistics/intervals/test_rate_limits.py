"""Limits of success rates of runs with several trials each.

Means over items in clusters: Miller's standard errors, pass^k and pass@k, limits near 0 and 1, and their level.
"""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from scipy import stats
from support.evaluations import evaluation

import surefoot
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


def test_recorded_limits_without_a_remark_hold_their_level():
    table = read_table(TRUST_RECORDS / "evaluation_scores.csv")
    own = table[(table["method"] == "clustered") & (table["remark"] == "")]
    assert own["failures"].sum() / own["datasets"].sum() <= 0.05
    assert own["failure_rate"].max() <= 0.1
    usual = table[table["method"] == "standard errors"]
    assert usual["failure_rate"].max() > 0.5
