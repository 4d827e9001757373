"""Tabular proximal policy optimisation (PPO; Jordan et al. 2020, section 3, Appendix E).

The policy's logits and the critic's values stand in one table, for they take their steps of Adam together.
"""

import functools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numba import int64, njit

from surefoot.simulation.agents.kernels import (
    TABULAR,
    Simulator,
    World,
    begin_trial,
    sample,
    tabular_simulator,
    trials_kernel,
)
from surefoot.simulation.agents.policy_gradient import (
    BUFFER,
    CLIP,
    DISCOUNT,
    ENTROPY_WEIGHT,
    EPOCHS,
    HYPERPARAMETERS,
    LARGEST_BUFFER,
    MINIBATCH,
    STEP_SIZE,
    TRACE_DECAY,
    ascend,
    corrected_step_size,
    estimate_advantages,
    log_softmax,
    logit_gradients,
    new_buffer,
    shuffle,
)
from surefoot.simulation.protocol import DiscreteEnvironment


class Tables(NamedTuple):
    """The weights, and what Adam knows of them; each float64[states, actions + 1], the last column the critic's.

    means, squares : running means of the gradients and of their squares
    gradients : their sum over a minibatch, zeros before and after
    """

    weights: np.ndarray
    means: np.ndarray
    squares: np.ndarray
    gradients: np.ndarray


@njit(cache=True, error_model="numpy")
def _learn(tables, buffer, states, hyperparameters, number, stream):
    """All epochs over a full buffer; `number` steps of Adam were taken before, the new number is returned."""
    weights, means, squares, gradients = tables
    actions = weights.shape[1] - 1
    steps = int(hyperparameters[BUFFER])
    minibatch = int(hyperparameters[MINIBATCH])
    discount = hyperparameters[DISCOUNT]
    clip, entropy_weight = hyperparameters[CLIP], hyperparameters[ENTROPY_WEIGHT]
    probabilities, log_probabilities, by_logit = np.empty(actions), np.empty(actions), np.empty(actions)
    flat = (weights.reshape(-1), means.reshape(-1), squares.reshape(-1), gradients.reshape(-1))
    estimate_advantages(buffer, steps, discount, discount * hyperparameters[TRACE_DECAY])
    for _ in range(int(hyperparameters[EPOCHS])):
        shuffle(buffer.order, steps, stream)
        for begin in range(0, steps, minibatch):
            end = min(begin + minibatch, steps)
            for position in range(begin, end):
                i = buffer.order[position]
                state = states[i]
                log_softmax(weights, actions, state, probabilities, log_probabilities)
                logit_gradients(probabilities, log_probabilities, actions, buffer, i, clip, entropy_weight, by_logit)
                for action in range(actions):
                    gradients[state, action] += by_logit[action]
                gradients[state, actions] += (buffer.advantages[i] + buffer.values[i]) - weights[state, actions]
            number += 1
            ascend(*flat, end - begin, corrected_step_size(hyperparameters[STEP_SIZE], number))
    return number


@njit(cache=True, error_model="numpy")
def _trial(tables, episodes, hyperparameters, world):
    """All episodes of an agent; (sum of their returns, number of steps)."""
    weights = tables.weights
    parameters, stream, reset, step = world
    actions = weights.shape[1] - 1
    probabilities, log_probabilities = np.empty(actions), np.empty(actions)
    buffer, states = new_buffer(), np.empty(LARGEST_BUFFER, np.int64)
    length = int(hyperparameters[BUFFER])
    filled = all_steps = 0
    number = np.int64(0)  # The constant 0 would have a type of its own, for which `_learn` is compiled once more.
    total_return = 0.0
    for _ in range(episodes):
        state = reset(parameters, stream)
        terminal, steps = False, 0
        while not terminal:
            log_softmax(weights, actions, state, probabilities, log_probabilities)
            action = sample(probabilities, actions, stream)
            next_state, reward, terminal = step(parameters, state, action, steps, stream)
            states[filled] = state
            buffer.actions[filled] = action
            buffer.log_probabilities[filled] = log_probabilities[action]
            buffer.rewards[filled] = reward
            buffer.values[filled] = weights[state, actions]
            buffer.goes_on[filled] = 0.0 if terminal else 1.0
            filled += 1
            if filled == length:
                buffer.values[filled] = 0.0 if terminal else weights[next_state, actions]
                number = _learn(tables, buffer, states, hyperparameters, number, stream)
                filled = 0
            state = next_state
            total_return += reward
            steps += 1
        all_steps += steps
    return total_return, all_steps


@functools.cache
def _kernel() -> Callable:
    """The compiled trials, made when they are first asked for."""

    @trials_kernel(int64, int64, *TABULAR)
    def simulate(performances, episodes, key, first, states, actions, constants, perturb, reset, step, draw):
        stream = np.empty(4, np.uint64)
        hyperparameters = np.empty(HYPERPARAMETERS)
        shape = (states, actions + 1)
        all_steps = 0
        for trial in range(len(performances)):
            parameters = begin_trial(key, first + trial, constants, perturb, stream)
            draw(hyperparameters, stream)
            tables = Tables(np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros(shape))
            world = World(parameters, stream, reset, step)
            total_return, steps = _trial(tables, episodes, hyperparameters, world)
            all_steps += steps
            performances[trial] = total_return / episodes
        return all_steps

    return simulate


def simulator(environment: DiscreteEnvironment, draw: Callable) -> Simulator:
    """A function that simulates trials, ready to be called in several threads; see `protocol`.

    Parameters
    ----------
    draw : compiled function that draws the hyperparameters, laid out as in `policy_gradient`
    """
    sizes = (environment.states, environment.actions)
    return tabular_simulator(_kernel(), environment, sizes, draw)
