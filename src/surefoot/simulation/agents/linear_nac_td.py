"""NAC-TD over a Fourier basis: the agent of `nac_td`, with linear functions (Jordan et al. 2020, section 3).

A step reads and writes each of the large arrays (logits theta, advantages w, their traces) once. Therefore the same
pass must compute everything that the next step needs: the products of theta and w with the features of the next state,
which is already known. The update of the policy needs the norm of w, which is only known at the end of the pass. So the
update is made in the next pass, and the logits include it in advance:

    (theta + c w).phi = theta.phi + c w.phi,    c = alpha_p / |w|

If a logit is NaN, theta has a weight of NaN, all logits stay NaN, and action 0 is always taken. Learning then stops,
since it has no effect.
"""

import math

import numpy as np
from numba import njit

from surefoot.simulation.agents.kernels import sample, softmax
from surefoot.simulation.agents.nac_td import (
    ADVANTAGE_STEP_SIZE,
    DISCOUNT,
    POLICY_STEP_SIZE,
    TRACE_DECAY,
    VALUE_STEP_SIZE,
    norm,
)
from surefoot.simulation.fourier import fill_factors, fill_features, new_basis, number_of_factors

DEPENDENT_ORDER, INDEPENDENT_ORDER = range(5, 7)
"""Indices of d and o, which follow the hyperparameters of `nac_td`."""


@njit(cache=True, error_model="numpy", fastmath={"reassoc", "contract"})
def dot(weights, features):
    """Return the inner product of two vectors."""
    total = 0.0
    for f in range(len(features)):
        total += weights[f] * features[f]
    return total


@njit(cache=True, error_model="numpy", fastmath={"reassoc", "contract"})
def _update_values(weights, traces, decay, change, features, next_features):
    """Compute e <- decay e + phi, w <- w + change e (unless `change` is NaN), and return w.phi'."""
    total = 0.0
    if change == change:
        for f in range(len(features)):
            trace = decay * traces[f] + features[f]
            weight = weights[f] + change * trace
            traces[f] = trace
            weights[f] = weight
            total += weight * next_features[f]
    else:
        for f in range(len(features)):
            traces[f] = decay * traces[f] + features[f]
            total += weights[f] * next_features[f]
    return total


@njit(cache=True, error_model="numpy", fastmath={"reassoc", "contract"})
def _update_policy(logits, factor, weights, traces, decay, gradient, change, features, next_features):
    """Update theta <- theta + factor w, e <- decay e + gradient phi, w <- w + change e for one action.

    If change is NaN, w is unchanged.

    Returns
    -------
    sum of w^2, theta.phi', w.phi'
    """
    squares = logit = advantage = 0.0
    if change == change:
        for f in range(len(features)):
            weight = weights[f]
            policy = logits[f] + factor * weight
            trace = decay * traces[f] + gradient * features[f]
            weight += change * trace
            logits[f] = policy
            traces[f] = trace
            weights[f] = weight
            squares += weight * weight
            logit += policy * next_features[f]
            advantage += weight * next_features[f]
    else:
        for f in range(len(features)):
            weight = weights[f]
            policy = logits[f] + factor * weight
            logits[f] = policy
            traces[f] = decay * traces[f] + gradient * features[f]
            squares += weight * weight
            logit += policy * next_features[f]
            advantage += weight * next_features[f]
    return squares, logit, advantage


def trial(episodes, world, space, hyperparameters, options):
    """Run a trial of the agent in a continuous environment, for `simulator`."""
    actions, low, high = space
    parameters, stream, reset, step = world
    discount = hyperparameters[DISCOUNT]
    decay = discount * hyperparameters[TRACE_DECAY]
    orders, count, powers = new_basis(len(low), hyperparameters[DEPENDENT_ORDER:])
    value_weights = np.zeros(count)
    value_traces = np.zeros(count)
    policy_weights = np.zeros((actions, count))
    advantage_weights = np.zeros((actions, count))
    traces = np.zeros((actions, count))
    state = np.empty(len(low))
    factors = np.empty(number_of_factors(orders))
    features = np.empty(count)
    next_features = np.empty(count)
    logits = np.zeros((1, actions))
    probabilities = np.empty(actions)
    advantages = np.zeros(actions)
    value = factor = total_return = 0.0
    all_steps = 0
    learning = True
    reset(parameters, state, stream)
    fill_factors(state, low, high, orders, powers, factors)
    fill_features(factors, orders, features)
    for _ in range(episodes):
        terminal = False
        steps = 0
        while not terminal:
            softmax(logits, actions, 0, probabilities)
            action = sample(probabilities, actions, stream)
            reward, terminal = step(parameters, state, action, steps, stream)
            total_return += reward
            steps += 1
            if terminal:
                reset(parameters, state, stream)
            if not learning:
                continue
            fill_factors(state, low, high, orders, powers, factors)
            fill_features(factors, orders, next_features)
            error = reward - value
            if not terminal:
                error = reward + discount * dot(value_weights, next_features) - value
            change = error * hyperparameters[VALUE_STEP_SIZE]
            value = _update_values(value_weights, value_traces, decay, change, features, next_features)
            advantage = 0.0
            for other in range(actions):
                advantage += advantages[other] * ((1.0 if other == action else 0.0) - probabilities[other])
            change = (error - advantage) * hyperparameters[ADVANTAGE_STEP_SIZE]
            all_squares = 0.0
            for other in range(actions):
                squares, logits[0, other], advantages[other] = _update_policy(
                    policy_weights[other],
                    factor,
                    advantage_weights[other],
                    traces[other],
                    decay,
                    (1.0 if other == action else 0.0) - probabilities[other],
                    change,
                    features,
                    next_features,
                )
                all_squares += squares
            factor = hyperparameters[POLICY_STEP_SIZE] / norm(advantage_weights.reshape(-1), all_squares)
            for other in range(actions):
                logits[0, other] += factor * advantages[other]
                learning &= not math.isnan(logits[0, other])
            features, next_features = next_features, features
            if terminal:
                value_traces[:] = 0.0
                traces[:] = 0.0
        all_steps += steps
    return total_return, all_steps
