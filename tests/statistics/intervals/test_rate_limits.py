"""Limits of success rates of runs with several trials each."""

import numpy as np
import pytest
from scipy import stats

from surefoot.statistics.intervals.rate_limits import rate_limits


def clopper_pearson(successes, trials, tail=0.025):
    low = stats.beta.ppf(tail, successes, trials - successes + 1) if successes else 0.0
    high = stats.beta.ppf(1 - tail, successes + 1, trials - successes) if successes < trials else 1.0
    return low, high


@pytest.mark.parametrize(("successes", "runs"), [(0, 7), (1, 7), (4, 6), (29, 30), (30, 30), (500, 1000)])
def test_runs_of_one_trial_have_the_limits_of_clopper_and_pearson(successes, runs):
    outcomes = (np.arange(runs) < successes).astype(float)
    found = rate_limits(outcomes, np.ones(runs), 0.95)
    np.testing.assert_allclose(found[:2], clopper_pearson(successes, runs), atol=1e-9)
    assert np.isnan(found.overdispersion), "one trial a run says nothing of the correlation"


def test_limits_contain_the_mean_rate():
    """Nine runs at 98 % and one at 0, for example."""
    found = rate_limits(np.array([98.0] * 9 + [0.0]), np.full(10, 100.0), 0.95)
    assert found.low < 0.882 < found.high


def test_the_sides_are_symmetric_and_levels_nested():
    successes, trials = np.array([3.0, 18.0, 11.0]), np.full(3, 20.0)
    found, mirrored = rate_limits(successes, trials, 0.95), rate_limits(trials - successes, trials, 0.95)
    assert (1 - found.high, 1 - found.low) == pytest.approx(mirrored[:2], abs=1e-9)
    wider = rate_limits(successes, trials, 0.99)
    assert wider.low < found.low < np.mean(successes / trials) < found.high < wider.high


def test_all_or_none_succeed():
    trials = np.full(5, 20.0)
    assert rate_limits(trials, trials, 0.95).high == 1.0 and rate_limits(0 * trials, trials, 0.95).low == 0.0
    assert 1 - rate_limits(trials, trials, 0.95).low == pytest.approx(rate_limits(0 * trials, trials, 0.95).high)


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
        (collapsing(0.07, 0.98), 0.9114, 10),
        (beta(0.8, 0.2), 0.8, 5),
        (beta(0.99, 0.05), 0.99, 3),
        (beta(0.8, 0.5), 0.8, 10),
    ],
)
def test_the_level_holds_for_runs_that_collapse_and_more_runs_make_no_worse(law, mean, runs):
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
