"""Each scale, computed naively as its formula on the methods page is printed."""

import pytest
from support.naive_formulas import mean, scores_of, table

import surefoot
from surefoot.runs.scales.settings import SCALES


def between(runs, row, zero, one):
    return (row.score - zero) / (one - zero)


REFERENCES = {"maze": (0.5, 7.0), "cliff": (-2.0, 11.0)}
SCALE_FORMULAS = {
    "none": ({}, lambda runs, row: row.score),
    "min_max": (
        {},
        lambda runs, row: between(
            runs, row, min(scores_of(runs, row.environment)), max(scores_of(runs, row.environment))
        ),
    ),
    "ratio": ({"baseline": "b"}, lambda runs, row: row.score / mean(scores_of(runs, row.environment, "b"))),
    "reference_scores": (
        {"reference_scores": REFERENCES},
        lambda runs, row: between(runs, row, *REFERENCES[row.environment]),
    ),
}


def test_every_scale_has_its_formula_here():
    assert {*SCALE_FORMULAS, "performance_percentile"} == set(SCALES.complete())


@pytest.mark.parametrize("scale", SCALE_FORMULAS)
def test_a_scale_is_what_its_formula_says(scale):
    settings, formula = SCALE_FORMULAS[scale]
    runs = table(3)
    found = surefoot.normalize_scores(runs, scale, **settings)
    keys = ["algorithm", "environment", "run"]
    together = runs.merge(found, on=keys, suffixes=("", "_found"))
    assert len(together) == len(runs)
    for row in together.itertuples():
        assert row.score_found == pytest.approx(formula(runs, row), rel=1e-12, abs=1e-12)
