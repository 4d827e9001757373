"""Actor-critic over a Fourier basis, with a fixed or Parl2 step size of the critic.

Jordan et al. 2020, section 3 and Appendix E: the agent of `actor_critic`, with linear functions in place of tables. The
outputs are the value, then a logit for each action. Updates of the logits' weights sum to zero over the actions, like
the gradients of ln pi. The weights of the last action are therefore not stored but computed from the others, as long as
the rounding error of the probabilities times the largest change is negligible.
"""

import math

import numpy as np
from numba import njit

from surefoot.simulation.agents.actor_critic import (
    DISCOUNT,
    ENTROPY_BONUS,
    POLICY_STEP_SIZE,
    TRACE_DECAY,
    VALUE_STEP_SIZE,
)
from surefoot.simulation.agents.kernels import sample, softmax
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
from surefoot.simulation.fourier import fill_factors, new_basis, number_of_factors

DEPENDENT_ORDER, INDEPENDENT_ORDER = range(4, 6)
"""Indices of the hyperparameters d and o, which follow the hyperparameters of `actor_critic`."""


LARGEST_CHANGE_WITHOUT_LAST = 1e3


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


def trial(episodes, world, space, hyperparameters, options):
    """Run a trial of the agent in a continuous environment, for `simulator`; see `actor_critic.trial_with`."""
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
