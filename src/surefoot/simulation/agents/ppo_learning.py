"""Learning of PPO over tables and over a Fourier basis: a buffer of steps, the gradients of the objective, and Adam.

The processing of a full buffer follows the programs of the paper (Jordan et al. 2020, section 3, Appendix E):
advantages are not normalised, and one term of the entropy gradient has the wrong sign. The optimiser is Adam, with the
constants of its definition (Appendix E; Kingma and Ba, ICLR 2015).
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from surefoot.simulation.agents.agent_kernels import LARGEST_LOGIT
from surefoot.streams import below

FIRST_DECAY = 0.9
SECOND_DECAY = 0.999
EPSILON = 1e-5
"""Adam's epsilon, added to the root of the mean square, which is not corrected for bias (epsilon-hat of Kingma and Ba).
"""

NEGLIGIBLE = 1e-200
"""Smaller means of gradients are set to zero: they do not affect any weight, and denormal numbers would be slow."""


@njit(inline="always")
def corrected_step_size(step_size, number):
    """Return the step size of step `number` (starting at 1), with the bias of both means corrected."""
    return step_size * math.sqrt(1.0 - SECOND_DECAY**number) / (1.0 - FIRST_DECAY**number)


@njit(cache=True, error_model="numpy", fastmath={"contract"})
def ascend(weights, means, squares, gradients, count, step_size):
    """Take one ascent step along the mean of `count` gradients. All arrays are flat.

    gradients : sum of the gradients; set to zero
    means, squares : running means of the gradients and of their squares
    step_size : corrected step size
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
"""Indices of the hyperparameters of PPO: gamma, lambda, c, beta, B, E, b, alpha."""


class Buffer(NamedTuple):
    """Consecutive steps, across the ends of episodes; arrays of LARGEST_BUFFER entries, one more in `values`."""

    actions: np.ndarray
    log_probabilities: np.ndarray
    rewards: np.ndarray
    values: np.ndarray
    """Values of the states when each step was taken; the last entry is for the state after the last step."""
    goes_on: np.ndarray
    """0 at the end of an episode, otherwise 1."""
    advantages: np.ndarray
    order: np.ndarray
    """A permutation of the steps."""


@njit(inline="always")
def new_buffer():
    """Allocate an empty buffer."""
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
    """Compute the actions' probabilities and log probabilities from clipped logits (float64[rows, actions or more])."""
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
    """Compute generalised advantage estimates, backwards; decay = gamma lambda, reset at the end of an episode."""
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
    """Compute the derivatives of a step's objective by the logits.

    They are the sum of the clipped surrogate's derivative, rho A grad ln pi(a|s) or zero, and the entropy's derivative.
    The second term of the entropy's derivative, -p_b H, has the wrong sign here, as in the paper's programs: -p_b ln
    p_b + p_b H.
    """
    action = buffer.actions[step]
    advantage = buffer.advantages[step]
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
