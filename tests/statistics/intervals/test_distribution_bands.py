"""Bands of distributions and of samples of samples, and what printed intervals tell of deviations."""

import numpy as np
import pytest
from scipy import stats

from surefoot.statistics.intervals.distribution_bands import (
    PrintedIntervals,
    deviation_range,
    distribution_band,
    likely_deviation,
    limits_at,
    subsample_bands,
    truncated_exponential_variance,
)


def test_long_bands_are_thinned_between_their_ends():
    kept = distribution_band(np.arange(400.0), 0.05)
    assert len(kept) == 100 and np.allclose(kept["probability"] * 400, kept["score"] + 1)
    assert kept["score"].iloc[[0, -1]].tolist() == [0, 399] and kept["probability"].diff().max() < 0.015


SIZES = [20, 50, 1000]


@pytest.fixture
def runs(run_table):
    draw = np.random.default_rng(3)
    pairs = [(algorithm, environment) for algorithm in ("sarsa", "ac") for environment in ("acrobot", "chain")]
    return run_table({pair: draw.normal(size=90) for pair in pairs})


def test_smaller_sizes_are_drawn_and_all_runs_come_last(runs):
    table = subsample_bands(runs, "ac", "acrobot", SIZES, seed=9)
    assert table["size"].unique().tolist() == [20, 50, 90] and (table["runs"] == 90).all()
    whole, drawn = table[table["size"] == 90], table[table["size"] == 20]
    assert set(drawn["score"]) < set(whole["score"])
    shares = np.diff(drawn["probability"], prepend=0) * 20
    assert shares == pytest.approx(shares.round()) and drawn["probability"].iloc[-1] == 1
    with pytest.raises(ValueError, match="q has no runs in acrobot"):
        subsample_bands(runs, "q", "acrobot", SIZES)


def test_the_truncated_exponential_variance_is_that_of_scipy():
    """scipy's law on [0, b] with rate 1 moved and mirrored; uniform; and the ends, where nothing varies."""
    for width in (0.01, 0.5, 3.0, 30.0, 500.0):
        law = stats.truncexpon(width, loc=-3.0)
        mirrored = -6.0 + width - law.mean()
        ends = np.full(2, -3.0), np.full(2, -3.0 + width)
        variance = truncated_exponential_variance(*ends, np.array([law.mean(), mirrored]))
        assert variance == pytest.approx(law.var(), rel=1e-3)
    uniform, lower, none = np.array([1.0, -1.0, 4.0]), np.array([-1.0, -1.0, 4.0]), np.array([3.0, 5.0, 4.0])
    found = truncated_exponential_variance(lower, none, uniform)
    assert found == pytest.approx([16.0 / 12.0, 0.0, 0.0], abs=1e-6)


@pytest.mark.parametrize("width", [0.01, 0.5, 3.0])
def test_the_likely_deviation_is_that_of_a_plain_distribution(width):
    """Truncated exponential scores on [0, 1], tails included: within 5 % of the truth (a tail of 0.02 varies less than
    its range allows)."""
    sample = np.sort(stats.truncexpon(width, scale=1.0 / width).ppf((np.arange(20_000) + 0.5) / 20_000))
    assert likely_deviation(printed(sample[None], 1.0, 0.02)) == pytest.approx([sample.std()], rel=0.05)


def printed(samples, greatest, half_width):
    """What a paper prints of samples in [0, 1] whose greatest score is known."""
    limits = np.array([(sample.mean(), *limits_at(sample, 0.0, greatest, half_width)) for sample in samples])
    return PrintedIntervals(*limits.T, 0.0, 1.0, half_width)


def test_the_range_of_deviations_is_sharp():
    """Two distributions by hand on [0, 1], of which a tenth of the scores is either tail (half-width 0.1).

    With all scores of a part equal the deviation is the least that such limits allow. Two ends of one part have the
    same limits and a larger one. A third reaches 1, so that the highest score seen is the greatest possible."""
    equal = np.repeat([0.1, 0.5, 0.9], [10, 80, 10])
    spread = np.repeat([0.1, 0.15, 0.85, 0.9], [10, 40, 40, 10])
    top = np.repeat([0.5, 1.0], [10, 90])
    least, greatest = deviation_range(printed([equal, spread, top], 1.0, 0.1))
    assert least[:2] == pytest.approx(equal.std(), abs=1e-9)
    assert greatest[0] >= spread.std() > least[0]
    draw = np.random.default_rng(8)
    for _ in range(200):
        samples = np.sort(draw.beta(*draw.uniform(0.2, 3.0, 2), (3, 500)))
        seen = printed(samples, samples.max(), 0.02)
        least, greatest = deviation_range(seen)
        for deviation in (samples.std(axis=1), likely_deviation(seen)):
            assert (least <= deviation + 1e-12).all() and (deviation <= greatest + 1e-12).all()
