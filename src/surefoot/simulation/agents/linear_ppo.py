"""PPO over a Fourier basis: the agent of `ppo`, with linear functions (Jordan et al. 2020, section 3, Appendix E).

Nearly all of the time goes into the epochs over a full buffer, which stores the factors of the features of each step
(see `fourier`). A minibatch goes over all parts of the basis twice: first for the outputs (logits and value) of its
steps, then for the gradients, which Adam processes part by part.

Features are not stored, since recomputing them from their factors takes less time than fetching them from memory. They
are computed for a *part* of the basis that fits the L1 cache, for a *group* of four steps at a time, so that every
weight and every sum of gradients that is fetched is used for four steps. Weights and their moments are laid out by
part:

    float64[parts, outputs, features of a part]
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from surefoot.simulation.agents.agent_kernels import sample
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
from surefoot.simulation.fourier import fill_factors, fill_part, new_basis, number_of_factors, rows_and_columns

DEPENDENT_ORDER, INDEPENDENT_ORDER = range(8, 10)
"""Indices of d and o, which follow the other hyperparameters."""

GROUP = 4
PART = 608
"""Maximum number of features of the first kind in a part; a group's features take 19 KB."""

PAGE = 512
"""Size of a memory page, in numbers."""

VECTOR = 32
"""Parts are padded to a multiple of this number, so that vectorized loops have no remainder, which would double their
time.
"""


class Tables(NamedTuple):
    """Weights and the moments of Adam; each float64[parts, outputs, features of a part].

    means, squares : running means of the gradients and of their squares
    """

    weights: np.ndarray
    means: np.ndarray
    squares: np.ndarray


class Minibatch(NamedTuple):
    """Minibatch of steps, with scratch space.

    orders : orders of the basis
    factors : float64[steps of a buffer, factors]
    steps : int64[steps of a buffer], indices of the steps; the last group is padded
    outputs, by_output : float64[steps of a buffer, outputs], logits and value of each step, and derivatives by them
    features : float64[GROUP, features of a part], scratch
    gradients : float64[outputs, features of a part], scratch; zeros before and after each use
    """

    orders: np.ndarray
    factors: np.ndarray
    steps: np.ndarray
    outputs: np.ndarray
    by_output: np.ndarray
    features: np.ndarray
    gradients: np.ndarray


