"""Agent that chooses every action uniformly (Castronovo et al. 2016, section 4.1)."""

import numpy as np
from numba import njit

from surefoot.bayesian.trajectories import Problem, play_all
from surefoot.streams import below


@njit(inline="always")
def start(problem, parameters, memory, stream):
    """Do nothing: the agent has no memory."""


@njit(inline="always")
def act(problem, parameters, memory, state, stream):
    """Draw an action uniformly."""
    return below(stream, problem.prior.shape[1])


@njit(inline="always")
def observe(problem, parameters, memory, state, action, next_state, stream):
    """Do nothing: the agent does not learn."""


@njit(cache=True, nogil=True, error_model="numpy")
def play(problem, parameters, mdps, key, first, record):
    """Play on the given MDPs; see `surefoot.bayesian.trajectories`."""
    play_all(start, act, observe, parameters, problem, parameters, mdps, key, first, record)


def prepare(problem: Problem, key: np.ndarray) -> np.ndarray:
    """Return no parameters; there is no offline phase."""
    return np.empty(0)
