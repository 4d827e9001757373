"""Each formula of a metric or a scale on the methods page, computed naively as it is printed, equals what the library
computes, to rounding."""

from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from support.naive_formulas import between_weights, cut_weight, mean, weighted_middle

import surefoot
from surefoot.runs.scales.settings import SCALES
from surefoot.statistics.game.percentile import payoff_table
from surefoot.statistics.metrics.catalogue import METRICS
from surefoot.statistics.resampling.stratified_bootstrap import metric_values


def middle(values):
    ascending = sorted(values)
    return (ascending[(len(ascending) - 1) // 2] + ascending[len(ascending) // 2]) / 2


def without_the_ends(tasks, fraction):
    cut = cut_weight(tasks, fraction)
    return between_weights(tasks, cut, 1 - cut) if 2 * cut < 1 else weighted_middle(tasks)


METRIC_FORMULAS = {
    "mean": lambda tasks: mean(map(mean, tasks)),
    "median": lambda tasks: middle(map(mean, tasks)),
    "iqm": lambda tasks: without_the_ends(tasks, "1/4"),
    "exact_iqm": lambda tasks: between_weights(tasks, Fraction(1, 4), Fraction(3, 4)),
    "trimmed_mean(0.1)": lambda tasks: without_the_ends(tasks, "1/10"),
    "trimmed_mean(0)": lambda tasks: mean(map(mean, tasks)),
    "trimmed_mean(0.5)": weighted_middle,
    "run_median": weighted_middle,
    "optimality_gap(0.5)": lambda tasks: mean(mean(max(0.5 - score, 0.0) for score in task) for task in tasks),
    "difficulty_progress(0.3)": lambda tasks: between_weights(tasks, Fraction(0), cut_weight(tasks, "3/10")),
    "probability_above(0.5)": lambda tasks: mean(mean(float(score > 0.5) for score in task) for task in tasks),
}


def test_every_metric_has_its_formula_here():
    assert {written.partition("(")[0] for written in METRIC_FORMULAS} == set(METRICS)


@pytest.mark.parametrize("written", METRIC_FORMULAS)
@pytest.mark.parametrize("decimals", [1, 9])
@pytest.mark.parametrize("sizes", [(4,), (5, 5, 5), (2, 7, 3, 1), (10, 9, 8, 7, 6, 5)])
def test_a_metric_is_what_its_formula_says(written, decimals, sizes):
    """With ties where scores have one decimal, and numbers of scores that a quarter or a tenth does not divide."""
    draw = np.random.default_rng(sum(sizes))
    tasks = [draw.normal(0.5, 1.0, size).round(decimals) for size in sizes]
    wanted = METRIC_FORMULAS[written]([task.tolist() for task in tasks])
    assert metric_values(tasks, [written])[0] == pytest.approx(wanted, rel=1e-12, abs=1e-13)


def table(seed):
    """Positive scores, with ties, of three algorithms in two environments; unequal numbers of runs."""
    draw = np.random.default_rng(seed)
    rows = [
        (algorithm, environment, run, score)
        for algorithm, environment in product("abc", ("maze", "cliff"))
        for run, score in enumerate(draw.uniform(1, 9, draw.integers(2, 6)).round(1))
    ]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])


def scores_of(runs, environment, algorithm=None):
    return [
        row.score for row in runs.itertuples() if row.environment == environment and algorithm in (None, row.algorithm)
    ]


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


def test_performance_percentiles_are_what_their_formula_says():
    runs = table(4)
    found = payoff_table(runs.assign(cell=runs["algorithm"]))
    assert len(found) == 2 * 3 * 3
    for row in found.itertuples():
        own, others = (scores_of(runs, row.environment, name) for name in (row.algorithm, row.opponent))
        wanted = mean([mean([float(other <= score) for other in others]) for score in own])
        assert row.payoff == pytest.approx(0.5 if row.algorithm == row.opponent else wanted, rel=1e-12)
