"""Actor-critic, with a fixed or Parl2 step size of the critic (Jordan et al. 2020, section 3, Appendix E, Table 4).

The policy is a softmax of clipped logits; the gradient of its logarithm ignores the clipping. The traces of policy and
critic accumulate and decay at the same rate. The Parl2 variant subtracts 0.01 ln pi(a|s) from the TD error in both
updates, which the paper does not mention.

Over a Fourier basis, linear functions take the place of tables. The outputs are the value, then a logit for each
action. Updates of the logits' weights sum to zero over the actions, like the gradients of ln pi. The weights of the
last action are therefore not stored but computed from the others, as long as the rounding error of the probabilities
times the largest change is negligible.

The complete definitions draw all hyperparameters; U is the uniform and LU the log-uniform distribution. gamma = 1 -
LU(1e-4, 0.05), lambda ~ U(0, 1). For tables, alpha_p and alpha_v ~ LU(1e-3, 0.1). For a Fourier basis with orders d ~
U{0..9} and o ~ U{1..9}, both ~ LU(1e-6, 1e-3), or, scaled, alpha_v ~ LU(1e-3, 1) / F and alpha_p ~ LU(1e-3, 1) / (F k)
with F features and k actions. Parl2 starts at alpha_v = 1; its alpha_p is scaled.
"""

import functools
import math
from collections.abc import Callable

import numpy as np
from numba import njit

