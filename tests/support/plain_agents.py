"""Agents in plain NumPy, written directly from the formulas: every step updates all entries.

They draw the same random numbers in the same order as the compiled agents. They learn functions with weights
float64[features, outputs]: either a table, which is read by look-up, or a linear function of given features.
"""

import functools
import itertools
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numba import njit

from surefoot.simulation.agents.agent_kernels import simulator
from surefoot.simulation.agents.hyperparameter_distributions import unit_uniform
from surefoot.simulation.environments import chain, gridworld
from surefoot.simulation.trial_protocol import DiscreteEnvironment
from surefoot.streams import below, start_stream, uniform


class Function(NamedTuple):
    """Functions of a state x that are parameterized by weights."""

    features: int
    read: Callable
    """read(w, x) -> outputs."""
    gradient: Callable
    """gradient(x, row) -> derivatives with respect to the weights, given those with respect to the outputs."""
    negligible: float
    """Traces below this number count as zero."""


def table(states):
    def gradient(x, row):
        derivatives = np.zeros((states, len(row)))
        derivatives[x] = row
        return derivatives

    return Function(states, lambda w, x: w[x], gradient, 0.0)


def linear(phi, features):
    return Function(features, lambda w, x: phi(x) @ w, lambda x, row: np.outer(phi(x), row), 1e-200)


def coefficients(dimensions, dependent, independent):
    """Return the vectors c of the Fourier basis (Jordan et al. 2020, Appendix E) in the order `fourier` documents."""
    vectors = list(itertools.product(range(dependent + 1), repeat=dimensions))
    for i in range(dimensions):
        for power in range(dependent + 1, independent + 1):
            vectors.append(tuple(power if j == i else 0 for j in range(dimensions)))
    return np.array(vectors)


def fourier(environment, dependent, independent, backwards=False):
    """Return linear functions of the basis; with `backwards`, features are reversed, so that sums round differently."""
    low, high = np.array(environment.low), np.array(environment.high)
    vectors = coefficients(len(low), dependent, independent)[:: -1 if backwards else 1]

    @functools.lru_cache(maxsize=2)  # of the current state and the next one
    def phi(x):
        return np.cos(np.pi * (vectors @ ((np.array(x) - low) / (high - low))))

    return linear(phi, len(vectors))


def softmax(logits):
    powers = np.array([math.exp(min(max(z, -32.0), 32.0)) for z in logits.tolist()])
    return powers / powers.cumsum()[-1]


def sample(pi, stream):
    chance = uniform(stream)
    return next((a for a, cumulative in enumerate(pi.cumsum().tolist()) if chance < cumulative), 0)


def norm(w):
    return math.nan if np.isnan(w).any() else math.hypot(*w.flat)


def margin(values):
    """Return the relative lead of the largest value; infinity if rounding cannot matter (zeros, inf and NaN)."""
    if not all(map(math.isfinite, values)):
        return math.inf
    second, first = sorted(values)[-2:]
    if first == second == 0.0:
        return math.inf
    return (first - second) / max(abs(first), abs(second))


def choose(values, epsilon, stream, margins):
    """Choose an action epsilon-greedily. NumPy's argmax returns the first maximum, or the first NaN if there is any."""
    if uniform(stream) < epsilon:
        return int(below(stream, len(values)))
    margins.append(margin(values.tolist()))
    return int(values.argmax())


def faded(e, decay, increment, negligible):
    """Return the traces after a step; negligible ones are set to zero."""
    e = decay * e + increment
    if negligible:
        e[np.abs(e) < negligible] = 0.0
    return e


def sarsa_trial(start, step, actions, function, episodes, hyperparameters, stream, off_policy, adaptive, fraction):
    """Run Sarsa(lambda) or Q(lambda), and return (mean return, (final weights, smallest margin of a choice))."""
    gamma, lambda_, epsilon, alpha = hyperparameters[:4]
    w, one = np.zeros((function.features, actions)), np.eye(actions)
    returns, margins = [], [math.inf]
    for _ in range(episodes):
        e = np.zeros_like(w)
        s, steps, total, terminal = start(), 0, 0.0, False
        a = choose(function.read(w, s), epsilon, stream, margins)
        while not terminal:
            value = function.read(w, s)[a]
            s2, reward, terminal = step(s, a, steps, stream)
            a2, target = 0, reward
            if not terminal:
                values = function.read(w, s2)
                a2 = choose(values, epsilon, stream, margins)
                target = reward + gamma * (np.max(values) if off_policy else values[a2])
            delta = target - value
            e = faded(e, gamma * lambda_, function.gradient(s, one[a]), function.negligible)
            if adaptive:
                slope = (0.0 if terminal else gamma * function.read(e, s2)[a2]) - function.read(e, s)[a]
                if slope < 0:
                    alpha = min(alpha, -1.0 / slope)
            if not math.isnan(delta):
                w += e * (delta * (alpha * fraction))
            s, a, steps, total = s2, a2, steps + 1, total + reward
        returns.append(total)
    return sum(returns) / episodes, (w, min(margins))


