"""Straightforward implementations of the agents over a Fourier basis, compiled with numba, as peers of the kernels.

Every step reads and writes the weights and traces of all outputs, in loops that the compiler vectorizes. The features
are computed from factors as in the kernels, as ten thousand cosines per step would take most of the time.
"""

import math

import numpy as np
from numba import njit

from surefoot.simulation.agents.sarsa import DEPENDENT_ORDER, INDEPENDENT_ORDER
from surefoot.simulation.fourier import POWERS, fill_factors, fill_features, number_of_factors, number_of_features
from surefoot.streams import below, start_stream, uniform

HYPERPARAMETERS = 7
"""Number of hyperparameters of the agents over a Fourier basis; Sarsa and actor-critic order them alike."""

REORDERED = {"reassoc", "contract", "arcp", "nsz"}


@njit(error_model="numpy", fastmath=REORDERED)
def product(weights, features):
    total = 0.0
    for i in range(len(features)):
        total += weights[i] * features[i]
    return total


@njit(error_model="numpy", fastmath=REORDERED)
def trace(traces, features, decay, increment):
    """Set e <- decay e + increment phi."""
    for i in range(len(features)):
        traces[i] = decay * traces[i] + increment * features[i]


@njit(error_model="numpy", fastmath=REORDERED)
def add(weights, traces, change):
    for i in range(len(weights)):
        weights[i] += change * traces[i]


@njit(error_model="numpy")
def greedy(values, epsilon, stream):
    best = np.argmax(values)
    return below(stream, len(values)) if uniform(stream) < epsilon else best


@njit(error_model="numpy")
def features_of(state, low, high, orders, powers, factors, features):
    fill_factors(state, low, high, orders, powers, factors)
    fill_features(factors, orders, features)


@njit(error_model="numpy")
def sarsa(episodes, key, actions, low, high, parameters, reset, step, draw, adaptive):
    """Run episodes of Sarsa(lambda) with a fixed or Parl2 step size; return the number of environment steps."""
    stream, h, n = np.empty(4, np.uint64), np.empty(HYPERPARAMETERS), len(low)
    start_stream(key, 0, stream)
    draw(h, n, actions, stream)
    gamma, decay, epsilon, alpha = h[0], h[0] * h[1], h[2], h[3]
    orders = np.array([n, int(h[DEPENDENT_ORDER]), int(h[INDEPENDENT_ORDER])])
    count = number_of_features(n, orders[1], orders[2])
    powers, factors = np.empty((2, POWERS)), np.empty(number_of_factors(orders))
    w, phi, phi2, q = np.zeros((actions, count)), np.empty(count), np.empty(count), np.empty(actions)
    state, all_steps = np.empty(n), 0
    for _ in range(episodes):
        e = np.zeros((actions, count))
        steps, terminal = 0, False
        reset(parameters, state, stream)
        features_of(state, low, high, orders, powers, factors, phi)
        for b in range(actions):
            q[b] = product(w[b], phi)
        a = greedy(q, epsilon, stream)
        while not terminal:
            value = product(w[a], phi)
            reward, terminal = step(parameters, state, a, steps, stream)
            steps += 1
            target, a2 = reward, 0
            if not terminal:
                features_of(state, low, high, orders, powers, factors, phi2)
                for b in range(actions):
                    q[b] = product(w[b], phi2)
                a2 = greedy(q, epsilon, stream)
                target += gamma * q[a2]
            for b in range(actions):
                trace(e[b], phi, decay, 1.0 if b == a else 0.0)
            if adaptive:
                slope = (0.0 if terminal else gamma * product(e[a2], phi2)) - product(e[a], phi)
                if slope < 0.0:
                    alpha = min(alpha, -1.0 / slope)
            if not np.isnan(target - value):
                for b in range(actions):
                    add(w[b], e[b], alpha * (target - value))
            a = a2
            phi, phi2 = phi2, phi
        all_steps += steps
    return all_steps


@njit(error_model="numpy")
def actor_critic(episodes, key, actions, low, high, parameters, reset, step, draw, adaptive):
    """Run episodes of actor-critic with a fixed or Parl2 step size of the critic; return the number of steps."""
    stream, h, n = np.empty(4, np.uint64), np.empty(HYPERPARAMETERS), len(low)
    start_stream(key, 0, stream)
    draw(h, n, actions, stream)
    gamma, decay, alpha_p, alpha_v = h[0], h[0] * h[1], h[2], h[3]
    orders = np.array([n, int(h[DEPENDENT_ORDER]), int(h[INDEPENDENT_ORDER])])
    count = number_of_features(n, orders[1], orders[2])
    powers, factors = np.empty((2, POWERS)), np.empty(number_of_factors(orders))
    v, theta, phi, phi2 = np.zeros(count), np.zeros((actions, count)), np.empty(count), np.empty(count)
    pi, state, all_steps = np.empty(actions), np.empty(n), 0
    for _ in range(episodes):
        e_v, e_p = np.zeros(count), np.zeros((actions, count))
        steps, terminal = 0, False
        reset(parameters, state, stream)
        features_of(state, low, high, orders, powers, factors, phi)
        while not terminal:
            for b in range(actions):
                pi[b] = math.exp(min(max(product(theta[b], phi), -32.0), 32.0))
            pi /= pi.sum()
            chance, cumulative, a = uniform(stream), 0.0, 0
            for b in range(actions):
                cumulative += pi[b]
                if chance < cumulative:
                    a = b
                    break
            delta = -product(v, phi)
            reward, terminal = step(parameters, state, a, steps, stream)
            steps += 1
            delta += reward
            if not terminal:
                features_of(state, low, high, orders, powers, factors, phi2)
                delta += gamma * product(v, phi2)
            if adaptive:
                delta -= 0.01 * math.log(pi[a])
            trace(e_v, phi, decay, 1.0)
            for b in range(actions):
                trace(e_p[b], phi, decay, (b == a) - pi[b])
            if adaptive:
                slope = (0.0 if terminal else gamma * product(e_v, phi2)) - product(e_v, phi)
                if slope < 0.0:
                    alpha_v = min(alpha_v, -1.0 / slope)
            if not np.isnan(delta):
                add(v, e_v, alpha_v * delta)
                for b in range(actions):
                    add(theta[b], e_p[b], alpha_p * delta)
            phi, phi2 = phi2, phi
        all_steps += steps
    return all_steps
