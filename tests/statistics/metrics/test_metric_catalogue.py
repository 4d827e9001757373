"""Each metric, computed naively as its formula on the methods page is printed."""

from fractions import Fraction

import numpy as np
import pytest
from support.naive_formulas import between_weights, cut_weight, mean, weighted_middle

from surefoot.statistics.metrics.metric_catalogue import METRICS
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
