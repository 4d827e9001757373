"""The questions of Recht 2018: rank tests by counting all choices of runs, Welch's tests by those of SciPy."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.naive_formulas import NAMES, SCORES, TABLE, TASKS, mean, one
from support.study_answers import function_of

THRESHOLDS = [0.001, 0.3, 0.8, 1.5]
MEANS = pd.DataFrame(
    [
        ("a", "maze", 10.0, 2.0, 5),
        ("b", "maze", 8.0, 1.0, 30),
        ("a", "cliff", 3.0, 0.0, 5),
        ("b", "cliff", 3.5, 1.5, 30),
        ("a", "chain", 1.0, 0.5, 5),
        ("b", "chain", 9.0, 4.0, 30),
    ],
    columns=["algorithm", "environment", "score", "deviation", "runs"],
)


def rank_p_value(x, y):
    """Return the fraction of all ways to choose the runs of x with at least its sum of mid-ranks."""
    ranks = stats.rankdata([*x, *y])
    sums = [sum(chosen) for chosen in itertools.combinations(ranks, len(x))]
    return mean(total >= ranks[: len(x)].sum() - 1e-9 for total in sums)


def test_rank_profiles_count_all_choices_of_runs():
    found = function_of("rank_profile")(TABLE, thresholds=THRESHOLDS, skip_checks=True).table()
    for name, threshold in itertools.product(NAMES, THRESHOLDS):
        distances = []
        for task in TASKS:
            best = max(NAMES, key=lambda other: mean(SCORES[other, task]))
            p = 1.0 if name == best else rank_p_value(SCORES[best, task], SCORES[name, task])
            distances.append(-math.log10(p))
        row = one(found, method=name, threshold=threshold)
        assert (row["count"], row["problems"]) == (sum(distance < threshold for distance in distances), 3)
        assert row["fraction"] == pytest.approx(row["count"] / 3)


def welch_p_values(formula):
    """Return {environment: (better method, p-value)}; SciPy has Welch's formula for the degrees of freedom alone."""
    found = {}
    for environment, rows in MEANS.groupby("environment"):
        better, worse = rows.sort_values("score", ascending=False).itertuples()
        deviations = [row.deviation + 1e-6 for row in (better, worse)]
        if formula == "welch":
            p = stats.ttest_ind_from_stats(
                *(better.score, deviations[0], better.runs),
                *(worse.score, deviations[1], worse.runs),
                equal_var=False,
                alternative="greater",
            ).pvalue
        else:
            v, w = (s**2 / row.runs for s, row in zip(deviations, (better, worse), strict=True))
            freedom = (v + w) ** 2 / (better.runs * v**2 / (better.runs - 1) + worse.runs * w**2 / (worse.runs - 1))
            p = stats.t.sf((better.score - worse.score) / math.sqrt(v + w), freedom)
        found[environment] = better.algorithm, p
    return found


@pytest.mark.parametrize("formula", ["welch", "notebook"])
def test_welch_profiles_and_differences_are_those_of_scipy(formula):
    p_values = welch_p_values(formula)
    profile = function_of("welch_profile")(MEANS, algorithms=["a", "b"], thresholds=THRESHOLDS).table()
    for name, threshold in itertools.product("ab", THRESHOLDS):
        below = [better == name or -np.log10(p) < threshold for better, p in p_values.values()]
        row = one(profile, degrees_of_freedom=formula, method=name, threshold=threshold)
        assert (row["count"], row["problems"]) == (sum(below), 3)
    differences = function_of("welch_differences")(MEANS, algorithms=["a", "b"]).table()
    for level, name in itertools.product((0.05, 0.01, 0.001), ("", "a", "b")):
        differ = [p < level and name in ("", better) for better, p in p_values.values()]
        assert one(differences, degrees_of_freedom=formula, level=level, method=name)["count"] == sum(differ)
    assert len({tuple(part["count"]) for _, part in differences.groupby("degrees_of_freedom")}) == 2