def actor_critic_trial(start, step, actions, function, episodes, hyperparameters, stream, adaptive, fraction):
    """Run a trial, and return (mean return, final weights of the logits)."""
    gamma, lambda_, alpha_p, alpha_v = hyperparameters[:4]
    v, theta = np.zeros((function.features, 1)), np.zeros((function.features, actions))
    returns, one = [], np.eye(actions)
    for _ in range(episodes):
        e_v, e_p = np.zeros_like(v), np.zeros_like(theta)
        s, steps, total, terminal = start(), 0, 0.0, False
        while not terminal:
            pi = softmax(function.read(theta, s))
            a = sample(pi, stream)
            value = function.read(v, s)[0]
            s2, reward, terminal = step(s, a, steps, stream)
            delta = (reward if terminal else reward + gamma * function.read(v, s2)[0]) - value
            if adaptive:
                delta -= 0.01 * math.log(pi[a])
            e_v = faded(e_v, gamma * lambda_, function.gradient(s, np.ones(1)), function.negligible)
            e_p = faded(e_p, gamma * lambda_, function.gradient(s, one[a] - pi), function.negligible)
            if adaptive:
                slope = (0.0 if terminal else gamma * function.read(e_v, s2)[0]) - function.read(e_v, s)[0]
                if slope < 0:
                    alpha_v = min(alpha_v, -1.0 / slope)
            if not math.isnan(delta):
                v += e_v * (delta * (alpha_v * fraction))
                theta += e_p * (delta * alpha_p)
            s, steps, total = s2, steps + 1, total + reward
        returns.append(total)
    return sum(returns) / episodes, theta


def nac_td_trial(start, step, actions, function, episodes, hyperparameters, stream):
    """Run a trial, and return (mean return, final weights of the logits)."""
    gamma, lambda_, alpha_p, alpha_v, alpha_w = hyperparameters[:5]
    w_v = np.zeros((function.features, 1))
    theta, w = np.zeros((function.features, actions)), np.zeros((function.features, actions))
    returns, one = [], np.eye(actions)
    for _ in range(episodes):
        e_v, e_w = np.zeros_like(w_v), np.zeros_like(w)
        s, steps, total, terminal = start(), 0, 0.0, False
        while not terminal:
            v = function.read(w_v, s)[0]
            pi = softmax(function.read(theta, s))
            a = sample(pi, stream)
            psi = one[a] - pi
            advantage = function.read(w, s) @ psi
            s2, reward, terminal = step(s, a, steps, stream)
            delta = (reward if terminal else reward + gamma * function.read(w_v, s2)[0]) - v
            e_v = gamma * lambda_ * e_v + function.gradient(s, np.ones(1))
            e_w = gamma * lambda_ * e_w + function.gradient(s, psi)
            if not math.isnan(delta):
                w_v = w_v + e_v * (delta * alpha_v)
            if not math.isnan(delta - advantage):
                w = w + e_w * ((delta - advantage) * alpha_w)
            theta = theta + alpha_p * (w / norm(w))
            s, steps, total = s2, steps + 1, total + reward
        returns.append(total)
    return sum(returns) / episodes, theta


class Adam:
    """Optimiser of the policy or of the critic, with moments and a counter."""

    def __init__(self, alpha, shape):
        self.alpha, self.t = alpha, 0
        self.m, self.v = np.zeros(shape), np.zeros(shape)

    def ascend(self, weights, g):
        self.t += 1
        self.m = 0.9 * self.m + 0.1 * g
        self.v = 0.999 * self.v + 0.001 * g**2
        rate = self.alpha * math.sqrt(1 - 0.999**self.t) / (1 - 0.9**self.t)
        weights += rate * self.m / (np.sqrt(self.v) + 1e-5)


def ppo_update(theta, w_v, adams, function, buffer, last_value, hyperparameters, stream):
    gamma, lambda_, c, beta, _, epochs, b = hyperparameters[:7]
    steps, one = len(buffer), np.eye(theta.shape[1])
    values = [entry[4] for entry in buffer] + [last_value]
    advantages, following = np.zeros(steps), 0.0
    for i in reversed(range(steps)):
        reward, done = buffer[i][3], buffer[i][5]
        delta = reward + gamma * values[i + 1] * (1 - done) - values[i]
        advantages[i] = following = delta + gamma * lambda_ * (1 - done) * following
    for _ in range(int(epochs)):
        order = []
        for i in range(steps):  # Fisher and Yates, inside out
            j = below(stream, i + 1)
            order.append(order[j] if j < i else i)
            order[j] = i
        for begin in range(0, steps, int(b)):
            batch = order[begin : begin + int(b)]
            policy_gradient, critic_gradient = np.zeros_like(theta), np.zeros_like(w_v)
            for i in batch:
                s, a, old_log, _, value, _ = buffer[i]
                pi = softmax(function.read(theta, s))
                rho, advantage = math.exp(math.log(pi[a]) - old_log), advantages[i]
                row = np.zeros(len(pi))
                if rho * advantage <= np.clip(rho, 1 - c, 1 + c) * advantage:
                    row += rho * advantage * (one[a] - pi)
                entropy = -(pi * np.log(pi)).sum()
                row += beta * (-pi * np.log(pi) + pi * entropy)
                policy_gradient += function.gradient(s, row)
                critic_gradient += function.gradient(s, [advantage + value - function.read(w_v, s)[0]])
            adams[0].ascend(theta, policy_gradient / len(batch))
            adams[1].ascend(w_v, critic_gradient / len(batch))


