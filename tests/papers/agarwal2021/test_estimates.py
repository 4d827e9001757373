"""Estimates of Agarwal et al. 2021, computed naively or beside the exact distribution over all that can be drawn."""

import math
from itertools import product
from statistics import NormalDist

import numpy as np
import pytest
from support.naive_formulas import NAMES, ONE_TASK, SCORES, SURE, TABLE, TASKS, deviation, mean, one, quantile
from support.study_answers import function_of

from surefoot.papers.agarwal2021.estimates import density


def test_formulas_of_subsample_densities():
    """Counting values in bins first moves a density by less than a thousandth of its greatest value."""
    values = np.random.default_rng(1).gamma(3.0, size=300)
    quartiles = quantile(values, 0.75) - quantile(values, 0.25)
    bandwidth = 0.9 * min(deviation(values), quartiles / 1.349) * 300**-0.2
    points, found = density(values)
    kernel = NormalDist(0.0, bandwidth)
    wanted = [mean(kernel.pdf(point - value) for value in values) for point in points]
    assert found == pytest.approx(wanted, abs=1e-3 * max(wanted))
    asked = {"metric": "mean", "algorithms": ["a"], "sizes": [2], "datasets": 50}
    drawn = function_of("subsample_densities")(ONE_TASK, **asked).table()
    area = np.trapezoid(drawn["estimate"], drawn["score"])
    assert area == pytest.approx(1.0, abs=0.01)


def test_formulas_of_trimmed_errors():
    """Eight numbers within five standard errors, four of their errors within 10 %: errs once in 100,000 seeds."""
    asked = {"fractions": [0, 0.5], "size": 3, "datasets": 4000, "algorithms": ["a"]}
    found = function_of("trimmed_errors")(ONE_TASK, **asked).table()
    scores = [1.0, 2.5, 7.0]
    for (fraction, statistic), resample in product(
        [(0.0, mean), (0.5, lambda x: sorted(x)[1])], ["runs", "whole_runs"]
    ):
        errors = [statistic(drawn) - statistic(scores) for drawn in product(scores, repeat=3)]
        row = one(found, fraction=fraction, resample=resample)
        assert abs(row["estimate"] - mean(error**2 for error in errors)) < SURE * row["estimate_error"]
        squares = deviation([error**2 for error in errors])
        assert row["estimate_error"] == pytest.approx(squares / math.sqrt(4000), rel=0.1)
        assert abs(row["bias"] - mean(errors)) < SURE * math.sqrt(row["estimate"] / 4000)


def test_gap_curve():
    found = function_of("gap_curve")(TABLE, thresholds=[2.0, 5.0]).table()
    for name, gamma in product(NAMES, (2.0, 5.0)):
        wanted = mean(mean(max(gamma - score, 0.0) for score in SCORES[name, task]) for task in TASKS) / gamma
        assert one(found, algorithm=name, gamma=gamma)["estimate"] == pytest.approx(wanted)


def test_histograms():
    found = function_of("histograms")(TABLE, algorithms=["b"], bins=3).table()
    for task in TASKS:
        scores = SCORES["b", task]
        width = (max(scores) - min(scores)) / 3
        counts = [0, 0, 0]
        for score in scores:
            counts[min(int((score - min(scores)) / width), 2)] += 1
        rows = found[found["environment"] == task]
        assert rows["count"].tolist() == counts
        assert rows["low"].tolist() == pytest.approx([min(scores) + width * k for k in range(3)])
