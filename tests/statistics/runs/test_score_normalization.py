"""Linear scales of scores against their definitions, and the mistakes that they refuse."""

import re

import pandas as pd
import pytest

from surefoot.statistics.runs.tables import (
    as_they_are,
    known_ends,
    least_and_greatest,
    normalize_scores,
    nothing_and_mean_of,
)


def normalized_by(runs, method, reference):
    ends = {"none": as_they_are, "min_max": least_and_greatest, "reference_scores": known_ends}
    return normalize_scores(runs, ends[method](runs) if reference is None else nothing_and_mean_of(runs, reference))


@pytest.fixture
def runs():
    rows = [("a", "e", 0, 2.0), ("a", "e", 1, 4.0), ("b", "e", 0, 8.0), ("a", "f", 0, -1.0), ("b", "f", 0, 1.0)]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])


@pytest.mark.parametrize(
    ("method", "reference", "expected"),
    [
        ("none", None, [2, 4, 8, -1, 1]),
        ("min_max", None, [0, 1 / 3, 1, 0, 1]),
        ("ratio", "b", [0.25, 0.5, 1, -1, 1]),
        ("reference_scores", None, [0, 0.5, 1.5, 0.25, 0.75]),
    ],
)
def test_scales(runs, method, reference, expected):
    runs = runs.assign(zero=[2, 2, 2, -2, -2], one=[6, 6, 6, 2, 2])
    normalized = normalized_by(runs, method, reference)
    assert normalized["score"].tolist() == pytest.approx(expected)
    assert list(normalized.columns) == ["algorithm", "environment", "run", "score"]


@pytest.mark.parametrize(
    ("change", "method", "reference", "message"),
    [
        ({}, "reference_scores", None, "no column zero and one. Hint: reference_scores needs two known scores"),
        ({"zero": 1.0, "one": 1.0}, "reference_scores", None, "e, f: a scale from 1 to 1. Hint: every environment"),
        ({"zero": 1.0, "one": float("nan")}, "reference_scores", None, "a scale from 1 to nan"),
        ({"score": 3.0}, "min_max", None, "a scale from 3 to 3"),
        ({}, "ratio", "c", '"c" is not known. Hint: one of a, b'),
        ({}, "ratio", "a", "f: a scale from 0 to -1"),
        ({"score": [-1e308, 0.0, 1e308, 0.0, 1.0]}, "min_max", None, "a / e / run 0: the score -1e+308 overflows"),
        ({"zero": -1e308, "one": 1e308}, "reference_scores", None, "the score 2 overflows. Hint: divide all scores"),
        ({"zero": 0.0, "one": 1e-300}, "reference_scores", None, "the score 2 overflows"),
        ({"score": 1e300}, "none", None, "the score 1e+300 overflows"),
    ],
)
def test_what_has_no_scale_is_refused(runs, change, method, reference, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        normalized_by(runs.assign(**change), method, reference)
