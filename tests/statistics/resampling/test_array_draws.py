"""Draws, metrics, profiles and limits by numpy, beside those of the compiled kernels: the same to the last bit."""

import numpy as np
import pytest

from surefoot.statistics.comparison.probability_of_improvement import replicate_improvement
from surefoot.statistics.metrics.metric_catalogue import METRICS
from surefoot.statistics.profiles.bands import fraction_limits
from surefoot.statistics.profiles.performance_profiles import replicate_profiles
from surefoot.statistics.resampling import array_draws
from surefoot.statistics.resampling.jackknife import stratified_acceleration, without_each_run
from surefoot.statistics.resampling.resampling_kernels import draw_indices
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics
from surefoot.streams import stream_key

WRITTEN = [*METRICS, "trimmed_mean(0.1)", "difficulty_progress(0.5)", "iqm weighted by runs", "mean weighted by runs"]
SIZES = [[5] * 4, [3, 7, 20, 40], [12] * 9, [100] * 5, [16, 16], [300, 20, 12], [200] * 3, [1, 4, 9]]


@pytest.fixture
def by_numpy(monkeypatch):
    """Return a function that switches from the kernels to numpy, or back."""
    work = array_draws._LITTLE_WORK
    return lambda used: monkeypatch.setattr(array_draws, "_LITTLE_WORK", dict.fromkeys(work, np.inf if used else -1))


@pytest.fixture
def both_ways(by_numpy):
    """Assert that numpy and the kernels return the same arrays."""

    def check(work):
        results = []
        for used in (True, False):
            by_numpy(used)
            results.append(np.asarray(work()))
        np.testing.assert_array_equal(*results)

    return check


@pytest.mark.parametrize(
    ("sizes", "decimals"), [*((sizes, 12) for sizes in SIZES), *((sizes, 1) for sizes in SIZES if max(sizes) < 100)]
)
def test_replicates_and_jackknife(both_ways, sizes, decimals):
    rng = np.random.default_rng([*sizes, decimals])
    scores = [rng.normal(size=size).round(decimals) for size in sizes]
    thresholds = np.linspace(-1, 1, 13)
    for resample in ("runs", "paired_runs", "tasks_and_runs", *(["whole_runs"] if len(set(sizes)) == 1 else [])):
        both_ways(lambda resample=resample: replicate_metrics(scores, WRITTEN, 300, 3, "a", resample=resample))
        for kind in ("run_scores", "average_scores"):
            options = {"n_resamples": 200, "name": "a", "resample": resample}
            both_ways(lambda kind=kind, options=options: replicate_profiles(scores, thresholds, kind, **options))
    other = [column[: max(column.size - 1, 1)] + 0.1 for column in scores]
    both_ways(lambda: replicate_improvement(scores, other, 100, 3, ("a", "b")))
    both_ways(lambda: replicate_metrics(scores, WRITTEN, 100, draws=6))
    keys = np.array([stream_key(0, "counts", task) for task in range(len(sizes))])
    for draws in (np.array(sizes), np.full(len(sizes), 6)):
        both_ways(lambda draws=draws: array_draws.draw_few_counts(keys, [0, 5], np.array(sizes), draws, np.uint8))
    both_ways(lambda: metric_values(scores, WRITTEN))
    both_ways(lambda: without_each_run(scores, WRITTEN))
    both_ways(lambda: stratified_acceleration(scores, WRITTEN))


@pytest.mark.parametrize(("size", "count"), [(3, 10), (7, 1000), (256, 999), (257, 5000), (2**20 - 1, 3000)])
def test_indices(both_ways, size, count):
    both_ways(lambda: draw_indices(stream_key(1, "indices"), 4, size, count))


def test_limits_of_fractions(both_ways):
    fractions = np.random.default_rng(1).random((9, 5))
    fractions[0] = 0.0
    fractions[1] = 1.0
    both_ways(lambda: fraction_limits(fractions, np.array([1.5, 4, 9, 30, 100]), np.linspace(0, 4, 9)))


def test_threads_do_not_change_what_numpy_draws(by_numpy):
    by_numpy(True)
    scores = np.random.default_rng(2).normal(size=(60, 40))
    one, three = (replicate_metrics(scores, ["iqm", "median"], 1000, threads=threads) for threads in (1, 3))
    assert one.tobytes() == three.tobytes()


@pytest.mark.parametrize("size", [1, 250, 1000])
def test_rows_of_indices_are_those_of_each_key(size):
    """In some of the rows of 250 things, more words are needed, since more than one index is rejected."""
    keys = np.array([stream_key(0, "rows", row) for row in range(64)])
    rows = array_draws.draw_few_rows(keys, 3, size, 1003)
    np.testing.assert_array_equal(rows, [array_draws.draw_few_indices(key, 3, size, 1003) for key in keys])
