"""OPPS-DS finds the formula that a plain search finds."""

from importlib import import_module

import numpy as np
from support.two_states import MDPS, cell_of

from surefoot.bayesian.cells import learn, play


def test_opps_ds_finds_the_formula_that_a_plain_search_finds():
    """Its mean return on fresh MDPs of the prior is within 4.5 standard errors of that of the best formula, found by
    playing all of them, which is far from that of the median formula. Chance exceeds
    4.5 standard errors once in 150,000 seeds."""
    chosen = cell_of("opps_ds", {"formulas": 2, "budget": 8_000}, "corrected")
    found = play(chosen, learn(chosen)[0], 0, MDPS).scores
    means, errors = [], []
    for formula in import_module("surefoot.bayesian.formulas").formula_set(2):
        cell = cell_of("formula", {"formula": formula}, "as_published")
        scores = play(cell, learn(cell)[0], 0, MDPS).scores
        if not np.isnan(scores).any():
            means.append(scores.mean())
            errors.append(scores.std(ddof=1) / np.sqrt(MDPS))
    best = int(np.argmax(means))
    spread = np.hypot(errors[best], found.std(ddof=1) / np.sqrt(MDPS))
    assert abs(found.mean() - means[best]) <= 4.5 * spread
    assert means[best] > np.median(means) + 10.0 * errors[best]
