"""Tabular Sarsa(lambda) and Q(lambda), with a fixed or Parl2 step size (Jordan et al. 2020, section 3, Appendix E).

Accumulating traces, epsilon-greedy behaviour, the next action chosen before the update and kept. Q(lambda) is naive:
its target takes the largest value, exploration does not cut its traces.
"""

import functools
from collections.abc import Callable

import numpy as np
from numba import njit

from surefoot.simulation.agents.kernels import World, begin_trial, epsilon_greedy
from surefoot.simulation.agents.traces import (
    catch_up,
    forget,
    increase,
    new_table,
    nothing_pending,
    start_trace,
    trace,
    update,
)

DISCOUNT, TRACE_DECAY, EXPLORATION, STEP_SIZE = 0, 1, 2, 3
"""The layout of the hyperparameters: gamma, lambda, epsilon, alpha (with Parl2: the first alpha)."""


@njit(forceinline=True, error_model="numpy")
def _episode(table, actions, hyperparameters, world, options):
    """One episode; (its return, its number of steps). Parl2 lowers the step size in `hyperparameters`."""
    off_policy, adaptive, fraction = options
    weights, traces, traced = table
    parameters, stream, reset, step = world
    discount = hyperparameters[DISCOUNT]
    decay = discount * hyperparameters[TRACE_DECAY]
    epsilon = hyperparameters[EXPLORATION]
    pending = nothing_pending()
    total_reward = 0.0
    steps = 0
    state = reset(parameters, stream)
    action, _ = epsilon_greedy(weights, actions, state, epsilon, stream)
    terminal = False
    while not terminal:
        catch_up(weights, traces, actions, pending, state)
        value = weights[state, action]
        next_state, reward, terminal = step(parameters, state, action, steps, stream)
        start_trace(traces, traced, actions, state)
        increase(traces, pending, state, action, 1.0)
        slope = -trace(traces, pending, state, action)
        target = reward
        next_action = 0
        if not terminal:
            catch_up(weights, traces, actions, pending, next_state)
            next_action, best = epsilon_greedy(weights, actions, next_state, epsilon, stream)
            target += discount * weights[next_state, best if off_policy else next_action]
            slope += discount * trace(traces, pending, next_state, next_action)
        error = target - value
        if adaptive and slope * hyperparameters[STEP_SIZE] < -1.0:
            hyperparameters[STEP_SIZE] = -1.0 / slope
        change = error * (hyperparameters[STEP_SIZE] * fraction) if error == error else 0.0
        pending = update(weights, traces, traced, actions, pending, change, decay)
        state, action = next_state, next_action
        total_reward += reward
        steps += 1
    forget(weights, traces, traced, actions, pending)
    return total_reward, steps


@functools.cache
def trials_with(actions: int) -> Callable:
    """Trials of agents with this many actions, for `simulator`: a constant in there, which halves the time.

    Options
    -------
    off_policy : Q(lambda) rather than Sarsa(lambda)
    adaptive : lower the step size as Parl2 does
    fraction : the part of each step that is taken: 1, but for the data of the published study of coverage
    """

    def simulate(performances, episodes, key, first, states, _, constants, perturb, reset, step, draw, options):
        stream = np.empty(4, np.uint64)
        hyperparameters = np.empty(4)
        table = new_table(states, actions)
        all_steps = 0
        for trial in range(len(performances)):
            parameters = begin_trial(key, first + trial, constants, perturb, stream)
            draw(hyperparameters, stream)
            table.weights[:] = 0.0
            world = World(parameters, stream, reset, step)
            total_return = 0.0
            for _ in range(episodes):
                episode_return, steps = _episode(table, actions, hyperparameters, world, options)
                total_return += episode_return
                all_steps += steps
            performances[trial] = total_return / episodes
        return all_steps

    return simulate
