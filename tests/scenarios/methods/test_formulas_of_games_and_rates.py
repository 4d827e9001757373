"""The formulas of questions of runs, the game and success rates, computed naively as the methods page prints them,
equal what is answered."""

import math
from itertools import combinations, product
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.naive_formulas import (
    LEVEL,
    SCORES,
    TABLE,
    deviation,
    mean,
    one,
)
from support.study_answers import function_of

import surefoot
from surefoot.statistics.intervals.distributions import band_half_width


def test_task_means():
    found = surefoot.task_means(TABLE, confidence_level=LEVEL).table()
    for (name, task), scores in SCORES.items():
        row = one(found, algorithm=name, environment=task)
        reach = stats.t.ppf(0.95, len(scores) - 1) * deviation(scores) / math.sqrt(len(scores))
        wanted = [mean(scores), mean(scores) - reach, mean(scores) + reach]
        assert [row["mean"], row["low"], row["high"]] == pytest.approx(wanted)


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


def test_success_rate_differences_of_pairs():
    """Tango's limits by maximizing the likelihood at each difference; McNemar's p-value by its sum."""
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    won = {"a": [1, 1, 1, 1, 0, 1, 0, 1], "b": [0, 1, 0, 1, 1, 0, 0, 0]}
    pairs = pd.DataFrame(
        [(name, "maze", start, one) for name, each in won.items() for start, one in enumerate(each)],
        columns=["algorithm", "environment", "run", "score"],
    )
    (row,) = (
        surefoot.success_rate_differences(pairs, same_starts=True, confidence_level=LEVEL).table().to_dict("records")
    )
    b, c, n = 4, 1, 8
    assert row["estimate"] == pytest.approx((b - c) / n) and row["test"] == "mcnemar"
    assert row["p_value"] == pytest.approx(2 * sum(math.comb(b + c, k) for k in range(c + 1)) / 2 ** (b + c))
    for limit in (row["low"], row["high"]):
        q = np.linspace(max(-limit, 0.0), (1 - limit) / 2, 2_000_001)[1:-1]
        likeliest = q[np.argmax(b * np.log(q + limit) + c * np.log(q) + (n - b - c) * np.log(1 - 2 * q - limit))]
        spread = math.sqrt(n * (2 * likeliest + limit * (1 - limit)))
        assert abs(b - c - n * limit) == pytest.approx(z * spread, rel=1e-5)
