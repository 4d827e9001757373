"""Agents with linear functions against plain NumPy that updates every entry at every step, fed the same random numbers.

Sums in another order differ by rounding, so returns agree to the last bit unless rounding decides what is done. That
happens where numbers grow, or learning is chaotic; it shows when the plain agent takes its features backwards.
"""

import numpy as np
import pytest
from support import plain_agents as plain
from support.slope import (
    KEY,
    both,
    draw_divergent,
    draw_learning,
    slope,
)

from surefoot.simulation.agents import actor_critic, linear_actor_critic, linear_sarsa, sarsa
from surefoot.simulation.agents.kernels import simulator
from surefoot.simulation.definitions import actor_critic as actor_critic_definition
from surefoot.simulation.definitions import sarsa as sarsa_definition
from surefoot.simulation.environments import chain


@pytest.mark.parametrize(
    ("actions", "off_policy", "adaptive"), [(2, False, False), (5, True, False), (5, False, True), (2, True, True)]
)
def test_sarsa_and_q_as_defined(actions, off_policy, adaptive):
    options = off_policy, adaptive, 0.7
    ours, theirs, _ = both(linear_sarsa, plain.sarsa_trial, draw_learning, 25, 12, actions, *options)
    np.testing.assert_array_equal(ours, theirs)
    assert len(set(ours)) >= 23


@pytest.mark.parametrize("off_policy", [False, True])
@pytest.mark.parametrize("adaptive", [False, True])
def test_divergence_of_sarsa_and_q(off_policy, adaptive):
    """To inf and NaN and on: nothing stops a trial."""
    options = off_policy, adaptive, 1.0
    ours, theirs, finals = both(linear_sarsa, plain.sarsa_trial, draw_divergent, 40, 12, 3, *options)
    weights = [final for final, _ in finals]
    np.testing.assert_array_equal(ours, theirs)
    assert np.isfinite(ours).all()
    assert len(ours) >= 33
    if not adaptive:  # Parl2 lowers even such a step size at the first step
        assert sum(np.isinf(final).any() for final in weights) > 8
        assert sum(np.isnan(final).any() for final in weights) > 8
        assert sum(np.isnan(final[:, 0]).any() for final in weights) > 1


@pytest.mark.parametrize(
    ("arguments", "draw"),
    [
        ({"adaptive": False}, "draw_tabular"),
        ({"adaptive": True, "fraction": 0.1}, "draw_tabular_adaptive"),
        ({"adaptive": False}, "draw_linear"),
        ({"adaptive": False, "scaled": True}, "draw_scaled"),
        ({"adaptive": True, "fraction": 0.1}, "draw_linear_adaptive"),
    ],
)
@pytest.mark.parametrize("target", ["sarsa", "q", None])
def test_a_definition_makes_the_agent_that_its_name_says(target, arguments, draw):
    definition = sarsa_definition if target else actor_critic_definition
    options = arguments["adaptive"], arguments.get("fraction", 1.0)
    options = (target == "q", *options) if target else options
    if "tabular" in draw:
        world, make = chain.environment(length=5, stochastic=True), definition.tabular
        trial = (sarsa if target else actor_critic).trial_with(world.actions)
    else:
        world, make = slope(), definition.linear
        trial = (linear_sarsa if target else linear_actor_critic).trial
    by_name, directly = np.empty(20), np.empty(20)
    make(world, *([target] if target else []), **arguments)(by_name, 12, KEY, 3)
    simulator(trial, world, getattr(definition, draw), *options)(directly, 12, KEY, 3)
    np.testing.assert_array_equal(by_name, directly)
