"""e-Greedy, Soft-Max, BEB and formulas against plain versions: every action of their trajectories looked at again."""

import numpy as np
import pytest
from scipy import stats
from support import plain_bayesian_agents as reference_agents

from surefoot.bayesian import registry
from surefoot.bayesian.cells import Cell, learn, play, problem_of

STEPS = 40


def trajectories(agent, parameters, environment, variant="as_published", number=2):
    """Probabilities of all actions by the plain version, float64[decisions, actions], and the actions played."""
    cell = Cell(**registry.cell(agent, parameters, environment, variant, seed=11))._replace(horizon=STEPS)
    problem = problem_of(cell)
    record = play(cell, learn(cell)[0], 0, number, transitions=True)
    reference = getattr(reference_agents, agent)
    distributions, actions = [], []
    for transitions in record.transitions.tolist():
        counts = problem.prior.tolist()
        for state, action, successor in transitions:
            distributions.append(reference(problem, counts, state, **cell.arguments))
            actions.append(action)
            counts = reference_agents.with_transition(counts, state, action, successor)
    return np.array(distributions), np.array(actions)


def agree(distributions, actions):
    """No impossible action, and the numbers of each action as expected: z-values within 4.5 for each action."""
    played = np.eye(distributions.shape[1])[actions]
    assert (distributions[np.arange(len(actions)), actions] > 0.0).all()
    variance = (distributions * (1.0 - distributions)).sum(axis=0)
    difference = np.abs((played - distributions).sum(axis=0))
    assert (difference <= 4.5 * np.sqrt(variance) + 1e-9).all()


@pytest.mark.parametrize(
    ("agent", "parameters", "variant"),
    [
        ("e_greedy", {"epsilon": 0.0}, "as_published"),
        ("e_greedy", {"epsilon": 0.4}, "as_published"),
        ("soft_max", {"tau": 0.5}, "as_published"),
        ("soft_max", {"tau": 0.5}, "corrected"),
        ("beb", {"beta": 2.5}, "as_published"),
        ("beb", {"beta": 2.5}, "corrected"),
        ("formula", {"formula": "X0 X2 DIV"}, "as_published"),
        ("formula", {"formula": "X1 X0 MAX X2 ABS SUB"}, "as_published"),
    ],
)
@pytest.mark.parametrize("environment", ["accurate/gc", "inaccurate/gdl"])
def test_actions_are_those_of_a_plain_version(agent, parameters, variant, environment):
    """80 decisions each; counts of actions within 4.5 standard errors: errs once in 2,000 seeds in all 16 runs."""
    agree(*trajectories(agent, parameters, environment, variant))


def test_soft_max_as_published_plays_the_first_action():
    for environment in ("accurate/grid", "inaccurate/gdl"):
        _, actions = trajectories("soft_max", {"tau": 25}, environment, number=1)
        assert (actions == 0).all()


def test_ties_are_broken_uniformly():
    """First actions of 3,000 trajectories where all three are alike: chi-square at 1e-4, errs once in 10,000 seeds."""
    cell = Cell(**registry.cell("e_greedy", {"epsilon": 0.0}, "accurate/gc", seed=3))._replace(horizon=1)
    actions = play(cell, learn(cell)[0], 0, 3000, transitions=True).transitions[:, 0, 1]
    assert stats.chisquare(np.bincount(actions, minlength=3)).pvalue > 1e-4


def test_a_domain_error_is_a_failure():
    cell = Cell(**registry.cell("formula", {"formula": "X0 X1 DIV"}, "accurate/gc", seed=3))
    assert np.isnan(play(cell, learn(cell)[0], 0, 5).scores).all()
    with pytest.raises(ValueError, match="DIV"):
        reference_agents.formula(problem_of(cell), problem_of(cell).prior.tolist(), 1, "X0 X1 DIV")
