"""Drawn rows of a posterior and the best policy for who may choose among them (Castronovo et al. 2016, section 4.7).

The merged MDP has, in each state, one action for every draw of a row of that state: draw k of action u is the merged
action u + actions * k. Actions drawn less often than others are filled up with actions that stay and cost `RUIN`.
"""

import numpy as np
from numba import njit

from surefoot.bayesian.sampling import standard_gamma

RUIN = -2147483648.0

TOLERANCE = 1e-8
"""Value iteration ends after a sweep that changes the values by no more than this sum of squares."""

FORESIGHT = 10.0
"""For how many changes like the last a row's list of contenders should last: of influence on speed alone."""

ROUNDING = 1e-13
"""Above the relative rounding error of a value: draws that are this close are evaluated, never left out."""


@njit(error_model="numpy")
def draw_models(counts, draws, stream):
    """Draw rows from their Dirichlet distributions.

    Parameters
    ----------
    counts : float64[rows, width], of the posterior
    draws : int64[rows], how often each row is drawn

    Returns
    -------
    (int64[rows + 1], where a row's draws begin; float64[all draws, width], probabilities)
    """
    first = np.zeros(len(draws) + 1, np.int64)
    for row in range(len(draws)):
        first[row + 1] = first[row] + draws[row]
    width = counts.shape[1]
    models = np.empty((first[len(draws)], width))
    for row in range(len(draws)):
        for model in range(first[row], first[row + 1]):
            total = 0.0
            while total == 0.0:
                for entry in range(width):
                    count = counts[row, entry]
                    models[model, entry] = standard_gamma(count, stream) if count > 0.0 else 0.0
                    total += models[model, entry]
            for entry in range(width):
                models[model, entry] /= total
    return first, models


@njit(inline="always")
def _value(models, model, outlook):
    value = 0.0
    for entry in range(models.shape[1]):
        value += models[model, entry] * outlook[entry]
    return value


@njit(inline="always")
def _list_contenders(models, first, row, outlook, margin, evaluated, contenders, number):
    """Evaluate all draws of a row; list those within `margin` of the best. (The best value, the first draw of it.)"""
    greatest = -np.inf
    best = 0
    for model in range(first[row], first[row + 1]):
        value = _value(models, model, outlook)
        evaluated[model] = value
        if value > greatest:
            greatest = value
            best = model
    listed = first[row]
    for model in range(first[row], first[row + 1]):
        contenders[listed] = model
        listed += evaluated[model] >= greatest - margin
    number[row] = listed - first[row]
    return greatest, best


@njit(inline="always")
def _best_contender(models, first, row, outlook, contenders, number):
    """The best value of the listed draws of a row, and the first draw of it."""
    greatest = -np.inf
    best = 0
    for place in range(first[row], first[row] + number[row]):
        value = _value(models, contenders[place], outlook)
        if value > greatest:
            greatest = value
            best = contenders[place]
    return greatest, best


@njit(inline="always")
def _movement(values, earlier, time, row, successors, entries):
    """By how much the values of a row's next states have moved apart since they were as in `earlier[time]`."""
    low = np.inf
    high = -np.inf
    for entry in range(entries[row]):
        change = values[successors[row, entry]] - earlier[time, successors[row, entry]]
        low = change if change < low else low
        high = change if change > high else high
    return high - low


@njit(error_model="numpy")
def solve(models, first, entries, successors, rewards, policy, discount):
    """The action of the best merged action of each state, by value iteration from 0, synchronous.

    All draws of a row look at the same few next states. While the values of those have moved apart by no more than so
    much, a draw that was worse than the best by as much cannot have overtaken it and need not be evaluated: what
    comes out is the same to the last bit.

    Parameters
    ----------
    models, first : from `draw_models`
    entries, successors, rewards : of `surefoot.bayesian.rows.Rows`
    policy : int64[states], filled in; the lowest of equal merged actions decides
    """
    rows, width = successors.shape
    states = len(policy)
    actions = rows // states
    most = 1
    for row in range(rows):
        most = max(most, first[row + 1] - first[row])
    largest_reward = np.abs(rewards).max()
    values = np.zeros(states)
    following = np.zeros(states)
    outlook = np.empty(width)
    earlier = np.zeros((rows + 1, states))  # the values when each row was listed, and those before the last sweep
    margins = np.full(rows, -1.0)
    evaluated = np.empty(len(models))
    contenders = np.empty(len(models), np.int64)
    number = np.zeros(rows, np.int64)
    spent = np.zeros(rows, np.int64)  # evaluations since a row was listed: as many as draws, and a new list pays
    change = np.inf
    while not change <= TOLERANCE:
        change = 0.0
        slack = ROUNDING * (largest_reward + np.abs(values).max())
        for state in range(states):
            greatest = -np.inf
            merged = 0
            for action in range(actions):
                row = state * actions + action
                draws = first[row + 1] - first[row]
                if draws > 0:
                    for entry in range(width):
                        outlook[entry] = rewards[row, entry] + discount * values[successors[row, entry]]
                    moved = discount * _movement(values, earlier, row, row, successors, entries) + slack
                    spent[row] += number[row]
                    if moved <= margins[row] and spent[row] <= draws:
                        value, best = _best_contender(models, first, row, outlook, contenders, number)
                    else:
                        last = discount * _movement(values, earlier, rows, row, successors, entries)
                        margins[row] = FORESIGHT * last + slack
                        spent[row] = 0
                        for other in range(states):
                            earlier[row, other] = values[other]
                        value, best = _list_contenders(
                            models, first, row, outlook, margins[row] + slack, evaluated, contenders, number
                        )
                    choice = action + actions * (best - first[row])
                    if value > greatest or (value == greatest and choice < merged):
                        greatest, merged = value, choice
                if draws < most:
                    value, choice = RUIN + discount * values[state], action + actions * draws
                    if value > greatest or (value == greatest and choice < merged):
                        greatest, merged = value, choice
            following[state] = greatest
            policy[state] = merged % actions
            change += (greatest - values[state]) * (greatest - values[state])
        for state in range(states):
            earlier[rows, state] = values[state]
            values[state] = following[state]
