"""BAMCP: Monte Carlo tree search over beliefs (Castronovo et al. 2016, section 4.5).

Guez, Silver and Dayan, JAIR 48, 2013; constants and the growth of the tree as in the authors' program.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from surefoot.bayesian.agents.monte_carlo_tree_search import search, uct_bonuses
from surefoot.bayesian.interfaces import PLAY, Problem
from surefoot.bayesian.rows import Rows, add_observation, copy_row, forget_observations, new_rows
from surefoot.bayesian.sampling import best
from surefoot.bayesian.trajectories import play_all

SIMULATIONS, DEPTH = 0, 1
"""The layout of the parameters: simulations a decision, transitions a simulation."""

LEARNING_RATE = 0.2
"""The learning rate of the table of the rollouts' policy."""


class Memory(NamedTuple):
    """What the agent knows and the room for its search.

    urn : float64[rows, 1 + width], counts of the posterior and of this simulation's draws, their sum before them
    values : float64[states, actions], the table of the rollouts' policy
    choices : int64[states, 2, 1 + actions], the actions of a rollout that explores and of one that is greedy, their
        number before them
    visits, tries, means, children : the tree, one row per node, the root first: int64[nodes]; int64[nodes, actions];
        float64[nodes, actions]; int32[nodes, actions * width], 0 where there is none
    bonuses : float64[2, simulations + 1], the factors of UCT's bonus by visits of the node and by tries of the action
    trail : int64[4, depth], nodes, rows, entries and actions of a simulation's transitions
    scores : float64[1, actions]
    """

    rows: Rows
    urn: np.ndarray
    values: np.ndarray
    choices: np.ndarray
    visits: np.ndarray
    tries: np.ndarray
    means: np.ndarray
    children: np.ndarray
    bonuses: np.ndarray
    trail: np.ndarray
    scores: np.ndarray


@njit(error_model="numpy")
def _new_memory(problem, parameters, mdps):
    states, actions, _ = problem.prior.shape
    rows = new_rows(problem.prior, problem.rewards, mdps)
    width = rows.counts.shape[1]
    simulations = int(parameters[SIMULATIONS])
    return Memory(
        rows,
        np.empty((states * actions, 1 + width)),
        np.empty((states, actions)),
        np.empty((states, 2, 1 + actions), np.int64),
        np.empty(simulations + 1, np.int64),
        np.empty((simulations + 1, actions), np.int64),
        np.empty((simulations + 1, actions)),
        np.empty((simulations + 1, actions * width), np.int32),
        uct_bonuses(simulations),
        np.empty((4, int(parameters[DEPTH])), np.int64),
        np.empty((1, actions)),
    )


@njit(inline="always")
def start(problem, parameters, memory, stream):
    """Forget the last trajectory."""
    forget_observations(memory.rows)
    for row in range(memory.urn.shape[0]):
        copy_row(memory.rows, row, memory.urn)
    for state in range(memory.values.shape[0]):
        for action in range(memory.values.shape[1]):
            memory.values[state, action] = 0.0
        _list_choices(memory.values, memory.choices, state)


@njit(error_model="numpy")
def _greatest(values, state):
    greatest = values[state, 0]
    for action in range(1, values.shape[1]):
        greatest = max(greatest, values[state, action])
    return greatest


@njit(error_model="numpy")
def _list_choices(values, choices, state):
    greatest = _greatest(values, state)
    actions = values.shape[1]
    number = 0
    for action in range(actions):
        choices[state, 0, 1 + action] = action
        if values[state, action] == greatest:
            number += 1
            choices[state, 1, number] = action
    choices[state, 0, 0] = actions
    choices[state, 1, 0] = number


@njit(inline="always")
def act(problem, parameters, memory, state, stream):
    """The action of greatest mean return in a new tree."""
    search(
        memory.urn,
        memory.rows.counts,
        memory.rows.totals,
        memory.rows.successors,
        memory.rows.rewards,
        memory.choices,
        memory.visits,
        memory.tries,
        memory.means,
        memory.children,
        memory.bonuses,
        memory.trail,
        memory.scores,
        state,
        int(parameters[SIMULATIONS]),
        problem.discount,
        stream,
    )
    means = memory.means
    return best(means, 0, stream)


@njit(inline="always")
def observe(problem, parameters, memory, state, action, next_state, stream):
    """Count the transition, and learn the rollouts' policy from it."""
    row = state * memory.values.shape[1] + action
    add_observation(memory.rows, row, next_state)
    copy_row(memory.rows, row, memory.urn)
    target = problem.rewards[state, action, next_state] + problem.discount * _greatest(memory.values, next_state)
    memory.values[state, action] += LEARNING_RATE * (target - memory.values[state, action])
    _list_choices(memory.values, memory.choices, state)


@njit(PLAY, cache=True, nogil=True, error_model="numpy")
def play(problem, parameters, mdps, key, first, record):
    """Play on these MDPs; see `surefoot.bayesian.interfaces`."""
    memory = _new_memory(problem, parameters, mdps)
    play_all(start, act, observe, memory, problem, parameters, mdps, key, first, record)


def prepare(problem: Problem, key: np.ndarray, simulations: int, depth: int) -> np.ndarray:
    """No offline phase.

    Parameters
    ----------
    simulations : a decision, at least 1
    depth : transitions a simulation, at least 1
    """
    return np.array([simulations, depth], float)
