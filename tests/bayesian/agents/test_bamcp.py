"""BAMCP approaches the Bayes-optimal value of a problem of two states."""

import numpy as np
from support.two_states import COUNTS, HORIZON, MDPS, bayes_optimal, cell_of

from surefoot.bayesian.cells import learn, play


def test_bamcp_approaches_the_bayes_optimal_value():
    """More simulations are better, by more than 4.5 standard errors, and 600 come within a twentieth of the bound.

    The second half errs once in 30,000 seeds if the agent's own mean is within 3 per cent.
    """
    means, errors = [], []
    for simulations in (1, 30, 600):
        cell = cell_of("bamcp", {"simulations": simulations, "depth": HORIZON}, "as_published")
        scores = play(cell, learn(cell)[0], 0, MDPS).scores
        means.append(scores.mean())
        errors.append(scores.std(ddof=1) / np.sqrt(MDPS))
    assert (np.diff(means) > 4.5 * np.hypot(errors[:-1], errors[1:])).all()
    assert means[-1] > 0.95 * bayes_optimal(HORIZON, 0, tuple(np.ravel(COUNTS)))
