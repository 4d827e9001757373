"""Agents with linear functions against plain NumPy that updates every entry at every step, fed the same random numbers.

Sums in another order differ by rounding, so returns agree to the last bit unless rounding decides what is done. That
happens where numbers grow, or learning is chaotic; it shows when the plain agent takes its features backwards.
"""

import numpy as np
import pytest
from numba import njit
from support import plain_agents as plain

from surefoot.simulation.agents import actor_critic, linear_actor_critic, linear_sarsa, sarsa
from surefoot.simulation.agents.kernels import simulator
from surefoot.simulation.definitions import actor_critic as actor_critic_definition
from surefoot.simulation.definitions import sarsa as sarsa_definition
from surefoot.simulation.environments import chain
from surefoot.simulation.protocol import ContinuousEnvironment
from surefoot.streams import below, stream_key, uniform

KEY = stream_key(6, "linear agents")
STEP_LIMIT = 30


@njit
def perturb_slope(parameters, stream):
    parameters[0] = 0.05 + 0.1 * uniform(stream)


@njit
def reset_slope(parameters, state, stream):
    state[0], state[1] = -0.5, 0.1


@njit
def step_slope(parameters, state, action, steps, stream):
    """Push a point up a slope or down; its second number is noise, and leaves the range of the features."""
    state[0] += parameters[0] * (action - 1) + 0.1 * (uniform(stream) - 0.5)
    state[1] = 3.0 * uniform(stream) - 1.0
    return -1.0 - state[0] ** 2, state[0] > 0.5 or steps + 1 >= STEP_LIMIT


def slope(actions=3):
    """Actions beyond the third push farther."""
    return ContinuousEnvironment(actions, (-1.0, 0.0), (1.0, 1.0), (0.0,), perturb_slope, reset_slope, step_slope)


@njit
def draw_learning(hyperparameters, dimensions, actions, stream):
    """Orders up to 4, step sizes of which most teach something within a few episodes."""
    hyperparameters[0] = 0.9 + 0.1 * uniform(stream)
    hyperparameters[1] = uniform(stream)
    hyperparameters[2] = 0.3 * uniform(stream)
    hyperparameters[3] = 0.001 + 0.02 * uniform(stream)
    hyperparameters[4] = below(stream, 4)
    hyperparameters[5] = 1 + below(stream, 4)


@njit
def draw_learning_slowly(hyperparameters, dimensions, actions, stream):
    """For actor-critics, whose trials amplify rounding where policies change quickly."""
    draw_learning(hyperparameters, dimensions, actions, stream)
    hyperparameters[2] *= 0.05


@njit
def draw_divergent(hyperparameters, dimensions, actions, stream):
    """Step sizes from 1 to 1e250, of which most diverge, some at once."""
    draw_learning(hyperparameters, dimensions, actions, stream)
    hyperparameters[3] = 10.0 ** (250.0 * uniform(stream) ** 3)


@njit
def draw_divergent_policy(hyperparameters, dimensions, actions, stream):
    """The same for both step sizes of actor-critics."""
    draw_divergent(hyperparameters, dimensions, actions, stream)
    hyperparameters[2] = 10.0 ** (250.0 * uniform(stream) ** 3)


def both(agent, plain_trial, draw, trials, episodes, actions, *options):
    """(performances of the compiled agent, of the plain one, final weights), without trials that rounding decides."""
    given = slope(actions), draw, KEY, trials, episodes, *options
    ours, theirs, finals = plain.both(agent, plain_trial, *given)
    reordered, _ = plain.trials(agent, plain_trial, *given, backwards=True)
    clear = theirs == reordered
    return ours[clear], theirs[clear], [final for final, kept in zip(finals, clear, strict=True) if kept]


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
