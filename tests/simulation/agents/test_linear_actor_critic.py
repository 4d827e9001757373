"""The linear actor-critic against plain NumPy that updates every entry at every step."""

import numpy as np
import pytest
from numba import njit
from support import plain_agents as plain
from support.slope import (
    both,
    draw_divergent,
    draw_learning,
)

from surefoot.simulation.agents import linear_actor_critic
from surefoot.simulation.definitions.distributions import unit_uniform


@njit
def draw_learning_slowly(hyperparameters, dimensions, actions, stream):
    """For actor-critics, whose trials amplify rounding where policies change quickly."""
    draw_learning(hyperparameters, dimensions, actions, stream)
    hyperparameters[2] *= 0.05


@njit
def draw_divergent_policy(hyperparameters, dimensions, actions, stream):
    """The same for both step sizes of actor-critics."""
    draw_divergent(hyperparameters, dimensions, actions, stream)
    hyperparameters[2] = 10.0 ** (250.0 * unit_uniform(stream) ** 3)


@pytest.mark.parametrize(("actions", "adaptive"), [(2, True), (5, False)])
def test_actor_critic_as_defined(actions, adaptive):
    ours, theirs, _ = both(
        linear_actor_critic, plain.actor_critic_trial, draw_learning_slowly, 25, 12, actions, adaptive, 0.7
    )
    np.testing.assert_array_equal(ours, theirs)
    assert len(set(ours)) >= 23


@pytest.mark.parametrize(("actions", "adaptive"), [(2, True), (5, False)])
def test_divergence_of_the_actor_critic(actions, adaptive):
    ours, theirs, weights = both(
        linear_actor_critic, plain.actor_critic_trial, draw_divergent_policy, 40, 12, actions, adaptive, 1.0
    )
    np.testing.assert_array_equal(ours, theirs)
    assert len(ours) >= 33
    assert np.isfinite(ours).all()
    if not adaptive:
        assert sum(np.isinf(final).any() for final in weights) > 5
        assert sum(np.isnan(final).any() for final in weights) > 5
