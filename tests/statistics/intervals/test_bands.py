"""Bands: exact probability of a miss by scipy's Kolmogorov-Smirnov distribution, and thinning."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.statistics.intervals.distributions import distribution_band, thin


def test_ties_are_one_point_and_limits_stay_in_the_unit_interval():
    band = distribution_band(np.array([1.0, 1.0, 2.0, 5.0]), 0.5)
    assert band.score.tolist() == [1, 2, 5]
    assert band.probability.tolist() == [0.5, 0.75, 1.0]
    half_width = np.sqrt(np.log(4) / 8)
    assert band.low == pytest.approx(np.array([0.5, 0.75, 1.0]) - half_width)
    assert band.high == pytest.approx([0.5 + half_width, 1.0, 1.0])


@given(st.lists(st.integers(0, 400), min_size=1, max_size=400), st.integers(2, 30))
def test_thinning_keeps_the_shape(scores, points):
    band = distribution_band(np.sort(np.array(scores, float)), 0.05)
    thinned = thin(band, points)
    assert thinned.score.size <= points
    assert thinned.score[0] == band.score[0] and thinned.score[-1] == band.score[-1]
    kept = np.isin(band.score, thinned.score)
    for whole, part in zip(band, thinned, strict=True):
        assert np.array_equal(whole[kept], part)
    largest_step = np.diff(band.probability, prepend=0).max()
    assert np.diff(thinned.probability).max(initial=0) <= 1 / (points - 1) + largest_step + 1e-12
