"""Policies drawn at random and never improved: the reference of policy percentiles (Dabney 2014).

What a random policy is, its author leaves open. Here it is deterministic. Over a table, every state has an action drawn
uniformly, so all policies of the table are equally likely. Elsewhere, with every variable of the state scaled to -1..1,
the action is the one whose linear function of the state, a constant included, is greatest; its weights are uniform on
-1..1.
"""

from importlib import import_module

import numpy as np
from numba import float64, int64, njit, types, uint64

from surefoot.simulation.interfaces import (
    PERTURB,
    RESET,
    RESET_CONTINUOUS,
    STEP,
    STEP_CONTINUOUS,
    DiscreteEnvironment,
)
from surefoot.streams import below, start_stream, stream_key, uniform


def random_policies(settings: dict, modules: tuple[str, ...], seed: int, policies: int, episodes: int) -> np.ndarray:
    """Performances of random policies in an environment.

    Parameters
    ----------
    settings, modules : the environment, from `registry.environment_settings` and `registry.environment_modules`
    seed : the study's seed; a policy and its episodes depend on it, on the name and on the policy's number
    policies, episodes : how many policies, and episodes of each; the environment is perturbed once a policy, as it is
        once a trial

    Returns
    -------
    float64[policies], the mean return over the episodes of each policy
    """
    world = import_module(modules[0]).environment(**settings["environment_arguments"])
    key, performances = stream_key(seed, "random policies", settings["environment"]), np.empty(policies)
    constants = np.array(world.parameters, np.float64)
    functions = world.perturb, world.reset, world.step
    if isinstance(world, DiscreteEnvironment):
        _tabular(performances, episodes, key, world.states, world.actions, constants, *functions)
    else:
        low, high = np.array(world.low), np.array(world.high)
        _linear(performances, episodes, key, world.actions, low, high, constants, *functions)
    return performances


@njit(inline="always")
def _greedy(weights, low, high, state):
    """The action with the greatest linear function of the scaled state, the first of several."""
    best, greatest = 0, -np.inf
    for action in range(len(weights)):
        value = weights[action, len(state)]
        for i in range(len(state)):
            value += weights[action, i] * (2.0 * (state[i] - low[i]) / (high[i] - low[i]) - 1.0)
        if value > greatest:
            best, greatest = action, value
    return best


_TRIALS = (float64[::1], int64, uint64[::1])


@njit(
    types.void(*_TRIALS, int64, int64, float64[::1], *(types.FunctionType(s) for s in (PERTURB, RESET, STEP))),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def _tabular(performances, episodes, key, states, actions, constants, perturb, reset, step):
    stream = np.empty(4, np.uint64)
    chosen = np.empty(states, np.int64)
    for policy in range(len(performances)):
        start_stream(key, policy, stream)
        parameters = constants.copy()
        perturb(parameters, stream)
        for state in range(states):
            chosen[state] = below(stream, actions)
        total = 0.0
        for _ in range(episodes):
            state, steps, terminal = reset(parameters, stream), 0, False
            while not terminal:
                state, reward, terminal = step(parameters, state, chosen[state], steps, stream)
                total += reward
                steps += 1
        performances[policy] = total / episodes


@njit(
    types.void(
        *_TRIALS,
        int64,
        float64[::1],
        float64[::1],
        float64[::1],
        *(types.FunctionType(s) for s in (PERTURB, RESET_CONTINUOUS, STEP_CONTINUOUS)),
    ),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def _linear(performances, episodes, key, actions, low, high, constants, perturb, reset, step):
    stream = np.empty(4, np.uint64)
    dimensions = len(low)
    weights, state = np.empty((actions, dimensions + 1)), np.empty(dimensions)
    for policy in range(len(performances)):
        start_stream(key, policy, stream)
        parameters = constants.copy()
        perturb(parameters, stream)
        for action in range(actions):
            for i in range(dimensions + 1):
                weights[action, i] = 2.0 * uniform(stream) - 1.0
        total = 0.0
        for _ in range(episodes):
            reset(parameters, state, stream)
            steps, terminal = 0, False
            while not terminal:
                reward, terminal = step(parameters, state, _greedy(weights, low, high, state), steps, stream)
                total += reward
                steps += 1
        performances[policy] = total / episodes
