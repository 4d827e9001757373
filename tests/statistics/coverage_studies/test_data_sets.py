"""Data sets: each run is the one that its stream or its number says, and the two designs follow the same law."""

import numpy as np
import pytest
from numba import njit

from surefoot.statistics.coverage.score_coverage import data_sets
from surefoot.statistics.runs.samples import samples_from_runs
from surefoot.streams import below, start_stream, stream_key


@njit
def draw_indices(key, number, size, runs):
    stream = np.empty(4, np.uint64)
    start_stream(key, number, stream)
    indices = np.empty(size, np.int64)
    for t in range(size):
        indices[t] = below(stream, runs)
    return indices


def test_resampled_runs_are_what_their_streams_say(random_runs):
    runs = random_runs(3, 2, 40, seed=30)
    pool = samples_from_runs(runs)
    for number, samples in enumerate(data_sets(runs, "resample", 8, 4, 5, 3), 5):
        assert samples.algorithms == pool.algorithms and (samples.sizes == 4).all()
        for i, algorithm in enumerate(pool.algorithms):
            for j, environment in enumerate(pool.environments):
                key = stream_key(8, "cover", environment, algorithm, 4)
                drawn = pool.pair(i, j)[draw_indices(key, number, 4, pool.sizes[i, j])]
                assert samples.pair(i, j).tolist() == sorted(drawn)


def test_algorithms_that_share_a_pool_share_their_draws(run_table):
    rng = np.random.default_rng(31)
    a, b = rng.normal(size=30), rng.normal(size=30)
    runs = run_table({("a", "x"): a, ("a_s", "x"): a, ("b", "x"): b}, {("a_s", "x"): "a"})
    for samples in data_sets(runs, "resample", 0, 10, 0, 3):
        assert np.array_equal(samples.pair(0, 0), samples.pair(1, 0))
        assert not np.array_equal(samples.pair(0, 0), samples.pair(2, 0))
        assert samples.shared()[0, 0].tolist() == [True, True, False]


def test_pieces_follow_one_another_in_the_order_of_the_runs(run_table):
    scores = np.random.default_rng(32).permutation(60)
    runs = run_table({("a", "x"): scores, ("b", "x"): -scores}).sample(frac=1, random_state=0)
    start = 30
    for number, samples in enumerate(data_sets(runs, "cut", 0, 5, 1, 5, start), 1):
        piece = scores[start + 5 * number : start + 5 * (number + 1)]
        a = samples.algorithms.index("a")
        assert samples.pair(a, 0).tolist() == sorted(piece)
        assert samples.pair(1 - a, 0).tolist() == sorted(-piece)


def test_what_cannot_be_drawn_is_refused(random_runs):
    runs = random_runs(2, 1, 20, seed=34)
    with pytest.raises(ValueError, match=r"data sets of 21 runs, but a0 in e0 has \d+"):
        next(data_sets(runs, "resample", 0, 21, 0, 1))
    with pytest.raises(ValueError, match="data set 3 is to be runs 15 to 19, and they are not all there"):
        list(data_sets(runs[runs["run"] < 17], "cut", 0, 5, 3, 1))
