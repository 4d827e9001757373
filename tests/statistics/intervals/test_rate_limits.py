"""Limits of success rates of runs with several trials each."""

import numpy as np
import pytest
from scipy import integrate, stats

from surefoot.errors import HintedError
from surefoot.statistics.intervals.rate_limits import rate_limits


def clopper_pearson(successes, trials, tail=0.025):
    low = stats.beta.ppf(tail, successes, trials - successes + 1) if successes else 0.0
    high = stats.beta.ppf(1 - tail, successes + 1, trials - successes) if successes < trials else 1.0
    return low, high


@pytest.mark.parametrize(("successes", "runs"), [(0, 7), (1, 7), (4, 6), (29, 30), (30, 30), (500, 1000)])
def test_runs_of_one_trial_have_the_limits_of_clopper_and_pearson(successes, runs):
    """Whatever the overdispersion, of which such runs know nothing."""
    outcomes = (np.arange(runs) < successes).astype(float)
    found = rate_limits(outcomes, np.ones(runs), 0.95)
    np.testing.assert_allclose(found[:2], clopper_pearson(successes, runs), atol=2e-4)
    assert found.overdispersion == pytest.approx(0.5, abs=1e-6)


def test_limits_are_quantiles_of_the_posterior():
    """Against scipy's beta-binomial probabilities and adaptive integration over both parameters."""
    successes, trials = np.array([3.0, 9.0, 6.0]), np.array([10.0, 12.0, 8.0])
    found = rate_limits(successes, trials, 0.9)

    def density(rho, mu, upper):
        both = 1 / rho - 1
        likelihood = np.prod(stats.betabinom.pmf(successes, trials, mu * both, (1 - mu) * both))
        return likelihood / (1 - mu if upper else mu)

    for limit, upper in ((found.low, False), (found.high, True)):
        parts = [
            integrate.dblquad(density, low, high, 0, 1, args=(upper,), epsabs=1e-9, epsrel=1e-5)[0]
            for low, high in ((0, limit), (limit, 1))
        ]
        assert parts[upper] / sum(parts) == pytest.approx(0.05, abs=5e-4)


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


@pytest.mark.parametrize(
    ("mean", "dispersion", "runs"), [(0.8, 0.2, 5), (0.95, 0.2, 5), (0.99, 0.05, 3), (0.8, 0.5, 10)]
)
def test_the_level_holds_for_overdispersed_runs_where_pooled_trials_and_students_t_do_not(mean, dispersion, runs):
    """400 experiments of a nominal 95 %, of 100 trials a run: an interval that fails in exactly 5 % holds in fewer than
    360 of them less than once in 20,000 times, as that of pooled trials does. So does Student's, of the runs' rates,
    where most runs succeed nearly always."""
    rng, trials = np.random.default_rng(31), np.full(runs, 100.0)
    both = 1 / dispersion - 1
    held = dict.fromkeys(("ours", "pooled", "student"), 0)
    for _ in range(400):
        successes = rng.binomial(100, rng.beta(mean * both, (1 - mean) * both, runs)).astype(float)
        rates = successes / trials
        half = stats.t.ppf(0.975, runs - 1) * rates.std(ddof=1) / np.sqrt(runs)
        limits = {
            "ours": rate_limits(successes, trials, 0.95)[:2],
            "pooled": clopper_pearson(successes.sum(), trials.sum()),
            "student": (rates.mean() - half, rates.mean() + half),
        }
        for name, (low, high) in limits.items():
            held[name] += low <= mean <= high
    assert held["ours"] >= 360
    assert held["pooled"] < (180 if (mean, dispersion) == (0.8, 0.2) else 360), "a third, as the README says"
    if mean > 0.9:
        assert held["student"] < 360


def test_what_is_no_number_of_successes_is_refused():
    for successes, trials in (([], []), ([1.0], [0.0]), ([3.0], [2.0]), ([-1.0], [2.0])):
        with pytest.raises(HintedError, match="runs without trials"):
            rate_limits(np.array(successes), np.array(trials), 0.95)
