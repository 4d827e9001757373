"""Values of formulas, the features for which they have none, and the actions of agents that play them."""

import numpy as np
import pytest
from support import plain_bayesian_agents as reference_agents
from support.bayesian_trajectories import check_actions, trajectories

from surefoot.bayesian import bayesian_registry
from surefoot.bayesian.agents.formula import evaluate
from surefoot.bayesian.cells import Cell, learn, play, problem_of
from surefoot.bayesian.formulas import encode, formula_set


@pytest.mark.parametrize("seed", range(3))
def test_values_are_those_of_a_plain_stack(seed):
    random = np.random.default_rng(seed)
    for formula in random.choice(formula_set(5), 300):
        features = random.uniform(-3.0, 3.0, 3).tolist()
        value = evaluate(encode(formula).astype(np.float64), *features, np.empty(6))
        assert value == pytest.approx(reference_agents.evaluate(formula, features), rel=1e-13)


@pytest.mark.parametrize(
    ("formula", "features"),
    [
        ("X0 LN", (0.0, 1.0, 1.0)),
        ("X1 SQRT", (1.0, -1e-9, 1.0)),
        ("X2 INV", (1.0, 1.0, -0.0)),
        ("X0 X1 DIV", (1.0, 0.0, 1.0)),
    ],
)
def test_domain_errors(formula, features):
    assert np.isnan(evaluate(encode(formula).astype(np.float64), *features, np.empty(6)))
    assert not np.isnan(evaluate(encode(formula).astype(np.float64), 1.0, 2.0, 3.0, np.empty(6)))
    with pytest.raises(ValueError, match=formula.split()[-1]):
        reference_agents.evaluate(formula, features)


@pytest.mark.parametrize("formula", ["X0 X2 DIV", "X1 X0 MAX X2 ABS SUB"])
@pytest.mark.parametrize("environment", ["accurate/gc", "inaccurate/gdl"])
def test_actions_are_those_of_a_plain_version(formula, environment):
    """80 decisions each; counts of actions within 4.5 standard errors: errs once in 8,000 seeds in all 4 runs."""
    check_actions(*trajectories("formula", {"formula": formula}, environment))


def test_a_domain_error_is_a_failure():
    cell = Cell(**bayesian_registry.cell("formula", {"formula": "X0 X1 DIV"}, "accurate/gc", seed=3))
    assert np.isnan(play(cell, learn(cell)[0], 0, 5).scores).all()
    with pytest.raises(ValueError, match="DIV"):
        reference_agents.formula(problem_of(cell), problem_of(cell).prior.tolist(), 1, "X0 X1 DIV")
