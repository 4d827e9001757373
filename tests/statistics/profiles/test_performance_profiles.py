"""Performance profiles: their thresholds, and their replicates."""

import numpy as np
import pytest

from surefoot.statistics.profiles.bands import (
    profile_band,
)
from surefoot.statistics.profiles.performance_profiles import KINDS, profile, replicate_profiles


@pytest.mark.parametrize("kind", KINDS)
def test_a_band_holds_its_profile_at_scores_with_rounding(kind):
    scores = np.random.default_rng(0).integers(1, 8, (5, 10)) * 0.1
    grid = np.array([-np.inf, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, np.inf])
    value, (low, high) = profile(scores, grid, kind), profile_band(scores, grid, kind)
    assert value[0] == 1.0 and value[-1] == 0.0
    assert (low <= value).all() and (value <= high).all()


@pytest.mark.parametrize("grid", [[np.nan], [], [2.0, 1.0]])
def test_thresholds_that_are_no_ascending_numbers_are_refused(grid):
    with pytest.raises(ValueError, match=r"thresholds must be ascending numbers\. Hint: use a list such as"):
        profile(np.ones((2, 2)), grid)


GRID = np.linspace(-1.0, 3.0, 21)
RAGGED = [np.random.default_rng(k).normal(k, 1.0, size).round(1) for k, size in enumerate((5, 2, 9))]


def plain(columns, kind):
    values = [(c[:, None] > GRID).mean(axis=0) if kind == "run_scores" else c.mean() > GRID for c in columns]
    return np.mean(values, axis=0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("resample", ["runs", "tasks_and_runs"])
def test_replicates_have_the_mean_of_the_profile(kind, resample):
    """Means of 20,000 replicates, beside 2,000 resamples by numpy's generator, within 5 joint standard errors at 21
    points: fails falsely about once in 10^5 times."""
    columns = RAGGED if resample == "runs" else [c[:2] for c in RAGGED]
    found = replicate_profiles(columns, GRID, kind, 20_000, 1, resample=resample)
    rng, resamples = np.random.default_rng(2), []
    for _ in range(2_000):
        chosen = columns if resample == "runs" else [columns[i] for i in rng.integers(0, 3, 3)]
        resamples.append(plain([rng.choice(c, c.size) for c in chosen], kind))
    errors = np.sqrt(found.var(axis=0) * (1 / 20_000 + 1 / 2_000)) + 1e-9
    assert (np.abs(found.mean(axis=0) - np.mean(resamples, axis=0)) < 5 * errors).all()
    assert found.min() >= 0.0 and found.max() <= 1.0
