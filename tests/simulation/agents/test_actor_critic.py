"""The actor-critic against plain Python that updates every entry at every step."""

import numpy as np
import pytest
from numba import njit
from support import plain_agents as plain

from surefoot.simulation.agents import actor_critic
from surefoot.simulation.definitions import actor_critic as actor_critic_definition
from surefoot.simulation.environments import chain, gridworld
from surefoot.streams import stream_key, uniform

KEY = stream_key(5, "agents")


@njit
def draw_divergent(hyperparameters, stream):
    """Step sizes from 1 to 1e250, all of which diverge, some at once; both for Sarsa and the actor-critic."""
    hyperparameters[0] = 0.9 + 0.1 * uniform(stream)
    hyperparameters[1] = uniform(stream)
    hyperparameters[2] = 0.3 * uniform(stream)
    hyperparameters[3] = 10.0 ** (250.0 * uniform(stream) ** 3)


SHORT_CHAIN, SLIPPERY_CHAIN = (chain.environment(length=5, stochastic=stochastic) for stochastic in (False, True))
SLIPPERY_GRID = gridworld.environment(size=3, stochastic=True)


@pytest.mark.parametrize("environment", [SHORT_CHAIN, SLIPPERY_GRID], ids=["chain", "grid"])
@pytest.mark.parametrize("adaptive", [False, True])
def test_actor_critic_as_defined(environment, adaptive):
    definition = actor_critic_definition
    draw = definition.draw_tabular_adaptive if adaptive else definition.draw_tabular
    ours, theirs, _ = plain.both(actor_critic, plain.actor_critic_trial, environment, draw, KEY, 12, 15, adaptive, 0.7)
    np.testing.assert_array_equal(ours, theirs)
    assert len(set(ours)) > 6


@pytest.mark.parametrize("environment", [SLIPPERY_CHAIN, SLIPPERY_GRID], ids=["chain", "grid"])
@pytest.mark.parametrize("adaptive", [False, True])
def test_divergence_of_the_actor_critic(environment, adaptive):
    given = environment, draw_divergent, KEY, 40, 12, adaptive, 1.0
    ours, theirs, weights = plain.both(actor_critic, plain.actor_critic_trial, *given)
    np.testing.assert_array_equal(ours, theirs)
    assert np.isfinite(ours).all()
    if not adaptive:  # Parl2 lowers even such a step size at the first step
        assert sum(np.isnan(final).any() for final in weights) > 10
