"""A few cheap cells against the published means (Jordan et al. 2020, Appendix I).

The published standard error is that of 10,000 trials. With 200 of ours, |z| <= 4 for each of the sixteen cells fails a
correct program with a probability of about 1e-3. Cells whose mean hangs on rare divergent trials need larger runs.
"""

import csv

import numpy as np
import pytest
from support.paths import SHARED

from surefoot.simulation.simulation_registry import simulate

TABLE = SHARED / "golden" / "jordan2020_performance.csv"
TRIALS = 200
CELLS = [
    *(("chain_10_deterministic", name) for name in ("ac", "ac_parl2", "sarsa", "q")),
    *(("chain_10_stochastic", name) for name in ("ac_parl2", "sarsa_parl2", "q_parl2")),
    *(("gridworld_5_stochastic", name) for name in ("ac", "sarsa", "sarsa_parl2")),
    *((name, "nac_td") for name in ("chain_10_deterministic", "chain_10_stochastic", "gridworld_5_stochastic")),
    *((name, "ppo") for name in ("chain_10_deterministic", "chain_10_stochastic", "gridworld_5_deterministic")),
]


@pytest.mark.skipif(not TABLE.is_file(), reason=f"the published table is not there: {TABLE}")
@pytest.mark.parametrize(("environment", "algorithm"), CELLS)
def test_means_agree(environment, algorithm):
    with TABLE.open() as table:
        published = {(row["environment"], row["algorithm"]): float(row["mean"]) for row in csv.DictReader(table)}
    performances = simulate(algorithm, environment, 2020, 0, TRIALS)
    standard_error = performances.std(ddof=1) * np.sqrt(1 / TRIALS + 1 / 10_000)
    assert abs(performances.mean() - published[environment, algorithm]) <= 4 * standard_error
