"""Agents against plain Python that updates every entry at every step, fed with the same random numbers.

Putting updates off changes the order of additions, so weights agree to rounding, and returns agree exactly unless
rounding decides: where two actions of a state have histories so alike that their values are equal, or nearly. The
plain agents know how close their choices were; trials without a close one must agree to the last bit.
"""

import numpy as np
import pytest
import reference_trials
from numba import njit
from reference_trials import actor_critic_trial, chain_step, gridworld_step, sarsa_trial

from surefoot.simulation.agents import actor_critic, sarsa
from surefoot.simulation.agents.kernels import simulator
from surefoot.simulation.definitions import actor_critic as actor_critic_definition
from surefoot.simulation.definitions import sarsa as sarsa_definition
from surefoot.simulation.environments import chain, gridworld
from surefoot.streams import stream_key, uniform

KEY = stream_key(5, "agents")


CLOSE = 1e-9


@njit
def draw_divergent(hyperparameters, stream):
    """Step sizes from 1 to 1e250, all of which diverge, some at once; both for Sarsa and the actor-critic."""
    hyperparameters[0] = 0.9 + 0.1 * uniform(stream)
    hyperparameters[1] = uniform(stream)
    hyperparameters[2] = 0.3 * uniform(stream)
    hyperparameters[3] = 10.0 ** (250.0 * uniform(stream) ** 3)


def short_chain(stochastic):
    return chain.environment(length=5, stochastic=stochastic), lambda *now: chain_step(5, *now)


def small_grid(stochastic):
    return gridworld.environment(size=3, stochastic=stochastic), lambda *now: gridworld_step(3, *now)


def both(agent, plain_trial, world, stochastic, draw, trials, episodes, *options):
    """(performances of the compiled agent, of the plain one, final weights, which trials had a close choice)."""
    environment, plain_step = world(stochastic)
    ours = np.empty(trials)
    steps = simulator(agent.trials_with(environment.actions), environment, draw, *options)(ours, episodes, KEY, 11)
    assert steps >= trials * episodes
    theirs, weights, margins = reference_trials.trials(
        environment, plain_step, stochastic, draw, plain_trial, KEY, 11, trials, episodes, options
    )
    return ours, theirs, weights, margins < CLOSE


@pytest.mark.parametrize(("world", "stochastic"), [(short_chain, False), (small_grid, True)])
@pytest.mark.parametrize("off_policy", [False, True])
@pytest.mark.parametrize("adaptive", [False, True])
def test_sarsa_and_q_as_defined(world, stochastic, off_policy, adaptive):
    draw = sarsa_definition.draw_tabular_adaptive if adaptive else sarsa_definition.draw_tabular
    options = off_policy, adaptive, 0.7
    ours, theirs, _, close = both(sarsa, sarsa_trial, world, stochastic, draw, 60, 12, *options)
    np.testing.assert_array_equal(ours[~close], theirs[~close])
    assert (~close).sum() >= (50 if world is short_chain else 5)
    assert len(set(ours[~close])) >= 5


@pytest.mark.parametrize(("target", "off_policy"), [("sarsa", False), ("q", True)])
@pytest.mark.parametrize("adaptive", [False, True])
def test_the_definition_makes_the_agent_that_its_name_says(target, off_policy, adaptive):
    draw = sarsa_definition.draw_tabular_adaptive if adaptive else sarsa_definition.draw_tabular
    environment, _ = small_grid(True)
    by_name, directly = np.empty(20), np.empty(20)
    sarsa_definition.tabular(environment, target, adaptive)(by_name, 12, KEY, 3)
    simulator(sarsa.trials_with(environment.actions), environment, draw, off_policy, adaptive, 1.0)(
        directly, 12, KEY, 3
    )
    np.testing.assert_array_equal(by_name, directly)


@pytest.mark.parametrize(("world", "stochastic"), [(short_chain, False), (small_grid, True)])
@pytest.mark.parametrize("adaptive", [False, True])
def test_actor_critic_as_defined(world, stochastic, adaptive):
    definition = actor_critic_definition
    draw = definition.draw_tabular_adaptive if adaptive else definition.draw_tabular
    ours, theirs, _, _ = both(actor_critic, actor_critic_trial, world, stochastic, draw, 12, 15, adaptive, 0.7)
    np.testing.assert_array_equal(ours, theirs)
    assert len(set(ours)) > 6


@pytest.mark.parametrize("world", [short_chain, small_grid])
@pytest.mark.parametrize("off_policy", [False, True])
def test_divergence_of_sarsa_and_q(world, off_policy):
    """To inf and NaN and on: nothing stops a trial."""
    options = off_policy, False, 1.0
    ours, theirs, weights, close = both(sarsa, sarsa_trial, world, True, draw_divergent, 60, 12, *options)
    np.testing.assert_array_equal(ours[~close], theirs[~close])
    weights = [final for final, excluded in zip(weights, close, strict=True) if not excluded]
    assert np.isfinite(ours).all()
    assert sum(np.isnan(final).all() for final in weights) > 5
    assert sum(np.isnan(final).any() for final in weights) > 10


@pytest.mark.parametrize("world", [short_chain, small_grid])
@pytest.mark.parametrize("adaptive", [False, True])
def test_divergence_of_the_actor_critic(world, adaptive):
    ours, theirs, weights, _ = both(
        actor_critic, actor_critic_trial, world, True, draw_divergent, 40, 12, adaptive, 1.0
    )
    np.testing.assert_array_equal(ours, theirs)
    assert np.isfinite(ours).all()
    if not adaptive:  # Parl2 lowers even such a step size at the first step
        assert sum(np.isnan(final).any() for final in weights) > 10
