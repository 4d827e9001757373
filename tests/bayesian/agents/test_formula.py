"""Values of formulas, and the features for which they have none."""

import numpy as np
import pytest
from support import plain_bayesian_agents as reference_agents

from surefoot.bayesian.agents.formula import evaluate
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
