"""SBOSS: plans with the best of sampled models (Castronovo et al. 2016, section 4.7; Castro and Precup, ECML 2010).

The more uncertain a row of the posterior is, the more often it is drawn; the agent plans as if it could choose the draw
together with the action, and plans anew once a row has changed too much.

As the authors' program has it, rows without variance are not drawn at all and count as ruinous, and where any
transition is impossible no change is ever too much. The variant `corrected` draws each row at least once and takes for
no change what cannot change. The program also keeps the counts of a plan for the first half of the rows alone and
compares the others with whatever its memory holds: `half_copied` is `as_published` with zeros there, which is one
extreme, as it never plans anew for them; `as_published` itself keeps all, as the program means to.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from surefoot.bayesian.agents.sampled_models import draw_models, solve
from surefoot.bayesian.interfaces import PLAY, Problem
from surefoot.bayesian.rows import Rows, add_observation, forget_observations, new_rows
from surefoot.bayesian.trajectories import play_all

EPSILON, DELTA, LEAST_DRAWS, CORRECTED, HALF_COPIED = 0, 1, 2, 3, 4
"""The layout of the parameters; the last two are 0 or 1."""


class Memory(NamedTuple):
    """What the agent knows.

    draws : int64[rows], how often each row is to be drawn
    planned_counts, planned_totals : float64[rows, width], float64[rows]; the posterior that the plan was made with
    policy : int64[states], the plan
    outdated : int64[1], whether to plan at the next decision
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
    """How often to draw a row: its largest posterior variance in units of epsilon, rounded up."""
    total = totals[row]
    draws = least
    for entry in range(counts.shape[1]):
        count = counts[row, entry]
        variance = count * (total - count) / (total * total * (total + 1.0))
        draws = max(draws, math.ceil(variance / epsilon))
    return draws


@njit(error_model="numpy")
def _change(counts, totals, planned_counts, planned_totals, entries, states, row, corrected):
    """Change of a row's mean since the last plan, in standard deviations of then, summed over next states.

    What could not vary and has not changed is 0 / 0: NaN, which is above no limit; 0 if `corrected`.
    """
    before = planned_totals[row]
    change = math.nan if entries[row] < states and not corrected else 0.0
    for entry in range(entries[row]):
        count = planned_counts[row, entry]
        deviation = math.sqrt(count * (before - count) / (before * before * (before + 1.0)))
        if deviation > 0.0 or not corrected:
            change += abs(count / before - counts[row, entry] / totals[row]) / deviation
    return change


@njit(error_model="numpy")
def _plan(rows, draws, copied, planned_counts, planned_totals, policy, discount, stream):
    for row in range(copied):
        planned_totals[row] = rows.totals[row]
        for entry in range(rows.counts.shape[1]):
            planned_counts[row, entry] = rows.counts[row, entry]
    first, models = draw_models(rows.counts, draws, stream)
    solve(models, first, rows.entries, rows.successors, rows.rewards, policy, discount)


@njit(inline="always")
def start(problem, parameters, memory, stream):
    """Forget the last trajectory."""
    forget_observations(memory.rows)
    for row in range(len(memory.draws)):
        memory.draws[row] = _draws(
            memory.rows.counts, memory.rows.totals, row, parameters[EPSILON], int(parameters[LEAST_DRAWS])
        )
    memory.outdated[0] = 1


@njit(inline="always")
def act(problem, parameters, memory, state, stream):
    """What the plan says."""
    if memory.outdated[0] == 1:
        _plan(
            memory.rows,
            memory.draws,
            len(memory.draws) // 2 if parameters[HALF_COPIED] == 1.0 else len(memory.draws),
            memory.planned_counts,
            memory.planned_totals,
            memory.policy,
            problem.discount,
            stream,
        )
        memory.outdated[0] = 0
    return memory.policy[state]


@njit(inline="always")
def observe(problem, parameters, memory, state, action, next_state, stream):
    """Count the transition; is the plan outdated?"""
    rows = memory.rows
    row = state * problem.prior.shape[1] + action
    add_observation(rows, row, next_state)
    memory.draws[row] = _draws(rows.counts, rows.totals, row, parameters[EPSILON], int(parameters[LEAST_DRAWS]))
    change = _change(
        rows.counts,
        rows.totals,
        memory.planned_counts,
        memory.planned_totals,
        rows.entries,
        problem.prior.shape[0],
        row,
        parameters[CORRECTED] == 1.0,
    )
    if change > parameters[DELTA]:
        memory.outdated[0] = 1


@njit(PLAY, cache=True, nogil=True, error_model="numpy")
def play(problem, parameters, mdps, key, first, record):
    """Play on these MDPs; see `surefoot.bayesian.interfaces`."""
    memory = _new_memory(problem, mdps)
    play_all(start, act, observe, memory, problem, parameters, mdps, key, first, record)


def prepare(problem: Problem, key: np.ndarray, epsilon: float, delta: float, variant: str) -> np.ndarray:
    """No offline phase.

    Parameters
    ----------
    epsilon : variance for which a row is drawn once more
    delta : the change of a row, in standard deviations, beyond which the agent plans anew
    variant : ``as_published``, ``corrected`` or ``half_copied``
    """
    corrected = variant == "corrected"
    return np.array([epsilon, delta, 1 if corrected else 0, corrected, variant == "half_copied"], float)
