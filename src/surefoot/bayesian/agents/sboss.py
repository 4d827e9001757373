"""SBOSS: planning with the best of sampled models (Castronovo et al. 2016, section 4.7; Castro and Precup, ECML 2010).

The more uncertain a row of the posterior is, the more often it is drawn. The agent plans as if it could choose the draw
together with the action, and plans again once a row has changed too much. Its merged MDP has, in each state, one action
for every draw of a row of that state: draw k of action u is the merged action u + actions * k. If an action has fewer
draws than others, it is padded with actions that stay in the state and cost `RUIN`.

As in the authors' program, rows without variance are not drawn at all and count as ruinous; and if any transition is
impossible, no change triggers a new plan. The variant `corrected` draws each row at least once and counts 0 / 0 as no
change. The program also stores the counts of a plan only for the first half of the rows and compares the others with
uninitialized memory: `half_copied` is `as_published` with zeros there, an extreme case in which those rows never
trigger a new plan; `as_published` itself stores all rows, as the program intends.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from surefoot.bayesian.posteriors import Rows, add_observation, forget_observations, new_rows
from surefoot.bayesian.sampling import standard_gamma
from surefoot.bayesian.trajectories import Problem, play_all

EPSILON, DELTA, LEAST_DRAWS, CORRECTED, HALF_COPIED = range(5)
"""Indices of the parameters; the last two are 0 or 1."""

RUIN = -2147483648.0

TOLERANCE = 1e-8
"""Value iteration ends after a sweep that changes the values by at most this sum of squares."""

FORESIGHT = 10.0
"""Number of sweeps for which a row's list of contenders (draws that may become the best) should remain valid, if values
change as in the last sweep. It affects only speed.
"""

ROUNDING = 1e-13
"""Upper bound of the relative rounding error of values.

Draws that are closer than this to the best draw are always evaluated, since rounding may have changed their order.
"""


class Memory(NamedTuple):
    """The agent's knowledge.

    draws : int64[rows], number of draws for each row
    planned_counts, planned_totals : float64[rows, width], float64[rows]; the posterior at the time of the plan
    policy : int64[states], the plan
    outdated : int64[1], 1 if the next decision must plan again
    """

    rows: Rows
    draws: np.ndarray
    planned_counts: np.ndarray
    planned_totals: np.ndarray
    policy: np.ndarray
    outdated: np.ndarray


@njit(error_model="numpy")
def _new_memory(problem, mdps):
    rows = new_rows(problem.prior, problem.rewards, mdps)
    return Memory(
        rows,
        np.empty(len(rows.totals), np.int64),
        np.zeros(rows.counts.shape),
        np.zeros(len(rows.totals)),
        np.empty(problem.prior.shape[0], np.int64),
        np.empty(1, np.int64),
    )


@njit(error_model="numpy")
def _draws(counts, totals, row, epsilon, least):
    """Return the number of draws of a row: its largest posterior variance in units of epsilon, rounded up."""
    total = totals[row]
    draws = least
    for entry in range(counts.shape[1]):
        count = counts[row, entry]
        variance = count * (total - count) / (total * total * (total + 1.0))
        draws = max(draws, math.ceil(variance / epsilon))
    return draws


@njit(error_model="numpy")
def _change(memory, states, row, corrected):
    """Return the change of a row's mean since the last plan, in standard deviations, summed over next states.

    The standard deviations are those at the time of the plan.

    For a mean that cannot vary, the change is 0 / 0: NaN, which exceeds no limit, or 0 if `corrected`.
    """
    rows, _, planned_counts, planned_totals, _, _ = memory
    entries, _, _, _, counts, totals = rows
    before = planned_totals[row]
    change = math.nan if entries[row] < states and not corrected else 0.0
    for entry in range(entries[row]):
        count = planned_counts[row, entry]
        deviation = math.sqrt(count * (before - count) / (before * before * (before + 1.0)))
        if deviation > 0.0 or not corrected:
            change += abs(count / before - counts[row, entry] / totals[row]) / deviation
    return change


@njit(error_model="numpy")
def draw_models(counts, draws, stream):
    """Draw rows from their Dirichlet distributions.

    Parameters
    ----------
    counts : float64[rows, width]
        Counts of the posterior.
    draws : int64[rows]
        Number of draws for each row.

    Returns
    -------
    first : int64[rows + 1]
        Index of the first draw of each row.
    models : float64[all draws, width]
        Probabilities.
    """
    first = np.zeros(len(draws) + 1, np.int64)
    for row in range(len(draws)):
        first[row + 1] = first[row] + draws[row]
    width = counts.shape[1]
    models = np.empty((first[len(draws)], width))
    for row in range(len(draws)):
        for model in range(first[row], first[row + 1]):
            # As in `sampling.dirichlet`, which takes slices; that would cost an agent 5 % more time.
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
def _best_draw(models, contenders, listed, begin, end, outlook, evaluated):
    """Return the largest value of the draws begin..end-1, and the first draw with this value.

    If `listed`, begin..end-1 are the positions of the draws in `contenders`.
    """
    greatest = -np.inf
    best = 0
    for place in range(begin, end):
        model = contenders[place] if listed else place
        value = 0.0
        for entry in range(models.shape[1]):
            value += models[model, entry] * outlook[entry]
        if not listed:
            evaluated[model] = value
        if value > greatest:
            greatest = value
            best = model
    return greatest, best


@njit(inline="always")
def _movement(values, earlier, time, row, successors, entries):
    """Return how far the values of a row's next states have moved apart since `earlier[time]`."""
    low = np.inf
    high = -np.inf
    for entry in range(entries[row]):
        change = values[successors[row, entry]] - earlier[time, successors[row, entry]]
        low = change if change < low else low
        high = change if change > high else high
    return high - low


