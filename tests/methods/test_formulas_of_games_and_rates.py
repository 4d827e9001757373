"""The formulas of questions of runs, the game and success rates, computed naively as the methods page prints them,
equal what is answered."""

import math
from fractions import Fraction
from itertools import combinations, product
from statistics import NormalDist

import pandas as pd
import pytest
from asking import function_of
from naive_formulas import (
    LEVEL,
    SCORES,
    TABLE,
    deviation,
    mean,
    one,
    table_of,
)
from scipy import stats

import surefoot
from surefoot.statistics.intervals.distributions import band_half_width


def test_task_means():
    found = surefoot.task_means(TABLE, confidence=LEVEL).table()
    for (name, task), scores in SCORES.items():
        row = one(found, algorithm=name, environment=task)
        reach = stats.t.ppf(0.95, len(scores) - 1) * deviation(scores) / math.sqrt(len(scores))
        wanted = [mean(scores), mean(scores) - reach, mean(scores) + reach]
        assert [row["mean"], row["low"], row["high"]] == pytest.approx(wanted)


def test_sample_distributions():
    found = function_of("sample_distributions")(
        TABLE, algorithm="b", environment="maze", sizes=[2], confidence=LEVEL
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
        assert row["value"] == pytest.approx(printed) == pytest.approx(listed)


def test_success_rates():
    """Limits against the closed form of the distribution of a sum of distinct rates with uniform weights; the
    correlation of trials against sums over pairs of trials' squared errors."""
    wins, trials = [3, 8, 5, 1], [8, 9, 6, 4]
    rows = [("a", "maze", run, win / trial, trial) for run, (win, trial) in enumerate(zip(wins, trials, strict=True))]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score", "trials"])
    (row,) = surefoot.success_rates(table, confidence=LEVEL).table().to_dict("records")
    rates = [Fraction(win, trial) for win, trial in zip(wins, trials, strict=True)]

    def exceeds(points, at):
        terms = [
            (one - at) ** 4 / math.prod(one - other for other in points if other != one) for one in points if one > at
        ]
        return float(sum(terms))

    assert exceeds([Fraction(0), *rates], Fraction(row["low"])) == pytest.approx(1 - (1 - LEVEL) / 2)
    failures = [1 - rate for rate in rates]
    assert exceeds([Fraction(0), *failures], 1 - Fraction(row["high"])) == pytest.approx(1 - (1 - LEVEL) / 2)
    assert row["rate"] == pytest.approx(float(sum(rates) / 4))
    outcomes = [[1] * win + [0] * (trial - win) for win, trial in zip(wins, trials, strict=True)]
    total, every = sum(trials), mean([one for run in outcomes for one in run])
    within = sum((one - mean(run)) ** 2 for run in outcomes for one in run) / (total - 4)
    between = sum(len(run) * (mean(run) - every) ** 2 for run in outcomes) / 3
    size = (total - sum(trial**2 for trial in trials) / total) / 3
    assert row["overdispersion"] == pytest.approx((between - within) / (between + (size - 1) * within))


def test_evaluation_scores():
    """The clustered standard error by the sums of clusters; limits as those of a beta distribution."""
    answers = {"t1/a": (1, 1, 0), "t1/b": (1, 1, 1), "t2/a": (0, 0, 1), "t3/a": (1, 0, 1), "t3/b": (1, 1, 1)}
    table = table_of({("m", item): each for item, each in answers.items()})
    found = surefoot.evaluation_scores(table, attempts=[2], clustered=True, confidence=LEVEL).table()
    values = {"mean": [mean(each) for each in answers.values()]}
    values["pass^2"] = [math.comb(sum(each), 2) / 3 for each in answers.values()]
    values["pass@2"] = [1 - math.comb(3 - sum(each), 2) / 3 for each in answers.values()]
    for name, of_item in values.items():
        row, middle = one(found, metric=name), mean(of_item)
        sums = [math.fsum(of_item[at] - middle for at in of) for of in ((0, 1), (2,), (3, 4))]
        error = math.sqrt(math.fsum(each**2 for each in sums)) / 5
        assert [row["value"], row["standard_error"]] == pytest.approx([middle, error])
        ratio = NormalDist().inv_cdf((1 + LEVEL) / 2) / stats.t.ppf((1 + LEVEL) / 2, 2)
        worth = min(middle * (1 - middle) / (error**2 * 3 / 2) * ratio**2, 15 if name == "mean" else 5)
        hits, misses = worth * middle, worth * (1 - middle)
        low, high = stats.beta.ppf((1 - LEVEL) / 2, hits, misses + 1), stats.beta.ppf((1 + LEVEL) / 2, hits + 1, misses)
        assert [row["low"], row["high"]] == pytest.approx([low, high])
