"""e-Greedy and Soft-Max against plain versions: every action of their trajectories looked at again."""

import numpy as np
import pytest
from scipy import stats
from support.bayesian_trajectories import check_actions, trajectories

from surefoot.bayesian import bayesian_registry
from surefoot.bayesian.cells import Cell, learn, play


@pytest.mark.parametrize(
    ("agent", "parameters", "variant"),
    [
        ("e_greedy", {"epsilon": 0.0}, "as_published"),
        ("e_greedy", {"epsilon": 0.4}, "as_published"),
        ("soft_max", {"tau": 0.5}, "as_published"),
        ("soft_max", {"tau": 0.5}, "corrected"),
    ],
)
@pytest.mark.parametrize("environment", ["accurate/gc", "inaccurate/gdl"])
def test_actions_are_those_of_a_plain_version(agent, parameters, variant, environment):
    """80 decisions each; counts of actions within 4.5 standard errors: errs once in 4,000 seeds in all 8 runs."""
    check_actions(*trajectories(agent, parameters, environment, variant))


def test_soft_max_as_published_plays_the_first_action():
    for environment in ("accurate/grid", "inaccurate/gdl"):
        _, actions = trajectories("soft_max", {"tau": 25}, environment, number=1)
        assert (actions == 0).all()


def test_ties_are_broken_uniformly():
    """First actions of 3,000 trajectories where all three are alike: chi-square at 1e-4, errs once in 10,000 seeds."""
    cell = Cell(**bayesian_registry.cell("e_greedy", {"epsilon": 0.0}, "accurate/gc", seed=3))._replace(horizon=1)
    actions = play(cell, learn(cell)[0], 0, 3000, transitions=True).transitions[:, 0, 1]
    assert stats.chisquare(np.bincount(actions, minlength=3)).pvalue > 1e-4
