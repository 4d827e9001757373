"""PPO over a Fourier basis: the agent of `ppo`, with linear functions (Jordan et al. 2020, section 3, Appendix E).

Nearly all of the time goes into the epochs over a full buffer. Its features are not stored, for making them anew from
their factors takes less time than fetching them from memory; they are made for a *part* of the basis that fits the
nearest cache, for a *group* of four steps at a time, so that every weight and every sum of gradients that is fetched
serves four steps. A minibatch goes over all parts twice: first for the outputs (logits and value) of its steps, then
for the gradients, which Adam takes up part by part. Weights and their moments are laid out by part:

    float64[parts, outputs, features of a part]
"""

from collections.abc import Callable

import numpy as np
from numba import float64, int64, njit, types, uint64

from surefoot.simulation.agents.action_selection import sample
from surefoot.simulation.agents.adam import ascend, corrected_step_size
from surefoot.simulation.agents.policy_gradient import (
    BUFFER,
    CLIP,
    DISCOUNT,
    ENTROPY_WEIGHT,
    EPOCHS,
    LARGEST_BUFFER,
    MINIBATCH,
    STEP_SIZE,
    TRACE_DECAY,
    estimate_advantages,
    log_softmax,
    logit_gradients,
    new_buffer,
    shuffle,
)
from surefoot.simulation.fourier import (
    POWERS,
    fill_factors,
    number_of_factors,
    rows_and_columns,
)
from surefoot.simulation.interfaces import (
    DRAW_LINEAR,
    PERTURB,
    RESET_CONTINUOUS,
    STEP_CONTINUOUS,
    ContinuousEnvironment,
)
from surefoot.streams import start_stream

DEPENDENT_ORDER, INDEPENDENT_ORDER = 8, 9
"""After the hyperparameters of `policy_gradient`: d, o."""

HYPERPARAMETERS = 10

GROUP = 4
PART = 608
"""The most features of the first kind in a part: those of a group take 19 KB."""

PAGE = 512
"""The size of a page in numbers."""

VECTOR = 32
"""The room for a part is a multiple of what compiled loops do at a time: the rest would take as long again."""


