"""Agent that plays a formula of Q-values, a strategy in the search space of OPPS-DS (Castronovo et al. 2016, 4.4).

At each step, the action with the largest formula(Q0, Q1, Q2) is played. Q0, Q1 and Q2 are the Q-values of three mean
MDPs that learn the same transitions from different initial counts: the prior, a belief that states do not change, and
one count for every next state. Only the Q-values that occur in the formula are computed. A domain error ends the
trajectory as a failure.
"""

import math

import numpy as np
from numba import njit

from surefoot.bayesian.formulas import ABS, ADD, DIV, FEATURES, INV, LN, MAX, MIN, MUL, OPP, SQRT, SUB, X0, encode
from surefoot.bayesian.posteriors import (
    add_transition,
    new_mean_model,
    q_iteration,
    reset_mean_model,
)
from surefoot.bayesian.sampling import best
from surefoot.bayesian.trajectories import Problem, play_all

FAILED = -1


@njit(cache=True, error_model="numpy")
def evaluate(codes, q0, q1, q2, stack):
    """Evaluate a formula; NaN after a domain error.

    codes : float64[tokens], terminated by a negative number or the array's end
    stack : float64[tokens], overwritten
    """
    size = 0
    for code in codes:
        if code < 0.0:
            break
        if code >= ABS + 1:
            stack[size] = q0 if code == X0 else q1 if code == X0 - 1 else q2
            size += 1
        elif code >= OPP:
            a = stack[size - 1]
            if (code == INV and a == 0.0) or (code == SQRT and a < 0.0) or (code == LN and a <= 0.0):
                return math.nan
            if code == OPP:
                a = -a
            elif code == INV:
                a = 1.0 / a
            elif code == SQRT:
                a = math.sqrt(a)
            elif code == LN:
                a = math.log(a)
            else:
                a = abs(a)
            stack[size - 1] = a
        else:
            size -= 1
            a = stack[size - 1]
            b = stack[size]
            if code == DIV and b == 0.0:
                return math.nan
            if code == MAX:
                a = max(a, b)
            elif code == MIN:
                a = min(a, b)
            elif code == MUL:
                a = a * b
            elif code == ADD:
                a = a + b
            elif code == DIV:
                a = a / b
            elif code == SUB:
                a = a - b
            stack[size - 1] = a
    return stack[0]


@njit(cache=True)
def new_memory(problem, tokens):
    """Allocate three models, their initial counts, flags for the models in use, values of the actions, and a stack."""
    prior = problem.prior
    states, actions, _ = prior.shape
    staying = np.zeros(prior.shape)
    for x in range(states):
        staying[x, :, x] = 1.0
    counts = (prior, staying, np.ones(prior.shape))
    models = (new_mean_model(prior), new_mean_model(prior), new_mean_model(prior))
    return counts, models, np.zeros(FEATURES, np.int64), np.empty((1, actions)), np.empty(tokens)


@njit(cache=True)
def start(problem, parameters, memory, stream):
    """Reset the models that occur in the formula to their initial counts."""
    counts, models, used, _, _ = memory
    used[:] = 0
    for code in parameters:
        if code >= ABS + 1:
            used[int(X0 - code)] = 1
    for feature in range(FEATURES):
        if used[feature]:
            reset_mean_model(models[feature], counts[feature], problem.rewards)
            q_iteration(models[feature], problem.discount, problem.horizon)


@njit(cache=True)
def act(problem, parameters, memory, state, stream):
    """Return the action with the largest value, uniformly among ties; -1 after a domain error."""
    _, models, _, values, stack = memory
    states, actions, _ = problem.prior.shape
    for action in range(actions):
        row = action * states + state
        # A model that does not occur in the formula is not solved, and its Q-value is not used.
        value = evaluate(parameters, models[0].q[row], models[1].q[row], models[2].q[row], stack)
        if value != value:
            return FAILED
        values[0, action] = value
    return best(values, 0, stream)


@njit(cache=True)
def observe(problem, parameters, memory, state, action, next_state, stream):
    """Count the transition in every model in use, and solve these models."""
    _, models, used, _, _ = memory
    for feature in range(FEATURES):
        if used[feature]:
            add_transition(models[feature], problem.rewards, state, action, next_state)
            q_iteration(models[feature], problem.discount, problem.horizon)


@njit(cache=True, nogil=True, error_model="numpy")
def play(problem, parameters, mdps, key, first, record):
    """Play on the given MDPs; see `surefoot.bayesian.trajectories`."""
    memory = new_memory(problem, len(parameters))
    play_all(start, act, observe, memory, problem, parameters, mdps, key, first, record)


def prepare(problem: Problem, key: np.ndarray, formula: str) -> np.ndarray:
    """Return the formula's codes; there is no offline phase."""
    return encode(formula).astype(np.float64)
