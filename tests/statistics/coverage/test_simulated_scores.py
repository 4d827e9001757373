"""Simulated scores against the closed forms of their distributions.

Means and shares are within 5 standard errors, which each exceeds once in 1.7 million seeds.
"""

import numpy as np
import pytest
from scipy import stats

from surefoot.statistics.coverage.simulated_scores import (
    LAWS,
    TASK_LAWS,
    Part,
    from_mixture,
    population,
    scores_of,
    simulated_runs,
    simulated_scores,
    true_values,
    uniform_numbers,
)
from surefoot.statistics.profiles.performance_profiles import KINDS, profile

SURE = 5.0
TASKS = 6
LEVELS = stats.norm.ppf((np.arange(TASKS) + 0.5) / TASKS)
MEANS = {
    "alike": np.ones(TASKS),
    "different": 1.0 + 3.0 * LEVELS,
    "skewed": np.exp(LEVELS),
    "two_point": np.linspace(0.1, 0.9, TASKS),
    "failures": 1.0 + LEVELS - 1.2,
    "tied": np.full(TASKS, 0.5),
    "dominated": np.array([1.0, 1.0, 1.0, 1.0, 1.0, 30.0]),
}


@pytest.mark.parametrize("law", TASK_LAWS)
def test_task_means_and_true_values_are_closed_forms(law):
    scores = scores_of(law, uniform_numbers((20_000, TASKS), 1, law, 0))
    assert (np.abs(scores.mean(axis=0) - MEANS[law]) < SURE * scores.std(axis=0) / np.sqrt(len(scores))).all()
    mean, median = true_values(law, TASKS, ["mean", "median"])
    assert mean == pytest.approx(MEANS[law].mean(), abs=2e-3 * scores.std(axis=0).max())
    assert median == pytest.approx(np.median(MEANS[law]), abs=2e-3 * scores.std(axis=0).max())


@pytest.mark.parametrize("law", ["normal", "skewed", "uneven", "collapsing", "tied"])
def test_true_profiles_are_those_of_very_many_runs(law):
    """Shares of 30,000 runs of three tasks. Mean scores are compared at thresholds that no sample mean is near."""
    runs = simulated_runs(law, [10_000] * 3, 2.0, 3, law, 0)
    thresholds = np.linspace(-4.0, 4.0, 17) + 0.013
    for kind in KINDS:
        truth = runs.profile(thresholds, kind)
        found = profile(runs.scores, thresholds, kind)
        error = np.sqrt(truth * (1.0 - truth) / 30_000)
        if kind == "average_scores":
            means = np.array([column.mean() for column in runs.scores])
            margins = np.array([SURE * column.std() / 100.0 for column in runs.scores])
            is_near = (np.abs(thresholds[:, None] - means) <= margins).any(axis=1)
            error = np.where(is_near, 1.0, 0.0)
            assert (error == 0.0).sum() >= 12
        assert (np.abs(found - truth) <= SURE * error + 1e-12).all()


@pytest.mark.parametrize("law", LAWS)
def test_runs_of_tasks_are_correlated_as_asked(law):
    """Ranks of scores on two tasks have the correlation (6 / pi) asin(rho / 2) where scores have no ties."""
    scores = simulated_scores(law, 10_000, 2, 0.6, 4, "correlated", 0)
    again = simulated_scores(law, 10_000, 2, 0.6, 4, "correlated", 0)
    other = simulated_scores(law, 10_000, 2, 0.0, 4, "independent", 0)
    np.testing.assert_array_equal(scores, again)
    expected = population(law)
    for values in (scores, other):
        for column in values.T:
            assert abs(column.mean() - expected.mean()) < SURE * expected.std() / 100.0
    assert abs(stats.spearmanr(other).statistic) < SURE / 100.0
    if law in ("normal", "skewed"):
        assert stats.spearmanr(scores).statistic == pytest.approx(6.0 / np.pi * np.arcsin(0.3), abs=SURE / 100.0)


def test_components_of_a_mixture_have_their_shares_and_quantiles():
    parts = [Part(2.0, "point", -1.0), Part(1.0, "exponential", 5.0, 2.0), Part(1.0, "t", 40.0, 1.0, (3.0,))]
    component, within = uniform_numbers((2, 8_000), 5, "mixture", 0)
    scores = from_mixture(parts, component, within)
    masks = [scores == -1.0, (scores > 5.0) & (scores < 25.0), scores >= 25.0]
    for mask, share in zip(masks, (0.5, 0.25, 0.25), strict=True):
        assert abs(mask.mean() - share) < SURE * np.sqrt(share * (1.0 - share) / 8_000)
    np.testing.assert_allclose(scores[masks[1]], 5.0 + stats.expon(scale=2.0).ppf(within[masks[1]]))
    np.testing.assert_allclose(scores[masks[2]], 40.0 + stats.t(3).ppf(within[masks[2]]))
