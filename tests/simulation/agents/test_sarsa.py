"""Sarsa and Q, over tables and over a Fourier basis, against plain NumPy that updates every entry at every step.

Putting updates off changes the order of additions, so weights agree to rounding, and returns agree exactly unless
rounding decides: where two actions of a state have histories so alike that their values are equal, or nearly. The
plain agents over tables know how close their choices were; trials without a close one must agree to the last bit. Over
a basis, rounding also decides where numbers grow, or learning is chaotic; it shows when the plain agent takes its
features backwards. Both agents are fed the same random numbers.
"""

import numpy as np
import pytest
from support import plain_agents as plain
from support import slope
from support.plain_agents import SHORT_CHAIN, SLIPPERY_CHAIN, SLIPPERY_GRID, draw_divergent

from surefoot.simulation.agents import actor_critic, sarsa
from surefoot.simulation.agents.agent_kernels import simulator
from surefoot.simulation.environments import chain
from surefoot.streams import stream_key

KEY = stream_key(5, "agents")


CLOSE = 1e-9


def both_without_close_choices(*given):
    """Performances of Sarsa or Q and of the plain version, and its final weights, of trials without a close choice."""
    ours, theirs, finals = plain.both(sarsa, plain.sarsa_trial, *given)
    clear = np.array([margin >= CLOSE for _, margin in finals])
    return ours[clear], theirs[clear], [weights for weights, margin in finals if margin >= CLOSE]


@pytest.mark.parametrize(("environment", "clear"), [(SHORT_CHAIN, 50), (SLIPPERY_GRID, 5)], ids=["chain", "grid"])
@pytest.mark.parametrize("off_policy", [False, True])
@pytest.mark.parametrize("adaptive", [False, True])
def test_sarsa_and_q_as_defined(environment, clear, off_policy, adaptive):
    draw = sarsa.draw_tabular_adaptive if adaptive else sarsa.draw_tabular
    ours, theirs, _ = both_without_close_choices(environment, draw, KEY, 60, 12, off_policy, adaptive, 0.7)
    np.testing.assert_array_equal(ours, theirs)
    assert len(ours) >= clear
    assert len(set(ours)) >= 5


@pytest.mark.parametrize("environment", [SLIPPERY_CHAIN, SLIPPERY_GRID], ids=["chain", "grid"])
@pytest.mark.parametrize("off_policy", [False, True])
def test_divergence_of_sarsa_and_q(environment, off_policy):
    """To inf and NaN and on: nothing stops a trial."""
    ours, theirs, weights = both_without_close_choices(environment, draw_divergent, KEY, 60, 12, off_policy, False, 1.0)
    np.testing.assert_array_equal(ours, theirs)
    assert np.isfinite(ours).all()
    assert sum(np.isnan(final).all() for final in weights) > 5
    assert sum(np.isnan(final).any() for final in weights) > 10


@pytest.mark.parametrize(
    ("actions", "off_policy", "adaptive"), [(2, False, False), (5, True, False), (5, False, True), (2, True, True)]
)
def test_linear_sarsa_and_q_as_defined(actions, off_policy, adaptive):
    options = off_policy, adaptive, 0.7
    ours, theirs, _ = slope.both(sarsa, plain.sarsa_trial, slope.draw_learning, 25, 12, actions, *options)
    np.testing.assert_array_equal(ours, theirs)
    assert len(set(ours)) >= 23


@pytest.mark.parametrize("off_policy", [False, True])
@pytest.mark.parametrize("adaptive", [False, True])
def test_divergence_of_linear_sarsa_and_q(off_policy, adaptive):
    """To inf and NaN and on: nothing stops a trial."""
    options = off_policy, adaptive, 1.0
    ours, theirs, finals = slope.both(sarsa, plain.sarsa_trial, slope.draw_divergent, 40, 12, 3, *options)
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
    definition = sarsa if target else actor_critic
    options = arguments["adaptive"], arguments.get("fraction", 1.0)
    options = (target == "q", *options) if target else options
    if "tabular" in draw:
        world, make = chain.environment(length=5, stochastic=True), definition.tabular
        trial = definition.trial_with(world.actions)
    else:
        world, make = slope.slope(), definition.linear
        trial = definition.linear_trial
    by_name, directly = np.empty(20), np.empty(20)
    make(world, *([target] if target else []), **arguments)(by_name, 12, slope.KEY, 3)
    simulator(trial, world, getattr(definition, draw), *options)(directly, 12, slope.KEY, 3)
    np.testing.assert_array_equal(by_name, directly)
