"""NAC-TD and PPO over a Fourier basis against plain NumPy with cosines one by one, same random numbers.

The order of additions differs, so returns agree exactly unless a number drawn falls between two bounds that differ by
rounding, with a probability far below 1e-9 a step.
"""

import numpy as np
import pytest
import reference_trials as plain
from numba import njit

from surefoot.simulation.agents import linear_nac_td, linear_ppo
from surefoot.simulation.definitions import nac_td as nac_td_definition
from surefoot.simulation.definitions import ppo as ppo_definition
from surefoot.simulation.environments import cart_pole, mountain_car
from surefoot.streams import stream_key, uniform

KEY = stream_key(6, "linear policy agents")


@njit
def short_step(parameters, state, action, steps, stream):
    """Mountain car with episodes of 60 steps, and a reward that depends on the velocity."""
    _, terminal = mountain_car.step(parameters, state, action, steps, stream)
    return -1.0 + 10.0 * abs(state[1]), terminal or steps >= 59


WORLDS = [cart_pole.environment(), mountain_car.environment()._replace(step=short_step)]
IDS = ["cart_pole", "mountain_car"]


@njit
def lower_orders(hyperparameters, place):
    """Lower the orders at this place, for the plain agent's sake: at most 3 and 4."""
    hyperparameters[place] = hyperparameters[place] % 4
    hyperparameters[place + 1] = hyperparameters[place + 1] % 5


@njit
def draw_fast(hyperparameters, dimensions, actions, stream):
    """Step sizes ten times those of the definition: something is learnt in a few steps."""
    nac_td_definition.draw_linear(hyperparameters, dimensions, actions, stream)
    lower_orders(hyperparameters, linear_nac_td.DEPENDENT_ORDER)
    for column in (linear_nac_td.POLICY_STEP_SIZE, linear_nac_td.VALUE_STEP_SIZE, linear_nac_td.ADVANTAGE_STEP_SIZE):
        hyperparameters[column] *= 10.0


@njit
def draw_divergent(hyperparameters, dimensions, actions, stream):
    """Step sizes of the values and advantages from 1e-5 to 1e200."""
    nac_td_definition.draw_linear(hyperparameters, dimensions, actions, stream)
    lower_orders(hyperparameters, linear_nac_td.DEPENDENT_ORDER)
    hyperparameters[linear_nac_td.VALUE_STEP_SIZE] = 10.0 ** (-5.0 + 205.0 * uniform(stream) ** 3)
    hyperparameters[linear_nac_td.ADVANTAGE_STEP_SIZE] = 10.0 ** (-5.0 + 205.0 * uniform(stream) ** 3)


@pytest.mark.parametrize("world", WORLDS, ids=IDS)
def test_nac_td_as_defined(world):
    ours, theirs, weights = plain.both(linear_nac_td, plain.nac_td_trial, world, draw_fast, KEY, 8, 10)
    np.testing.assert_allclose(ours, theirs, rtol=1e-9)
    assert len(set(ours)) == 8
    assert all(np.isfinite(final).all() for final in weights)


@pytest.mark.parametrize("world", WORLDS, ids=IDS)
def test_divergence_of_nac_td(world):
    """To inf and NaN, and then action 0 for ever."""
    ours, theirs, weights = plain.both(linear_nac_td, plain.nac_td_trial, world, draw_divergent, KEY, 25, 8)
    np.testing.assert_allclose(ours, theirs, rtol=1e-9)
    assert np.isfinite(ours).all()
    assert sum(np.isnan(final).any() for final in weights) > 8
    assert sum(np.isfinite(final).all() for final in weights) > 0


@njit
def draw_fast_ppo(hyperparameters, dimensions, actions, stream):
    """A step size ten times that of the definition, and few epochs for the plain agent's sake."""
    ppo_definition.draw_linear(hyperparameters, dimensions, actions, stream)
    lower_orders(hyperparameters, linear_ppo.DEPENDENT_ORDER)
    hyperparameters[linear_ppo.STEP_SIZE] *= 10.0
    hyperparameters[linear_ppo.EPOCHS] = 1.0 + hyperparameters[linear_ppo.EPOCHS] % 3


@pytest.mark.parametrize("world", WORLDS, ids=IDS)
def test_ppo_as_defined(world):
    ours, theirs, weights = plain.both(linear_ppo, plain.ppo_trial, world, draw_fast_ppo, KEY, 6, 16)
    np.testing.assert_allclose(ours, theirs, rtol=1e-9)
    assert len(set(ours)) == 6
    assert sum((final != 0).any() for final in weights) > 3
