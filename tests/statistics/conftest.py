"""Run tables that several of the statistics' tests use."""

import numpy as np
import pandas as pd
import pytest

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
