"""What the naive formulas of questions share: scores and plain statistics."""

import math
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


def tails(values, confidence=LEVEL):
    return [quantile(values, (1 - confidence) / 2), quantile(values, (1 + confidence) / 2)]


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
