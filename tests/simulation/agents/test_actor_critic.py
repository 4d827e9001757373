"""The actor-critic against plain Python that updates every entry at every step."""

import numpy as np
import pytest
from support import plain_agents as plain
from support.plain_agents import SHORT_CHAIN, SLIPPERY_CHAIN, SLIPPERY_GRID, draw_divergent

from surefoot.simulation.agents import actor_critic
from surefoot.simulation.definitions import actor_critic as actor_critic_definition
from surefoot.streams import stream_key

KEY = stream_key(5, "agents")


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
