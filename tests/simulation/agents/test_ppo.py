"""PPO, over tables and over a Fourier basis, against plain NumPy that updates every entry at every step."""

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

from surefoot.simulation.agents import linear_ppo, ppo
from surefoot.simulation.definitions import ppo as ppo_definition
from surefoot.simulation.definitions.distributions import unit_uniform


@njit
def draw_divergent_ppo(hyperparameters, stream):
    """Steps of Adam so long that squares of errors overflow."""
    ppo_definition.draw_tabular(hyperparameters, stream)
    hyperparameters[ppo.STEP_SIZE] = 10.0 ** (308.0 * unit_uniform(stream))


@njit
def draw_linear_ppo(hyperparameters, dimensions, actions, stream):
    """A step size ten times that of the definition, and few epochs for the plain agent's sake."""
    ppo_definition.draw_linear(hyperparameters, dimensions, actions, stream)
    lower_orders(hyperparameters, linear_ppo.DEPENDENT_ORDER)
    hyperparameters[ppo.STEP_SIZE] *= 10.0
    hyperparameters[ppo.EPOCHS] = 1.0 + hyperparameters[ppo.EPOCHS] % 3


@pytest.mark.parametrize("world", [CHAIN, GRIDWORLD, CART_POLE, MOUNTAIN_CAR])
def test_ppo_as_defined(world):
    table = world in (CHAIN, GRIDWORLD)
    given = (ppo_definition.draw_tabular, KEY, 6, 30) if table else (draw_linear_ppo, KEY, 6, 16)
    weights, different = weights_of_equal_trials(ppo if table else linear_ppo, plain.ppo_trial, world, *given)
    assert different == 6
    assert sum((final != 0).any() for final in weights) > 3


@pytest.mark.parametrize("world", [CHAIN, GRIDWORLD])
def test_divergence_of_ppo(world):
    weights, _ = weights_of_equal_trials(ppo, plain.ppo_trial, world, draw_divergent_ppo, KEY, 8, 15)
    # No NaN: where a square overflows, Adam divides by infinity and the weight stays.
    assert sum(np.abs(final).max() > 1e100 for final in weights) > 3
