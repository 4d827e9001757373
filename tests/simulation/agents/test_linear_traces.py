"""Updates by products and pending numbers against updates of every entry at every step."""

import numpy as np
import pytest
from numba import njit

from surefoot.simulation.agents.linear_traces import (
    advance,
    begin,
    finish,
    new_functions,
    read,
    read_trace,
    settle,
    small,
    update,
)
from surefoot.simulation.fourier import POWERS, fill_factors, fill_features, number_of_factors, number_of_features

OUTPUTS = 3
LOW, HIGH = np.zeros(4), np.ones(4)


@njit(error_model="numpy")
def compiled_steps(states, orders, increments, changes, decay, outputs, low, high):
    # No constant is passed on: numba gives constants their own types, and would compile all callees again for them.
    first, direct = np.int64(0), np.bool_(False)
    count = number_of_features(orders[0], orders[1], orders[2])
    functions = new_functions(outputs, count)
    weights, traces, ledger, features = functions
    powers, factors = np.empty((2, POWERS)), np.empty(number_of_factors(orders))
    steps = len(increments)
    products = np.empty((steps, 2, outputs))
    fill_factors(states[0], low, high, orders, powers, factors)
    begin(weights, traces, ledger, outputs, factors, orders, features, first)
    for step in range(steps):
        old = step % 2
        new = 1 - old
        fill_factors(states[step + 1], low, high, orders, powers, factors)
        last = step == steps - 1
        if not last:
            advance(functions, outputs, increments[step], decay, factors, orders, new, count, direct)
        if not (direct or small(changes[step])):
            settle(weights, traces, ledger, outputs, features, old, count)
            direct = True
        if last:
            finish(functions, outputs, increments[step], decay, changes[step], old, count, direct)
            begin(weights, traces, ledger, outputs, factors, orders, features, new)
        else:
            update(weights, traces, ledger, outputs, changes[step], features, new, count, direct)
        for output in range(outputs):
            products[step, 0, output] = read(ledger, output)
            products[step, 1, output] = read_trace(ledger, output)
    return weights[:, :count], products, direct


def by_pending_numbers(states, orders, increments, changes, decay):
    """(weights; products of weights and of traces with the features of the next state, a row a step; directly?)."""
    return compiled_steps(states, orders, increments, changes, decay, OUTPUTS, LOW, HIGH)


def at_once(features, increments, changes, decay):
    weights = np.zeros((OUTPUTS, features.shape[1]))
    traces = np.zeros_like(weights)
    products = []
    with np.errstate(all="ignore"):
        for step, phi in enumerate(features[:-1]):
            traces = decay * traces + np.outer(increments[step], phi)
            traces[np.abs(traces) < 1e-200] = 0.0
            for output in range(OUTPUTS):
                if not np.isnan(changes[step, output]):
                    weights[output] += traces[output] * changes[step, output]
            products.append([weights @ features[step + 1], traces @ features[step + 1]])
        products[-1][1] = np.zeros(OUTPUTS)
    return weights, np.array(products)


def random_steps(steps, orders, seed, one_output):
    rng = np.random.default_rng(seed)
    states = rng.uniform(size=(steps + 1, 4))
    features = np.empty((steps + 1, number_of_features(4, orders[1], orders[2])))
    factors = np.empty(number_of_factors(orders))
    for state, row in zip(states, features, strict=True):
        fill_factors(state, LOW, HIGH, orders, np.empty((2, POWERS)), factors)
        fill_features(factors, orders, row)
    increments = rng.normal(size=(steps, OUTPUTS))
    if one_output:  # long runs of one output, so that others decay to nothing meanwhile
        visited = (np.arange(steps) // 40 + rng.integers(0, 8, steps) // 7) % OUTPUTS
        increments *= np.arange(OUTPUTS) == visited[:, None]
    return states, features, increments, rng.normal(size=(steps, OUTPUTS))


@pytest.mark.parametrize("orders", [(0, 3), (2, 4), (5, 7)], ids=["no products", "one part", "several parts"])
@pytest.mark.parametrize("one_output", [False, True])
@pytest.mark.parametrize("decay", [0.0, 1e-120, 0.3, 0.9999])
def test_same_weights_to_rounding(orders, one_output, decay):
    """Only sums in another order: 1e-13 of the sum of the sizes of all that is added, and of that, in products."""
    orders = np.array([4, *orders])
    states, features, increments, changes = random_steps(300, orders, 1, one_output)
    weights, products, direct = by_pending_numbers(states, orders, increments, changes, decay)
    expected, expected_products = at_once(features, increments, changes, decay)
    sizes, size_products = at_once(np.abs(features), np.abs(increments), np.abs(changes), decay)
    assert not direct
    np.testing.assert_array_less(np.abs(weights - expected), 1e-13 * sizes + 1e-190)
    np.testing.assert_array_less(np.abs(products - expected_products), 1e-13 * size_products + 1e-190)


@pytest.mark.parametrize("when", [0, 30, 59], ids=["at the start", "in the middle", "at the end"])
@pytest.mark.parametrize("disturbance", [np.inf, -1.7e308])
def test_infinite_changes_reach_every_entry(disturbance, when):
    """inf, NaN and overflow in the same entries as when every entry is updated at every step."""
    orders = np.array([4, 1, 2])
    for seed in range(5):
        states, features, increments, changes = random_steps(60, orders, seed, True)
        changes[when : when + 3] = disturbance
        weights, products, direct = by_pending_numbers(states, orders, increments, changes, 0.7)
        expected, _ = at_once(features, increments, changes, 0.7)
        assert direct
        assert (np.isnan(weights) == np.isnan(expected)).all()
        finite = np.isfinite(expected)
        assert not finite.all() or abs(disturbance) < np.inf
        np.testing.assert_array_equal(weights[~finite], expected[~finite])
        np.testing.assert_allclose(weights[finite], expected[finite], rtol=1e-10, atol=1e-10)
        # The outputs without a NaN have values that are none: sums of inf alone may be inf or NaN.
        assert np.isnan(products[-1, 0][np.isnan(weights).any(axis=1)]).all()


def test_a_change_of_nan_is_left_out():
    orders = np.array([4, 1, 2])
    states, features, increments, changes = random_steps(60, orders, 3, False)
    changes[10, 1] = changes[30:33] = changes[59, 0] = np.nan
    found, expected = (
        by_pending_numbers(states, orders, increments, changes, 0.7),
        at_once(features, increments, changes, 0.7),
    )
    for ours, plain in zip(found[:2], expected, strict=True):
        np.testing.assert_allclose(ours, plain, rtol=1e-10, atol=1e-10)
