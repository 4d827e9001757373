"""Sarsa(lambda) and Q(lambda), with a fixed or Parl2 step size (Jordan et al. 2020, section 3, Appendix E, Table 4).

Traces accumulate, behaviour is epsilon-greedy, and the next action is chosen before the update and then executed.
Q(lambda) is naive: its target uses the largest value, and exploration does not cut its traces. Values are in a table or
linear functions over a Fourier basis. The Parl2 step size of linear functions uses gamma phi(s', a') - phi(s, a) with
the action a' that will be executed, for Q(lambda) too.

The complete definitions draw all hyperparameters; U is the uniform and LU the log-uniform distribution. gamma = 1 -
LU(1e-4, 0.05), lambda ~ U(0, 1), epsilon ~ U(0, 0.1); Parl2 starts at alpha = 1. For tables, alpha ~ LU(1e-3, 0.1). For
a Fourier basis with orders d ~ U{0..9} and o ~ U{1..9}, alpha ~ LU(1e-6, 1e-3), or, scaled, LU(1e-3, 1) divided by the
number of features. The paper prints epsilon ~ U(0, 1); its results require U(0, 0.1).
"""

import functools
from collections.abc import Callable

import numpy as np
from numba import njit

from surefoot.simulation.agents.agent_kernels import Simulator, epsilon_greedy, simulator
from surefoot.simulation.agents.hyperparameter_distributions import (
    discount,
    draw_orders,
    linear_step_size,
    scaled_step_size,
    tabular_step_size,
    unit_uniform,
)
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
from surefoot.simulation.agents.traces import (
    catch_up,
    forget,
    increase,
    new_table,
    nothing_pending,
    start_trace,
    trace,
)
from surefoot.simulation.agents.traces import update as update_table
from surefoot.simulation.fourier import fill_factors, new_basis, number_of_factors, number_of_features
from surefoot.simulation.trial_protocol import DRAW, DRAW_LINEAR, ContinuousEnvironment, DiscreteEnvironment

DISCOUNT, TRACE_DECAY, EXPLORATION, STEP_SIZE = range(4)
"""Indices of the hyperparameters: gamma, lambda, epsilon, alpha (with Parl2: the initial alpha)."""

DEPENDENT_ORDER, INDEPENDENT_ORDER = range(4, 6)
"""Indices of the two orders of the Fourier basis, which follow the hyperparameters above."""


@functools.cache
def trial_with(actions: int) -> Callable:
    """Return the function `trial` for an agent over tables with the given number of actions.

    The number of actions is a constant of the closure, which halves the time.

    Options
    -------
    off_policy : bool
        Q(lambda) rather than Sarsa(lambda).
    adaptive : bool
        Lower the step size as in Parl2.
    fraction : float
        Factor by which the step size is multiplied; 1 except in the data of the published study of coverage.
    """

    def trial(episodes, world, space, hyperparameters, options):
        states, _ = space
        off_policy, adaptive, fraction = options
        parameters, stream, reset, step = world
        discount = hyperparameters[DISCOUNT]
        decay = discount * hyperparameters[TRACE_DECAY]
        epsilon = hyperparameters[EXPLORATION]
        weights, traces, traced = new_table(states, actions)
        total_return = 0.0
        all_steps = 0
        for _ in range(episodes):
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
                # Updated in place: a separate variable would cost a sixth of the time when the step size is fixed.
                if adaptive and slope * hyperparameters[STEP_SIZE] < -1.0:
                    hyperparameters[STEP_SIZE] = -1.0 / slope
                change = error * (hyperparameters[STEP_SIZE] * fraction) if error == error else 0.0
                pending = update_table(weights, traces, traced, actions, pending, change, decay)
                state = next_state
                action = next_action
                total_reward += reward
                steps += 1
            forget(weights, traces, traced, actions, pending)
            total_return += total_reward
            all_steps += steps
        return total_return, all_steps

    return trial


def linear_trial(episodes, world, space, hyperparameters, options):
    """Run a trial of the agent in a continuous environment, for `simulator`; see `trial_with`."""
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


@njit(DRAW, cache=True)
def draw_tabular_adaptive(hyperparameters, stream):
    """Draw hyperparameters of the Parl2 variants for tables."""
    hyperparameters[DISCOUNT] = discount(stream)
    hyperparameters[TRACE_DECAY] = unit_uniform(stream)
    hyperparameters[EXPLORATION] = 0.1 * unit_uniform(stream)
    hyperparameters[STEP_SIZE] = 1.0


@njit(DRAW, cache=True)
def draw_tabular(hyperparameters, stream):
    """Draw hyperparameters of the variants with a fixed step size for tables."""
    draw_tabular_adaptive(hyperparameters, stream)
    hyperparameters[STEP_SIZE] = tabular_step_size(stream)


@njit(DRAW_LINEAR, cache=True)
def draw_linear_adaptive(hyperparameters, dimensions, actions, stream):
    """Draw hyperparameters of the Parl2 variants for a Fourier basis."""
    draw_orders(hyperparameters, DEPENDENT_ORDER, stream)
    draw_tabular_adaptive(hyperparameters, stream)


@njit(DRAW_LINEAR, cache=True)
def draw_linear(hyperparameters, dimensions, actions, stream):
    """Draw hyperparameters of the variants with a fixed step size for a Fourier basis."""
    draw_linear_adaptive(hyperparameters, dimensions, actions, stream)
    hyperparameters[STEP_SIZE] = linear_step_size(stream)


@njit(DRAW_LINEAR, cache=True)
def draw_scaled(hyperparameters, dimensions, actions, stream):
    """Draw hyperparameters of the variants with a step size scaled by the number of features."""
    draw_linear_adaptive(hyperparameters, dimensions, actions, stream)
    features = number_of_features(
        dimensions, int(hyperparameters[DEPENDENT_ORDER]), int(hyperparameters[INDEPENDENT_ORDER])
    )
    hyperparameters[STEP_SIZE] = scaled_step_size(stream, features)


def tabular(environment: DiscreteEnvironment, target: str, adaptive: bool, fraction: float = 1.0) -> Simulator:
    """Create a simulator of tabular Sarsa(lambda) or Q(lambda); see `protocol`.

    Parameters
    ----------
    environment : DiscreteEnvironment
    target : {"sarsa", "q"}
    adaptive : bool
        Use Parl2.
    fraction : float, default 1.0
        Factor by which the step size is multiplied.
    """
    draw = draw_tabular_adaptive if adaptive else draw_tabular
    return simulator(trial_with(environment.actions), environment, draw, target == "q", adaptive, fraction)


def linear(
    environment: ContinuousEnvironment, target: str, adaptive: bool, scaled: bool = False, fraction: float = 1.0
) -> Simulator:
    """Create a simulator of Sarsa(lambda) or Q(lambda) over a Fourier basis.

    With `scaled`, the step size is divided by the number of features.
    """
    draw = draw_linear_adaptive if adaptive else draw_scaled if scaled else draw_linear
    return simulator(linear_trial, environment, draw, target == "q", adaptive, fraction)
