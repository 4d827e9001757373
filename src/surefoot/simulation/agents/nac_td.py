"""Tabular natural actor-critic with compatible advantages (NAC-TD; Jordan et al. 2020, section 3, Appendix E).

The agent has a softmax policy with logits theta, a critic, and weights w of advantages that are compatible with the
policy: <w, grad ln pi(a|s)>. All are learnt with accumulating traces. At every step, including the first, the policy
moves by exactly alpha_p in the direction of w:

    theta <- theta + alpha_p w / |w|
"""

import math

import numpy as np
from numba import njit

from surefoot.simulation.agents.kernels import sample, softmax

DISCOUNT, TRACE_DECAY, POLICY_STEP_SIZE, VALUE_STEP_SIZE, ADVANTAGE_STEP_SIZE = range(5)
"""Indices of the hyperparameters: gamma, lambda, alpha_p, alpha_v, alpha_w."""

NEGLIGIBLE = 1e-200
"""Smaller traces are set to zero: they do not affect any weight, and denormal numbers would be slow."""

SAFE_SQUARES = (1e-280, 1e300)
"""Range in which a sum of squares is not affected by underflow or overflow."""


@njit(cache=True, error_model="numpy", fastmath={"reassoc", "contract"})
def _update(weights, traces, change, decay):
    """Compute w <- w + change e, e <- decay e for flat arrays, and return the sum of w^2.

    If change is NaN, w is unchanged.
    """
    squares = 0.0
    if change == change:
        for entry in range(len(weights)):
            trace = traces[entry]
            weight = weights[entry] + trace * change
            weights[entry] = weight
            squares += weight * weight
            trace *= decay
            traces[entry] = 0.0 if abs(trace) < NEGLIGIBLE else trace
    else:
        for entry in range(len(weights)):
            squares += weights[entry] * weights[entry]
            traces[entry] *= decay
    return squares


@njit(cache=True, error_model="numpy")
def norm(weights, squares):
    """Return the Euclidean norm of an array, given its sum of squares, which may have overflowed or underflowed."""
    if SAFE_SQUARES[0] < squares < SAFE_SQUARES[1]:
        return math.sqrt(squares)
    largest = 0.0
    for weight in weights:
        if weight != weight:
            return math.nan
        largest = max(largest, abs(weight))
    if largest == 0.0 or largest == math.inf:
        return largest
    squares = 0.0
    for weight in weights:
        squares += (weight / largest) ** 2
    return largest * math.sqrt(squares)


@njit(cache=True, error_model="numpy", fastmath={"contract"})
def _add(weights, factor, direction):
    """Compute weights <- weights + factor direction for flat arrays."""
    for entry in range(len(weights)):
        weights[entry] += factor * direction[entry]


def trial(episodes, world, space, hyperparameters, options):
    """Run a trial of the agent in a discrete environment, for `simulator`."""
    states, actions = space
    parameters, stream, reset, step = world
    discount = hyperparameters[DISCOUNT]
    decay = discount * hyperparameters[TRACE_DECAY]
    probabilities = np.empty(actions)
    values = np.zeros(states)
    value_traces = np.empty(states)
    logits = np.zeros((states, actions))
    advantages = np.zeros((states, actions))
    advantage_traces = np.empty((states, actions))
    # Once per trial, since making a view takes half the time of a step.
    flat_logits = logits.reshape(-1)
    flat_advantages = advantages.reshape(-1)
    flat_advantage_traces = advantage_traces.reshape(-1)
    total_return = 0.0
    all_steps = 0
    for _ in range(episodes):
        value_traces[:] = 0.0
        advantage_traces[:] = 0.0
        total_reward = 0.0
        steps = 0
        state = reset(parameters, stream)
        terminal = False
        while not terminal:
            softmax(logits, actions, state, probabilities)
            action = sample(probabilities, actions, stream)
            next_state, reward, terminal = step(parameters, state, action, steps, stream)
            error = (reward if terminal else reward + discount * values[next_state]) - values[state]
            advantage = 0.0
            for other in range(actions):
                gradient = (1.0 if other == action else 0.0) - probabilities[other]
                advantage += advantages[state, other] * gradient
                advantage_traces[state, other] += gradient
            value_traces[state] += 1.0
            _update(values, value_traces, error * hyperparameters[VALUE_STEP_SIZE], decay)
            change = (error - advantage) * hyperparameters[ADVANTAGE_STEP_SIZE]
            squares = _update(flat_advantages, flat_advantage_traces, change, decay)
            factor = hyperparameters[POLICY_STEP_SIZE] / norm(flat_advantages, squares)
            _add(flat_logits, factor, flat_advantages)
            state = next_state
            total_reward += reward
            steps += 1
        total_return += total_reward
        all_steps += steps
    return total_return, all_steps
