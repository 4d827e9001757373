"""Scores and plain statistics that are shared by tests of formulas."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd

NAMES = ("a", "b", "c")
TASKS = ("maze", "cliff", "chain")
LEVEL = 0.9
SURE = 5.0
"""Number of standard errors that is exceeded by chance once in 1.7 million cases."""


def mean(values):
    values = list(values)
    return math.fsum(values) / len(values)


def variance(values):
    middle = mean(values)
    return math.fsum((value - middle) ** 2 for value in values) / (len(values) - 1)


def deviation(values):
    return math.sqrt(variance(values))


def tails(values, confidence_level=LEVEL):
    return [quantile(values, (1 - confidence_level) / 2), quantile(values, (1 + confidence_level) / 2)]


def table_of(scores):
    """Return a run table, given {(algorithm, task): scores}."""
    rows = [(*key, run, score) for key, sample in scores.items() for run, score in enumerate(sample)]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])


def random_scores(runs=None, decimals=1):
    """Return scores of three algorithms on three tasks, with ties; `runs` runs each, by default 3 to 6."""
    draw = np.random.default_rng(8)
    return {
        (name, task): draw.gamma(4.0, 1.0 + 0.2 * place, runs or draw.integers(3, 7)).round(decimals).tolist()
        for place, name in enumerate(NAMES)
        for task in TASKS
    }


SCORES = random_scores()
TABLE = table_of(SCORES)
EVEN = random_scores(5)
ONE_TASK = table_of({("a", "maze"): [1.0, 2.5, 7.0], ("b", "maze"): [2.0, 3.0, 4.5]})
"""Table so small that all data sets of one or two runs can be enumerated."""


def wins(x, y):
    return mean((a > b) + 0.5 * (a == b) for a, b in product(x, y))


def one(table, **wanted):
    for column, value in wanted.items():
        table = table[table[column] == value]
    (row,) = table.to_dict("records")
    return row


def quantile(values, q):
    """Interpolate between the two order statistics around index (B - 1) q."""
    ascending = sorted(values)
    place = (len(ascending) - 1) * q
    low = math.floor(place)
    high = min(low + 1, len(ascending) - 1)
    return ascending[low] + (place - low) * (ascending[high] - ascending[low])


def weighted(tasks):
    """Return the scores in ascending order, each with its weight, 1 / (M N_m)."""
    return sorted((score, Fraction(1, len(tasks) * len(task))) for task in tasks for score in task)


def between_weights(tasks, low, high):
    """Return the weighted mean of the scores between the cumulative weights `low` and `high`."""
    total, begin = 0.0, Fraction(0)
    for score, weight in weighted(tasks):
        part = max(min(begin + weight, high) - max(begin, low), Fraction(0))
        total += float(part / (high - low)) * score
        begin += weight
    return total


def weighted_middle(tasks):
    """Return the mean of the scores just below and just above half of the weight."""
    below, begin = [], Fraction(0)
    for score, weight in weighted(tasks):
        if begin <= Fraction(1, 2) <= begin + weight:
            below.append(score)
        begin += weight
    return (below[0] + below[-1]) / 2


def cut_weight(tasks, fraction):
    """Return the weight of a whole number of cut scores, if every task had as many runs as the one with the most."""
    balanced = len(tasks) * max(map(len, tasks))
    return Fraction(math.floor(Fraction(fraction) * balanced), balanced)


def table(seed):
    """Return positive scores, with ties, of three algorithms in two environments, with unequal numbers of runs."""
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


def mean_between(columns, low, high):
    """Return the mean between two fractions of the total weight; scores at the ends count in part."""
    scores = np.concatenate(columns)
    weights = np.concatenate([np.full(len(column), 1 / (len(columns) * len(column))) for column in columns])
    order = np.argsort(scores)
    inside = np.diff(np.clip(np.concatenate([[0.0], np.cumsum(weights[order])]), low, high))
    return inside @ scores[order] / (high - low)


def cut_of(columns, fraction):
    balanced = max(map(len, columns)) * len(columns)
    return np.floor(fraction * balanced + 1e-9) / balanced
