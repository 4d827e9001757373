"""PPO over tables against plain NumPy that updates every entry at every step."""

import numpy as np
import pytest
from numba import njit
from support import plain_agents as plain
from support.policy_trials import CHAIN, GRIDWORLD, KEY, weights_of_equal_trials

from surefoot.simulation.agents import ppo
from surefoot.simulation.agents.hyperparameter_distributions import unit_uniform


@njit
def draw_divergent_ppo(hyperparameters, stream):
    """Steps of Adam so long that squares of errors overflow."""
    ppo.draw_tabular(hyperparameters, stream)
    hyperparameters[ppo.STEP_SIZE] = 10.0 ** (308.0 * unit_uniform(stream))


@pytest.mark.parametrize("world", [CHAIN, GRIDWORLD])
def test_ppo_as_defined(world):
    weights, different = weights_of_equal_trials(ppo, plain.ppo_trial, world, ppo.draw_tabular, KEY, 6, 30)
    assert different == 6
    assert sum((final != 0).any() for final in weights) > 3


@pytest.mark.parametrize("world", [CHAIN, GRIDWORLD])
def test_divergence_of_ppo(world):
    weights, _ = weights_of_equal_trials(ppo, plain.ppo_trial, world, draw_divergent_ppo, KEY, 8, 15)
    # No NaN: where a square overflows, Adam divides by infinity and the weight stays.
    assert sum(np.abs(final).max() > 1e100 for final in weights) > 3
