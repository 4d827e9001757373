"""Formulas and their sets: published sizes, and bad input."""

import pytest

from surefoot.bayesian.formulas import encode, formula_set


@pytest.mark.parametrize(("length", "size"), [(2, 12), (3, 43), (4, 226)])
def test_sets_have_their_published_sizes(length, size):
    assert len(formula_set(length)) == size


def test_the_set_of_five_tokens_is_near_its_published_size():
    """It depends on the points: 1193 to 1217 for a dozen samples; published 1210."""
    assert 1190 <= len(formula_set(5)) <= 1220


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
