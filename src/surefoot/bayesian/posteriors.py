"""Posteriors of flat Dirichlet-multinomial distributions in the agents' layouts (Castronovo et al. 2016).

There are two layouts: the MDP of posterior means, with two solvers, and counts by row for planners.

`q_iteration` and `value_iteration` start from zero and stop as early as in the authors' programs: their loose
tolerances are part of the agents, since they determine which actions are exactly equal. For the same reason every sum
is computed sequentially over increasing next states; only different rows are computed in parallel.

A row of the mean MDP stands for an action and a state; its number is `action * states + state`. The k-th possible next
states of all rows are adjacent in memory, so that the processor works on several rows at a time; shorter rows are
padded with probability 0.

Planners have one row for each pair of state and action, with its possible next states only. The row of state x and
action u has the number x * actions + u. It has one entry for every next state that the prior or one of the MDPs allows,
in increasing order, followed by entries with count 0 and next state 0. Entries with count 0 are never drawn: they are
reserved for transitions that the prior excludes but that may be observed.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from surefoot.streams import uniform


class MeanModel(NamedTuple):
    """MDP of posterior means, its Q-values, and scratch space for the solvers.

    counts, probabilities, rewards : float64[states, rows], for the k-th possible next state of each row
    successors : uint64[states, rows], number of that state; increasing with k
    totals : float64[rows], sums of the counts
    number : int64[rows], number of possible next states
    width : int64[1], largest number of possible next states
    q : float64[rows], Q-values computed by a solver
    values, discounted : float64[states], values after the last sweep, and the values times the discount
    sweep : float64[rows]
    """

    counts: np.ndarray
    probabilities: np.ndarray
    rewards: np.ndarray
    successors: np.ndarray
    totals: np.ndarray
    number: np.ndarray
    width: np.ndarray
    q: np.ndarray
    values: np.ndarray
    discounted: np.ndarray
    sweep: np.ndarray


@njit(cache=True)
def new_mean_model(prior):
    """Allocate a model for priors with the shape of `prior`; `reset_mean_model` fills it."""
    states, actions, _ = prior.shape
    rows = states * actions
    return MeanModel(
        np.empty((states, rows)),
        np.empty((states, rows)),
        np.empty((states, rows)),
        np.empty((states, rows), np.uint64),
        np.empty(rows),
        np.empty(rows, np.int64),
        np.empty(1, np.int64),
        np.empty(rows),
        np.empty(states),
        np.empty(states),
        np.empty(rows),
    )


@njit(cache=True)
def reset_mean_model(model, prior, rewards):
    """Fill the model with the means of a prior (float64[states, actions, states]) and rewards (of the same shape)."""
    states, actions, _ = prior.shape
    model.counts[:] = 0.0
    model.probabilities[:] = 0.0
    model.rewards[:] = 0.0
    model.successors[:] = 0
    model.width[0] = 0
    for u in range(actions):
        for x in range(states):
            row = u * states + x
            place = 0
            total = 0.0
            for y in range(states):
                if prior[x, u, y] > 0.0:
                    model.counts[place, row] = prior[x, u, y]
                    model.rewards[place, row] = rewards[x, u, y]
                    model.successors[place, row] = y
                    total += prior[x, u, y]
                    place += 1
            model.totals[row] = total
            model.number[row] = place
            model.width[0] = max(model.width[0], place)
            for place in range(model.number[row]):
                model.probabilities[place, row] = model.counts[place, row] / total


@njit(cache=True)
def add_transition(model, rewards, x, u, y):
    """Count the transition (x, u, y), whether or not the prior allows it."""
    row = u * len(model.counts) + x
    place = 0
    while place < model.number[row] and model.successors[place, row] < y:
        place += 1
    if place == model.number[row] or model.successors[place, row] != y:
        for later in range(model.number[row], place, -1):
            model.counts[later, row] = model.counts[later - 1, row]
            model.rewards[later, row] = model.rewards[later - 1, row]
            model.successors[later, row] = model.successors[later - 1, row]
        model.counts[place, row] = 0.0
        model.rewards[place, row] = rewards[x, u, y]
        model.successors[place, row] = y
        model.number[row] += 1
        model.width[0] = max(model.width[0], model.number[row])
    model.counts[place, row] += 1.0
    model.totals[row] += 1.0
    for place in range(model.number[row]):
        model.probabilities[place, row] = model.counts[place, row] / model.totals[row]


WIDE = 16
"""Smallest number of states for which vectorizing over values pays off."""


@njit(cache=True)
def _sweep(probabilities, rewards, successors, width, full, discounted, backup):
    """Compute backup(row) = sum over y of P(y) (R(y) + discounted(y)), where `discounted` is discount times the values.

    The function takes plain arrays instead of the model, since passing a tuple of arrays would involve reference
    counting at every sweep. `full` is True if every state is possible after every action.
    """
    rows = len(backup)
    if width == 2:
        for row in range(rows):
            first = probabilities[0, row] * (rewards[0, row] + discounted[successors[0, row]])
            backup[row] = first + probabilities[1, row] * (rewards[1, row] + discounted[successors[1, row]])
        return
    for row in range(rows):
        backup[row] = 0.0
    for place in range(width):
        if full:
            for row in range(rows):
                backup[row] += probabilities[place, row] * (rewards[place, row] + discounted[place])
        else:
            for row in range(rows):
                backup[row] += probabilities[place, row] * (rewards[place, row] + discounted[successors[place, row]])


@njit(cache=True)
def q_iteration(model, discount, horizon):
    """Solve for Q-values by at most `horizon` + 1 sweeps from Q = 0, until no Q-value changes by more than 0.01.

    The result of the last sweep is in `model.q`. Returns the number of sweeps.
    """
    q = model.q
    discounted = model.discounted
    sweep = model.sweep
    p = model.probabilities
    r = model.rewards
    y = model.successors
    width = model.width[0]
    states = len(discounted)
    full = states >= WIDE and model.number.min() == states
    actions = len(q) // states
    q[:] = 0.0
    sweeps = 0
    for _ in range(horizon + 1):
        sweeps += 1
        for x in range(states):
            value = q[x]
            for action in range(1, actions):
                other = q[action * states + x]
                value = other if other > value else value
            discounted[x] = discount * value
        _sweep(p, r, y, width, full, discounted, sweep)
        moving = 0
        for row in range(len(q)):
            moving |= abs(sweep[row] - q[row]) > 0.01
            q[row] = sweep[row]
        if not moving:
            break
    return sweeps


@njit(cache=True)
def value_iteration(model, discount):
    """Solve for Q-values by sweeps of state values from 0, until the squares of their changes add up to at most 1e-8.

    The result of the last sweep is in `model.q`. Returns the number of sweeps.
    """
    q = model.q
    values = model.values
    discounted = model.discounted
    p = model.probabilities
    r = model.rewards
    y = model.successors
    width = model.width[0]
    states = len(values)
    full = states >= WIDE and model.number.min() == states
    actions = len(q) // states
    values[:] = 0.0
    discounted[:] = 0.0
    change = 1.0
    sweeps = 0
    while change > 1e-8:
        sweeps += 1
        _sweep(p, r, y, width, full, discounted, q)
        change = 0.0
        for x in range(states):
            value = q[x]
            for action in range(1, actions):
                other = q[action * states + x]
                value = other if other > value else value
            change += (value - values[x]) ** 2
            values[x] = value
            discounted[x] = discount * value
    return sweeps


class Rows(NamedTuple):
    """Counts of the posterior of a flat Dirichlet-multinomial distribution, by row and entry.

    entries : int64[rows], number of entries of a row
    successors : int64[rows, width], the next state of an entry
    rewards : float64[rows, width]
    prior : float64[rows, width], pseudo-counts
    counts : float64[rows, width], counts of the posterior
    totals : float64[rows], sums of the counts
    """

    entries: np.ndarray
    successors: np.ndarray
    rewards: np.ndarray
    prior: np.ndarray
    counts: np.ndarray
    totals: np.ndarray


@njit(cache=True)
def new_rows(prior, rewards, mdps):
    """Allocate rows with space for at least two entries; `forget_observations` fills in the counts.

    Parameters
    ----------
    prior, rewards : float64[states, actions, states]
        Pseudo-counts and rewards.
    mdps : float64[mdps, states, actions, states]
        Transition probabilities.
    """
    states, actions, _ = prior.shape
    possible = np.empty(prior.shape, np.bool_)
    width = 2
    for x in range(states):
        for u in range(actions):
            entries = 0
            for y in range(states):
                possible[x, u, y] = prior[x, u, y] > 0.0
                for i in range(len(mdps)):
                    possible[x, u, y] |= mdps[i, x, u, y] > 0.0
                entries += possible[x, u, y]
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
                if possible[x, u, y]:
                    rows.successors[row, entry] = y
                    rows.rewards[row, entry] = rewards[x, u, y]
                    rows.prior[row, entry] = prior[x, u, y]
                    entry += 1
            rows.entries[row] = entry
    return rows


@njit(cache=True)
def forget_observations(rows):
    """Reset the counts to the prior."""
    for row in range(len(rows.totals)):
        # A loop, since assigning an array to a slice also compiles the text of an error, which takes seconds.
        for entry in range(rows.prior.shape[1]):
            rows.counts[row, entry] = rows.prior[row, entry]
        rows.totals[row] = rows.prior[row].sum()


@njit
def add_observation(rows, row, next_state):
    """Count a transition of a row, and return its entry."""
    entry = 0
    while rows.successors[row, entry] != next_state:
        entry += 1
    rows.counts[row, entry] += 1.0
    rows.totals[row] += 1.0
    return entry


@njit
def copy_row(rows, row, table):
    """Copy a row's total and its counts to a table (float64[rows, 1 + width]) for `draw_entry`."""
    table[row, 0] = rows.totals[row]
    for entry in range(rows.counts.shape[1]):
        table[row, 1 + entry] = rows.counts[row, entry]


@njit(inline="always")
def draw_entry(table, row, stream):
    """Draw an entry of a row with probability proportional to its weight, and add 1 to that weight (Polya's urn).

    table : float64[rows, 1 + width], sum of each row's weights, followed by the weights
    """
    rest = uniform(stream) * table[row, 0]
    entry = 0
    last = table.shape[1] - 2
    if last == 1:
        # Without a branch, since the result cannot be predicted.
        entry = np.int64(rest >= table[row, 1])
    else:
        while entry < last and rest >= table[row, 1 + entry]:
            rest -= table[row, 1 + entry]
            entry += 1
        while table[row, 1 + entry] == 0.0:
            entry -= 1
    table[row, 0] += 1.0
    table[row, 1 + entry] += 1.0
    return entry
