"""Counts of draws with replacement, beside the multinomial distribution."""

import numpy as np
import pytest
from scipy import stats

from surefoot.statistics.metrics.metric_kernels import BLOCK
from surefoot.statistics.resampling import resampling_kernels as counting
from surefoot.statistics.resampling.resampling_kernels import draw_counts
from surefoot.streams import stream_key

ERROR_RATE = 1e-6


def drawn(size, draws, blocks, seed=0):
    """Counts of many replicates, [blocks * BLOCK, size], each of which has as many draws as were wanted."""
    parts = []
    for number in range(blocks):
        counts = np.empty((size, BLOCK), np.uint8)
        draw_counts(stream_key(seed, "counts", size), number, size, draws, counts)
        assert (counts.sum(axis=0) == draws).all()
        parts.append(counts.T)
    return np.concatenate(parts)


def p_value(observed, expected):
    """Of chi-squared, where what is expected less than 10 times is one class."""
    rare = expected < 10
    if rare.any():
        observed = np.append(observed[~rare], observed[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
    return stats.chisquare(observed, expected).pvalue


@pytest.mark.parametrize(("size", "draws"), [(3, 3), (16, 10), (40, 30), (100, 100), (1000, 1000)])
def test_a_count_has_a_binomial_distribution(size, draws):
    """Chi-squared of the counts of the first, the middle and the last thing together; error rate 1e-6.

    Counts of one replicate are not independent, so those of the three things are tested one by one.
    """
    counts, law = drawn(size, draws, 1500), stats.binom(draws, 1.0 / size)
    for thing in (0, size // 2, size - 1):
        observed = np.bincount(counts[:, thing], minlength=draws + 1)
        assert p_value(observed, law.pmf(np.arange(draws + 1)) * len(counts)) > ERROR_RATE / 3


def test_replicates_of_a_block_are_independent():
    """The squared distance of two replicates' counts is 2 (n - 1) on average; within 5 standard errors,
    which chance exceeds for one of three pairs once in 600,000 seeds."""
    counts = drawn(50, 50, 400, seed=3).astype(np.float64).reshape(400, BLOCK, 50)
    for a, b in ((0, 1), (0, BLOCK - 1), (7, 40)):
        distances = ((counts[:, a] - counts[:, b]) ** 2).sum(axis=1)
        assert abs(distances.mean() - 2 * 49) < 5 * distances.std() / 20.0


def test_the_rest_of_sixteen_bits_has_poisson_probabilities():
    """Chi-squared of 2 million Poisson numbers, those above 6 one by one; error rate 1e-6."""
    counts = np.empty(2_000_000, np.uint8)
    stream = np.array([1, 2, 3, 4], np.uint64)
    counting._draw_poisson(stream, 0.97, counts)
    expected = stats.poisson(0.97).pmf(np.arange(40)) * counts.size
    assert expected[7] > 100 and expected[8] > 10
    assert p_value(np.bincount(counts, minlength=40), expected) > ERROR_RATE
