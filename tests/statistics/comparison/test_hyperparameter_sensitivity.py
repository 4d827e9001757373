"""Hyperparameter sensitivity, effective dimension and the choice of one setting, by definition."""

from itertools import product

import numpy as np
import pytest
from support.grids_of_settings import table_of

import surefoot
from surefoot.statistics.comparison.hyperparameter_sensitivity import effective_dimension, sensitivity, shares_below

GRID = np.array(list(product(range(2), range(3))))


def grid_of(means, runs, noise, seed=0):
    """float64[environments, settings, runs] with these means."""
    drawn = np.random.default_rng(seed).normal(size=(*means.shape, runs))
    return means[..., None] + noise * drawn


def test_values_are_those_of_the_definition():
    scores = grid_of(np.random.default_rng(1).normal(9.0, 1.0, (3, 6)), 4, 0.5)
    means = scores.mean(axis=2)
    found = sensitivity(scores)
    cross = max(np.mean(means[:, h]) for h in range(6))
    tuned = np.mean([max(row) for row in means])
    values = [found.tuned.estimate, found.cross.estimate, found.sensitivity.estimate]
    assert values == pytest.approx([tuned, cross, tuned - cross])
    curve, grid, (i, j) = effective_dimension(scores, GRID), means.reshape(3, 2, 3), divmod(found.best, 3)
    either = max(tuned_of.max(axis=1).mean() for tuned_of in (grid[:, i], grid[:, :, j]))
    assert curve.values == pytest.approx([cross, either, tuned])
    assert curve.size.estimate == next(size for size, value in enumerate(curve.values) if value >= 0.95 * tuned)


def test_settings_that_are_not_complete_count_where_they_are():
    means = np.array([[1.0, 5.0, 2.0], [1.0, 0.0, 2.0]])
    scores = grid_of(means, 3, 0.0)
    scores[1, 1] = np.nan
    found = sensitivity(scores)
    assert (found.tuned.estimate, found.cross.estimate, found.best) == (3.5, 2.0, 2)
    # Without noise there is nothing to be uncertain of.
    assert found.sensitivity == pytest.approx((1.5, 1.5, 1.5, 1.5))
    scores[1] = np.nan
    scores[1, 1] = 3.0
    scores[0, 1] = np.nan
    with pytest.raises(ValueError, match="no setting has runs in all environments"):
        sensitivity(scores)


def test_one_score_of_a_setting_has_no_limits():
    scores = grid_of(np.ones((2, 6)), 3, 1.0)
    scores[0, 0, 1:] = np.nan
    found = sensitivity(scores)
    assert np.isnan(found.sensitivity[1:]).all() and np.isnan(effective_dimension(scores, GRID).size[1:]).all()


def test_held_out_values_are_not_too_high():
    """Of equal settings, the best of their means is well above what all of them are worth.

    Two means of 100 within four standard errors: errs once in 8,000 seeds.
    """
    found = [sensitivity(grid_of(np.zeros((3, 6)), 4, 1.0, seed), seed=seed) for seed in range(100)]
    held_out = np.array([(one.tuned.held_out, one.cross.held_out) for one in found])
    assert np.abs(held_out.mean(axis=0)) == pytest.approx(0.0, abs=4.0 * held_out.std() / 10.0)
    assert np.mean([one.tuned.estimate for one in found]) > 0.5


def test_shares_below():
    """Values of the CHS benchmark's own function, for scores 0 to 71 in this order."""
    scores = np.arange(72.0).reshape(2, 2, 3, 6).transpose(0, 1, 3, 2)  # algorithms, environments, settings, runs
    shares = shares_below(list(scores))[0]
    by_score = dict(zip(scores[0].ravel(), shares.ravel(), strict=True))
    assert (by_score[10.0], by_score[19.0]) == (pytest.approx(5 / 18), pytest.approx(1 / 36))
    found = surefoot.hyperparameter_selection(table_of(scores)).table()
    assert list(found["setting"]) == ["step=5", "step=5"]
