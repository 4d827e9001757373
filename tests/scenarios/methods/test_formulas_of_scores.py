"""The formulas of questions of scores, computed naively as the methods page prints them, equal what is answered."""

from fractions import Fraction
from itertools import product

import pytest
from support.naive_formulas import (
    LEVEL,
    NAMES,
    SCORES,
    TABLE,
    TASKS,
    between_weights,
    mean,
    one,
)
from support.study_answers import function_of

import surefoot


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


def test_views():
    found = function_of("views")(TABLE, confidence_level=LEVEL, n_resamples=100).table()
    probabilities = surefoot.probability_of_improvement(TABLE).table()
    scaled = {}
    for task in TASKS:
        seen = [score for name in NAMES for score in SCORES[name, task]]
        for name in NAMES:
            scaled[name, task] = [(score - min(seen)) / (max(seen) - min(seen)) for score in SCORES[name, task]]
    for name in NAMES:
        own = [scaled[name, task] for task in TASKS]
        # Algorithms have other largest numbers of runs, so exactly a quarter is cut.
        iqm = between_weights(own, Fraction(1, 4), Fraction(3, 4))
        assert one(found, view="iqm", algorithm=name)["estimate"] == pytest.approx(iqm)
        above = mean(probabilities.loc[probabilities["algorithm"] == name, "estimate"])
        row = one(found, view="probability_of_improvement", algorithm=name)
        assert row["estimate"] == pytest.approx(above) and row["low"] <= row["estimate"] <= row["high"]
    assert set(found["view"]) == {"iqm", "probability_of_improvement"}
