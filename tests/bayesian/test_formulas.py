"""Formulas and their sets: published sizes, the members that the paper's method must find, and bad input."""

import numpy as np
import pytest
from support import plain_bayesian_agents as reference_agents

from surefoot.bayesian.agents.formula import evaluate
from surefoot.bayesian.formulas import encode, formula_set


@pytest.mark.parametrize(("length", "size"), [(2, 12), (3, 43), (4, 226)])
def test_sets_have_their_published_sizes(length, size):
    assert len(formula_set(length)) == size


def test_the_set_of_five_tokens_is_near_its_published_size():
    """It depends on the points: 1193 to 1217 for a dozen samples; published 1210."""
    assert 1190 <= len(formula_set(5)) <= 1220


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


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("X0 X3 DIV", '"X3" is not a token. Hint: use X0, X1'),
        ("X0 DIV", "DIV lacks an operand"),
        ("X0 X1", "2 values are left"),
        ("", "0 values are left"),
    ],
)
def test_what_is_no_formula_is_refused(formula, message):
    with pytest.raises(ValueError, match=message):
        encode(formula)


def test_a_set_that_is_too_large_is_refused():
    with pytest.raises(ValueError, match=r"7 tokens\. Hint: use 1 to 6"):
        formula_set(7)