def ppo_trial(start, step, actions, function, episodes, hyperparameters, stream):
    """Run a trial, and return (mean return, final weights of the logits)."""
    length, alpha = int(hyperparameters[4]), hyperparameters[7]
    theta, w_v = np.zeros((function.features, actions)), np.zeros((function.features, 1))
    adams = Adam(alpha, theta.shape), Adam(alpha, w_v.shape)
    buffer, returns = [], []
    for _ in range(episodes):
        s, steps, total, terminal = start(), 0, 0.0, False
        while not terminal:
            pi = softmax(function.read(theta, s))
            a = sample(pi, stream)
            s2, reward, terminal = step(s, a, steps, stream)
            buffer.append((s, a, math.log(pi[a]), reward, function.read(w_v, s)[0], terminal))
            if len(buffer) == length:
                last_value = 0.0 if terminal else function.read(w_v, s2)[0]
                ppo_update(theta, w_v, adams, function, buffer, last_value, hyperparameters, stream)
                buffer = []
            s, steps, total = s2, steps + 1, total + reward
        returns.append(total)
    return sum(returns) / episodes, theta


def moves(environment, parameters, stream):
    """Return start() -> x and step(x, action, steps, stream) -> (x, reward, terminal); continuous states are tuples."""
    if isinstance(environment, DiscreteEnvironment):
        return lambda: environment.reset(parameters, stream), lambda *now: environment.step(parameters, *now)

    def start():
        state = np.empty(len(environment.low))
        environment.reset(parameters, state, stream)
        return tuple(state)

    def step(x, action, steps, stream):
        state = np.array(x)
        reward, terminal = environment.step(parameters, state, action, steps, stream)
        return tuple(state), reward, terminal

    return start, step


FIRST, MOST_HYPERPARAMETERS = 11, 12


def function_of(agent, environment, hyperparameters, backwards=False):
    """Return the functions that an agent with the given hyperparameters learns."""
    if isinstance(environment, DiscreteEnvironment):
        return table(environment.states)
    orders = (int(hyperparameters[place]) for place in (agent.DEPENDENT_ORDER, agent.INDEPENDENT_ORDER))
    return fourier(environment, *orders, backwards)


def trials(agent, plain_trial, environment, draw, key, count, episodes, *options, backwards=False):
    """Run trials FIRST..FIRST+count-1 of a plain agent; return the performances and the other results of each trial.

    draw : function that draws the hyperparameters, as for the compiled agent
    options : further arguments of `plain_trial`
    """
    performances, finals = np.empty(count), []
    stream, hyperparameters = np.empty(4, np.uint64), np.empty(MOST_HYPERPARAMETERS)
    sizes = () if isinstance(environment, DiscreteEnvironment) else (len(environment.low), environment.actions)
    with np.errstate(all="ignore"):
        for index in range(count):
            start_stream(key, FIRST + index, stream)
            parameters = np.array(environment.parameters)
            environment.perturb(parameters, stream)
            draw(hyperparameters, *sizes, stream)
            function = function_of(agent, environment, hyperparameters, backwards)
            given = *moves(environment, parameters, stream), environment.actions, function, episodes
            performances[index], final = plain_trial(*given, hyperparameters, stream, *options)
            finals.append(final)
    return performances, finals


def both(agent, plain_trial, environment, draw, key, count, episodes, *options):
    """Return the performances of the compiled and of the plain agent, and the other results of the plain trials."""
    ours = np.empty(count)
    if not isinstance(environment, DiscreteEnvironment):
        trial = agent.linear_trial
    elif hasattr(agent, "trial_with"):
        trial = agent.trial_with(environment.actions)
    else:
        trial = agent.tabular_trial
    steps = simulator(trial, environment, draw, *options)(ours, episodes, key, FIRST)
    assert steps >= count * episodes
    return ours, *trials(agent, plain_trial, environment, draw, key, count, episodes, *options)


@njit
def draw_divergent(hyperparameters, stream):
    """Draw step sizes from 1 to 1e250, all of which diverge, some immediately, for Sarsa and the actor-critic."""
    hyperparameters[0] = 0.9 + 0.1 * unit_uniform(stream)
    hyperparameters[1] = unit_uniform(stream)
    hyperparameters[2] = 0.3 * unit_uniform(stream)
    hyperparameters[3] = 10.0 ** (250.0 * unit_uniform(stream) ** 3)


SHORT_CHAIN, SLIPPERY_CHAIN = (chain.environment(length=5, stochastic=stochastic) for stochastic in (False, True))
SLIPPERY_GRID = gridworld.environment(size=3, stochastic=True)
