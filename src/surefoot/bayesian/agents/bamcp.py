"""BAMCP: Monte Carlo tree search over beliefs (Castronovo et al. 2016, section 4.5).

Guez, Silver and Dayan, JAIR 48, 2013; constants and the growth of the tree follow the authors' program.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from surefoot.bayesian.posteriors import Rows, add_observation, copy_row, draw_entry, forget_observations, new_rows
from surefoot.bayesian.sampling import best
from surefoot.bayesian.trajectories import Problem, play_all
from surefoot.streams import below, next_integer, reduced

SIMULATIONS, DEPTH = range(2)
"""Indices of the parameters: simulations per decision, transitions per simulation."""

EXPLORATION = 3.0
"""Exploration constant of UCT, applied to unscaled returns."""

LEARNING_RATE = 0.2
"""Learning rate of the table of the rollout policy."""


class Memory(NamedTuple):
    """The agent's knowledge, and scratch space for its search.

    urn : float64[rows, 1 + width], sum of counts, followed by the counts of the posterior plus the draws of this
        simulation
    values : float64[states, actions], the table of the rollout policy
    choices : int64[states, 2, 1 + actions], the actions of an exploring and of a greedy step of a rollout, each list
        preceded by its length
    visits, tries, means, children : the tree, one row per node, the root first: int64[nodes]; int64[nodes, actions];
        float64[nodes, actions]; int32[nodes, actions * width], 0 for a missing child
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
    bonuses = np.zeros((2, simulations + 1))
    bonuses[1, 0] = math.inf
    for i in range(1, simulations + 1):
        bonuses[0, i] = EXPLORATION * math.sqrt(math.log(i + 1.0))
        bonuses[1, i] = 1.0 / math.sqrt(i)
    return Memory(
        rows,
        np.empty((states * actions, 1 + width)),
        np.empty((states, actions)),
        np.empty((states, 2, 1 + actions), np.int64),
        np.empty(simulations + 1, np.int64),
        np.empty((simulations + 1, actions), np.int64),
        np.empty((simulations + 1, actions)),
        np.empty((simulations + 1, actions * width), np.int32),
        bonuses,
        np.empty((4, int(parameters[DEPTH])), np.int64),
        np.empty((1, actions)),
    )


@njit(inline="always")
def start(problem, parameters, memory, stream):
    """Forget the previous trajectory."""
    forget_observations(memory.rows)
    for row in range(memory.urn.shape[0]):
        copy_row(memory.rows, row, memory.urn)
    memory.values[:] = 0.0
    for state in range(len(memory.values)):
        _list_choices(memory.values, memory.choices, state)


@njit(error_model="numpy")
def _list_choices(values, choices, state):
    greatest = values[state].max()
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
def _choose(choices, state, stream):
    """Choose an action of a rollout from one random integer: any action with probability 1/2, else a greedy one."""
    bits = next_integer(stream)
    greedy = np.int64(bits & np.uint64(1))
    return choices[state, greedy, 1 + reduced(bits, choices[state, greedy, 0], stream)]


@njit(inline="always")
def _rollout(urn, successors, rewards, choices, trail, state, first, discount, stream):
    """Return the discounted return of the rest of a simulation, from `state` after `first` transitions.

    Drawing from an urn is equivalent to drawing the row's probabilities once per simulation.
    """
    actions = choices.shape[2] - 1
    total = 0.0
    weight = 1.0
    for d in range(first, trail.shape[1]):
        row = state * actions + _choose(choices, state, stream)
        entry = draw_entry(urn, row, stream)
        trail[1, d] = row
        trail[2, d] = entry
        total += weight * rewards[row, entry]
        weight *= discount
        state = successors[row, entry]
    return total


@njit(inline="always")
def _clear(visits, tries, means, children, node):
    visits[node] = 0
    for action in range(tries.shape[1]):
        tries[node, action] = 0
        means[node, action] = 0.0
    for place in range(children.shape[1]):
        children[node, place] = 0


@njit(error_model="numpy")
def _search(memory, state, simulations, discount, stream):
    """Grow a tree by simulations from `state`."""
    rows, urn, _, choices, visits, tries, means, children, bonuses, trail, scores = memory
    _, successors, rewards, _, counts, totals = rows
    actions = tries.shape[1]
    width = urn.shape[1] - 1
    depth = trail.shape[1]
    root = state
    _clear(visits, tries, means, children, 0)
    size = 1
    for _ in range(simulations):
        node = 0
        d = 0
        tail = 0.0
        state = root
        while True:
            if visits[node] == 0:
                action = below(stream, actions)
            else:
                bonus = bonuses[0, visits[node]]
                for other in range(actions):
                    scores[0, other] = means[node, other] + bonus * bonuses[1, tries[node, other]]
                action = best(scores, 0, stream)
            row = state * actions + action
            entry = draw_entry(urn, row, stream)
            trail[0, d] = node
            trail[1, d] = row
            trail[2, d] = entry
            trail[3, d] = action
            state = successors[row, entry]
            d += 1
            if d == depth:
                break
            place = action * width + entry
            child = children[node, place]
            if child == 0:
                if tries[node, action] == 0:
                    tail = _rollout(urn, successors, rewards, choices, trail, state, d, discount, stream)
                    break
                child = size
                children[node, place] = child
                _clear(visits, tries, means, children, child)
                size += 1
            node = child
        for i in range(d - 1, -1, -1):
            row = trail[1, i]
            node = trail[0, i]
            action = trail[3, i]
            tail = rewards[row, trail[2, i]] + discount * tail
            visits[node] += 1
            tries[node, action] += 1
            means[node, action] += (tail - means[node, action]) / tries[node, action]
        for i in range(depth):
            row = trail[1, i]
            entry = trail[2, i]
            urn[row, 1 + entry] = counts[row, entry]
            urn[row, 0] = totals[row]


@njit(inline="always")
def act(problem, parameters, memory, state, stream):
    """Return the action with the largest mean return in a new tree."""
    _search(memory, state, int(parameters[SIMULATIONS]), problem.discount, stream)
    means = memory.means
    return best(means, 0, stream)


@njit(inline="always")
def observe(problem, parameters, memory, state, action, next_state, stream):
    """Count the transition, and update the rollout policy."""
    row = state * memory.values.shape[1] + action
    add_observation(memory.rows, row, next_state)
    copy_row(memory.rows, row, memory.urn)
    target = problem.rewards[state, action, next_state] + problem.discount * memory.values[next_state].max()
    memory.values[state, action] += LEARNING_RATE * (target - memory.values[state, action])
    _list_choices(memory.values, memory.choices, state)


@njit(cache=True, nogil=True, error_model="numpy")
def play(problem, parameters, mdps, key, first, record):
    """Play on the given MDPs; see `surefoot.bayesian.trajectories`."""
    memory = _new_memory(problem, parameters, mdps)
    play_all(start, act, observe, memory, problem, parameters, mdps, key, first, record)


def prepare(problem: Problem, key: np.ndarray, simulations: int, depth: int) -> np.ndarray:
    """Return the parameters; there is no offline phase.

    Parameters
    ----------
    problem : Problem
    key : uint64[4]
    simulations : int
        Simulations per decision, at least 1.
    depth : int
        Transitions per simulation, at least 1.
    """
    return np.array([simulations, depth], float)
