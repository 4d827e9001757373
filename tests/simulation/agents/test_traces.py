"""Updates that are put off against updates of every entry at every step."""

import numpy as np
import pytest
from numba import njit

from surefoot.simulation.agents.traces import (
    catch_up,
    forget,
    increase,
    new_table,
    nothing_pending,
    start_trace,
    trace,
    update,
)

STATES, COLUMNS = 12, 3


@njit(error_model="numpy")
def put_off_updates(visits, increments, changes, decay):
    """(weights; the trace of the visited entry after each step's increment; how often the table was settled)."""
    weights, traces, traced = new_table(STATES, COLUMNS)
    seen = np.empty(len(visits))
    settled = 0
    pending = nothing_pending()
    for step, state in enumerate(visits):
        catch_up(weights, traces, COLUMNS, pending, state)
        start_trace(traces, traced, COLUMNS, state)
        for column in range(COLUMNS):
            increase(traces, pending, state, column, increments[step, column])
        seen[step] = trace(traces, pending, state, 0)
        pending = update(weights, traces, traced, COLUMNS, pending, changes[step], decay)
        settled += pending.scale == 1.0
    forget(weights, traces, traced, COLUMNS, pending)
    return weights, seen, settled, traces, traced


def updates_at_once(visits, increments, changes, decay):
    weights, traces = np.zeros((STATES, COLUMNS)), np.zeros((STATES, COLUMNS))
    seen = []
    with np.errstate(all="ignore"):
        for state, increment, change in zip(visits, increments, changes, strict=True):
            traces[state] += increment
            seen.append(traces[state, 0])
            if change != 0.0:
                weights += traces * change
            traces *= decay
    return weights, np.array(seen)


def random_steps(steps, seed):
    rng = np.random.default_rng(seed)
    visits = np.abs(np.cumsum(rng.integers(-1, 2, steps))) % (STATES - 2)  # two states are never visited
    return visits, rng.normal(size=(steps, COLUMNS)), rng.normal(size=steps)


@pytest.mark.parametrize("decay", [0.0, 1e-120, 1e-9, 0.3, 0.9, 0.9999])
def test_same_weights_to_rounding(decay):
    """The only difference is the order of additions: 1e-13 of the sum of the sizes of all that is added."""
    for seed in range(5):
        visits, increments, changes = random_steps(800, seed)
        weights, seen, settled, traces, traced = put_off_updates(visits, increments, changes, decay)
        expected, expected_seen = updates_at_once(visits, increments, changes, decay)
        sizes, _ = updates_at_once(visits, np.abs(increments), np.abs(changes), decay)
        np.testing.assert_array_less(np.abs(weights - expected), 1e-13 * sizes + 1e-300)
        np.testing.assert_allclose(seen, expected_seen, rtol=1e-12, atol=1e-12)
        assert settled > 0 or decay == 0.9999
        assert not traces[:, :COLUMNS].any()
        assert traced[0] == 0


def test_small_changes_after_large_ones_are_not_lost():
    """A change of 1e-30 of those before it still reaches the states visited after these, in full."""
    visits = np.array([0, 1, 2, 3])
    increments = np.zeros((4, COLUMNS))
    increments[:, 0] = 1.0
    changes = np.array([1e20, -3e19, 1e-10, 1e-12])
    weights, *_ = put_off_updates(visits, increments, changes, 0.5)
    expected, _ = updates_at_once(visits, increments, changes, 0.5)
    np.testing.assert_allclose(weights[[2, 3]], expected[[2, 3]], rtol=1e-15)
    np.testing.assert_allclose(weights, expected, rtol=1e-15)


@pytest.mark.parametrize(
    "disturbance", [np.inf, -np.inf, np.nan, 1e290, -1.7e308], ids=["inf", "-inf", "nan", "1e290", "near overflow"]
)
def test_infinite_changes_reach_every_entry(disturbance):
    """inf, NaN and overflow in the same entries as when every entry is updated at every step."""
    for seed in range(10):
        visits, increments, changes = random_steps(60, seed)
        changes[40:43] = disturbance
        weights, *_ = put_off_updates(visits, increments, changes, 0.7)
        expected, _ = updates_at_once(visits, increments, changes, 0.7)
        assert (np.isnan(weights) == np.isnan(expected)).all()
        finite = np.isfinite(expected)
        assert (np.isinf(weights) == np.isinf(expected)).all()
        np.testing.assert_array_equal(weights[np.isinf(expected)], expected[np.isinf(expected)])
        np.testing.assert_allclose(weights[finite], expected[finite], rtol=1e-10, atol=1e-10)
        if not np.isfinite(disturbance):
            assert np.isnan(expected[-1]).all()  # 0 * inf in a state never visited


def test_a_trace_of_nan_needs_a_change_to_spread():
    visits = np.array([1, 2, 1, 3])
    increments = np.ones((4, COLUMNS))
    increments[0] = np.nan
    for changes, nan_in_weights in ((np.zeros(4), False), (np.array([0.0, 0.0, 0.0, 1.0]), True)):
        weights, *_ = put_off_updates(visits, increments, changes, 0.5)
        assert np.isnan(weights[1]).all() == nan_in_weights
        assert not np.isnan(weights[[0, 2, 3]]).any()