@njit(inline="always")
def shape_of_parts(orders):
    """Return (rows of the outer product per part, number of parts, padded number of features per part)."""
    rows, columns = rows_and_columns(orders)
    most_rows = min(rows, max(1, PART // columns))
    parts = (rows + most_rows - 1) // most_rows
    most_rows = (rows + parts - 1) // parts
    others = number_of_factors(orders) - 2 * (rows + columns)
    room = (most_rows * columns + others + VECTOR - 1) // VECTOR * VECTOR
    # Arrays that begin at the same offset of a page compete for the same cache lines.
    return most_rows, (rows + most_rows - 1) // most_rows, room + (VECTOR if room % PAGE == 0 else 0)


@njit(cache=True, error_model="numpy")
def _fill_padded_part(factors, orders, part, features):
    """Write a part of the features of a step, padded with zeros."""
    rows, _ = rows_and_columns(orders)
    most_rows, _, _ = shape_of_parts(orders)
    count = fill_part(factors, orders, part * most_rows, min(most_rows, rows - part * most_rows), features)
    features[count:] = 0.0


@njit(cache=True, error_model="numpy", fastmath={"reassoc", "contract"})
def _add_outputs_of_group(weights, features, outputs, first):
    """Add a part's contribution to the outputs of steps first, ..., first + 3, given its weights and features."""
    for output in range(weights.shape[0]):
        sum_0 = sum_1 = sum_2 = sum_3 = 0.0
        for f in range(weights.shape[1]):
            weight = weights[output, f]
            sum_0 += weight * features[0, f]
            sum_1 += weight * features[1, f]
            sum_2 += weight * features[2, f]
            sum_3 += weight * features[3, f]
        outputs[first, output] += sum_0
        outputs[first + 1, output] += sum_1
        outputs[first + 2, output] += sum_2
        outputs[first + 3, output] += sum_3


@njit(cache=True, error_model="numpy", fastmath={"reassoc", "contract"})
def _add_gradients_of_group(gradients, features, by_output, first):
    """Add the gradients of steps first, ..., first + 3 to the gradients of a part."""
    for output in range(gradients.shape[0]):
        by_0 = by_output[first, output]
        by_1 = by_output[first + 1, output]
        by_2 = by_output[first + 2, output]
        by_3 = by_output[first + 3, output]
        for f in range(gradients.shape[1]):
            pair = by_0 * features[0, f] + by_1 * features[1, f]
            gradients[output, f] += pair + (by_2 * features[2, f] + by_3 * features[3, f])


@njit(cache=True, error_model="numpy", fastmath={"reassoc", "contract"})
def _add_outputs(weights, features, outputs):
    """Add a part's contribution to the outputs of one step."""
    for output in range(weights.shape[0]):
        total = 0.0
        for f in range(weights.shape[1]):
            total += weights[output, f] * features[f]
        outputs[output] += total


@njit(cache=True, error_model="numpy")
def fill_outputs(weights, factors, orders, features, outputs):
    """Write logits and value of one step to `outputs`."""
    outputs[:] = 0.0
    for part in range(len(weights)):
        _fill_padded_part(factors, orders, part, features)
        _add_outputs(weights[part], features, outputs)


@njit(cache=True, error_model="numpy")
def fill_outputs_of_groups(weights, minibatch, groups):
    """Write logits and values of the steps in the first `groups` groups of a minibatch to its `outputs`."""
    orders = minibatch.orders
    factors = minibatch.factors
    steps = minibatch.steps
    features = minibatch.features
    outputs = minibatch.outputs
    outputs[: GROUP * groups] = 0.0
    for part in range(len(weights)):
        block = weights[part]
        for first in range(0, GROUP * groups, GROUP):
            for member in range(GROUP):
                _fill_padded_part(factors[steps[first + member]], orders, part, features[member])
            _add_outputs_of_group(block, features, outputs, first)


@njit(cache=True, error_model="numpy")
def climb(tables, minibatch, size, groups, step_size):
    """Take one step of Adam along the gradients of `size` steps; padding steps have derivatives of zero."""
    weights, means, squares = tables
    orders = minibatch.orders
    factors = minibatch.factors
    steps = minibatch.steps
    features = minibatch.features
    by_output = minibatch.by_output
    gradients = minibatch.gradients
    flat_gradients = gradients.reshape(-1)
    for part in range(len(weights)):
        for first in range(0, GROUP * groups, GROUP):
            for member in range(GROUP):
                _fill_padded_part(factors[steps[first + member]], orders, part, features[member])
            _add_gradients_of_group(gradients, features, by_output, first)
        flat = weights[part].reshape(-1), means[part].reshape(-1), squares[part].reshape(-1)
        ascend(*flat, flat_gradients, size, step_size)


@njit(cache=True, error_model="numpy")
def _learn(tables, minibatch, buffer, hyperparameters, number, stream):
    """Run all epochs over a full buffer, and return the total number of Adam steps, given the `number` made before."""
    weights = tables.weights
    steps = minibatch.steps
    outputs = minibatch.outputs
    by_output = minibatch.by_output
    actions = weights.shape[1] - 1
    length = int(hyperparameters[BUFFER])
    largest_size = int(hyperparameters[MINIBATCH])
    discount = hyperparameters[DISCOUNT]
    clip = hyperparameters[CLIP]
    entropy_weight = hyperparameters[ENTROPY_WEIGHT]
    probabilities = np.empty(actions)
    log_probabilities = np.empty(actions)
    estimate_advantages(buffer, length, discount, discount * hyperparameters[TRACE_DECAY])
    for _ in range(int(hyperparameters[EPOCHS])):
        shuffle(buffer.order, length, stream)
        for begin in range(0, length, largest_size):
            size = min(largest_size, length - begin)
            groups = (size + GROUP - 1) // GROUP
            for position in range(GROUP * groups):
                steps[position] = buffer.order[begin + min(position, size - 1)]
            fill_outputs_of_groups(weights, minibatch, groups)
            by_output[:] = 0.0
            for position in range(size):
                i = steps[position]
                log_softmax(outputs, actions, position, probabilities, log_probabilities)
                logit_gradients(
                    probabilities, log_probabilities, actions, buffer, i, clip, entropy_weight, by_output[position]
                )
                by_output[position, actions] = (buffer.advantages[i] + buffer.values[i]) - outputs[position, actions]
            number += 1
            step_size = corrected_step_size(hyperparameters[STEP_SIZE], number)
            climb(tables, minibatch, size, groups, step_size)
    return number


def linear_trial(episodes, world, space, hyperparameters, options):
    """Run a trial of the agent in a continuous environment, for `simulator`."""
    actions, low, high = space
    parameters, stream, reset, step = world
    orders, _, powers = new_basis(len(low), hyperparameters[DEPENDENT_ORDER:])
    _, number_of_parts, room = shape_of_parts(orders)
    shape = (number_of_parts, actions + 1, room)  # The last output belongs to the critic.
    tables = Tables(np.zeros(shape), np.zeros(shape), np.zeros(shape))
    weights = tables.weights
    length = int(hyperparameters[BUFFER])
    state = np.empty(len(low))
    next_factors = np.empty(number_of_factors(orders))
    factors = np.empty((length, number_of_factors(orders)))
    features = np.empty((GROUP, room))
    probabilities = np.empty(actions)
    log_probabilities = np.empty(actions)
    outputs = np.empty((1, actions + 1))
    buffer = new_buffer()
    minibatch = Minibatch(
        orders,
        factors,
        np.empty(LARGEST_BUFFER, np.int64),
        np.empty((LARGEST_BUFFER, actions + 1)),
        np.empty((LARGEST_BUFFER, actions + 1)),
        features,
        np.zeros((actions + 1, room)),
    )
    filled = all_steps = 0
    number = np.int64(0)  # Numba gives the constant 0 its own type, and would compile `_learn` again for it.
    total_return = 0.0
    for _ in range(episodes):
        reset(parameters, state, stream)
        terminal = False
        steps = 0
        while not terminal:
            fill_factors(state, low, high, orders, powers, factors[filled])
            fill_outputs(weights, factors[filled], orders, features[0], outputs[0])
            log_softmax(outputs, actions, 0, probabilities, log_probabilities)
            action = sample(probabilities, actions, stream)
            reward, terminal = step(parameters, state, action, steps, stream)
            buffer.actions[filled] = action
            buffer.log_probabilities[filled] = log_probabilities[action]
            buffer.rewards[filled] = reward
            buffer.values[filled] = outputs[0, actions]
            buffer.goes_on[filled] = 0.0 if terminal else 1.0
            filled += 1
            if filled == length:
                buffer.values[filled] = 0.0
                if not terminal:
                    fill_factors(state, low, high, orders, powers, next_factors)
                    fill_outputs(weights, next_factors, orders, features[0], outputs[0])
                    buffer.values[filled] = outputs[0, actions]
                number = _learn(tables, minibatch, buffer, hyperparameters, number, stream)
                filled = 0
            total_return += reward
            steps += 1
        all_steps += steps
    return total_return, all_steps
