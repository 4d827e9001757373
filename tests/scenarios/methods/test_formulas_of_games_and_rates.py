"""The formulas of questions of runs, the game and success rates, computed naively as the methods page prints them,
equal what is answered."""

import math
from itertools import combinations, product

import pytest
from support.naive_formulas import (
    LEVEL,
    SCORES,
    TABLE,
    mean,
    one,
)
from support.study_answers import function_of

from surefoot.statistics.intervals.distributions import band_half_width


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


def test_best_of_candidates():
    found = function_of("best_of_candidates")(TABLE, candidates=[1, 2, 3]).table()
    for (name, task), k in product(SCORES, (1, 2, 3)):
        scores = sorted(SCORES[name, task])
        size = len(scores)
        printed = sum(scores[t - 1] * math.comb(t - 1, k - 1) for t in range(k, size + 1)) / math.comb(size, k)
        listed = mean(max(drawn) for drawn in combinations(scores, k))
        row = one(found, candidates=k, environment=task, algorithm=name)
        assert row["estimate"] == pytest.approx(printed) == pytest.approx(listed)
    for _, rows in found.groupby(["candidates", "environment"]):
        assert rows["rank"].tolist() == rows["estimate"].rank(ascending=False).tolist()
