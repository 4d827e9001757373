"""Profiles and their bands, beside plain counting; coverage of simultaneous bands by simulation."""

import numpy as np
import pytest

from surefoot.statistics.profiles.dolan_more import dominates
from surefoot.statistics.profiles.performance_profiles import (
    KINDS,
    replicate_profiles,
)

GRID = np.linspace(-1.0, 3.0, 21)
RAGGED = [np.random.default_rng(k).normal(k, 1.0, size).round(1) for k, size in enumerate((5, 2, 9))]


def plain(columns, kind):
    values = [(c[:, None] > GRID).mean(axis=0) if kind == "run_scores" else c.mean() > GRID for c in columns]
    return np.mean(values, axis=0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("resampled", ["runs", "tasks_and_runs"])
def test_replicates_have_the_mean_of_the_profile(kind, resampled):
    """Means of 20,000 replicates, beside 2,000 resamples by numpy's generator, within 5 joint standard errors at 21
    points: fails falsely about once in 10^5 times."""
    columns = RAGGED if resampled == "runs" else [c[:2] for c in RAGGED]
    found = replicate_profiles(columns, GRID, kind, 20_000, 1, resampled=resampled)
    rng, resamples = np.random.default_rng(2), []
    for _ in range(2_000):
        chosen = columns if resampled == "runs" else [columns[i] for i in rng.integers(0, 3, 3)]
        resamples.append(plain([rng.choice(c, c.size) for c in chosen], kind))
    errors = np.sqrt(found.var(axis=0) * (1 / 20_000 + 1 / 2_000)) + 1e-9
    assert (np.abs(found.mean(axis=0) - np.mean(resamples, axis=0)) < 5 * errors).all()
    assert found.min() >= 0.0 and found.max() <= 1.0


def test_dominance_is_nowhere_lower_and_somewhere_higher():
    assert dominates([0.5, 0.2], [0.5, 0.1]) and not dominates([0.5, 0.2], [0.5, 0.2])
    assert not dominates([0.6, 0.2], [0.5, 0.3])
