"""Run tables that several of the statistics' tests use."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog

from surefoot.statistics.runs.samples import samples_from_runs


def run_table(scores, cells=None):
    """A run table from {(algorithm, environment): scores}; `cells` names the cells that are not the algorithm's own."""
    cells = cells or {}
    rows = [
        (algorithm, environment, run, float(score), cells.get((algorithm, environment), algorithm))
        for (algorithm, environment), sample in scores.items()
        for run, score in enumerate(sample)
    ]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score", "cell"])


def extreme_mean(x, eps, values, sign):
    """Least (sign 1) or greatest (-1) mean of `values` over the distributions within eps of x's empirical one.

    values[0] belongs to the lower end of the range, values[1:-1] to the ascending x, values[-1] to the upper end.
    """
    cdf = np.concatenate([[0.0], np.arange(1, x.size + 1) / x.size])
    below = np.tril(np.ones((x.size + 1, x.size + 2)))
    result = linprog(
        sign * values,
        A_ub=np.concatenate([below, -below]),
        b_ub=np.concatenate([np.minimum(cdf + eps, 1), -np.maximum(cdf - eps, 0)]),
        A_eq=np.ones((1, x.size + 2)),
        b_eq=[1.0],
    )
    assert result.status == 0
    return sign * result.fun


@pytest.fixture(name="run_table")
def run_table_fixture():
    return run_table


@pytest.fixture
def cross_check_runs():
    """Three algorithms in two environments, 60 runs each, by formula; the expected numbers stand in the tests."""
    t = np.arange(1, 61)
    scores = {
        (f"algorithm_{i}", f"environment_{j}"): ((t**2 + 11 * i + 7 * j) % 97) + 4 * i * (1 - j) + 3 * j * ((i + 1) % 3)
        for i in range(3)
        for j in range(2)
    }
    return run_table(scores)


@pytest.fixture
def cross_check_samples(cross_check_runs):
    return samples_from_runs(cross_check_runs)


@pytest.fixture
def random_runs():
    """Makes run tables of normal scores, `n` algorithms in `m` environments, with 5 to `most` runs a pair."""

    def make(n, m, most, seed, decimals=8):
        rng = np.random.default_rng(seed)
        skill = rng.normal(size=(n, m))
        return run_table(
            {
                (f"a{i}", f"e{j}"): rng.normal(skill[i, j], 1.0, rng.integers(5, most + 1)).round(decimals)
                for j in range(m)
                for i in range(n)
            }
        )

    return make


@pytest.fixture(name="extreme_mean")
def extreme_mean_fixture():
    return extreme_mean
