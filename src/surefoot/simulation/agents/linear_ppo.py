"""PPO over a Fourier basis: the agent of `ppo`, with linear functions (Jordan et al. 2020, section 3, Appendix E).

Nearly all of the time goes into the epochs over a full buffer, of which the factors of its features are kept. A
minibatch goes over all parts of the basis twice: first for the outputs (logits and value) of its steps, then for the
gradients, which Adam takes up part by part. See `linear_minibatches`.
"""

import functools
from collections.abc import Callable

import numpy as np
from numba import njit

from surefoot.simulation.agents.kernels import (
    LINEAR,
    Simulator,
    World,
    begin_trial,
    linear_simulator,
    sample,
    trials_kernel,
)
from surefoot.simulation.agents.linear_minibatches import (
    GROUP,
    Minibatch,
    Tables,
    climb,
    fill_outputs,
    fill_outputs_of_groups,
    shape_of_parts,
)
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
    corrected_step_size,
    estimate_advantages,
    log_softmax,
    logit_gradients,
    new_buffer,
    shuffle,
)
from surefoot.simulation.fourier import (
    fill_factors,
    new_basis,
    number_of_factors,
)
from surefoot.simulation.protocol import (
    ContinuousEnvironment,
)

DEPENDENT_ORDER, INDEPENDENT_ORDER = 8, 9
"""After the hyperparameters of `policy_gradient`: d, o."""

HYPERPARAMETERS = 10


@njit(cache=True, error_model="numpy")
def _learn(tables, minibatch, buffer, hyperparameters, number, stream):
    """All epochs over a full buffer; `number` steps of Adam were taken before, the new number is returned."""
    weights, steps = tables.weights, minibatch.steps
    outputs, by_output = minibatch.outputs, minibatch.by_output
    actions = weights.shape[1] - 1
    length, largest_size = int(hyperparameters[BUFFER]), int(hyperparameters[MINIBATCH])
    discount = hyperparameters[DISCOUNT]
    clip, entropy_weight = hyperparameters[CLIP], hyperparameters[ENTROPY_WEIGHT]
    probabilities, log_probabilities = np.empty(actions), np.empty(actions)
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


@njit(cache=True, error_model="numpy")
def _trial(actions, basis, hyperparameters, episodes, world):
    """All episodes of an agent; (sum of their returns, number of steps)."""
    orders, _, low, high, powers = basis
    parameters, stream = world.parameters, world.stream
    _, number_of_parts, room = shape_of_parts(orders)
    shape = (number_of_parts, actions + 1, room)  # The last output is the critic's.
    tables = Tables(np.zeros(shape), np.zeros(shape), np.zeros(shape))
    weights = tables.weights
    length = int(hyperparameters[BUFFER])
    state, next_factors = np.empty(orders[0]), np.empty(number_of_factors(orders))
    factors, features = np.empty((length, number_of_factors(orders))), np.empty((GROUP, room))
    probabilities, log_probabilities, outputs = np.empty(actions), np.empty(actions), np.empty((1, actions + 1))
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
    number = np.int64(0)  # The constant 0 would have a type of its own, for which `_learn` is compiled once more.
    total_return = 0.0
    for _ in range(episodes):
        world.reset(parameters, state, stream)
        terminal, steps = False, 0
        while not terminal:
            fill_factors(state, low, high, orders, powers, factors[filled])
            fill_outputs(weights, factors[filled], orders, features[0], outputs[0])
            log_softmax(outputs, actions, 0, probabilities, log_probabilities)
            action = sample(probabilities, actions, stream)
            reward, terminal = world.step(parameters, state, action, steps, stream)
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


@functools.cache
def _kernel() -> Callable:
    """The compiled trials, made when they are first asked for."""

    @trials_kernel(*LINEAR)
    def simulate(performances, episodes, key, first, actions, low, high, constants, perturb, reset, step, draw):
        stream = np.empty(4, np.uint64)
        hyperparameters = np.empty(HYPERPARAMETERS)
        all_steps = 0
        for trial in range(len(performances)):
            parameters = begin_trial(key, first + trial, constants, perturb, stream)
            draw(hyperparameters, len(low), actions, stream)
            dependent, independent = int(hyperparameters[DEPENDENT_ORDER]), int(hyperparameters[INDEPENDENT_ORDER])
            basis = new_basis(low, high, dependent, independent)
            world = World(parameters, stream, reset, step)
            total_return, steps = _trial(actions, basis, hyperparameters, episodes, world)
            all_steps += steps
            performances[trial] = total_return / episodes
        return all_steps

    return simulate


def simulator(environment: ContinuousEnvironment, draw: Callable) -> Simulator:
    """A function that simulates trials, ready to be called in several threads; see `protocol`.

    Parameters
    ----------
    draw : compiled function that draws the hyperparameters, laid out as above
    """
    return linear_simulator(_kernel(), environment, draw)