@njit(error_model="numpy")
def solve(models, first, entries, successors, rewards, policy, discount):
    """Compute the policy that plays the action of the best merged action in each state, by value iteration from 0.

    All draws of a row involve the same few next states. While the values of these states have moved apart by at most
    some margin, a draw that was worse than the best by more than the margin cannot have overtaken it and need not be
    evaluated. The result is bitwise the same.

    Parameters
    ----------
    models, first : arrays
        From `draw_models`.
    entries, successors, rewards : arrays
        Fields of `surefoot.bayesian.posteriors.Rows`.
    policy : int64[states]
        Output; in case of ties, the lowest merged action is used.
    discount : float
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
    earlier = np.zeros((rows + 1, states))  # values when each row was listed, and values before the last sweep
    margins = np.full(rows, -1.0)
    evaluated = np.empty(len(models))
    contenders = np.empty(len(models), np.int64)
    number = np.zeros(rows, np.int64)
    spent = np.zeros(rows, np.int64)  # evaluations since a row's list was made
    change = np.inf
    while not change <= TOLERANCE:
        change = 0.0
        slack = ROUNDING * (largest_reward + np.abs(values).max())
        for state in range(states):
            greatest = -np.inf
            merged = 0
            for action in range(actions):
                row = state * actions + action
                begin = first[row]
                draws = first[row + 1] - begin
                if draws > 0:
                    for entry in range(width):
                        outlook[entry] = rewards[row, entry] + discount * values[successors[row, entry]]
                    moved = discount * _movement(values, earlier, row, row, successors, entries) + slack
                    spent[row] += number[row]
                    if moved <= margins[row] and spent[row] <= draws:
                        end = begin + number[row]
                        value, best = _best_draw(models, contenders, True, begin, end, outlook, evaluated)
                    else:
                        end = begin + draws
                        value, best = _best_draw(models, contenders, False, begin, end, outlook, evaluated)
                        last = discount * _movement(values, earlier, rows, row, successors, entries)
                        margins[row] = FORESIGHT * last + slack
                        spent[row] = 0
                        for other in range(states):
                            earlier[row, other] = values[other]
                        place = begin
                        for model in range(begin, end):
                            contenders[place] = model
                            place += evaluated[model] >= value - (margins[row] + slack)
                        number[row] = place - begin
                    choice = action + actions * (best - begin)
                    if value > greatest or (value == greatest and choice < merged):
                        greatest = value
                        merged = choice
                if draws < most:
                    value = RUIN + discount * values[state]
                    choice = action + actions * draws
                    if value > greatest or (value == greatest and choice < merged):
                        greatest = value
                        merged = choice
            following[state] = greatest
            policy[state] = merged % actions
            change += (greatest - values[state]) * (greatest - values[state])
        for state in range(states):
            earlier[rows, state] = values[state]
            values[state] = following[state]


@njit(inline="always")
def start(problem, parameters, memory, stream):
    """Forget the previous trajectory."""
    forget_observations(memory.rows)
    for row in range(len(memory.draws)):
        memory.draws[row] = _draws(
            memory.rows.counts, memory.rows.totals, row, parameters[EPSILON], int(parameters[LEAST_DRAWS])
        )
    memory.outdated[0] = 1


@njit(inline="always")
def act(problem, parameters, memory, state, stream):
    """Return the planned action, after planning again if necessary."""
    if memory.outdated[0] == 1:
        rows, draws, planned_counts, planned_totals, policy, _ = memory
        copied = len(draws) // 2 if parameters[HALF_COPIED] == 1.0 else len(draws)
        # A loop, since assigning an array to a slice also compiles the text of an error, which takes seconds.
        for row in range(copied):
            planned_totals[row] = rows.totals[row]
            for entry in range(rows.counts.shape[1]):
                planned_counts[row, entry] = rows.counts[row, entry]
        first, models = draw_models(rows.counts, draws, stream)
        solve(models, first, rows.entries, rows.successors, rows.rewards, policy, problem.discount)
        memory.outdated[0] = 0
    return memory.policy[state]


@njit(inline="always")
def observe(problem, parameters, memory, state, action, next_state, stream):
    """Count the transition, and mark the plan as outdated if the row has changed too much."""
    rows = memory.rows
    row = state * problem.prior.shape[1] + action
    add_observation(rows, row, next_state)
    memory.draws[row] = _draws(rows.counts, rows.totals, row, parameters[EPSILON], int(parameters[LEAST_DRAWS]))
    if _change(memory, problem.prior.shape[0], row, parameters[CORRECTED] == 1.0) > parameters[DELTA]:
        memory.outdated[0] = 1


@njit(cache=True, nogil=True, error_model="numpy")
def play(problem, parameters, mdps, key, first, record):
    """Play on the given MDPs; see `surefoot.bayesian.trajectories`."""
    memory = _new_memory(problem, mdps)
    play_all(start, act, observe, memory, problem, parameters, mdps, key, first, record)


def prepare(problem: Problem, key: np.ndarray, epsilon: float, delta: float, variant: str) -> np.ndarray:
    """Return the parameters; there is no offline phase.

    Parameters
    ----------
    problem : Problem
    key : uint64[4]
    epsilon : float
        Amount of variance that adds one draw of a row.
    delta : float
        Change of a row, in standard deviations, beyond which the agent plans again.
    variant : {"as_published", "corrected", "half_copied"}
    """
    corrected = variant == "corrected"
    return np.array([epsilon, delta, 1 if corrected else 0, corrected, variant == "half_copied"], float)
