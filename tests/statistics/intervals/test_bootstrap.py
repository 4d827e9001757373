"""The bootstrap: each replicate against a plain recomputation, the whole against numpy's resampling."""

import numpy as np
import pandas as pd
import pytest

from surefoot.statistics.game.evaluation_game import play
from surefoot.statistics.intervals import bootstrap
from surefoot.statistics.intervals.bootstrap import replicate_scores
from surefoot.statistics.metrics.metric_kernels import BLOCK
from surefoot.statistics.resampling.resampling_kernels import draw_counts
from surefoot.statistics.runs.samples import samples_from_runs
from surefoot.streams import stream_key


def drawn_runs(samples, seed, replicate, variant):
    """Scores of the runs that a replicate draws, float64[runs], by algorithm and environment: those of a shared sample
    once in the corrected variant, and for each algorithm in the published one."""
    number, column = divmod(replicate, BLOCK)
    drawn = []
    for i, algorithm in enumerate(samples.algorithms):
        drawn.append([])
        for j, environment in enumerate(samples.environments):
            first = samples.algorithms[np.argmax(samples.cells[:, j] == samples.cells[i, j])]
            key = stream_key(seed, "bootstrap", environment, first if variant == "corrected" else algorithm)
            runs, counts = samples.pair(i, j), np.empty((samples.sizes[i, j], BLOCK), np.uint8)
            draw_counts(key, number, runs.size, runs.size, counts)
            drawn[i].append(np.repeat(runs, counts[:, column]))
    return drawn


def plain_scores(samples, drawn, shared):
    """Scores of resamples drawn[i][j] from comparisons of all pairs of runs."""
    n, m = samples.sizes.shape
    z = np.full((n, m, n), 0.5)
    for i in range(n):
        for j in range(m):
            for k in range(n):
                if not shared[i, j, k]:
                    z[i, j, k] = (drawn[k][j][None, :] <= drawn[i][j][:, None]).mean()
    return play(z).scores


@pytest.mark.parametrize("variant", ["as_published", "corrected"])
@pytest.mark.parametrize("decimals", [8, 0])
def test_replicates_are_what_their_streams_say(random_runs, variant, decimals):
    runs = random_runs(3, 2, 25, seed=15, decimals=decimals)
    shared = runs[(runs["algorithm"] == "a0") & (runs["environment"] == "e0")].assign(algorithm="same")
    own = runs[(runs["algorithm"] == "a1") & (runs["environment"] == "e1")].assign(algorithm="same", cell="same")
    samples = samples_from_runs(pd.concat([runs, shared, own]))
    scores = replicate_scores(samples, 42, 70, variant)
    for r in (0, 1, 63, 64, 69):
        drawn = drawn_runs(samples, 42, r, variant)
        assert scores[r] == pytest.approx(plain_scores(samples, drawn, samples.shared()), abs=1e-11)


@pytest.mark.parametrize("variant", ["as_published", "corrected"])
def test_neither_threads_nor_more_replicates_change_a_byte(random_runs, variant):
    samples = samples_from_runs(random_runs(3, 2, 25, seed=20, decimals=1))
    expected = replicate_scores(samples, 5, 100, variant)
    assert replicate_scores(samples, 5, 100, variant, threads=2).tobytes() == expected.tobytes()
    assert replicate_scores(samples, 5, 37, variant).tobytes() == expected[:37].tobytes()


def test_elimination_takes_over_where_the_iteration_fails(random_runs, monkeypatch):
    samples = samples_from_runs(random_runs(3, 2, 25, seed=22))
    by_elimination = replicate_scores(samples, 8, 10, "corrected")
    monkeypatch.setattr(bootstrap, "SMALL", 0)
    expected = replicate_scores(samples, 8, 10, "corrected")
    assert by_elimination == pytest.approx(expected, abs=1e-12)
    monkeypatch.setattr(bootstrap, "_solve_games", lambda z, scores: np.zeros(len(scores), bool))
    assert replicate_scores(samples, 8, 10, "corrected") == pytest.approx(expected, abs=1e-12)
