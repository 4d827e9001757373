"""PPO over a Fourier basis against plain NumPy that updates every entry at every step."""

import pytest
from numba import njit
from support import plain_agents as plain
from support.policy_trials import CART_POLE, KEY, MOUNTAIN_CAR, lower_orders, weights_of_equal_trials

from surefoot.simulation.agents import linear_ppo, ppo


@njit
def draw_linear_ppo(hyperparameters, dimensions, actions, stream):
    """A step size ten times that of the definition, and few epochs for the plain agent's sake."""
    ppo.draw_linear(hyperparameters, dimensions, actions, stream)
    lower_orders(hyperparameters, linear_ppo.DEPENDENT_ORDER)
    hyperparameters[linear_ppo.STEP_SIZE] *= 10.0
    hyperparameters[linear_ppo.EPOCHS] = 1.0 + hyperparameters[linear_ppo.EPOCHS] % 3


@pytest.mark.parametrize("world", [CART_POLE, MOUNTAIN_CAR])
def test_linear_ppo_as_defined(world):
    weights, different = weights_of_equal_trials(linear_ppo, plain.ppo_trial, world, draw_linear_ppo, KEY, 6, 16)
    assert different == 6
    assert sum((final != 0).any() for final in weights) > 3
