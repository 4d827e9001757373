"""Environments, agents and trials in plain Python, written from the formulas alone: one step after the other, all
entries of the table at every step. They draw the same random numbers in the same order as the compiled ones.
"""

import math

import numpy as np

from surefoot.streams import below, start_stream, uniform


def chain_step(length, slip, position, action, steps, stream):
    """Jordan et al. 2020, Appendix F; `slip` None for the deterministic chain."""
    executed = {0: -1, 1: 1}[action]
    if slip is not None:
        u = uniform(stream)
        if u < slip / 2:
            executed = 0
        elif u < slip:
            executed = -executed
    position = min(max(position + executed, 0), length - 1)
    terminal = position == length - 1 or steps + 1 == 20 * length
    return position, (0.0 if terminal else -1.0), terminal


def gridworld_step(size, slip, state, action, steps, stream):
    """Jordan et al. 2020, Appendix F; `slip` None for the deterministic gridworld."""
    y, x = divmod(state, size)
    moves = [(0, -1), (0, 1), (-1, 0), (1, 0)]
    dx, dy = moves[action]
    if slip is not None:
        u = uniform(stream)
        if 1 - slip <= u < 1 - slip / 2:
            dx, dy = 0, 0
        elif 1 - slip / 2 <= u < 1 - slip / 4:
            dx, dy = moves[(action + 1) % 4]
        elif u >= 1 - slip / 4:
            dx, dy = moves[(action - 1) % 4]
    x = min(max(x + dx, 0), size - 1)
    y = min(max(y + dy, 0), size - 1)
    terminal = (x == size - 1 and y == size - 1) or steps + 1 == 20 * size**2
    return y * size + x, -1.0, terminal


def margin(values):
    """By how much the largest value leads, relatively; infinite where rounding cannot matter: zeros, inf and NaN."""
    second, first = np.sort(values)[-2:]
    if not np.isfinite(values).all() or first == second == 0.0:
        return math.inf
    return (first - second) / max(abs(first), abs(second))


def choose(values, epsilon, stream, margins):
    """Epsilon-greedy; NumPy's argmax takes the first maximum, and the first NaN where there is one."""
    if uniform(stream) < epsilon:
        return int(below(stream, len(values)))
    margins.append(margin(values))
    return int(np.argmax(values))


def sarsa_trial(step, states, actions, episodes, hyperparameters, stream, off_policy, adaptive, fraction):
    """(mean return, weights at the end, smallest margin of a choice) of Sarsa(lambda) or Q(lambda)."""
    gamma, lambda_, epsilon, alpha = hyperparameters
    w = np.zeros((states, actions))
    returns, margins = [], [math.inf]
    for _ in range(episodes):
        e = np.zeros_like(w)
        s, steps, total, terminal = 0, 0, 0.0, False
        a = choose(w[s], epsilon, stream, margins)
        while not terminal:
            value = w[s, a]
            s2, reward, terminal = step(s, a, steps, stream)
            a2 = 0
            target = reward
            if not terminal:
                a2 = choose(w[s2], epsilon, stream, margins)
                target = reward + gamma * (np.max(w[s2]) if off_policy else w[s2, a2])
            delta = target - value
            e *= gamma * lambda_
            e[s, a] += 1.0
            if adaptive:
                slope = (0.0 if terminal else gamma * e[s2, a2]) - e[s, a]
                if slope < 0:
                    alpha = min(alpha, -1.0 / slope)
            if not math.isnan(delta):
                w += e * (delta * (alpha * fraction))
            s, a, steps, total = s2, a2, steps + 1, total + reward
        returns.append(total)
    return np.mean(returns), w, min(margins)


def actor_critic_trial(step, states, actions, episodes, hyperparameters, stream, adaptive, fraction):
    """(mean return, logits at the end, infinity) of the actor-critic, which never looks for a maximum."""
    gamma, lambda_, alpha_p, alpha_v = hyperparameters
    v, theta = np.zeros(states), np.zeros((states, actions))
    returns = []
    for _ in range(episodes):
        e_v, e_p = np.zeros_like(v), np.zeros_like(theta)
        s, steps, total, terminal = 0, 0, 0.0, False
        while not terminal:
            powers = np.array([math.exp(z) for z in np.clip(theta[s], -32.0, 32.0)])
            pi = powers / powers.cumsum()[-1]
            below_chance = np.flatnonzero(uniform(stream) < pi.cumsum())
            a = below_chance[0] if len(below_chance) else 0
            s2, reward, terminal = step(s, a, steps, stream)
            target = reward if terminal else reward + gamma * v[s2]
            delta = target - v[s]
            if adaptive:
                delta -= 0.01 * math.log(pi[a])
            e_v *= gamma * lambda_
            e_v[s] += 1.0
            e_p *= gamma * lambda_
            e_p[s] += np.eye(actions)[a] - pi
            if adaptive:
                slope = (0.0 if terminal else gamma * e_v[s2]) - e_v[s]
                if slope < 0:
                    alpha_v = min(alpha_v, -1.0 / slope)
            if not math.isnan(delta):
                v += e_v * (delta * (alpha_v * fraction))
                theta += e_p * (delta * alpha_p)
            s, steps, total = s2, steps + 1, total + reward
        returns.append(total)
    return np.mean(returns), theta, math.inf


def trials(environment, step, slips, draw, trial, key, first, count, episodes, options):
    """Performances, final weights and smallest margins of trials first..first+count-1.

    environment : what the compiled agents get; `step` is its plain version, step(slip, state, action, steps, stream)
    slips : whether the environment draws a slip probability before each trial
    """
    performances, margins, weights = np.empty(count), np.empty(count), []
    stream, hyperparameters = np.empty(4, np.uint64), np.empty(4)
    with np.errstate(all="ignore"):
        for index in range(count):
            start_stream(key, first + index, stream)
            slip = 0.25 * uniform(stream) if slips else None
            draw(hyperparameters, stream)
            performances[index], final, margins[index] = trial(
                lambda *moment, slip=slip: step(slip, *moment),
                environment.states,
                environment.actions,
                episodes,
                hyperparameters,
                stream,
                *options,
            )
            weights.append(final)
    return performances, weights, margins
