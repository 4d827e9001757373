"""Posterior counts for planners: one row for each pair of state and action, with its possible next states only.

The row of state x and action u has the number x * actions + u. Its entries stand in the order of increasing next
state, one for every next state that the prior or an MDP to be played allows; after them come entries of count 0 and
next state 0. An entry of count 0 is never drawn: it keeps the place of a transition that the prior excludes, in case
it is seen all the same.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from surefoot.streams import uniform


class Rows(NamedTuple):
    """Counts of the posterior of a flat Dirichlet-multinomial distribution, by row and entry.

    entries : int64[rows], how many a row has
    successors : int64[rows, width], the next state of an entry
    rewards : float64[rows, width]
    prior : float64[rows, width], pseudo-counts
    counts : float64[rows, width], those of the posterior
    totals : float64[rows], their sums
    """

    entries: np.ndarray
    successors: np.ndarray
    rewards: np.ndarray
    prior: np.ndarray
    counts: np.ndarray
    totals: np.ndarray


@njit
def _is_possible(prior, mdps, x, u, y):
    possible = prior[x, u, y] > 0.0
    for i in range(len(mdps)):
        possible |= mdps[i, x, u, y] > 0.0
    return possible


@njit(cache=True)
def new_rows(prior, rewards, mdps):
    """Room for the rows, at least two entries wide; `forget_observations` fills in the counts.

    Parameters
    ----------
    prior, rewards : float64[states, actions, states], pseudo-counts and rewards
    mdps : float64[mdps, states, actions, states], transition probabilities
    """
    states, actions, _ = prior.shape
    width = 2
    for x in range(states):
        for u in range(actions):
            entries = 0
            for y in range(states):
                entries += _is_possible(prior, mdps, x, u, y)
            width = max(width, entries)
    shape = (states * actions, width)
    rows = Rows(
        np.zeros(shape[0], np.int64),
        np.zeros(shape, np.int64),
        np.zeros(shape),
        np.zeros(shape),
        np.zeros(shape),
        np.zeros(shape[0]),
    )
    for x in range(states):
        for u in range(actions):
            row = x * actions + u
            entry = 0
            for y in range(states):
                if _is_possible(prior, mdps, x, u, y):
                    rows.successors[row, entry] = y
                    rows.rewards[row, entry] = rewards[x, u, y]
                    rows.prior[row, entry] = prior[x, u, y]
                    entry += 1
            rows.entries[row] = entry
    return rows


@njit(cache=True)
def forget_observations(rows):
    """Back to the prior."""
    for row in range(rows.prior.shape[0]):
        rows.totals[row] = 0.0
        for entry in range(rows.prior.shape[1]):
            rows.counts[row, entry] = rows.prior[row, entry]
            rows.totals[row] += rows.prior[row, entry]


@njit
def add_observation(rows, row, next_state):
    """Count a transition of a row; its entry."""
    entry = 0
    while rows.successors[row, entry] != next_state:
        entry += 1
    rows.counts[row, entry] += 1.0
    rows.totals[row] += 1.0
    return entry


@njit
def copy_row(rows, row, table):
    """Write a row's total and its counts into a table (float64[rows, 1 + width]) that `draw_entry` draws from."""
    table[row, 0] = rows.totals[row]
    for entry in range(rows.counts.shape[1]):
        table[row, 1 + entry] = rows.counts[row, entry]


@njit(inline="always")
def draw_entry(table, row, stream):
    """An entry of a row with probability proportional to its weight.

    table : float64[rows, 1 + width], the weights of each row, their sum before them
    """
    rest = uniform(stream) * table[row, 0]
    entry = 0
    last = table.shape[1] - 2
    if last == 1:
        # Without a branch: which of two entries is drawn cannot be predicted.
        entry = np.int64(rest >= table[row, 1])
    else:
        while entry < last and rest >= table[row, 1 + entry]:
            rest -= table[row, 1 + entry]
            entry += 1
        while table[row, 1 + entry] == 0.0:
            entry -= 1
    return entry
