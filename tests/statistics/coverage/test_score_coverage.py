"""Coverage: rows against the methods themselves, summaries against brute force and closed forms.

Data sets: each run is the one that its stream or its number says, and the two designs follow the same law.
"""

import numpy as np
import pandas as pd
import pytest
from numba import njit

from surefoot.statistics.coverage.score_coverage import CoverageOptions, cover_block, data_sets
from surefoot.statistics.intervals.estimation import SCORE_METHODS, estimate, variants_of
from surefoot.statistics.runs.samples import samples_from_runs
from surefoot.streams import below, start_stream, stream_key

OPTIONS = CoverageOptions(seed=5, n_resamples=40)
COLUMNS = ["dataset", "size", "method", "variant", "algorithm", "score", "low", "high"]


@pytest.fixture
def pools(random_runs):
    return random_runs(3, 2, 40, seed=40, decimals=1)


def as_runs(samples):
    rows = [
        (algorithm, environment, score, algorithm)
        for j, environment in enumerate(samples.environments)
        for i, algorithm in enumerate(samples.algorithms)
        for score in samples.pair(i, j)
    ]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "score", "cell"])


@pytest.mark.parametrize("method", SCORE_METHODS)
def test_rows_are_what_the_method_says_of_each_data_set(pools, method):
    table = cover_block(pools, [method], 4, 2, 2, OPTIONS)
    assert table.columns.tolist() == COLUMNS
    for number, samples in enumerate(data_sets(pools, OPTIONS, 4, 2, 2), 2):
        seed = int(stream_key(5, "cover", 4, number)[0])
        for variant in variants_of(method):
            rows = table[(table["dataset"] == number) & (table["variant"] == variant)]
            expected = estimate(as_runs(samples), method, seed=seed, n_resamples=40, variant=variant)
            assert rows["algorithm"].tolist() == expected["algorithm"].tolist()
            assert rows["score"].to_numpy() == pytest.approx(expected["estimate"].to_numpy(), abs=1e-12)
            for limit in ("low", "high"):
                assert rows[limit].to_numpy() == pytest.approx(expected[limit].to_numpy(), abs=1e-9)


def test_blocks_and_other_methods_change_no_row(pools):
    whole = cover_block(pools, list(SCORE_METHODS), 4, 0, 4, OPTIONS)
    parts = [cover_block(pools, [method], 4, first, 2, OPTIONS) for first in (0, 2) for method in SCORE_METHODS]
    key = ["dataset", "method", "variant", "algorithm"]
    joined = pd.concat(parts).sort_values(key, ignore_index=True)
    pd.testing.assert_frame_equal(whole.sort_values(key, ignore_index=True), joined, check_exact=True)


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
    for number, samples in enumerate(data_sets(runs, CoverageOptions(seed=8), 4, 5, 3), 5):
        assert samples.algorithms == pool.algorithms and (samples.sizes == 4).all()
        for i, algorithm in enumerate(pool.algorithms):
            for j, environment in enumerate(pool.environments):
                key = stream_key(8, "cover", environment, algorithm, 4)
                drawn = pool.pair(i, j)[draw_indices(key, number, 4, pool.sizes[i, j])]
                assert samples.pair(i, j).tolist() == sorted(drawn)


def test_pieces_follow_one_another_in_the_order_of_the_runs(run_table):
    scores = np.random.default_rng(32).permutation(60)
    runs = run_table({("a", "x"): scores, ("b", "x"): -scores}).sample(frac=1, random_state=0)
    start = 30
    for number, samples in enumerate(data_sets(runs, CoverageOptions("cut", start=start), 5, 1, 5), 1):
        piece = scores[start + 5 * number : start + 5 * (number + 1)]
        a = samples.algorithms.index("a")
        assert samples.pair(a, 0).tolist() == sorted(piece)
        assert samples.pair(1 - a, 0).tolist() == sorted(-piece)


def test_what_cannot_be_drawn_is_refused(random_runs):
    runs = random_runs(2, 1, 20, seed=34)
    with pytest.raises(ValueError, match=r"data sets have 21 runs, but a0 in e0 has \d+"):
        next(data_sets(runs, OPTIONS, 21, 0, 1))
    with pytest.raises(ValueError, match="data set 3 needs runs 15 to 19, but some are missing"):
        list(data_sets(runs[runs["run"] < 17], CoverageOptions("cut"), 5, 3, 1))
