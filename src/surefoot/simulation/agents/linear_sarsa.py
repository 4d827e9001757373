"""Sarsa(lambda) and Q(lambda) over a Fourier basis, with a fixed or Parl2 step size.

Jordan et al. 2020, section 3 and Appendix E: the agents of `sarsa`, with linear functions in place of tables. The
Parl2 step size looks at gamma phi(s', a') - phi(s, a) with the action a' that will be executed, for Q(lambda) too.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from surefoot.simulation.agents.kernels import World, begin_trial, epsilon_greedy
from surefoot.simulation.agents.linear_traces import (
    advance,
    begin,
    finish,
    new_functions,
    read,
    read_trace,
    settle,
    small,
    update,
)
from surefoot.simulation.agents.sarsa import DISCOUNT, EXPLORATION, STEP_SIZE, TRACE_DECAY
from surefoot.simulation.fourier import fill_factors, new_basis, number_of_factors

DEPENDENT_ORDER, INDEPENDENT_ORDER = 4, 5
"""The layout of the hyperparameters: that of `sarsa`, then d and o."""


class Learner(NamedTuple):
    """What an agent has besides its linear functions.

    hyperparameters : float64[6], of the trial; an episode may lower a step size
    state : float64[dimensions], the environment's
    factors : float64[number of factors], of the last state
    values : float64[1, actions], of the current state
    increments, changes : float64[actions], of the traces and of the weights at a step
    """

    hyperparameters: np.ndarray
    state: np.ndarray
    factors: np.ndarray
    values: np.ndarray
    increments: np.ndarray
    changes: np.ndarray


@njit(inline="always")
def _episode(functions, basis, learner, world, options, direct):
    """One episode; (its return, its number of steps, `direct`). Parl2 lowers the step size in `hyperparameters`."""
    off_policy, adaptive, fraction = options
    weights, traces, ledger, features = functions
    orders, count, low, high, powers = basis
    hyperparameters, state, factors, values, increments, changes = learner
    parameters, stream = world.parameters, world.stream
    actions = len(ledger)
    discount = hyperparameters[DISCOUNT]
    decay = discount * hyperparameters[TRACE_DECAY]
    epsilon = hyperparameters[EXPLORATION]
    total_reward = 0.0
    steps = 0
    current = np.int64(0)  # The constant 0 would have a type of its own, for which all that takes it is compiled anew.
    # The first NaN is the greedy action: once the weights of action 0 have one, nothing can be learnt any more that
    # would show in what is done.
    learning = values[0, 0] == values[0, 0] or not np.isnan(weights[0, :count]).any()
    world.reset(parameters, state, stream)
    squares = 0.0
    if learning:
        squares = fill_factors(state, low, high, orders, powers, factors)
        begin(weights, traces, ledger, actions, factors, orders, features, current)
        for other in range(actions):
            values[0, other] = read(ledger, other)
    action, _ = epsilon_greedy(values, actions, 0, epsilon, stream)
    terminal = False
    while not terminal:
        value = read(ledger, action)
        slope = -(decay * read_trace(ledger, action) + squares)
        reward, terminal = world.step(parameters, state, action, steps, stream)
        target = reward
        next_action = 0
        if not terminal:
            if learning:
                increments[action] = 1.0
                squares = fill_factors(state, low, high, orders, powers, factors)
                advance(functions, actions, increments, decay, factors, orders, 1 - current, count, direct)
                increments[action] = 0.0
                for other in range(actions):
                    values[0, other] = read(ledger, other)
            next_action, best = epsilon_greedy(values, actions, 0, epsilon, stream)
            target += discount * values[0, best if off_policy else next_action]
            slope += discount * read_trace(ledger, next_action)
        error = target - value
        if adaptive and slope * hyperparameters[STEP_SIZE] < -1.0:
            hyperparameters[STEP_SIZE] = -1.0 / slope
        changes[:] = error * (hyperparameters[STEP_SIZE] * fraction) if error == error else np.nan
        if learning and not (direct or small(changes)):
            settle(weights, traces, ledger, actions, features, current, count)
            direct = True
        if learning and terminal:
            increments[action] = 1.0
            finish(functions, actions, increments, decay, changes, current, count, direct)
            increments[action] = 0.0
        elif learning:
            update(weights, traces, ledger, actions, changes, features, 1 - current, count, direct)
            learning = values[0, 0] == values[0, 0] or not np.isnan(weights[0, :count]).any()
        current = 1 - current
        action = next_action
        total_reward += reward
        steps += 1
    return total_reward, steps, direct


def simulate(performances, episodes, key, first, actions, low, high, constants, perturb, reset, step, draw, options):
    """Trials of the agent in a continuous environment, for `simulator`; options as in `sarsa.trials_with`."""
    dimensions = len(low)
    stream = np.empty(4, np.uint64)
    hyperparameters = np.empty(6)
    state, increments, changes = np.empty(dimensions), np.zeros(actions), np.empty(actions)
    all_steps = 0
    for trial in range(len(performances)):
        parameters = begin_trial(key, first + trial, constants, perturb, stream)
        draw(hyperparameters, dimensions, actions, stream)
        basis = new_basis(low, high, hyperparameters[DEPENDENT_ORDER:])
        functions = new_functions(actions, basis.count)
        factors, values = np.empty(number_of_factors(basis.orders)), np.zeros((1, actions))
        learner = Learner(hyperparameters, state, factors, values, increments, changes)
        world = World(parameters, stream, reset, step)
        direct = np.bool_(False)  # No constant either.
        total_return = 0.0
        for _ in range(episodes):
            episode_return, steps, direct = _episode(functions, basis, learner, world, options, direct)
            total_return += episode_return
            all_steps += steps
        performances[trial] = total_return / episodes
    return all_steps