from surefoot.simulation.agents.agent_kernels import Simulator, sample, simulator, softmax
from surefoot.simulation.agents.hyperparameter_distributions import (
    discount,
    draw_orders,
    linear_step_size,
    scaled_step_size,
    tabular_step_size,
    unit_uniform,
)
from surefoot.simulation.agents.linear_traces import (
    TRACE_PRODUCT,
    WEIGHT_PRODUCT,
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

DISCOUNT, TRACE_DECAY, POLICY_STEP_SIZE, VALUE_STEP_SIZE = range(4)
"""Indices of the hyperparameters: gamma, lambda, alpha_p, alpha_v (with Parl2: the initial alpha_v)."""

ENTROPY_BONUS = 0.01

DEPENDENT_ORDER, INDEPENDENT_ORDER = range(4, 6)
"""Indices of the hyperparameters d and o, which follow the hyperparameters above."""

LARGEST_CHANGE_WITHOUT_LAST = 1e3


@functools.cache
def trial_with(actions: int) -> Callable:
    """Return the function `trial` for an agent over tables with the given number of actions.

    The number of actions is a constant of the closure, which halves the time.

    Options
    -------
    adaptive : bool
        Lower the critic's step size and change the TD error, as in Parl2.
    fraction : float
        Factor by which the critic's step size is multiplied; 1 except in the data of the published study of coverage.
    """

    def trial(episodes, world, space, hyperparameters, options):
        states, _ = space
        adaptive, fraction = options
        parameters, stream, reset, step = world
        discount = hyperparameters[DISCOUNT]
        decay = discount * hyperparameters[TRACE_DECAY]
        policy_step_size = hyperparameters[POLICY_STEP_SIZE]
        value_step_size = hyperparameters[VALUE_STEP_SIZE]
        probabilities = np.empty(actions)
        values, value_traces, value_traced = new_table(states, 1)
        logits, policy_traces, policy_traced = new_table(states, actions)
        total_return = 0.0
        all_steps = 0
        for _ in range(episodes):
            value_pending = nothing_pending()
            policy_pending = nothing_pending()
            total_reward = 0.0
            steps = 0
            state = reset(parameters, stream)
            terminal = False
            while not terminal:
                catch_up(values, value_traces, 1, value_pending, state)
                catch_up(logits, policy_traces, actions, policy_pending, state)
                value = values[state, 0]
                softmax(logits, actions, state, probabilities)
                action = sample(probabilities, actions, stream)
                next_state, reward, terminal = step(parameters, state, action, steps, stream)

                start_trace(value_traces, value_traced, 1, state)
                increase(value_traces, value_pending, state, 0, 1.0)
                start_trace(policy_traces, policy_traced, actions, state)
                for other in range(actions):
                    gradient = (1.0 if other == action else 0.0) - probabilities[other]
                    increase(policy_traces, policy_pending, state, other, gradient)

                target = reward
                slope = -trace(value_traces, value_pending, state, 0)
                if not terminal:
                    catch_up(values, value_traces, 1, value_pending, next_state)
                    target += discount * values[next_state, 0]
                    slope += discount * trace(value_traces, value_pending, next_state, 0)
                error = target - value
                if adaptive:
                    error -= ENTROPY_BONUS * math.log(probabilities[action])
                    if slope * value_step_size < -1.0:
                        value_step_size = -1.0 / slope
                change = error * (value_step_size * fraction) if error == error else 0.0
                value_pending = update_table(values, value_traces, value_traced, 1, value_pending, change, decay)
                change = error * policy_step_size if error == error else 0.0
                policy_pending = update_table(
                    logits, policy_traces, policy_traced, actions, policy_pending, change, decay
                )
                state = next_state
                total_reward += reward
                steps += 1
            forget(values, value_traces, value_traced, 1, value_pending)
            forget(logits, policy_traces, policy_traced, actions, policy_pending)
            total_return += total_reward
            all_steps += steps
        return total_return, all_steps

    return trial


@njit(cache=True, error_model="numpy")
def _restore_last(weights, traces, ledger, features, row, count):
    """Compute the row of the last action from the other rows."""
    last = len(ledger) - 1
    settle(weights, traces, ledger, last, features, row, count)
    # Loops, since assigning an array to a slice also compiles the text of an error, which takes seconds.
    for entry in range(ledger.shape[1]):
        ledger[last, entry] = ledger[0, entry]
    for array in (weights, traces):
        array[last] = 0.0
        for other in range(1, last):
            for entry in range(array.shape[1]):
                array[last, entry] -= array[other, entry]
    for product in (WEIGHT_PRODUCT, TRACE_PRODUCT):
        ledger[last, product] = 0.0
        for other in range(1, last):
            ledger[last, product] -= ledger[other, product]


@njit(cache=True, error_model="numpy")
def _is_lost(weights, actions, count):
    """Return True if a logit has a weight of NaN, so that all probabilities stay NaN."""
    return np.isnan(weights[1 : 1 + actions, :count]).any()


def linear_trial(episodes, world, space, hyperparameters, options):
    """Run a trial of the agent in a continuous environment, for `simulator`; see `trial_with`."""
    actions, low, high = space
    adaptive, fraction = options
    parameters, stream, reset, step = world
    discount = hyperparameters[DISCOUNT]
    decay = discount * hyperparameters[TRACE_DECAY]
    policy_step_size = hyperparameters[POLICY_STEP_SIZE]
    value_step_size = hyperparameters[VALUE_STEP_SIZE]
    orders, count, powers = new_basis(len(low), hyperparameters[DEPENDENT_ORDER:])
    functions = new_functions(1 + actions, count)
    weights, traces, ledger, features = functions
    state = np.empty(len(low))
    factors = np.empty(number_of_factors(orders))
    logits = np.empty((1, actions))
    probabilities = np.zeros(actions)
    increments = np.zeros(1 + actions)
    changes = np.empty(1 + actions)
    kept = actions  # number of outputs with stored weights
    direct = np.bool_(False)  # Numba gives a constant its own type, and would compile all callees again for it.
    total_return = 0.0
    all_steps = 0
    for _ in range(episodes):
        total_reward = 0.0
        steps = 0
        current = np.int64(0)  # not a constant either (see above)
        reset(parameters, state, stream)
        squares = 0.0
        # If all probabilities are NaN, action 0 is taken, and learning has no visible effect any more.
        learning = probabilities[0] == probabilities[0] or not _is_lost(weights, actions, count)
        if learning:
            squares = fill_factors(state, low, high, orders, powers, factors)
            begin(weights, traces, ledger, kept, factors, orders, features, current)
        terminal = False
        while not terminal:
            value = read(ledger, 0)
            if learning:
                last = 0.0  # logit of the last action: minus the sum of the others, unless it is stored
                for other in range(actions - 1):
                    logits[0, other] = read(ledger, 1 + other)
                    last -= logits[0, other]
                logits[0, actions - 1] = read(ledger, actions) if kept > actions else last
                softmax(logits, actions, 0, probabilities)
            action = sample(probabilities, actions, stream)
            increments[0] = 1.0
            for other in range(actions):
                increments[1 + other] = (1.0 if other == action else 0.0) - probabilities[other]
            slope = -(decay * read_trace(ledger, 0) + squares)
            reward, terminal = step(parameters, state, action, steps, stream)
            total_reward += reward
            steps += 1
            if not learning:
                continue
            target = reward
            if not terminal:
                squares = fill_factors(state, low, high, orders, powers, factors)
                advance(functions, kept, increments, decay, factors, orders, 1 - current, count, direct)
                target += discount * read(ledger, 0)
                slope += discount * read_trace(ledger, 0)
            error = target - value
            if adaptive:
                error -= ENTROPY_BONUS * math.log(probabilities[action])
                if slope * value_step_size < -1.0:
                    value_step_size = -1.0 / slope
            changes[:] = error * policy_step_size
            changes[0] = error * (value_step_size * fraction)
            if kept == actions and not abs(changes[1]) <= LARGEST_CHANGE_WITHOUT_LAST:
                _restore_last(weights, traces, ledger, features, current, count)
                kept = actions + 1
            if not (direct or small(changes)):
                settle(weights, traces, ledger, kept, features, current, count)
                direct = True
            if terminal:
                finish(functions, kept, increments, decay, changes, current, count, direct)
            else:
                update(weights, traces, ledger, kept, changes, features, 1 - current, count, direct)
                learning = probabilities[0] == probabilities[0] or not _is_lost(weights, actions, count)
            current = 1 - current
        total_return += total_reward
        all_steps += steps
    return total_return, all_steps


@njit(DRAW, cache=True)
def draw_tabular_adaptive(hyperparameters, stream):
    """Draw hyperparameters of the Parl2 variant for tables."""
    hyperparameters[DISCOUNT] = discount(stream)
    hyperparameters[TRACE_DECAY] = unit_uniform(stream)
    hyperparameters[POLICY_STEP_SIZE] = tabular_step_size(stream)
    hyperparameters[VALUE_STEP_SIZE] = 1.0


@njit(DRAW, cache=True)
def draw_tabular(hyperparameters, stream):
    """Draw hyperparameters of the variant with fixed step sizes for tables."""
    draw_tabular_adaptive(hyperparameters, stream)
    hyperparameters[VALUE_STEP_SIZE] = tabular_step_size(stream)


@njit(cache=True, error_model="numpy")
def _draw_basis(hyperparameters, dimensions, stream):
    """Draw the orders, the discount and the decay, and return the number of features."""
    draw_orders(hyperparameters, DEPENDENT_ORDER, stream)
    hyperparameters[DISCOUNT] = discount(stream)
    hyperparameters[TRACE_DECAY] = unit_uniform(stream)
    dependent = int(hyperparameters[DEPENDENT_ORDER])
    independent = int(hyperparameters[INDEPENDENT_ORDER])
    return number_of_features(dimensions, dependent, independent)


@njit(DRAW_LINEAR, cache=True)
def draw_linear(hyperparameters, dimensions, actions, stream):
    """Draw hyperparameters of the variant with fixed step sizes for a Fourier basis."""
    _draw_basis(hyperparameters, dimensions, stream)
    hyperparameters[POLICY_STEP_SIZE] = linear_step_size(stream)
    hyperparameters[VALUE_STEP_SIZE] = linear_step_size(stream)


@njit(DRAW_LINEAR, cache=True)
def draw_scaled(hyperparameters, dimensions, actions, stream):
    """Draw hyperparameters of the variant with step sizes scaled by the numbers of features and actions."""
    features = _draw_basis(hyperparameters, dimensions, stream)
    hyperparameters[POLICY_STEP_SIZE] = scaled_step_size(stream, features * actions)
    hyperparameters[VALUE_STEP_SIZE] = scaled_step_size(stream, features)


@njit(DRAW_LINEAR, cache=True)
def draw_linear_adaptive(hyperparameters, dimensions, actions, stream):
    """Draw hyperparameters of the Parl2 variant for a Fourier basis."""
    features = _draw_basis(hyperparameters, dimensions, stream)
    hyperparameters[POLICY_STEP_SIZE] = scaled_step_size(stream, features * actions)
    hyperparameters[VALUE_STEP_SIZE] = 1.0


def tabular(environment: DiscreteEnvironment, adaptive: bool, fraction: float = 1.0) -> Simulator:
    """Create a simulator of the tabular actor-critic; see `protocol`.

    Parameters
    ----------
    environment : DiscreteEnvironment
    adaptive : bool
        Use Parl2 for the critic.
    fraction : float, default 1.0
        Factor on the critic's steps.
    """
    draw = draw_tabular_adaptive if adaptive else draw_tabular
    return simulator(trial_with(environment.actions), environment, draw, adaptive, fraction)


def linear(
    environment: ContinuousEnvironment, adaptive: bool, scaled: bool = False, fraction: float = 1.0
) -> Simulator:
    """Create a simulator of the actor-critic over a Fourier basis.

    With `scaled`, step sizes are divided by the number of features.
    """
    draw = draw_linear_adaptive if adaptive else draw_scaled if scaled else draw_linear
    return simulator(linear_trial, environment, draw, adaptive, fraction)
