"""Draws of MDPs and of numbers of successes: exact moments and distributions."""

import numpy as np
import pytest
from scipy import stats

from surefoot.bayesian import mdp_distributions
from surefoot.bayesian.sampling import draw_mdps, successes
from surefoot.streams import start_stream, stream_key


def test_draws_have_the_moments_of_the_dirichlet_distribution():
    """Means and variances of 20,000 draws for counts below, at and above 1; 18 tests at 1e-5 each: errs once in 5,000
    seeds."""
    counts = np.array([[[0.3, 1.0, 4.5], [2.0, 0.0, 0.1]], [[7.0, 7.0, 0.5], [1.0, 1.0, 1.0]], [[0.0, 3.0, 0.0]] * 2])
    made = mdp_distributions.from_arrays(counts, np.zeros(3))
    drawn = draw_mdps(made, 3, "moments", 0, 20_000)
    totals = counts.sum(axis=2, keepdims=True)
    means = counts / totals
    variances = counts * (totals - counts) / (totals**2 * (totals + 1.0))
    np.testing.assert_allclose(drawn.sum(axis=3), 1.0, rtol=1e-12)
    assert (drawn[:, counts == 0.0] == 0.0).all()
    assert (drawn[:, 2, :, 1] == 1.0).all()
    limit = stats.norm.isf(0.5e-5)
    errors = np.sqrt(variances / len(drawn))
    assert (np.abs(drawn.mean(axis=0) - means) <= limit * errors).all()
    squares = (drawn - means) ** 2
    assert (np.abs(squares.mean(axis=0) - variances) <= limit * squares.std(axis=0) / np.sqrt(len(drawn))).all()


def test_an_mdp_depends_on_its_number_alone():
    chain = mdp_distributions.gc()
    together = draw_mdps(chain, 1, "gc", 0, 10)
    assert (draw_mdps(chain, 1, "gc", 7, 1)[0] == together[7]).all()
    assert (draw_mdps(chain, 1, "other", 7, 1)[0] != together[7]).any()
    assert (draw_mdps(chain, 2, "gc", 7, 1)[0] != together[7]).any()


def test_what_a_distribution_allows_is_possible_in_every_mdp():
    """Small pseudo-counts are mostly drawn as 0; what agents make room for must not depend on the MDPs of a block."""
    counts = np.array([[[1e-3, 1e-3, 0.0]]] * 3)
    mdps = draw_mdps(mdp_distributions.from_arrays(counts, np.zeros(3)), 1, "tiny", 0, 50)
    assert (mdps < 1e-300).sum() > 50
    assert ((mdps > 0.0) == (counts > 0.0)).all()
    np.testing.assert_allclose(mdps.sum(axis=3), 1.0, rtol=1e-12)


@pytest.mark.parametrize(("number", "probability"), [(1, 0.3), (15, 0.5), (15, 2 / 3), (16, 0.01), (40, 0.9)])
def test_successes_are_binomial(number, probability):
    """Chi-square of 20,000 numbers at 1e-4 for each of five cases: errs once in 2,000 seeds."""
    stream = np.empty(4, np.uint64)
    start_stream(stream_key(2, "successes"), number, stream)
    seen = np.bincount([successes(number, probability, stream) for _ in range(20_000)], minlength=number + 1)
    expected = 20_000 * stats.binom.pmf(np.arange(number + 1), number, probability)
    likely = expected >= 8
    pooled = [np.append(x[likely], x[~likely].sum()) for x in (seen, expected)]
    keep = pooled[1] > 0.1
    assert (
        stats.chisquare(pooled[0][keep], pooled[1][keep] * pooled[0][keep].sum() / pooled[1][keep].sum()).pvalue > 1e-4
    )
