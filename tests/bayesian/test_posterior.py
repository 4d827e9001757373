"""Posterior counts against plain counting, with transitions that the prior takes for impossible among them."""

import numpy as np
import pytest

from surefoot.bayesian.posterior import add_observation, new_posterior, reset_posterior


@pytest.mark.parametrize("seed", range(5))
def test_counts_and_successors(seed):
    random = np.random.default_rng(seed)
    prior = random.integers(0, 2, (5, 2, 5)) * random.uniform(0.1, 2.0, (5, 2, 5))
    prior[:, :, 2] += 1.0
    posterior = new_posterior(prior)
    reset_posterior(posterior, prior)
    add_observation(posterior, 0, 0, 1)
    reset_posterior(posterior, prior)  # forgets it
    expected = prior.copy()
    for _ in range(60):
        place = random.integers(5), random.integers(2), random.integers(5)
        add_observation(posterior, *place)
        expected[place] += 1.0
        assert (posterior.counts == expected).all()
        np.testing.assert_allclose(posterior.totals, expected.sum(axis=2))
        for x in range(5):
            for u in range(2):
                listed = posterior.successors[x, u, : posterior.number[x, u]]
                assert listed.tolist() == np.flatnonzero(expected[x, u]).tolist()
