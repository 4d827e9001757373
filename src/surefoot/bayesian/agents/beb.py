"""BEB: the best action of the mean MDP with a bonus for rare transitions (Castronovo et al. 2016, section 4.5).

The variant `corrected` follows the paper: the reward of (x, u, y) is raised by beta / c(x, u, y), where c is the
posterior count; impossible transitions get no bonus. The program that made the published scores takes the integer part
b of beta and raises all rewards of (x, u) by b / (1 + sum of the posterior counts of (x, u)). In both, ties are broken
in favour of the lowest action.
"""

import numpy as np
from numba import njit

from surefoot.bayesian.posteriors import (
    add_transition,
    new_mean_model,
    reset_mean_model,
    value_iteration,
)
from surefoot.bayesian.trajectories import Problem, play_all

BETA, PER_TRANSITION = range(2)
"""Indices of the parameters: beta, and whether the bonus depends on the transition."""


@njit
def _set_bonuses(problem, parameters, model, x, u):
    """Update the rewards of (x, u) with their bonuses."""
    row = u * len(problem.prior) + x
    for place in range(model.number[row]):
        count = model.counts[place, row] if parameters[PER_TRANSITION] else 1.0 + model.totals[row]
        reward = problem.rewards[x, u, np.int64(model.successors[place, row])]
        model.rewards[place, row] = reward + parameters[BETA] / count


@njit
def start(problem, parameters, model, stream):
    """Reset the model to the prior."""
    reset_mean_model(model, problem.prior, problem.rewards)
    states, actions, _ = problem.prior.shape
    for x in range(states):
        for u in range(actions):
            _set_bonuses(problem, parameters, model, x, u)


@njit
def act(problem, parameters, model, state, stream):
    """Return the best action, the lowest one in case of ties."""
    value_iteration(model, problem.discount)
    return np.argmax(model.q[state :: len(model.values)])


@njit
def observe(problem, parameters, model, state, action, next_state, stream):
    """Count the transition."""
    add_transition(model, problem.rewards, state, action, next_state)
    _set_bonuses(problem, parameters, model, state, action)


@njit(cache=True, nogil=True, error_model="numpy")
def play(problem, parameters, mdps, key, first, record):
    """Play on the given MDPs; see `surefoot.bayesian.trajectories`."""
    play_all(start, act, observe, new_mean_model(problem.prior), problem, parameters, mdps, key, first, record)


def prepare(problem: Problem, key: np.ndarray, variant: str, beta: float) -> np.ndarray:
    """Return the parameters; there is no offline phase."""
    corrected = variant == "corrected"
    return np.array([beta if corrected else np.floor(beta), corrected], dtype=np.float64)
