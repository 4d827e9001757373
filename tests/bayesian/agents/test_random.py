"""The agent that plays at random draws all actions equally often, whatever it has seen."""

import numpy as np
from scipy import stats

from surefoot.bayesian import bayesian_registry
from surefoot.bayesian.cells import Cell, learn, play


def test_all_actions_are_equally_likely_in_every_state():
    """Chi-square at 1e-6 of the actions in each state of the grid, and of pairs of successive actions: up to 25 tests.

    Errs once in 40,000 seeds.
    """
    cell = Cell(**bayesian_registry.cell("random", {}, "accurate/grid", seed=3))._replace(horizon=50)
    seen = play(cell, learn(cell)[0], 0, 1_000, transitions=True).transitions
    actions = seen[:, :, 1]
    number = actions.max() + 1
    assert number == 4
    pairs = np.bincount((number * actions[:, :-1] + actions[:, 1:]).ravel(), minlength=number**2)
    counts = [np.bincount(actions[seen[:, :, 0] == state], minlength=number) for state in np.unique(seen[:, :, 0])]
    assert len(counts) == 24  # the goal leads back to the start at once
    for observed in (pairs, *(count for count in counts if count.sum() >= 40)):
        assert stats.chisquare(observed).pvalue > 1e-6
