"""Small environments for agents with policies, and comparisons of their trials with a plain agent's."""

import numpy as np
from numba import njit
from support import plain_agents as plain

from surefoot.simulation.environments import cart_pole, chain, gridworld, mountain_car
from surefoot.simulation.trial_protocol import DiscreteEnvironment
from surefoot.streams import stream_key

KEY = stream_key(6, "policy agents")


@njit
def short_step(parameters, state, action, steps, stream):
    """Take a step of the mountain car, with episodes of 60 steps and a reward that depends on the velocity."""
    _, terminal = mountain_car.step(parameters, state, action, steps, stream)
    return -1.0 + 10.0 * abs(state[1]), terminal or steps >= 59


CHAIN = chain.environment(length=5, stochastic=True)
GRIDWORLD = gridworld.environment(size=3, stochastic=False)
CART_POLE = cart_pole.environment()
MOUNTAIN_CAR = mountain_car.environment()._replace(step=short_step)


@njit
def lower_orders(hyperparameters, place):
    """Lower the orders at index `place` to at most 3 and 4, since the plain agent is slow."""
    hyperparameters[place] = hyperparameters[place] % 4
    hyperparameters[place + 1] = hyperparameters[place + 1] % 5


def weights_of_equal_trials(agent, plain_trial, environment, *given):
    """Check that returns are finite and equal for plain and compiled trials.

    Return the final weights of the plain trials, and the number of distinct returns.
    """
    ours, theirs, weights = plain.both(agent, plain_trial, environment, *given)
    np.testing.assert_allclose(ours, theirs, rtol=0 if isinstance(environment, DiscreteEnvironment) else 1e-9)
    assert np.isfinite(ours).all()
    return weights, len(set(ours))
