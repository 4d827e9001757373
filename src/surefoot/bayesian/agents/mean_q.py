"""e-Greedy and Soft-Max agents, based on Q-values of the mean MDP, which is solved again after every transition.

e-Greedy plays a random action with probability epsilon, else the best one; Soft-Max plays actions with probability
proportional to exp(Q / tau). The program that made the published scores did not normalize the probabilities, so
Soft-Max always played the first action: variant `as_published`.

The paper's e-Greedy solves only before greedy decisions; the authors' program, whose scores and times are published,
solves after every transition (Castronovo et al. 2016, sections 4.2 and 4.3).
"""

import math

import numpy as np
from numba import njit

from surefoot.bayesian.posteriors import (
    add_transition,
    new_mean_model,
    q_iteration,
    reset_mean_model,
)
from surefoot.bayesian.sampling import best
from surefoot.bayesian.trajectories import Problem, play_all
from surefoot.streams import below, uniform

RULE, VALUE = range(2)
"""Indices of the parameters: the rule for choosing an action, and epsilon or the temperature tau."""

GREEDY, SOFT_MAX, UNNORMALISED = range(3)
"""Codes of the rules."""


@njit(inline="always")
def _soft_max(q, state, states, tau, normalised, stream):
    """Draw an action with probability proportional to exp(Q / tau), if `normalised`.

    Otherwise return the first action at which the sum of exp(Q / tau) reaches a uniform number: action 0 if all Q >= 0.
    """
    largest = 0.0
    total = 1.0
    if normalised:
        largest = q[state]
        for row in range(state, len(q), states):
            largest = max(largest, q[row])
        total = 0.0
        for row in range(state, len(q), states):
            total += math.exp((q[row] - largest) / tau)
    chance = uniform(stream) * total
    cumulative = 0.0
    chosen = len(q) // states - 1
    for action in range(len(q) // states):
        cumulative += math.exp((q[action * states + state] - largest) / tau)
        if chance < cumulative or (chance == cumulative and not normalised):
            chosen = action
            break
    return chosen


@njit
def start(problem, parameters, model, stream):
    """Reset the model to the prior."""
    reset_mean_model(model, problem.prior, problem.rewards)
    q_iteration(model, problem.discount, problem.horizon)


@njit
def act(problem, parameters, model, state, stream):
    """Choose an action by the rule."""
    value = parameters[VALUE]
    if parameters[RULE] == GREEDY:
        if uniform(stream) <= value:
            return below(stream, problem.prior.shape[1])
        states = len(model.values)
        return best(model.q.reshape(-1, states).T, state, stream)
    return _soft_max(model.q, state, len(model.values), value, parameters[RULE] == SOFT_MAX, stream)


@njit
def observe(problem, parameters, model, state, action, next_state, stream):
    """Count the transition and solve the mean MDP."""
    add_transition(model, problem.rewards, state, action, next_state)
    q_iteration(model, problem.discount, problem.horizon)


@njit(cache=True, nogil=True, error_model="numpy")
def play(problem, parameters, mdps, key, first, record):
    """Play on the given MDPs; see `surefoot.bayesian.trajectories`."""
    play_all(start, act, observe, new_mean_model(problem.prior), problem, parameters, mdps, key, first, record)


def prepare(problem: Problem, key: np.ndarray, epsilon: float = 0.0, tau: float = 0.0, variant: str = "") -> np.ndarray:
    """Return the parameters of e-Greedy (`epsilon`) or Soft-Max (`tau` and `variant`); there is no offline phase."""
    if not variant:
        return np.array([GREEDY, epsilon], np.float64)
    return np.array([SOFT_MAX if variant == "corrected" else UNNORMALISED, tau], np.float64)
