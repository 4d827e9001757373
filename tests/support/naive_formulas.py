"""Scores and plain statistics that tests of formulas share."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd

NAMES = ("a", "b", "c")
TASKS = ("maze", "cliff", "chain")
LEVEL = 0.9
SURE = 5.0
"""Standard errors that chance exceeds once in 1.7 million cases."""


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
    """A run table of {(algorithm, task): scores}."""
    rows = [(*key, run, score) for key, sample in scores.items() for run, score in enumerate(sample)]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])


def random_scores(runs=None, decimals=1):
    """Scores of three algorithms on three tasks, with ties; 3 to 6 runs, or as many as are asked for."""
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
"""Of which all data sets of one or two runs can be listed."""


def wins(x, y):
    return mean((a > b) + 0.5 * (a == b) for a, b in product(x, y))


def one(table, **wanted):
    for column, value in wanted.items():
        table = table[table[column] == value]
    (row,) = table.to_dict("records")
    return row


def quantile(values, q):
    """Between the two order statistics around place (B - 1) q."""
    ascending = sorted(values)
    place = (len(ascending) - 1) * q
    low = math.floor(place)
    high = min(low + 1, len(ascending) - 1)
    return ascending[low] + (place - low) * (ascending[high] - ascending[low])


def weighted(tasks):
    """Scores in ascending order, each with its weight, 1 / (M N_m)."""
    return sorted((score, Fraction(1, len(tasks) * len(task))) for task in tasks for score in task)


def between_weights(tasks, low, high):
    """Mean of the scores from the weight `low` to the weight `high`, each by its part in between."""
    total, begin = 0.0, Fraction(0)
    for score, weight in weighted(tasks):
        part = max(min(begin + weight, high) - max(begin, low), Fraction(0))
        total += float(part / (high - low)) * score
        begin += weight
    return total


def weighted_middle(tasks):
    """Mean of the scores just below and just above half of the weight."""
    below, begin = [], Fraction(0)
    for score, weight in weighted(tasks):
        if begin <= Fraction(1, 2) <= begin + weight:
            below.append(score)
        begin += weight
    return (below[0] + below[-1]) / 2


def cut_weight(tasks, fraction):
    """Return the weight that whole scores have if every task has as many as that with the most."""
    balanced = len(tasks) * max(map(len, tasks))
    return Fraction(math.floor(Fraction(fraction) * balanced), balanced)


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


def mean_between(columns, low, high):
    """The mean of the weight between two fractions of it; a cut divides the score that it falls on."""
    scores = np.concatenate(columns)
    weights = np.concatenate([np.full(len(column), 1 / (len(columns) * len(column))) for column in columns])
    order = np.argsort(scores)
    inside = np.diff(np.clip(np.concatenate([[0.0], np.cumsum(weights[order])]), low, high))
    return inside @ scores[order] / (high - low)


def cut_of(columns, fraction):
    balanced = max(map(len, columns)) * len(columns)
    return np.floor(fraction * balanced + 1e-9) / balanced
