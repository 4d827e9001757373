"""Straightforward implementations of the agents over tables, compiled with numba, as peers of the kernels.

Every step changes every entry of the tables, in one loop that the compiler vectorizes; the environment's step is
compiled into the loop. Random numbers are drawn in the same order as in the kernels, so the trials are the same.
"""

import math

import numpy as np
from numba import njit

from surefoot.streams import below, start_stream, uniform


@njit(error_model="numpy")
def greedy(values):
    best = 0
    for action in range(len(values)):
        if np.isnan(values[action]):
            return action
        if values[action] > values[best]:
            best = action
    return best


@njit(error_model="numpy")
def update(weights, traces, change, decay):
    """Set w <- w + change e and e <- decay e in one pass over two arrays of equal length."""
    for entry in range(len(weights)):
        weights[entry] += traces[entry] * change
        traces[entry] *= decay


@njit(error_model="numpy")
def sarsa(trials, episodes, key, states, actions, constants, perturb, step, draw, off_policy, adaptive):
    """Run trials of tabular Sarsa(lambda) or Q(lambda) with a fixed or Parl2 step size; return the number of steps."""
    stream = np.empty(4, np.uint64)
    hyperparameters = np.empty(4)
    all_steps = 0
    for trial in range(trials):
        start_stream(key, trial, stream)
        parameters = constants.copy()
        perturb(parameters, stream)
        draw(hyperparameters, stream)
        gamma, lambda_, epsilon, alpha = hyperparameters
        w = np.zeros((states, actions))
        for _ in range(episodes):
            e = np.zeros((states, actions))
            s, steps, terminal = 0, 0, False
            best = greedy(w[s])
            a = below(stream, actions) if uniform(stream) < epsilon else best
            while not terminal:
                value = w[s, a]
                s2, reward, terminal = step(parameters, s, a, steps, stream)
                steps += 1
                target, a2 = reward, 0
                if not terminal:
                    best = greedy(w[s2])
                    a2 = below(stream, actions) if uniform(stream) < epsilon else best
                    target += gamma * w[s2, best if off_policy else a2]
                delta = target - value
                e[s, a] += 1.0
                if adaptive:
                    slope = (0.0 if terminal else gamma * e[s2, a2]) - e[s, a]
                    if slope < 0.0:
                        alpha = min(alpha, -1.0 / slope)
                if np.isnan(delta):
                    e *= gamma * lambda_
                else:
                    update(w.reshape(-1), e.reshape(-1), delta * alpha, gamma * lambda_)
                s, a = s2, a2
            all_steps += steps
    return all_steps


@njit(error_model="numpy")
def actor_critic(trials, episodes, key, states, actions, constants, perturb, step, draw, off_policy, adaptive):
    """Tabular actor-critic, with a fixed or Parl2 step size of the critic; the number of environment steps."""
    stream = np.empty(4, np.uint64)
    hyperparameters = np.empty(4)
    pi = np.empty(actions)
    all_steps = 0
    for trial in range(trials):
        start_stream(key, trial, stream)
        parameters = constants.copy()
        perturb(parameters, stream)
        draw(hyperparameters, stream)
        gamma, lambda_, alpha_p, alpha_v = hyperparameters
        decay = gamma * lambda_
        v, theta = np.zeros(states), np.zeros((states, actions))
        for _ in range(episodes):
            e_v, e_p = np.zeros(states), np.zeros((states, actions))
            s, steps, terminal = 0, 0, False
            while not terminal:
                for b in range(actions):
                    pi[b] = math.exp(min(max(theta[s, b], -32.0), 32.0))
                pi /= pi.sum()
                chance, cumulative, a = uniform(stream), 0.0, 0
                for b in range(actions):
                    cumulative += pi[b]
                    if chance < cumulative:
                        a = b
                        break
                s2, reward, terminal = step(parameters, s, a, steps, stream)
                steps += 1
                delta = (reward if terminal else reward + gamma * v[s2]) - v[s]
                if adaptive:
                    delta -= 0.01 * math.log(pi[a])
                e_v[s] += 1.0
                for b in range(actions):
                    e_p[s, b] += (b == a) - pi[b]
                if adaptive:
                    slope = (0.0 if terminal else gamma * e_v[s2]) - e_v[s]
                    if slope < 0.0:
                        alpha_v = min(alpha_v, -1.0 / slope)
                if np.isnan(delta):
                    e_v *= decay
                    e_p *= decay
                else:
                    update(v, e_v, delta * alpha_v, decay)
                    update(theta.reshape(-1), e_p.reshape(-1), delta * alpha_p, decay)
                s = s2
            all_steps += steps
    return all_steps
