"""Scores in units of the mean of a reference algorithm."""

import pytest
from support.naive_formulas import mean, scores_of
from support.scale_formulas import check_formula, check_refused


def test_the_scale_is_what_its_formula_says():
    check_formula("ratio", lambda runs, row: row.score / mean(scores_of(runs, row.environment, "b")), baseline="b")


@pytest.mark.parametrize(
    ("baseline", "message"),
    [("c", 'no scores for "c". Hint: use one of a, b'), ("a", "f: got a scale from 0 to -1")],
)
def test_a_baseline_needs_positive_means(baseline, message):
    check_refused({}, message, "ratio", baseline=baseline)
