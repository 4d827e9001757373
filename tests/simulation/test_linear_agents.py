"""Agents with linear functions against plain NumPy that updates every entry at every step, fed the same random numbers.

Sums in another order differ by rounding, so returns agree to the last bit unless rounding decides what is done: where
two actions have values that are nearly equal. The plain agents know how close their choices were.
"""

import numpy as np
import pytest
import reference_linear
from numba import njit
from reference_linear import sarsa_trial, slope

from surefoot.simulation.agents import linear_sarsa
from surefoot.simulation.definitions import sarsa as sarsa_definition
from surefoot.simulation.interfaces import DRAW_LINEAR
from surefoot.streams import below, stream_key, uniform

KEY = stream_key(6, "linear agents")

CLOSE = 1e-9


@njit(DRAW_LINEAR)
def draw_learning(hyperparameters, dimensions, actions, stream):
    """Orders up to 4, step sizes of which most teach something within a few episodes."""
    hyperparameters[0] = 0.9 + 0.1 * uniform(stream)
    hyperparameters[1] = uniform(stream)
    hyperparameters[2] = 0.3 * uniform(stream)
    hyperparameters[3] = 0.001 + 0.02 * uniform(stream)
    hyperparameters[4] = below(stream, 4)
    hyperparameters[5] = 1 + below(stream, 4)


@njit(DRAW_LINEAR)
def draw_divergent(hyperparameters, dimensions, actions, stream):
    """Step sizes from 1 to 1e250, of which most diverge, some at once; both for Sarsa and the actor-critic."""
    draw_learning(hyperparameters, dimensions, actions, stream)
    hyperparameters[2] = 0.3 * uniform(stream)
    hyperparameters[3] = 10.0 ** (250.0 * uniform(stream) ** 3)


def both(agent, plain_trial, draw, trials, episodes, actions=3, **kind):
    """(performances of the compiled agent, of the plain one, final weights, which trials had a close choice)."""
    environment = slope(actions)
    ours = np.empty(trials)
    steps = agent.simulator(environment, draw, **kind)(ours, episodes, KEY, 11)
    assert trials * episodes < steps <= trials * episodes * reference_linear.STEP_LIMIT
    theirs, weights, margins = reference_linear.trials(
        environment, draw, plain_trial, KEY, 11, trials, episodes, **kind
    )
    return ours, theirs, weights, margins < CLOSE


@pytest.mark.parametrize("actions", [2, 5])
@pytest.mark.parametrize("off_policy", [False, True])
@pytest.mark.parametrize("adaptive", [False, True])
def test_sarsa_and_q_as_defined(actions, off_policy, adaptive):
    kind = {"off_policy": off_policy, "adaptive": adaptive}
    ours, theirs, _, close = both(linear_sarsa, sarsa_trial, draw_learning, 40, 12, actions, **kind)
    np.testing.assert_array_equal(ours[~close], theirs[~close])
    assert (~close).sum() >= 35
    assert len(set(ours)) == 40


@pytest.mark.parametrize("off_policy", [False, True])
@pytest.mark.parametrize("adaptive", [False, True])
def test_divergence_of_sarsa_and_q(off_policy, adaptive):
    """To inf and NaN and on: nothing stops a trial."""
    kind = {"off_policy": off_policy, "adaptive": adaptive}
    ours, theirs, weights, close = both(linear_sarsa, sarsa_trial, draw_divergent, 60, 12, **kind)
    np.testing.assert_array_equal(ours[~close], theirs[~close])
    assert np.isfinite(ours).all()
    weights = [final for final, excluded in zip(weights, close, strict=True) if not excluded]
    if not adaptive:  # Parl2 lowers even such a step size at the first step
        assert sum(np.isinf(final).any() for final in weights) > 10
        assert sum(np.isnan(final).any() for final in weights) > 10
        assert sum(np.isnan(final[0]).any() for final in weights) > 1


@pytest.mark.parametrize(("target", "off_policy"), [("sarsa", False), ("q", True)])
@pytest.mark.parametrize(
    ("arguments", "draw"),
    [
        ({"adaptive": False}, sarsa_definition.draw_linear),
        ({"adaptive": False, "scaled": True}, sarsa_definition.draw_scaled),
        ({"adaptive": True}, sarsa_definition.draw_linear_adaptive),
    ],
)
def test_the_definition_of_sarsa_and_q_makes_the_agent_that_its_name_says(target, off_policy, arguments, draw):
    by_name, directly = np.empty(20), np.empty(20)
    sarsa_definition.linear(slope(), target, **arguments)(by_name, 12, KEY, 3)
    linear_sarsa.simulator(slope(), draw, off_policy, arguments["adaptive"])(directly, 12, KEY, 3)
    np.testing.assert_array_equal(by_name, directly)
