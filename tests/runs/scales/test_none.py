"""Scores without normalization."""

from support.scale_formulas import check_formula, check_refused


def test_scores_stay_as_they_are():
    check_formula("none", lambda runs, row: row.score)


def test_scores_that_overflow_are_refused():
    check_refused({"score": 1e300}, "the score 1e+300 overflows", "none")
