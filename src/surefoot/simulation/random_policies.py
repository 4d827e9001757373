"""Policies drawn at random and never improved: the reference of policy percentiles (Dabney 2014).

What a random policy is, its author leaves open. Here it is deterministic. Over a table, every state has an action drawn
uniformly, so all policies of the table are equally likely. Elsewhere, with every variable of the state scaled to -1..1,
the action is the one whose linear function of the state, a constant included, is greatest; its weights are uniform on
-1..1.
"""

import numpy as np
from numba import int64, njit

from surefoot.registry import module_named
from surefoot.simulation.agents.kernels import LINEAR, TABULAR, begin_trial, trials_kernel
from surefoot.simulation.protocol import DiscreteEnvironment
from surefoot.streams import below, stream_key, uniform


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
    world = module_named(modules[0]).environment(**settings["environment_arguments"])
    key, performances = stream_key(seed, "random policies", settings["environment"]), np.empty(policies)
    constants = np.array(world.parameters, np.float64)
    functions = world.perturb, world.reset, world.step
    if isinstance(world, DiscreteEnvironment):
        _tabular(performances, episodes, key, 0, world.states, world.actions, constants, *functions)
    else:
        low, high = np.array(world.low), np.array(world.high)
        _linear(performances, episodes, key, 0, world.actions, low, high, constants, *functions)
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


# A random policy draws no hyperparameters, so the last of a kernel's functions is left out.
@trials_kernel(int64, int64, *TABULAR[:-1])
def _tabular(performances, episodes, key, first, states, actions, constants, perturb, reset, step):
    stream = np.empty(4, np.uint64)
    chosen = np.empty(states, np.int64)
    all_steps = 0
    for policy in range(len(performances)):
        parameters = begin_trial(key, first + policy, constants, perturb, stream)
        for state in range(states):
            chosen[state] = below(stream, actions)
        total = 0.0
        for _ in range(episodes):
            state, steps, terminal = reset(parameters, stream), 0, False
            while not terminal:
                state, reward, terminal = step(parameters, state, chosen[state], steps, stream)
                total += reward
                steps += 1
            all_steps += steps
        performances[policy] = total / episodes
    return all_steps


@trials_kernel(*LINEAR[:-1])
def _linear(performances, episodes, key, first, actions, low, high, constants, perturb, reset, step):
    stream = np.empty(4, np.uint64)
    dimensions = len(low)
    weights, state = np.empty((actions, dimensions + 1)), np.empty(dimensions)
    all_steps = 0
    for policy in range(len(performances)):
        parameters = begin_trial(key, first + policy, constants, perturb, stream)
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
            all_steps += steps
        performances[policy] = total / episodes
    return all_steps
