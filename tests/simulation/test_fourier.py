"""The Fourier basis against cosines one by one, from the formula alone."""

import numpy as np
import pytest
from support.plain_agents import coefficients

from surefoot.simulation.fourier import (
    POWERS,
    fill_factors,
    fill_features,
    number_of_factors,
    number_of_features,
)


def factors_of(state, low, high, orders):
    factors = np.full(number_of_factors(orders), np.nan)
    squares = fill_factors(state, low, high, orders, np.full((2, POWERS), np.nan), factors)
    return factors, squares


@pytest.mark.parametrize("dimensions", [1, 2, 3, 4])
@pytest.mark.parametrize(("dependent", "independent"), [(0, 1), (0, 9), (1, 1), (2, 5), (3, 2), (9, 9), (9, 4)])
def test_cosines_in_the_order_that_is_stated(dimensions, dependent, independent):
    """Inside the ranges, at their ends, and outside: nothing is clipped. The angles reach 9 pi n; rounding is relative
    to them."""
    rng = np.random.default_rng(dimensions)
    orders = np.array([dimensions, dependent, independent])
    low, high = -rng.uniform(1, 3, dimensions), rng.uniform(1, 3, dimensions)
    vectors = coefficients(dimensions, dependent, independent)
    assert number_of_features(dimensions, dependent, independent) == len(vectors)
    assert len({tuple(vector) for vector in vectors}) == len(vectors)
    for state in (low, high, rng.uniform(low, high), 3 * high):
        expected = np.cos(np.pi * vectors @ ((state - low) / (high - low)))
        features = np.full(len(vectors), np.nan)
        factors, squares = factors_of(state, low, high, orders)
        fill_features(factors, orders, features)
        np.testing.assert_allclose(features, expected, rtol=0, atol=2e-13)
        assert features[0] == 1.0
        np.testing.assert_allclose(squares, (expected**2).sum(), rtol=1e-12)
