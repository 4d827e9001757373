"""The actor-critic, over tables and a Fourier basis, against plain NumPy that updates every entry at every step."""

import numpy as np
import pytest
from numba import njit
from support import plain_agents as plain
from support import slope
from support.plain_agents import SHORT_CHAIN, SLIPPERY_CHAIN, SLIPPERY_GRID, draw_divergent

from surefoot.simulation.agents import actor_critic
from surefoot.simulation.agents.hyperparameter_distributions import unit_uniform
from surefoot.streams import stream_key

KEY = stream_key(5, "agents")


@pytest.mark.parametrize("environment", [SHORT_CHAIN, SLIPPERY_GRID], ids=["chain", "grid"])
@pytest.mark.parametrize("adaptive", [False, True])
def test_actor_critic_as_defined(environment, adaptive):
    draw = actor_critic.draw_tabular_adaptive if adaptive else actor_critic.draw_tabular
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


@njit
def draw_learning_slowly(hyperparameters, dimensions, actions, stream):
    """For actor-critics, whose trials amplify rounding where policies change quickly."""
    slope.draw_learning(hyperparameters, dimensions, actions, stream)
    hyperparameters[2] *= 0.05


@njit
def draw_divergent_policy(hyperparameters, dimensions, actions, stream):
    """The same for both step sizes of actor-critics."""
    slope.draw_divergent(hyperparameters, dimensions, actions, stream)
    hyperparameters[2] = 10.0 ** (250.0 * unit_uniform(stream) ** 3)


@pytest.mark.parametrize(("actions", "adaptive"), [(2, True), (5, False)])
def test_linear_actor_critic_as_defined(actions, adaptive):
    ours, theirs, _ = slope.both(
        actor_critic, plain.actor_critic_trial, draw_learning_slowly, 25, 12, actions, adaptive, 0.7
    )
    np.testing.assert_array_equal(ours, theirs)
    assert len(set(ours)) >= 23


@pytest.mark.parametrize(("actions", "adaptive"), [(2, True), (5, False)])
def test_divergence_of_the_linear_actor_critic(actions, adaptive):
    ours, theirs, weights = slope.both(
        actor_critic, plain.actor_critic_trial, draw_divergent_policy, 40, 12, actions, adaptive, 1.0
    )
    np.testing.assert_array_equal(ours, theirs)
    assert len(ours) >= 33
    assert np.isfinite(ours).all()
    if not adaptive:
        assert sum(np.isinf(final).any() for final in weights) > 5
        assert sum(np.isnan(final).any() for final in weights) > 5
