"""BFS3: forward search sparse sampling over beliefs (Castronovo et al. 2016, section 4.6).

Asmuth and Littman, UAI 2011. As in the authors' program, there is a new tree for every sampled next state of every
action, and the upper bound of its root is used as the value. Every node draws a fixed number of next states for each
action from the mean model of the belief that led to it; a rollout follows the best upper bounds and the widest gaps
between bounds, and then tightens the bounds backwards.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numba import njit

from surefoot.bayesian.posteriors import Rows, add_observation, copy_row, draw_entry, forget_observations, new_rows
from surefoot.bayesian.sampling import best, successes
from surefoot.bayesian.trajectories import Problem, play_all
from surefoot.streams import below, uniform

ROLLOUTS, SAMPLES, DEPTH, LOWEST, HIGHEST = range(5)
"""Indices of the parameters: rollouts per tree, sampled next states per pair, depth of a tree, bounds of values."""


class Tree(NamedTuple):
    """Search tree: one row per node, the root first.

    samples, children : int32[nodes, actions, width], number of draws of each next state, and its node, -1 if missing
    uppers, lowers : float64[nodes, actions], bounds of the values of actions
    node_bounds : float64[nodes + 1, 2], upper and lower bounds of the nodes; the last row is for missing nodes
    """

    samples: np.ndarray
    children: np.ndarray
    uppers: np.ndarray
    lowers: np.ndarray
    node_bounds: np.ndarray


class Memory(NamedTuple):
    """The agent's knowledge, and scratch space for its search.

    plan : float64[rows, 1 + width], sums of counts, followed by the counts of the belief that a rollout has reached
    trail : int64[4, depth], nodes, rows, actions and entries of a rollout
    before : float64[2, depth], original values of the sums and counts that a rollout changes
    cumulative : float64[width]
    scores : float64[1, actions]
    """

    rows: Rows
    plan: np.ndarray
    tree: Tree
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
    tree = Tree(
        np.empty((nodes, actions, width), np.int32),
        np.empty((nodes, actions, width), np.int32),
        np.empty((nodes, actions)),
        np.empty((nodes, actions)),
        np.empty((nodes + 1, 2)),
    )
    return Memory(
        rows,
        np.empty((len(rows.totals), 1 + width)),
        tree,
        np.empty((4, depth), np.int64),
        np.empty((2, depth)),
        np.empty(width),
        np.empty((1, actions)),
    )


@njit(inline="always")
def _sample(plan, row, number, samples, node, action, width, cumulative, stream):
    """Draw entries of a row independently, with the probabilities of the mean model; count them in `samples`."""
    if width == 2:
        first = successes(number, plan[row, 1] / plan[row, 0], stream)
        samples[node, action, 0] = first
        samples[node, action, 1] = number - first
    else:
        total = 0.0
        last = 0
        for entry in range(width):
            samples[node, action, entry] = 0
            total += plan[row, 1 + entry]
            cumulative[entry] = total
            last = entry if plan[row, 1 + entry] > 0.0 else last
        for _ in range(number):
            chance = uniform(stream) * total
            drawn = 0
            for entry in range(width):
                drawn += cumulative[entry] <= chance
            samples[node, action, min(drawn, last)] += 1


@njit(inline="always")
def _back_up(tree, rewards, row, node, action, width, number, discount):
    """Compute the bounds of an action's value from the bounds of its children.

    The order of operations matters: rounding may decide which of two actions is better, or whether they tie.
    """
    samples, children, uppers, lowers, node_bounds = tree
    upper = 0.0
    lower = 0.0
    for entry in range(width):
        drawn = samples[node, action, entry]
        child = children[node, action, entry]
        reward = rewards[row, entry]
        upper += ((reward + discount * node_bounds[child, 0]) * drawn) / number
        lower += ((reward + discount * node_bounds[child, 1]) * drawn) / number
    uppers[node, action] = upper
    lowers[node, action] = lower


@njit(inline="always")
def _next_entry(tree, node, action, width, stream):
    """Return the sampled next state with the largest product of frequency and gap between bounds.

    Ties are broken at random.
    """
    samples, children, _, _, node_bounds = tree
    greatest = -1.0
    chosen = 0
    ties = 0
    for entry in range(width):
        drawn = samples[node, action, entry]
        if drawn > 0:
            child = children[node, action, entry]
            gap = (node_bounds[child, 0] - node_bounds[child, 1]) * drawn
            if gap > greatest:
                greatest = gap
                chosen = entry
                ties = 1
            elif gap == greatest:
                ties += 1
                if below(stream, ties) == 0:
                    chosen = entry
    return chosen


def _compile_upper_bound(fixed_width: int) -> Callable:
    """Compile the search of a tree for rows of this width (0: any); a constant width is about 20 % faster."""

    @njit(error_model="numpy")
    def upper_bound(memory, state, rollouts, number, lowest, discount, stream):
        """Return the upper bound of the value of `state` under the belief in `plan`, after rollouts in a new tree."""
        rows, plan, tree, trail, before, cumulative, _ = memory
        samples, children, uppers, lowers, node_bounds = tree
        _, successors, rewards, _, _, _ = rows
        actions = uppers.shape[1]
        width = fixed_width if fixed_width > 0 else samples.shape[2]
        depth = trail.shape[1]
        size = 0
        for _ in range(rollouts):
            x = state
            node = 0
            create = size == 0
            for d in range(depth):
                if create:
                    for action in range(actions):
                        row = x * actions + action
                        _sample(plan, row, number, samples, size, action, width, cumulative, stream)
                        for entry in range(width):
                            children[size, action, entry] = -1
                        _back_up(tree, rewards, row, size, action, width, number, discount)
                    node = size
                    size += 1
                action = best(uppers, node, stream)
                entry = _next_entry(tree, node, action, width, stream)
                row = x * actions + action
                trail[0, d] = node
                trail[1, d] = row
                trail[2, d] = action
                trail[3, d] = entry
                before[0, d] = plan[row, 0]
                before[1, d] = plan[row, 1 + entry]
                plan[row, 0] += 1.0
                plan[row, 1 + entry] += 1.0
                x = successors[row, entry]
                child = children[node, action, entry]
                create = child < 0
                if create and d + 1 < depth:
                    children[node, action, entry] = size
                node = child
            for d in range(depth - 1, -1, -1):
                node = trail[0, d]
                row = trail[1, d]
                action = trail[2, d]
                plan[row, 0] = before[0, d]
                plan[row, 1 + trail[3, d]] = before[1, d]
                _back_up(tree, rewards, row, node, action, width, number, discount)
                upper = lowest
                lower = lowest
                for other in range(actions):
                    upper = uppers[node, other] if uppers[node, other] > upper else upper
                    lower = lowers[node, other] if lowers[node, other] > lower else lower
                node_bounds[node, 0] = upper
                node_bounds[node, 1] = lower
        return node_bounds[0, 0]

    return upper_bound


_upper_bound = _compile_upper_bound(0)
_upper_bound_of_two = _compile_upper_bound(2)


@njit(error_model="numpy")
def _value(problem, parameters, memory, row, stream):
    """Return the mean, over sampled next states of a row, of the reward plus the discounted upper bound."""
    rows = memory.rows
    plan = memory.plan
    rollouts = int(parameters[ROLLOUTS])
    number = int(parameters[SAMPLES])
    total = 0.0
    for _ in range(number):
        entry = draw_entry(plan, row, stream)
        search = memory, rows.successors[row, entry], rollouts, number, parameters[LOWEST], problem.discount, stream
        bound = _upper_bound_of_two(*search) if plan.shape[1] == 3 else _upper_bound(*search)
        copy_row(rows, row, plan)
        total += rows.rewards[row, entry] + problem.discount * bound
    return total / number


@njit(inline="always")
def start(problem, parameters, memory, stream):
    """Forget the previous trajectory."""
    forget_observations(memory.rows)
    for row in range(memory.plan.shape[0]):
        copy_row(memory.rows, row, memory.plan)
    memory.tree.node_bounds[-1, 0] = parameters[HIGHEST]
    memory.tree.node_bounds[-1, 1] = parameters[LOWEST]


@njit(inline="always")
def act(problem, parameters, memory, state, stream):
    """Return the action whose sampled next states have the largest upper bounds, on average."""
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


@njit(cache=True, nogil=True, error_model="numpy")
def play(problem, parameters, mdps, key, first, record):
    """Play on the given MDPs; see `surefoot.bayesian.trajectories`."""
    memory = _new_memory(problem, parameters, mdps)
    play_all(start, act, observe, memory, problem, parameters, mdps, key, first, record)


def prepare(problem: Problem, key: np.ndarray, rollouts: int, samples: int, depth: int) -> np.ndarray:
    """Return the parameters; there is no offline phase.

    Parameters
    ----------
    problem : Problem
    key : uint64[4]
    rollouts : int
        K, rollouts per action, distributed among the trees of its sampled next states.
    samples : int
        C, sampled next states per pair of state and action.
    depth : int
        Depth of a tree.
    """
    lowest = min(0.0, problem.rewards.min()) / (1.0 - problem.discount)
    highest = problem.rewards.max() / (1.0 - problem.discount)
    return np.array([max(1, rollouts // samples), samples, depth, lowest, highest], float)
