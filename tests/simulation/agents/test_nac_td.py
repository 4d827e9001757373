"""NAC-TD, over tables and over a Fourier basis, against plain NumPy that updates every entry at every step,
with cosines one by one and the same random numbers.

The order of additions differs, so weights agree to rounding; returns agree, for a number drawn falls between two bounds
that differ by rounding with a probability far below 1e-9 a step.
"""

import numpy as np
import pytest
from numba import njit
from support import plain_agents as plain
from support.policy_trials import (
    CART_POLE,
    CHAIN,
    GRIDWORLD,
    KEY,
    MOUNTAIN_CAR,
    lower_orders,
    weights_of_equal_trials,
)

from surefoot.simulation.agents import nac_td
from surefoot.simulation.agents.hyperparameter_distributions import unit_uniform


@njit
def draw_divergent(hyperparameters, stream):
    """Step sizes of the values and advantages from 1 to 1e250, all of which diverge, some at once."""
    nac_td.draw_tabular(hyperparameters, stream)
    hyperparameters[nac_td.VALUE_STEP_SIZE] = 10.0 ** (250.0 * unit_uniform(stream) ** 3)
    hyperparameters[nac_td.ADVANTAGE_STEP_SIZE] = 10.0 ** (250.0 * unit_uniform(stream) ** 3)


@njit
def draw_linear(hyperparameters, dimensions, actions, stream):
    """Step sizes ten times those of the definition: something is learnt in a few steps."""
    nac_td.draw_linear(hyperparameters, dimensions, actions, stream)
    lower_orders(hyperparameters, nac_td.DEPENDENT_ORDER)
    for column in (nac_td.POLICY_STEP_SIZE, nac_td.VALUE_STEP_SIZE, nac_td.ADVANTAGE_STEP_SIZE):
        hyperparameters[column] *= 10.0


@njit
def draw_divergent_linear(hyperparameters, dimensions, actions, stream):
    """Step sizes of the values and advantages from 1e-5 to 1e200."""
    draw_linear(hyperparameters, dimensions, actions, stream)
    hyperparameters[nac_td.POLICY_STEP_SIZE] /= 10.0
    hyperparameters[nac_td.VALUE_STEP_SIZE] = 10.0 ** (-5.0 + 205.0 * unit_uniform(stream) ** 3)
    hyperparameters[nac_td.ADVANTAGE_STEP_SIZE] = 10.0 ** (-5.0 + 205.0 * unit_uniform(stream) ** 3)


@pytest.mark.parametrize("world", [CHAIN, GRIDWORLD, CART_POLE, MOUNTAIN_CAR])
def test_nac_td_as_defined(world):
    table = world in (CHAIN, GRIDWORLD)
    given = (nac_td.draw_tabular, KEY, 15, 15) if table else (draw_linear, KEY, 8, 10)
    weights, different = weights_of_equal_trials(nac_td, plain.nac_td_trial, world, *given)
    assert different > 10 if table else different == 8
    assert all(np.isfinite(final).all() for final in weights)


@pytest.mark.parametrize("world", [CHAIN, GRIDWORLD, CART_POLE, MOUNTAIN_CAR])
def test_divergence_of_nac_td(world):
    """To inf and NaN and on, over a basis with action 0 for ever: nothing stops a trial."""
    table = world in (CHAIN, GRIDWORLD)
    given = (draw_divergent, KEY, 40, 12) if table else (draw_divergent_linear, KEY, 25, 8)
    weights, _ = weights_of_equal_trials(nac_td, plain.nac_td_trial, world, *given)
    assert sum(np.isnan(final).any() for final in weights) > (10 if table else 8)
    assert sum(np.isfinite(final).all() for final in weights) > (3 if table else 0)


def test_the_norm_neither_overflows_nor_underflows():
    for weights, expected in [
        ([3.0, -4.0], 5.0),
        ([3e200, -4e200], 5e200),
        ([3e-200, 4e-200], 5e-200),
        ([0.0, 0.0], 0.0),
        ([1.0, -np.inf], np.inf),
        ([np.inf, np.nan, 1.0], np.nan),
    ]:
        weights = np.array(weights)  # noqa: PLW2901
        with np.errstate(over="ignore", under="ignore"):
            squares = (weights**2).sum()
        np.testing.assert_allclose(nac_td.norm(weights, squares), expected, rtol=1e-15)
