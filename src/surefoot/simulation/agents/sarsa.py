"""Tabular Sarsa(lambda) and Q(lambda), with a fixed or Parl2 step size (Jordan et al. 2020, section 3, Appendix E).

Accumulating traces, epsilon-greedy behaviour, the next action chosen before the update and kept. Q(lambda) is naive:
its target takes the largest value, exploration does not cut its traces.
"""

import functools
from collections.abc import Callable

import numpy as np
from numba import boolean, int64, njit

from surefoot.simulation.agents.kernels import (
    TABULAR,
    Simulator,
    World,
    begin_trial,
    epsilon_greedy,
    tabular_simulator,
    trials_kernel,
)
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
from surefoot.simulation.protocol import DiscreteEnvironment

DISCOUNT, TRACE_DECAY, EXPLORATION, STEP_SIZE, STEP_FRACTION = 0, 1, 2, 3, 4
"""The layout of the hyperparameters: gamma, lambda, epsilon, alpha (with Parl2: the first alpha), and the part of
a step of that size that is taken: 1, but for the data of the published study of coverage."""


@njit(forceinline=True, error_model="numpy")
def _episode(table, actions, hyperparameters, world, off_policy, adaptive):
    """One episode; (its return, its number of steps). Parl2 lowers the step size in `hyperparameters`."""
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
        change = error * (hyperparameters[STEP_SIZE] * hyperparameters[STEP_FRACTION]) if error == error else 0.0
        pending = update(weights, traces, traced, actions, pending, change, decay)
        state, action = next_state, next_action
        total_reward += reward
        steps += 1
    forget(weights, traces, traced, actions, pending)
    return total_reward, steps


@functools.cache
def _kernel(actions: int) -> Callable:
    """The compiled trials of agents with this many actions: a constant in there, which saves a tenth of the time."""

    @trials_kernel(int64, *TABULAR, boolean, boolean)
    def simulate(
        performances, episodes, key, first, states, constants, perturb, reset, step, draw, off_policy, adaptive
    ):
        stream = np.empty(4, np.uint64)
        hyperparameters = np.empty(5)
        table = new_table(states, actions)
        all_steps = 0
        for trial in range(len(performances)):
            parameters = begin_trial(key, first + trial, constants, perturb, stream)
            draw(hyperparameters, stream)
            table.weights[:] = 0.0
            world = World(parameters, stream, reset, step)
            total_return = 0.0
            for _ in range(episodes):
                episode_return, steps = _episode(table, actions, hyperparameters, world, off_policy, adaptive)
                total_return += episode_return
                all_steps += steps
            performances[trial] = total_return / episodes
        return all_steps

    return simulate


def simulator(environment: DiscreteEnvironment, draw: Callable, off_policy: bool, adaptive: bool) -> Simulator:
    """A function that simulates trials, ready to be called in several threads; see `protocol`.

    Parameters
    ----------
    draw : compiled function that draws the hyperparameters, laid out as above
    off_policy : Q(lambda) rather than Sarsa(lambda)
    adaptive : lower the step size as Parl2 does
    """
    return tabular_simulator(
        _kernel(environment.actions), environment, (environment.states,), draw, off_policy, adaptive
    )
