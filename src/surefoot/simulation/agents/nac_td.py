"""Natural actor-critic with compatible advantages (NAC-TD; Jordan et al. 2020, section 3, Appendix E, Table 4).

The agent has a softmax policy with logits theta, a critic, and weights w of advantages that are compatible with the
policy: <w, grad ln pi(a|s)>. All are learnt with accumulating traces. At every step, including the first, the policy
moves by exactly alpha_p in the direction of w:

    theta <- theta + alpha_p w / |w|

Over a Fourier basis, linear functions take the place of tables. A step reads and writes each of the large arrays
(logits theta, advantages w, their traces) once. Therefore the same pass must compute everything that the next step
needs: the products of theta and w with the features of the next state, which is already known. The update of the policy
needs the norm of w, which is only known at the end of the pass. So the update is made in the next pass, and the logits
include it in advance:

    (theta + c w).phi = theta.phi + c w.phi,    c = alpha_p / |w|

If a logit is NaN, theta has a weight of NaN, all logits stay NaN, and action 0 is always taken. Learning then stops,
since it has no effect.

The complete definition draws all hyperparameters; U is the uniform and LU the log-uniform distribution. gamma = 1 -
LU(1e-4, 0.05), lambda ~ U(0, 1), and alpha_p, alpha_v, alpha_w each LU(1e-3, 0.1) for tables and LU(1e-6, 1e-3) for a
Fourier basis, with orders d ~ U{0..9} and o ~ U{1..9}.
"""

import math

import numpy as np
from numba import njit

from surefoot.simulation.agents.agent_kernels import Simulator, sample, simulator, softmax
from surefoot.simulation.agents.hyperparameter_distributions import (
    discount,
    draw_orders,
    linear_step_size,
    tabular_step_size,
    unit_uniform,
)
from surefoot.simulation.fourier import fill_factors, fill_features, new_basis, number_of_factors
from surefoot.simulation.trial_protocol import DRAW, DRAW_LINEAR, ContinuousEnvironment, DiscreteEnvironment

DISCOUNT, TRACE_DECAY, POLICY_STEP_SIZE, VALUE_STEP_SIZE, ADVANTAGE_STEP_SIZE = range(5)
"""Indices of the hyperparameters: gamma, lambda, alpha_p, alpha_v, alpha_w."""

DEPENDENT_ORDER, INDEPENDENT_ORDER = range(5, 7)
"""Indices of d and o, which follow the hyperparameters above."""

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


def tabular_trial(episodes, world, space, hyperparameters, options):
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


def linear_trial(episodes, world, space, hyperparameters, options):
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


@njit(DRAW, cache=True)
def draw_tabular(hyperparameters, stream):
    """Draw hyperparameters for tables."""
    hyperparameters[DISCOUNT] = discount(stream)
    hyperparameters[TRACE_DECAY] = unit_uniform(stream)
    hyperparameters[POLICY_STEP_SIZE] = tabular_step_size(stream)
    hyperparameters[VALUE_STEP_SIZE] = tabular_step_size(stream)
    hyperparameters[ADVANTAGE_STEP_SIZE] = tabular_step_size(stream)


@njit(DRAW_LINEAR, cache=True)
def draw_linear(hyperparameters, dimensions, actions, stream):
    """Draw hyperparameters for a Fourier basis."""
    draw_orders(hyperparameters, DEPENDENT_ORDER, stream)
    hyperparameters[DISCOUNT] = discount(stream)
    hyperparameters[TRACE_DECAY] = unit_uniform(stream)
    hyperparameters[POLICY_STEP_SIZE] = linear_step_size(stream)
    hyperparameters[VALUE_STEP_SIZE] = linear_step_size(stream)
    hyperparameters[ADVANTAGE_STEP_SIZE] = linear_step_size(stream)


def tabular(environment: DiscreteEnvironment) -> Simulator:
    """Create a simulator of tabular NAC-TD; see `protocol`."""
    return simulator(tabular_trial, environment, draw_tabular)


def linear(environment: ContinuousEnvironment) -> Simulator:
    """Create a simulator of NAC-TD over a Fourier basis; see `protocol`."""
    return simulator(linear_trial, environment, draw_linear)
