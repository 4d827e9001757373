"""Problem with two states, and the Bayes-optimal value."""

import functools

import numpy as np

from surefoot.bayesian import bayesian_registry
from surefoot.bayesian.cells import Cell

HORIZON, DISCOUNT = 7, 0.9
COUNTS = [[[1.0, 1.0], [2.0, 0.5]], [[1.0, 1.0], [0.0, 3.0]]]
REWARDS = [[[0.0, 0.3], [0.1, 0.0]], [[1.0, 0.0], [0.0, 0.2]]]
MDPS = 5_000


@functools.cache
def bayes_optimal(steps, state, counts):
    """Return the greatest expected discounted return of `steps` steps, by dynamic programming over all beliefs."""
    if steps == 0:
        return 0.0
    best = -np.inf
    for action in range(2):
        place = 4 * state + 2 * action
        row = counts[place : place + 2]
        value = 0.0
        for successor, count in enumerate(row):
            if count:
                after = list(counts)
                after[place + successor] += 1.0
                later = bayes_optimal(steps - 1, successor, tuple(after))
                value += count / sum(row) * (REWARDS[state][action][successor] + DISCOUNT * later)
        best = max(best, value)
    return best


def cell_of(agent, parameters, variant):
    made = Cell(**bayesian_registry.cell(agent, parameters, "accurate/gc", variant, seed=5))
    test = {"pseudo_counts": COUNTS, "rewards": REWARDS, "initial_state": 0}
    return made._replace(environment="accurate/two", experiment="two", test=test, discount=DISCOUNT, horizon=HORIZON)
