"""Monte Carlo tree search over beliefs: the tree of BAMCP (Castronovo et al. 2016, section 4.5)."""

import math

import numpy as np
from numba import njit

from surefoot.bayesian.sampling import best
from surefoot.streams import below, next_integer, uniform

EXPLORATION = 3.0
"""The constant of UCT, on returns as they are."""


@njit(error_model="numpy")
def uct_bonuses(simulations):
    """The factors of UCT's bonus by visits of a node and by tries of an action: float64[2, simulations + 1]."""
    bonuses = np.zeros((2, simulations + 1))
    bonuses[1, 0] = math.inf
    for i in range(1, simulations + 1):
        bonuses[0, i] = EXPLORATION * math.sqrt(math.log(i + 1.0))
        bonuses[1, i] = 1.0 / math.sqrt(i)
    return bonuses


@njit(inline="always")
def _draw(urn, row, stream):
    """An entry of a row by Polya's urn: as if the row's probabilities had been drawn once for the simulation.

    That of `surefoot.bayesian.rows.draw_entry`, written out: a call inside a call that is inlined would count
    references to arrays at every draw, a tenth of the time of all.
    """
    rest = uniform(stream) * urn[row, 0]
    entry = 0
    last = urn.shape[1] - 2
    if last == 1:
        entry = np.int64(rest >= urn[row, 1])
    else:
        while entry < last and rest >= urn[row, 1 + entry]:
            rest -= urn[row, 1 + entry]
            entry += 1
        while urn[row, 1 + entry] == 0.0:
            entry -= 1
    urn[row, 0] += 1.0
    urn[row, 1 + entry] += 1.0
    return entry


@njit(inline="always")
def _select(visits, tries, means, bonuses, scores, node, stream):
    """UCT's choice in a node that has been visited."""
    bonus = bonuses[0, visits[node]]
    for action in range(scores.shape[1]):
        scores[0, action] = means[node, action] + bonus * bonuses[1, tries[node, action]]
    return best(scores, 0, stream)


@njit(inline="always")
def _choose(choices, state, stream):
    """Action of a rollout: with probability 1/2 any, else one of the greedy ones; from one random integer."""
    bits = next_integer(stream)
    greedy = np.int64(bits & np.uint64(1))
    number = np.uint64(choices[state, greedy, 0])
    product = (bits >> np.uint64(32)) * number
    low = product & np.uint64(0xFFFFFFFF)
    if low < number:
        threshold = (np.uint64(0x100000000) - number) % number
        while low < threshold:
            product = (next_integer(stream) >> np.uint64(32)) * number
            low = product & np.uint64(0xFFFFFFFF)
    return choices[state, greedy, 1 + np.int64(product >> np.uint64(32))]


@njit(inline="always")
def _rollout(urn, successors, rewards, choices, trail, state, first, discount, stream):
    """Discounted return of the rest of a simulation, from `state` after `first` transitions."""
    actions = choices.shape[2] - 1
    total = 0.0
    weight = 1.0
    for d in range(first, trail.shape[1]):
        row = state * actions + _choose(choices, state, stream)
        entry = _draw(urn, row, stream)
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
def search(
    urn,
    counts,
    totals,
    successors,
    rewards,
    choices,
    visits,
    tries,
    means,
    children,
    bonuses,
    trail,
    scores,
    state,
    simulations,
    discount,
    stream,
):
    """Grow a tree by simulations from `state`."""
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
                action = _select(visits, tries, means, bonuses, scores, node, stream)
            row = state * actions + action
            entry = _draw(urn, row, stream)
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
