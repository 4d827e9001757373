"""Proximal policy optimisation (PPO) over tables, and its complete definition (Jordan et al. 2020, section 3, Table 4).

The policy's logits and the critic's values are in one table, since Adam updates them together. `linear_ppo` has the
agent over a Fourier basis.

The complete definition draws all hyperparameters; U is the uniform and LU the log-uniform distribution. gamma = 1 -
LU(1e-4, 0.05), lambda ~ U(0, 1), clip ~ U(0.1, 0.3), entropy weight ~ LU(1e-8, 1e-2), buffer round(2^U(6, 8)), epochs ~
U{1..10}, minibatch round(2^U(4, 6)), and the step size of Adam LU(1e-3, 0.1) for tables and LU(1e-6, 1e-3) for a
Fourier basis, with orders d ~ U{0..9} and o ~ U{1..9}.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from surefoot.simulation.agents import linear_ppo
from surefoot.simulation.agents.agent_kernels import Simulator, sample, simulator
from surefoot.simulation.agents.hyperparameter_distributions import (
    discount,
    draw_orders,
    linear_step_size,
    log_uniform,
    tabular_step_size,
    uniform_integer,
    unit_uniform,
)
from surefoot.simulation.agents.linear_ppo import DEPENDENT_ORDER
from surefoot.simulation.agents.ppo_learning import (
    BUFFER,
    CLIP,
    DISCOUNT,
    ENTROPY_WEIGHT,
    EPOCHS,
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
from surefoot.simulation.trial_protocol import DRAW, DRAW_LINEAR, ContinuousEnvironment, DiscreteEnvironment


class Tables(NamedTuple):
    """Weights and the moments of Adam; each float64[states, actions + 1], with the critic in the last column.

    means, squares : running means of the gradients and of their squares
    gradients : sum of the gradients over a minibatch; zeros between updates
    """

    weights: np.ndarray
    means: np.ndarray
    squares: np.ndarray
    gradients: np.ndarray


@njit(cache=True, error_model="numpy")
def _learn(tables, buffer, states, hyperparameters, number, stream):
    """Run all epochs over a full buffer, and return the total number of Adam steps, given the `number` made before."""
    weights, means, squares, gradients = tables
    actions = weights.shape[1] - 1
    steps = int(hyperparameters[BUFFER])
    minibatch = int(hyperparameters[MINIBATCH])
    discount = hyperparameters[DISCOUNT]
    clip = hyperparameters[CLIP]
    entropy_weight = hyperparameters[ENTROPY_WEIGHT]
    probabilities = np.empty(actions)
    log_probabilities = np.empty(actions)
    by_logit = np.empty(actions)
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


def tabular_trial(episodes, world, space, hyperparameters, options):
    """Run a trial of the agent in a discrete environment, for `simulator`."""
    number_of_states, actions = space
    parameters, stream, reset, step = world
    shape = (number_of_states, actions + 1)
    tables = Tables(np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros(shape))
    weights = tables.weights
    probabilities = np.empty(actions)
    log_probabilities = np.empty(actions)
    buffer = new_buffer()
    states = np.empty(LARGEST_BUFFER, np.int64)
    length = int(hyperparameters[BUFFER])
    filled = all_steps = 0
    number = np.int64(0)  # Numba gives the constant 0 its own type, and would compile `_learn` again for it.
    total_return = 0.0
    for _ in range(episodes):
        state = reset(parameters, stream)
        terminal = False
        steps = 0
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


@njit(cache=True, error_model="numpy")
def _draw_common(hyperparameters, stream):
    """Draw all hyperparameters except the step size."""
    hyperparameters[DISCOUNT] = discount(stream)
    hyperparameters[TRACE_DECAY] = unit_uniform(stream)
    hyperparameters[CLIP] = 0.1 + 0.2 * unit_uniform(stream)
    hyperparameters[ENTROPY_WEIGHT] = log_uniform(stream, 1e-8, 1e-2)
    hyperparameters[BUFFER] = round(2.0 ** (6.0 + 2.0 * unit_uniform(stream)))
    hyperparameters[EPOCHS] = uniform_integer(stream, 1, 10)
    hyperparameters[MINIBATCH] = round(2.0 ** (4.0 + 2.0 * unit_uniform(stream)))


@njit(DRAW, cache=True)
def draw_tabular(hyperparameters, stream):
    """Draw hyperparameters for tables."""
    _draw_common(hyperparameters, stream)
    hyperparameters[STEP_SIZE] = tabular_step_size(stream)


@njit(DRAW_LINEAR, cache=True)
def draw_linear(hyperparameters, dimensions, actions, stream):
    """Draw hyperparameters for a Fourier basis."""
    draw_orders(hyperparameters, DEPENDENT_ORDER, stream)
    _draw_common(hyperparameters, stream)
    hyperparameters[STEP_SIZE] = linear_step_size(stream)


def tabular(environment: DiscreteEnvironment) -> Simulator:
    """Create a simulator of tabular PPO; see `protocol`."""
    return simulator(tabular_trial, environment, draw_tabular)


def linear(environment: ContinuousEnvironment) -> Simulator:
    """Create a simulator of PPO over a Fourier basis; see `protocol`."""
    return simulator(linear_ppo.linear_trial, environment, draw_linear)