@njit(inline="always")
def _shape_of_parts(orders):
    """(rows of the outer product a part, number of parts, number of features a part has room for)."""
    rows, columns = rows_and_columns(orders)
    most_rows = min(rows, max(1, PART // columns))
    parts = (rows + most_rows - 1) // most_rows
    most_rows = (rows + parts - 1) // parts
    others = number_of_factors(orders) - 2 * (rows + columns)
    room = (most_rows * columns + others + VECTOR - 1) // VECTOR * VECTOR
    # Arrays that begin at the same place of a page compete for the same lines of a cache.
    return most_rows, (rows + most_rows - 1) // most_rows, room + (VECTOR if room % PAGE == 0 else 0)


@njit(error_model="numpy", fastmath={"contract"})
def _fill_part(factors, orders, part, features):
    """Write a part of the features of a step, those of the second kind in the last part, and zeros after them."""
    all_rows, columns = rows_and_columns(orders)
    most_rows, _, _ = _shape_of_parts(orders)
    right_real = factors[2 * all_rows : 2 * all_rows + columns]
    right_imaginary = factors[2 * all_rows + columns : 2 * (all_rows + columns)]
    last = min((part + 1) * most_rows, all_rows)
    count = 0
    for row in range(part * most_rows, last):
        x, y = factors[row], factors[all_rows + row]
        out = features[count : count + columns]
        for column in range(columns):
            out[column] = x * right_real[column] - y * right_imaginary[column]
        count += columns
    if last == all_rows:
        for position in range(2 * (all_rows + columns), len(factors)):
            features[count] = factors[position]
            count += 1
    features[count:] = 0.0


@njit(error_model="numpy", fastmath={"reassoc", "contract"})
def _add_outputs_of_group(weights, features, outputs, first):
    """Add a part's share to the outputs of the steps first..first+3, given the weights and features of the part."""
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


@njit(error_model="numpy", fastmath={"reassoc", "contract"})
def _add_gradients_of_group(gradients, features, by_output, first):
    """Add the gradients of the steps first..first+3 to those of a part."""
    for output in range(gradients.shape[0]):
        by_0, by_1 = by_output[first, output], by_output[first + 1, output]
        by_2, by_3 = by_output[first + 2, output], by_output[first + 3, output]
        for f in range(gradients.shape[1]):
            pair = by_0 * features[0, f] + by_1 * features[1, f]
            gradients[output, f] += pair + (by_2 * features[2, f] + by_3 * features[3, f])


@njit(error_model="numpy", fastmath={"reassoc", "contract"})
def _add_outputs(weights, features, outputs):
    """Add a part's share to the outputs of one step."""
    for output in range(weights.shape[0]):
        total = 0.0
        for f in range(weights.shape[1]):
            total += weights[output, f] * features[f]
        outputs[output] += total


@njit(error_model="numpy")
def _fill_outputs(weights, factors, orders, features, outputs):
    """Write logits and value of one step to `outputs`."""
    outputs[:] = 0.0
    for part in range(len(weights)):
        _fill_part(factors, orders, part, features)
        _add_outputs(weights[part], features, outputs)


@njit(error_model="numpy")
def _fill_outputs_of_groups(weights, factors, steps, groups, orders, features, outputs):
    """Write logits and values of the steps in `steps`, an array of whole groups, to `outputs`."""
    outputs[: GROUP * groups] = 0.0
    for part in range(len(weights)):
        block = weights[part]
        for first in range(0, GROUP * groups, GROUP):
            for member in range(GROUP):
                _fill_part(factors[steps[first + member]], orders, part, features[member])
            _add_outputs_of_group(block, features, outputs, first)


@njit(error_model="numpy")
def _climb(weights, means, squares, gradients, factors, steps, size, groups, orders, features, by_output, step_size):
    """A step of Adam along the gradients of `size` steps, which are whole groups with derivatives of zero after them.

    by_output : float64[steps, outputs], the derivatives by the outputs
    gradients : float64[outputs, features of a part], zeros before and after
    """
    flat_gradients = gradients.reshape(-1)
    for part in range(len(weights)):
        for first in range(0, GROUP * groups, GROUP):
            for member in range(GROUP):
                _fill_part(factors[steps[first + member]], orders, part, features[member])
            _add_gradients_of_group(gradients, features, by_output, first)
        ascend(
            weights[part].reshape(-1),
            means[part].reshape(-1),
            squares[part].reshape(-1),
            flat_gradients,
            size,
            step_size,
        )


@njit(error_model="numpy")
def _learn(weights, means, squares, buffer, factors, orders, scratch, hyperparameters, number, stream):
    """All epochs over a full buffer; `number` steps of Adam were taken before, the new number is returned."""
    gradients, features, outputs, by_output, steps = scratch
    actions = weights.shape[1] - 1
    length, minibatch = int(hyperparameters[BUFFER]), int(hyperparameters[MINIBATCH])
    discount = hyperparameters[DISCOUNT]
    clip, entropy_weight = hyperparameters[CLIP], hyperparameters[ENTROPY_WEIGHT]
    probabilities, log_probabilities = np.empty(actions), np.empty(actions)
    estimate_advantages(buffer, length, discount, discount * hyperparameters[TRACE_DECAY])
    for _ in range(int(hyperparameters[EPOCHS])):
        shuffle(buffer.order, length, stream)
        for begin in range(0, length, minibatch):
            size = min(minibatch, length - begin)
            groups = (size + GROUP - 1) // GROUP
            for position in range(GROUP * groups):
                steps[position] = buffer.order[begin + min(position, size - 1)]
            _fill_outputs_of_groups(weights, factors, steps, groups, orders, features, outputs)
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
            _climb(
                weights,
                means,
                squares,
                gradients,
                factors,
                steps,
                size,
                groups,
                orders,
                features,
                by_output,
                step_size,
            )
    return number


@njit(error_model="numpy")
def _trial(actions, low, high, orders, hyperparameters, episodes, parameters, stream, reset, step):
    """All episodes of an agent; (sum of their returns, number of steps)."""
    _, number_of_parts, room = _shape_of_parts(orders)
    shape = (number_of_parts, actions + 1, room)  # The last output is the critic's.
    weights, means, squares = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    length = int(hyperparameters[BUFFER])
    state, powers = np.empty(orders[0]), np.empty((2, POWERS))
    factors, features = np.empty((length, number_of_factors(orders))), np.empty((GROUP, room))
    next_factors = np.empty(number_of_factors(orders))
    probabilities, log_probabilities, outputs = np.empty(actions), np.empty(actions), np.empty((1, actions + 1))
    buffer = new_buffer()
    scratch = (
        np.zeros((actions + 1, room)),
        features,
        np.empty((LARGEST_BUFFER, actions + 1)),
        np.empty((LARGEST_BUFFER, actions + 1)),
        np.empty(LARGEST_BUFFER, np.int64),
    )
    filled = number = all_steps = 0
    total_return = 0.0
    for _ in range(episodes):
        reset(parameters, state, stream)
        terminal, steps = False, 0
        while not terminal:
            fill_factors(state, low, high, orders, powers, factors[filled])
            _fill_outputs(weights, factors[filled], orders, features[0], outputs[0])
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
                    _fill_outputs(weights, next_factors, orders, features[0], outputs[0])
                    buffer.values[filled] = outputs[0, actions]
                number = _learn(
                    weights, means, squares, buffer, factors, orders, scratch, hyperparameters, number, stream
                )
                filled = 0
            total_return += reward
            steps += 1
        all_steps += steps
    return total_return, all_steps


@njit(
    int64(
        float64[::1],
        int64,
        uint64[::1],
        int64,
        int64,
        float64[::1],
        float64[::1],
        float64[::1],
        types.FunctionType(PERTURB),
        types.FunctionType(RESET_CONTINUOUS),
        types.FunctionType(STEP_CONTINUOUS),
        types.FunctionType(DRAW_LINEAR),
    ),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def _simulate(performances, episodes, key, first, actions, low, high, constants, perturb, reset, step, draw):
    stream = np.empty(4, np.uint64)
    hyperparameters = np.empty(HYPERPARAMETERS)
    orders = np.array([len(low), 0, 0])
    all_steps = 0
    for trial in range(len(performances)):
        start_stream(key, first + trial, stream)
        parameters = constants.copy()
        perturb(parameters, stream)
        draw(hyperparameters, len(low), actions, stream)
        orders[1] = int(hyperparameters[DEPENDENT_ORDER])
        orders[2] = int(hyperparameters[INDEPENDENT_ORDER])
        total_return, steps = _trial(
            actions, low, high, orders, hyperparameters, episodes, parameters, stream, reset, step
        )
        all_steps += steps
        performances[trial] = total_return / episodes
    return all_steps


def simulator(environment: ContinuousEnvironment, draw: Callable) -> Callable[[np.ndarray, int, np.ndarray, int], int]:
    """A function that simulates trials, ready to be called in several threads; see `protocol`.

    Parameters
    ----------
    draw : compiled function that draws the hyperparameters, laid out as above
    """
    constants, low, high = (np.array(row) for row in (environment.parameters, environment.low, environment.high))

    def simulate(performances, episodes, key, first_trial):
        return _simulate(
            performances,
            episodes,
            key,
            first_trial,
            environment.actions,
            low,
            high,
            constants,
            environment.perturb,
            environment.reset,
            environment.step,
            draw,
        )

    return simulate
