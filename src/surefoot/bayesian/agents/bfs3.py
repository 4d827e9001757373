"""BFS3: forward search sparse sampling over beliefs (Castronovo et al. 2016, section 4.6).

Asmuth and Littman, UAI 2011. As the authors' program has it: a new tree for every sampled next state of every
action, and the upper bound of its root as the value.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from surefoot.bayesian.agents.sparse_sampling import upper_bound, upper_bound_of_two
from surefoot.bayesian.interfaces import PLAY, Problem
from surefoot.bayesian.rows import Rows, add_observation, copy_row, draw_entry, forget_observations, new_rows
from surefoot.bayesian.sampling import best
from surefoot.bayesian.trajectories import play_all

ROLLOUTS, SAMPLES, DEPTH, LOWEST, HIGHEST = 0, 1, 2, 3, 4
"""The layout of the parameters: rollouts a tree, next states sampled for a pair, depth of a tree, bounds of values."""


class Memory(NamedTuple):
    """What the agent knows and the room for its search; the tree has one row per node, the root the first.

    plan : float64[rows, 1 + width], counts of the belief that a rollout has come to, their sums before them
    samples, children : int32[nodes, actions, width], how often each next state was drawn, and its node, 0 for none
    uppers, lowers : float64[nodes, actions], bounds of the values of actions
    node_bounds : float64[nodes + 1, 2], upper and lower bounds of the nodes; the last is for a node that is not there
    trail : int64[4, depth], nodes, rows, actions and entries of a rollout
    before : float64[2, depth], the sums and counts that the rollout changed, as they were
    cumulative : float64[width]
    scores : float64[1, actions]
    """

    rows: Rows
    plan: np.ndarray
    samples: np.ndarray
    children: np.ndarray
    uppers: np.ndarray
    lowers: np.ndarray
    node_bounds: np.ndarray
    trail: np.ndarray
    before: np.ndarray
    cumulative: np.ndarray
    scores: np.ndarray


@njit(error_model="numpy")
def _new_memory(problem, parameters, mdps):
    actions = problem.prior.shape[1]
    rows = new_rows(problem.prior, problem.rewards, mdps)
    width = rows.counts.shape[1]
    depth = int(parameters[DEPTH])
    nodes = int(parameters[ROLLOUTS]) * depth
    return Memory(
        rows,
        np.empty((len(rows.totals), 1 + width)),
        np.empty((nodes, actions, width), np.int32),
        np.empty((nodes, actions, width), np.int32),
        np.empty((nodes, actions)),
        np.empty((nodes, actions)),
        np.empty((nodes + 1, 2)),
        np.empty((4, depth), np.int64),
        np.empty((2, depth)),
        np.empty(width),
        np.empty((1, actions)),
    )


@njit(error_model="numpy")
def _value(problem, parameters, memory, row, stream):
    """Mean of the upper bounds that follow from sampled next states of a row."""
    rows = memory.rows
    plan = memory.plan
    number = int(parameters[SAMPLES])
    total = 0.0
    for _ in range(number):
        entry = draw_entry(plan, row, stream)
        counts = plan[row, 0], plan[row, 1 + entry]
        plan[row, 0] += 1.0
        plan[row, 1 + entry] += 1.0
        search = (
            rows.successors,
            rows.rewards,
            plan,
            memory.samples,
            memory.children,
            memory.uppers,
            memory.lowers,
            memory.node_bounds,
            memory.trail,
            memory.before,
            memory.cumulative,
            rows.successors[row, entry],
            int(parameters[ROLLOUTS]),
            number,
            parameters[LOWEST],
            problem.discount,
            stream,
        )
        bound = upper_bound_of_two(*search) if plan.shape[1] == 3 else upper_bound(*search)
        plan[row, 0], plan[row, 1 + entry] = counts
        total += rows.rewards[row, entry] + problem.discount * bound
    return total / number


@njit(inline="always")
def start(problem, parameters, memory, stream):
    """Forget the last trajectory."""
    forget_observations(memory.rows)
    for row in range(memory.plan.shape[0]):
        copy_row(memory.rows, row, memory.plan)
    absent = memory.node_bounds.shape[0] - 1
    memory.node_bounds[absent, 0] = parameters[HIGHEST]
    memory.node_bounds[absent, 1] = parameters[LOWEST]


@njit(inline="always")
def act(problem, parameters, memory, state, stream):
    """The action whose sampled next states have the greatest upper bounds."""
    scores = memory.scores
    actions = scores.shape[1]
    for action in range(actions):
        scores[0, action] = _value(problem, parameters, memory, state * actions + action, stream)
    return best(scores, 0, stream)


@njit(inline="always")
def observe(problem, parameters, memory, state, action, next_state, stream):
    """Count the transition."""
    row = state * memory.scores.shape[1] + action
    add_observation(memory.rows, row, next_state)
    copy_row(memory.rows, row, memory.plan)


@njit(PLAY, cache=True, nogil=True, error_model="numpy")
def play(problem, parameters, mdps, key, first, record):
    """Play on these MDPs; see `surefoot.bayesian.interfaces`."""
    memory = _new_memory(problem, parameters, mdps)
    play_all(start, act, observe, memory, problem, parameters, mdps, key, first, record)


def prepare(problem: Problem, key: np.ndarray, rollouts: int, samples: int, depth: int) -> np.ndarray:
    """No offline phase.

    Parameters
    ----------
    rollouts : K, for each action; they are shared out among the trees of its sampled next states
    samples : C, next states sampled for a pair of state and action
    depth : of a tree
    """
    lowest = min(0.0, problem.rewards.min()) / (1.0 - problem.discount)
    highest = problem.rewards.max() / (1.0 - problem.discount)
    return np.array([max(1, rollouts // samples), samples, depth, lowest, highest], float)
