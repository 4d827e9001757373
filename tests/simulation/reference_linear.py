"""Agents with linear functions in plain NumPy, written from the formulas alone: every entry at every step.

They draw the same random numbers in the same order as the compiled ones. `Slope` is a small continuous environment.
"""

import itertools
import math

import numpy as np
from numba import njit
from reference_trials import choose

from surefoot.simulation.protocol import ContinuousEnvironment
from surefoot.streams import start_stream, uniform

STEP_LIMIT = 30


@njit
def perturb_slope(parameters, stream):
    parameters[0] = 0.05 + 0.1 * uniform(stream)


@njit
def reset_slope(parameters, state, stream):
    state[0], state[1] = -0.5, 0.1


@njit
def step_slope(parameters, state, action, steps, stream):
    """Push a point up a slope or down; its second number is noise, and leaves the range of the features."""
    state[0] += parameters[0] * (action - 1) + 0.1 * (uniform(stream) - 0.5)
    state[1] = 3.0 * uniform(stream) - 1.0
    return -1.0 - state[0] ** 2, state[0] > 0.5 or steps + 1 >= STEP_LIMIT


def slope(actions=3):
    """Actions beyond the third push farther."""
    return ContinuousEnvironment(actions, (-1.0, 0.0), (1.0, 1.0), (0.0,), perturb_slope, reset_slope, step_slope)


def coefficients(dimensions, dependent, independent):
    """The vectors c of the Fourier basis, Jordan et al. 2020, Appendix E; any order will do."""
    vectors = list(itertools.product(range(dependent + 1), repeat=dimensions))
    for i in range(dimensions):
        for power in range(dependent + 1, independent + 1):
            vectors.append(tuple(power if j == i else 0 for j in range(dimensions)))
    return np.array(vectors)


class World:
    """An environment together with the features of its states."""

    def __init__(self, environment, parameters, stream, dependent, independent, backwards):
        self.environment, self.parameters, self.stream = environment, parameters, stream
        self.low, self.high = np.array(environment.low), np.array(environment.high)
        self.state = np.empty(len(self.low))
        vectors = coefficients(len(self.low), dependent, independent)
        self.vectors = vectors[::-1] if backwards else vectors

    def reset(self):
        self.steps = 0
        self.environment.reset(self.parameters, self.state, self.stream)
        return self.features()

    def step(self, action):
        reward, terminal = self.environment.step(self.parameters, self.state, action, self.steps, self.stream)
        self.steps += 1
        return reward, terminal, self.features()

    def features(self):
        return np.cos(np.pi * (self.vectors @ ((self.state - self.low) / (self.high - self.low))))


def kept(e):
    """Traces below 1e-200 count as zero."""
    return np.where(np.abs(e) < 1e-200, 0.0, e)


def sarsa_trial(world, episodes, hyperparameters, off_policy, adaptive, fraction):
    """(mean return, weights at the end) of Sarsa(lambda) or Q(lambda)."""
    gamma, lambda_, epsilon, alpha = hyperparameters[:4]
    actions, stream = world.environment.actions, world.stream
    w = np.zeros((actions, len(world.vectors)))
    returns = []
    for _ in range(episodes):
        e = np.zeros_like(w)
        total, terminal = 0.0, False
        phi = world.reset()
        a = choose(w @ phi, epsilon, stream, [])
        while not terminal:
            value = w[a] @ phi
            reward, terminal, phi2 = world.step(a)
            a2, target = 0, reward
            if not terminal:
                a2 = choose(w @ phi2, epsilon, stream, [])
                target = reward + gamma * (np.max(w @ phi2) if off_policy else w[a2] @ phi2)
            delta = target - value
            e *= gamma * lambda_
            e[a] += phi
            e = kept(e)
            if adaptive:
                difference = np.zeros_like(w)
                difference[a] -= phi
                if not terminal:
                    difference[a2] += gamma * phi2
                slope = (e * difference).sum()
                if slope < 0:
                    alpha = min(alpha, -1.0 / slope)
            if not math.isnan(delta):
                w += e * (delta * (alpha * fraction))
            phi, a, total = phi2, a2, total + reward
        returns.append(total)
    return sum(returns) / episodes, w


def actor_critic_trial(world, episodes, hyperparameters, adaptive, fraction):
    """(mean return, policy weights at the end) of the actor-critic."""
    gamma, lambda_, alpha_p, alpha_v = hyperparameters[:4]
    actions, stream = world.environment.actions, world.stream
    v, theta = np.zeros(len(world.vectors)), np.zeros((actions, len(world.vectors)))
    returns = []
    for _ in range(episodes):
        e_v, e_p = np.zeros_like(v), np.zeros_like(theta)
        total, terminal = 0.0, False
        phi = world.reset()
        while not terminal:
            powers = np.exp(np.clip(theta @ phi, -32.0, 32.0))
            pi = powers / powers.sum()
            below_chance = np.flatnonzero(uniform(stream) < pi.cumsum())
            a = int(below_chance[0]) if len(below_chance) else 0
            value = v @ phi
            reward, terminal, phi2 = world.step(a)
            target = reward if terminal else reward + gamma * (v @ phi2)
            delta = target - value
            if adaptive:
                delta -= 0.01 * math.log(pi[a])
            e_v = kept(gamma * lambda_ * e_v + phi)
            e_p = kept(gamma * lambda_ * e_p + np.outer(np.eye(actions)[a] - pi, phi))
            if adaptive:
                slope = (e_v * ((0.0 if terminal else gamma) * phi2 - phi)).sum()
                if slope < 0:
                    alpha_v = min(alpha_v, -1.0 / slope)
            if not math.isnan(delta):
                v += e_v * (delta * (alpha_v * fraction))
                theta += e_p * (delta * alpha_p)
            phi, total = phi2, total + reward
        returns.append(total)
    return sum(returns) / episodes, theta


def trials(environment, draw, trial, key, first, count, episodes, backwards, options):
    """Performances and final weights of trials first..first+count-1.

    draw : of six hyperparameters, the last two of which are the orders of the basis
    backwards : take the features in the opposite order, so that sums are rounded differently
    """
    performances, weights = np.empty(count), []
    stream, hyperparameters = np.empty(4, np.uint64), np.empty(6)
    with np.errstate(all="ignore"):
        for index in range(count):
            start_stream(key, first + index, stream)
            parameters = np.array(environment.parameters)
            environment.perturb(parameters, stream)
            draw(hyperparameters, len(environment.low), environment.actions, stream)
            dependent, independent = (int(order) for order in hyperparameters[4:])
            world = World(environment, parameters, stream, dependent, independent, backwards)
            performances[index], final = trial(world, episodes, hyperparameters, *options)
            weights.append(final)
    return performances, weights
