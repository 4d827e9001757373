"""Intervals for the interactive chart: the means of their laws, and misses that the stored intervals show."""

import numpy as np
import pytest

from surefoot.validation.watched_intervals import _NOISE, SHAPES, law, study_kind, watched_intervals

CELLS = {cell["name"]: cell for cell in watched_intervals.cells}


@pytest.mark.parametrize("shape", SHAPES)
def test_means_of_tasks_are_closed_forms(shape):
    """Whose true mean is the mean over tasks of the levels from 0.1 to 0.9, or of what failures leave of them."""
    cell = CELLS[f"{shape}, 3 runs of 26"]
    levels = 0.5 + 6.0 * _NOISE * ((np.arange(26) + 0.5) / 26 - 0.5)
    means = {"skewed": levels + _NOISE * np.exp(0.5), "failures": 0.8 * levels}.get(shape, levels)
    assert study_kind(cell, 1).true_values()["mean"] == pytest.approx(means.mean(), rel=1e-4)
    assert [part.weight for part in law(shape, 0.5).parts] == {
        "normal": [1.0],
        "skewed": [1.0],
        "failures": [0.2, 0.8],
        "successes": [0.5, 0.5],
    }[shape]


@pytest.mark.parametrize("name", ["skewed, 3 runs of 5, shared", "normal, 5 runs of 1"])
def test_the_stored_intervals_show_the_counted_misses(name):
    datasets = 25
    found = watched_intervals.cover(CELLS[name], datasets, 100, 1)
    assert found["method"].tolist() == ["student", "percentile"]
    for row in found.itertuples():
        limits = np.array([limit.split() for limit in row.intervals.split("; ")], float)
        assert len(limits) == datasets == row.datasets
        missed = (limits[:, 0] > row.truth) | (limits[:, 1] < row.truth)
        assert missed.sum() == row.failures
        assert np.diff(limits, axis=1).mean() == pytest.approx(row.width, rel=0.02)
    student, percentile = found["width"]
    assert student > percentile
