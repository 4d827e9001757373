"""The Fourier basis against cosines one by one, from the formula alone."""

import itertools

import numpy as np
import pytest

from surefoot.simulation.fourier import (
    POWERS,
    fill_factors,
    fill_features,
    fill_rows,
    number_of_factors,
    number_of_features,
)


def coefficients(dimensions, dependent, independent):
    vectors = list(itertools.product(range(dependent + 1), repeat=dimensions))
    for i in range(dimensions):
        for power in range(dependent + 1, independent + 1):
            vectors.append(tuple(power if j == i else 0 for j in range(dimensions)))
    return np.array(vectors)


def factors_of(state, low, high, orders):
    factors = np.full(number_of_factors(orders), np.nan)
    fill_factors(state, low, high, orders, np.full((2, POWERS), np.nan), factors)
    return factors


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
        fill_features(factors_of(state, low, high, orders), orders, features)
        np.testing.assert_allclose(features, expected, rtol=0, atol=2e-13)
        assert features[0] == 1.0


def test_rows_are_parts_of_all_features():
    orders = np.array([4, 3, 5])
    factors = factors_of(np.array([0.1, 0.7, 0.3, 0.9]), np.zeros(4), np.ones(4), orders)
    features, rows = np.empty(number_of_features(4, 3, 5)), np.empty(5 * 16)
    fill_features(factors, orders, features)
    fill_rows(factors, orders, 7, 5, rows)
    np.testing.assert_array_equal(rows, features[7 * 16 : 12 * 16])
