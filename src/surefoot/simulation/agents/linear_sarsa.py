"""Sarsa(lambda) and Q(lambda) over a Fourier basis, with a fixed or Parl2 step size.

Jordan et al. 2020, section 3 and Appendix E: the agents of `sarsa`, with linear functions in place of tables. The Parl2
step size uses gamma phi(s', a') - phi(s, a) with the action a' that will be executed, for Q(lambda) too.
"""

import numpy as np

from surefoot.simulation.agents.kernels import epsilon_greedy
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

DEPENDENT_ORDER, INDEPENDENT_ORDER = range(4, 6)
"""Indices of the two orders of the Fourier basis, which follow the hyperparameters of `sarsa`."""


def trial(episodes, world, space, hyperparameters, options):
    """Run a trial of the agent in a continuous environment, for `simulator`; see `sarsa.trial_with`."""
    actions, low, high = space
    off_policy, adaptive, fraction = options
    parameters, stream, reset, step = world
    discount = hyperparameters[DISCOUNT]
    decay = discount * hyperparameters[TRACE_DECAY]
    epsilon = hyperparameters[EXPLORATION]
    step_size = hyperparameters[STEP_SIZE]
    orders, count, powers = new_basis(len(low), hyperparameters[DEPENDENT_ORDER:])
    functions = new_functions(actions, count)
    weights, traces, ledger, features = functions
    state = np.empty(len(low))
    factors = np.empty(number_of_factors(orders))
    values = np.zeros((1, actions))
    increments = np.zeros(actions)
    changes = np.empty(actions)
    direct = np.bool_(False)  # Numba gives a constant its own type, and would compile all callees again for it.
    total_return = 0.0
    all_steps = 0
    for _ in range(episodes):
        total_reward = 0.0
        steps = 0
        current = np.int64(0)  # not a constant either (see above)
        # The first NaN is the greedy action: once the weights of action 0 contain NaN, learning has no visible effect
        # any more.
        learning = values[0, 0] == values[0, 0] or not np.isnan(weights[0, :count]).any()
        reset(parameters, state, stream)
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
            reward, terminal = step(parameters, state, action, steps, stream)
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
            if adaptive and slope * step_size < -1.0:
                step_size = -1.0 / slope
            changes[:] = error * (step_size * fraction) if error == error else np.nan
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
        total_return += total_reward
        all_steps += steps
    return total_return, all_steps
