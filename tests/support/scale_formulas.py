"""Scales: naive formulas, as they are printed on the methods page, and runs that have no scale."""

import re

import pandas as pd
import pytest
from support.naive_formulas import table

import surefoot
from surefoot.runs.scales.scale_settings import SCALES
from surefoot.statistics.runs.score_arrays import normalize_scores

ROWS = [("a", "e", 0, 2.0), ("a", "e", 1, 4.0), ("b", "e", 0, 8.0), ("a", "f", 0, -1.0), ("b", "f", 0, 1.0)]
RUNS = pd.DataFrame(ROWS, columns=["algorithm", "environment", "run", "score"])


def between(row, zero, one):
    return (row.score - zero) / (one - zero)


def check_formula(scale, formula, **settings):
    """Compare the scores of all runs on a scale with `formula(runs, row)`."""
    runs = table(3)
    found = surefoot.normalize_scores(runs, scale, **settings)
    together = runs.merge(found, on=["algorithm", "environment", "run"], suffixes=("", "_found"))
    assert len(together) == len(runs)
    for row in together.itertuples():
        assert row.score_found == pytest.approx(formula(runs, row), rel=1e-12, abs=1e-12)


def normalized(runs, kind, **settings):
    scale = SCALES.complete()[kind](**settings)
    return normalize_scores(runs, scale.ends(runs, {}), scale.remedy)


def check_refused(change, message, kind, **settings):
    """Check that runs with changed columns have no scale."""
    with pytest.raises(ValueError, match=re.escape(message)):
        normalized(RUNS.assign(**change), kind, **settings)
