"""What has no scale is refused in a sentence."""

import re

import pandas as pd
import pytest

from surefoot.scales.settings import scales
from surefoot.statistics.runs.tables import normalize_scores

ROWS = [("a", "e", 0, 2.0), ("a", "e", 1, 4.0), ("b", "e", 0, 8.0), ("a", "f", 0, -1.0), ("b", "f", 0, 1.0)]
RUNS = pd.DataFrame(ROWS, columns=["algorithm", "environment", "run", "score"])


def normalized(runs, kind, **settings):
    scale = scales()[kind](**settings)
    return normalize_scores(runs, scale.ends(runs, {}), scale.remedy)


@pytest.mark.parametrize(
    ("change", "scale", "settings", "message"),
    [
        ({}, "reference_scores", {}, "no column zero and one. Hint: reference_scores needs two known scores"),
        ({"zero": 1.0, "one": 1.0}, "reference_scores", {}, "e, f: a scale from 1 to 1. Hint: every environment"),
        ({"zero": 1.0, "one": float("nan")}, "reference_scores", {}, "a scale from 1 to nan"),
        ({"score": 3.0}, "min_max", {}, "a scale from 3 to 3"),
        ({}, "ratio", {"reference": "c"}, '"c" is not known. Hint: one of a, b'),
        ({}, "ratio", {"reference": "a"}, "f: a scale from 0 to -1"),
        ({"score": [-1e308, 0.0, 1e308, 0.0, 1.0]}, "min_max", {}, "a / e / run 0: the score -1e+308 overflows"),
        ({"zero": -1e308, "one": 1e308}, "reference_scores", {}, "the score 2 overflows. Hint: divide all scores"),
        ({"zero": 0.0, "one": 1e-300}, "reference_scores", {}, "the score 2 overflows"),
        ({"score": 1e300}, "none", {}, "the score 1e+300 overflows"),
    ],
)
def test_what_has_no_scale_is_refused(change, scale, settings, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        normalized(RUNS.assign(**change), scale, **settings)


def test_runs_may_bring_their_reference_scores():
    found = normalized(RUNS.assign(zero=[2, 2, 2, -2, -2], one=[6, 6, 6, 2, 2]), "reference_scores")
    assert found["score"].tolist() == pytest.approx([0, 0.5, 1.5, 0.25, 0.75])
    assert list(found.columns) == ["algorithm", "environment", "run", "score"]
