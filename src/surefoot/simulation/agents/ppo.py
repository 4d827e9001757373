"""Tabular proximal policy optimisation (PPO; Jordan et al. 2020, section 3, Appendix E).

The policy's logits and the critic's values stand in one table, for they take their steps of Adam together.

What it does with a full buffer, which `linear_ppo` shares, is faithful to the programs of the paper: no normalisation
of advantages, and an entropy gradient with a wrong sign. Its optimiser is Adam, with the constants of its definition
(Appendix E; Kingma and Ba, ICLR 2015).
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from surefoot.simulation.agents.kernels import LARGEST_LOGIT, sample
from surefoot.streams import below

FIRST_DECAY, SECOND_DECAY = 0.9, 0.999
EPSILON = 1e-5
"""Outside the correction of the bias."""

NEGLIGIBLE = 1e-200
"""Smaller means of gradients are set to zero: no weight can tell, and denormal numbers would be slow."""


@njit(inline="always")
def corrected_step_size(step_size, number):
    """The step size of step `number` (from 1), with the bias of both means corrected."""
    return step_size * math.sqrt(1.0 - SECOND_DECAY**number) / (1.0 - FIRST_DECAY**number)


@njit(cache=True, error_model="numpy", fastmath={"contract"})
def ascend(weights, means, squares, gradients, count, step_size):
    """One step up the mean of `count` gradients, of which `gradients` has the sum, and is then zero; flat arrays.

    means, squares : running means of the gradients and of their squares
    step_size : the corrected one
    """
    share = 1.0 / count
    for entry in range(len(weights)):
        gradient = gradients[entry] * share
        mean = FIRST_DECAY * means[entry] + (1.0 - FIRST_DECAY) * gradient
        mean = 0.0 if abs(mean) < NEGLIGIBLE else mean
        square = SECOND_DECAY * squares[entry] + (1.0 - SECOND_DECAY) * gradient * gradient
        weights[entry] += step_size * mean / (math.sqrt(square) + EPSILON)
        means[entry] = mean
        squares[entry] = square
        gradients[entry] = 0.0


LARGEST_BUFFER = 256

DISCOUNT, TRACE_DECAY, CLIP, ENTROPY_WEIGHT, BUFFER, EPOCHS, MINIBATCH, STEP_SIZE = range(8)
"""The layout of the hyperparameters of PPO: gamma, lambda, c, beta, B, E, b, alpha."""


class Buffer(NamedTuple):
    """Consecutive steps, across the ends of episodes; arrays of LARGEST_BUFFER entries, `values` of one more."""

    actions: np.ndarray
    log_probabilities: np.ndarray
    rewards: np.ndarray
    values: np.ndarray
    """Values of the states when each step was taken; the last one is of the state that the last step led to."""
    goes_on: np.ndarray
    """0 at the end of an episode, otherwise 1."""
    advantages: np.ndarray
    order: np.ndarray
    """A permutation of the steps."""


@njit(inline="always")
def new_buffer():
    """A buffer, not filled."""
    return Buffer(
        np.empty(LARGEST_BUFFER, np.int64),
        np.empty(LARGEST_BUFFER),
        np.empty(LARGEST_BUFFER),
        np.empty(LARGEST_BUFFER + 1),
        np.empty(LARGEST_BUFFER),
        np.empty(LARGEST_BUFFER),
        np.empty(LARGEST_BUFFER, np.int64),
    )


@njit(inline="always")
def log_softmax(logits, actions, row, probabilities, log_probabilities):
    """Probabilities of the actions and their logarithms, from clipped logits (float64[rows, actions or more])."""
    total = 0.0
    for action in range(actions):
        logit = logits[row, action]
        logit = -LARGEST_LOGIT if logit < -LARGEST_LOGIT else logit
        logit = LARGEST_LOGIT if logit > LARGEST_LOGIT else logit
        log_probabilities[action] = logit
        probabilities[action] = math.exp(logit)
        total += probabilities[action]
    log_total = math.log(total)
    share = 1.0 / total
    for action in range(actions):
        log_probabilities[action] -= log_total
        probabilities[action] *= share


@njit(cache=True, error_model="numpy")
def estimate_advantages(buffer, steps, discount, decay):
    """Generalised advantage estimates, from the last step back; decay = gamma lambda, cut where an episode ends."""
    advantage = 0.0
    for i in range(steps - 1, -1, -1):
        error = buffer.rewards[i] + discount * buffer.values[i + 1] * buffer.goes_on[i] - buffer.values[i]
        advantage = error + decay * buffer.goes_on[i] * advantage
        buffer.advantages[i] = advantage


@njit(cache=True, error_model="numpy")
def shuffle(order, steps, stream):
    """Write a random permutation of 0..steps-1 to the start of `order`."""
    for i in range(steps):
        j = below(stream, i + 1)
        order[i] = order[j]
        order[j] = i


@njit(inline="always")
def logit_gradients(probabilities, log_probabilities, actions, buffer, step, clip, entropy_weight, gradients):
    """Write the derivatives of a step's objective by the logits.

    The clipped surrogate's, rho A grad ln pi(a|s) or nothing, and the entropy's, whose second term -p_b H has the
    wrong sign here as in the paper's programs: -p_b ln p_b + p_b H.
    """
    action, advantage = buffer.actions[step], buffer.advantages[step]
    ratio = math.exp(log_probabilities[action] - buffer.log_probabilities[step])
    clipped = 1.0 - clip if ratio < 1.0 - clip else ratio
    clipped = 1.0 + clip if clipped > 1.0 + clip else clipped
    push = ratio * advantage if ratio * advantage <= clipped * advantage else 0.0
    entropy = 0.0
    for other in range(actions):
        entropy -= probabilities[other] * log_probabilities[other]
    for other in range(actions):
        probability = probabilities[other]
        gradients[other] = -push * probability + entropy_weight * probability * (entropy - log_probabilities[other])
    gradients[action] += push


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


def trial(episodes, world, space, hyperparameters, options):
    """A trial of the agent in a discrete environment, for `simulator`."""
    number_of_states, actions = space
    parameters, stream, reset, step = world
    shape = (number_of_states, actions + 1)
    tables = Tables(np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros(shape))
    weights = tables.weights
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
