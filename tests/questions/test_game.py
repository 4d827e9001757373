"""Questions of the evaluation game."""

import math

import pytest
from support.naive_formulas import LEVEL, SCORES, TABLE, mean
from support.study_answers import function_of

from surefoot.statistics.intervals.distribution_bands import band_half_width


def test_sample_distributions():
    found = function_of("sample_distributions")(
        TABLE, algorithm="b", environment="maze", sizes=[2], confidence_level=LEVEL
    ).table()
    scores = SCORES["b", "maze"]
    rows = found[found["size"] == len(scores)]
    assert rows["score"].tolist() == sorted(set(scores))
    for row in found.to_dict("records"):
        width = math.sqrt(math.log(2 / (1 - LEVEL)) / (2 * row["size"]))
        assert width == pytest.approx(float(band_half_width(row["size"], 1 - LEVEL)))
        assert row["low"] == pytest.approx(max(row["probability"] - width, 0.0))
        assert row["high"] == pytest.approx(min(row["probability"] + width, 1.0))
    assert rows["probability"].tolist() == pytest.approx([mean(s <= t for s in scores) for t in sorted(set(scores))])
