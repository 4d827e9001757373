"""Scores between the lowest and the highest of each environment."""

import pytest
from support.naive_formulas import scores_of
from support.scale_formulas import between, check_formula, check_refused


def test_the_scale_is_what_its_formula_says():
    def formula(runs, row):
        scores = scores_of(runs, row.environment)
        return between(row, min(scores), max(scores))

    check_formula("min_max", formula)


@pytest.mark.parametrize(
    ("score", "message"),
    [
        (3.0, "got a scale from 3 to 3. Hint: its scores are all equal; leave it out, or choose another scale"),
        ([-1e308, 0.0, 1e308, 0.0, 1.0], "a / e / run 0: the score -1e+308 overflows"),
    ],
)
def test_scores_without_a_range_are_refused(score, message):
    check_refused({"score": score}, message, "min_max")
