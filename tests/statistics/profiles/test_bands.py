"""Profiles beside plain counting, and their bands beside closed forms and brute force."""

import numpy as np
import pytest
from scipy.optimize import brentq, minimize
from scipy.stats import multivariate_normal, norm

import surefoot
from surefoot.statistics.coverage.simulated_scores import simulated_runs
from surefoot.statistics.profiles.bands import (
    BANDS,
    critical_value,
    fraction_limits,
    profile_band,
    profile_remark,
)
from surefoot.statistics.profiles.dolan_more import dominates
from surefoot.statistics.profiles.performance_profiles import KINDS, profile, replicate_profiles

DECIDED = np.arange(10.0) + 0.1 * np.random.default_rng(0).normal(size=(5, 10))


@pytest.mark.parametrize("kind", KINDS)
def test_bands_have_width_where_all_tasks_seem_decided(kind):
    """Half of the tasks lie wholly above 4.5: five runs of a task do not tell that all of its runs would."""
    grid = [4.5] if kind == "run_scores" else np.linspace(4.0, 5.0, 21)
    asked = {"thresholds": grid, "distributions": kind, "n_resamples": 200, "skip_checks": True}
    table = surefoot.performance_profiles({"a": DECIDED}, **asked).table()
    assert (table["band_high"] - table["band_low"]).max() > 0.05
    assert (table["band_low"] <= table["estimate"]).all() and (table["estimate"] <= table["band_high"]).all()


@pytest.mark.parametrize("sizes", [[1] * 10, [2, 3, 5, 10, 20] * 2, [5] * 10, [1, 5] * 3, [4]])
@pytest.mark.parametrize("law", ["normal", "skewed", "uneven", "collapsing", "tied"])
@pytest.mark.parametrize("kind", KINDS)
def test_bands_surround_the_profile_and_never_rise(kind, law, sizes):
    scores = simulated_runs(law, sizes, 3.0, 1, "shape", 0).scores
    for grid in (np.array([0.5]), np.linspace(-8.0, 8.0, 51), np.linspace(-30.0, 8.0, 201)):
        value = profile(scores, grid, kind)
        for band in BANDS[1:]:
            low, high = profile_band(scores, grid, kind, band)
            assert (low >= 0.0).all() and (high <= 1.0).all()
            assert (low <= value + 1e-12).all() and (value <= high + 1e-12).all()
            assert ((np.diff(low) <= 0).all() and (np.diff(high) <= 0).all()) or band == "corrected"
            if kind == "run_scores":
                assert (high - low > 0.0).all()


def test_one_run_of_each_task_has_the_limits_of_a_binomial_count():
    """The likelihood ratio of 10 runs pooled, beside its equation; nothing can be known of means."""
    scores = np.arange(10.0)[None, :]
    low, high = profile_band(scores, [3.5], band="corrected")
    budget = norm.ppf(0.975) ** 2 / 2 + 0.3 + 1 / (1 + 4)
    ends = [
        brentq(lambda p: 10 * (0.6 * np.log(0.6 / p) + 0.4 * np.log(0.4 / (1 - p))) - budget, *bracket)
        for bracket in ((1e-9, 0.6), (0.6, 1 - 1e-9))
    ]
    assert [low[0], high[0]] == pytest.approx(ends, abs=1e-6)
    assert np.array_equal(profile_band(scores, [3.5], "average_scores"), [[0.0], [1.0]])
    assert "a task with one run" in profile_remark(scores)


def test_fraction_limits_are_extreme_means_of_likely_fractions():
    """Beside scipy's constrained optimization of 20 random cases."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        sizes = rng.integers(2, 8, 4)
        f = rng.binomial(sizes, rng.choice([0.0, 0.3, 0.9, 1.0], 4)) / sizes

        def divergence(p, f=f, sizes=sizes):
            p = np.clip(p, 1e-12, 1 - 1e-12)
            terms = np.where(f > 0, f * np.log(np.maximum(f, 1e-300) / p), 0.0)
            terms += np.where(f < 1, (1 - f) * np.log(np.maximum(1 - f, 1e-300) / (1 - p)), 0.0)
            return np.sum(sizes * terms)

        low, high = fraction_limits(f[None, :], sizes, [2.0])
        constraint = {"type": "ineq", "fun": lambda p: 2.0 - divergence(p)}
        start = np.clip(f, 0.02, 0.98)
        for sign, limit in ((1, low), (-1, high)):
            found = minimize(
                lambda p, sign=sign: sign * p.mean(), start, bounds=[(0, 1)] * 4, constraints=constraint, tol=1e-10
            )
            assert limit[0] == pytest.approx(found.x.mean(), abs=2e-4)


def test_the_critical_value_is_that_of_correlated_normal_errors():
    """Two thresholds: exactly the normal probability of scipy. One: the normal quantile. More: at most Bonferroni's."""
    above, sizes = np.array([[7.0, 2.0], [3.0, 2.0]]), np.array([8.0, 5.0])
    chances = (above + 0.5) / (sizes + 1)
    variance = np.sum(chances * (1 - chances) / sizes, axis=1)
    shared = np.sum(chances[1] * (1 - chances[0]) / sizes) / np.sqrt(variance.prod())
    q = critical_value(above, sizes, 0.9)
    both = multivariate_normal([0, 0], [[1, shared], [shared, 1]])
    inside = both.cdf([q, q]) - 2 * both.cdf([q, -q]) + both.cdf([-q, -q])
    assert inside == pytest.approx(0.9, abs=1e-5)
    assert critical_value(above[:1], sizes, 0.9) == pytest.approx(norm.ppf(0.95))
    many = critical_value(np.linspace(8, 0, 9)[:, None], np.array([8.0]), 0.9)
    assert q < many < norm.ppf(1 - 0.05 / 9)


def test_runs_that_tasks_share_widen_the_band():
    """A run that is worse on all tasks at once leaves more open than independent runs."""
    effect, noise = (np.random.default_rng(2).normal(size=shape) for shape in ((6, 1), (6, 10)))
    alike, names = effect + 0.1 * noise, [range(6)] * 10
    (low, high), (low_shared, high_shared) = (profile_band(alike, [0.0], shared=of) for of in (None, names))
    assert high_shared[0] - low_shared[0] > 1.5 * (high[0] - low[0])


def test_tasks_that_are_a_sample_widen_the_band():
    alike = np.random.default_rng(2).normal(size=(6, 1)) + 0.1 * np.random.default_rng(3).normal(size=(6, 10))
    for kind, scores, place in (("run_scores", alike, 0.0), ("average_scores", DECIDED, 4.5)):
        drawn = replicate_profiles(scores, [place], kind, 300, resample="tasks_and_runs")
        low, high = profile_band(scores, [place], kind)
        least, greatest = profile_band(scores, [place], kind, replicates=drawn, tasks_drawn=True)
        assert greatest[0] - least[0] > high[0] - low[0]
    found = surefoot.performance_profiles(
        {"a": alike}, thresholds=[0.5], n_resamples=10, resample="tasks_and_runs", skip_checks=True
    )
    assert (
        "was not studied for resampled tasks and runs" in found.notes().query("band == 'simultaneous'")["note"].item()
    )


def test_dominance_is_nowhere_lower_and_somewhere_higher():
    assert dominates([0.5, 0.2], [0.5, 0.1]) and not dominates([0.5, 0.2], [0.5, 0.2])
    assert not dominates([0.6, 0.2], [0.5, 0.3])
