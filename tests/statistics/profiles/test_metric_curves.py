"""Bands of curves of metrics: how often they hold the truth, and what is said of it."""

import numpy as np
import pytest
from scipy.stats import binom

import surefoot
from surefoot.statistics.profiles.metric_curves import replicate_curves, replicate_whole_runs


def shared_walks(rng, runs, tasks, correlation=0.5, steps=8):
    """float64[runs, tasks, steps]: walks of which each run shares a part between all tasks; their true mean is 0."""
    shared, apart = rng.normal(size=(runs, 1, steps)), rng.normal(size=(runs, tasks, steps))
    return (np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * apart).cumsum(axis=2)


def test_bands_hold_for_comparisons_with_a_baseline():
    """Four equal algorithms of unequal spreads, 5 runs of 4 tasks, each against the noisiest.

    Some 95 % band leaves 0 in at most 5 % of 60 data sets, but for a number that chance exceeds once in 10,000 seeds.
    Bands are narrower than those of all pairs of the same runs.
    """
    rng = np.random.default_rng(23)
    asked = {"metric": "mean", "n_resamples": 200, "shared_runs": False, "skip_checks": True}
    spreads = {"a": 1.0, "b": 3.0, "c": 1.0, "d": 0.3}
    wrong = 0
    for seed in range(60):
        curves = {name: spread * rng.normal(size=(5, 4, 8)).cumsum(axis=2) for name, spread in spreads.items()}
        table = surefoot.curve_differences(curves, baseline="b", seed=seed, **asked).table()
        wrong += bool(((table["low"] > 0.0) | (table["high"] < 0.0)).any())
    assert wrong <= binom.isf(1e-4, 60, 0.05)
    pairs = surefoot.curve_differences(curves, seed=seed, **asked).table().query("baseline == 'b' or algorithm == 'b'")
    assert (table["high"] - table["low"]).max() < (pairs["high"] - pairs["low"]).max()


def test_replicates_of_whole_runs_vary_as_the_means_of_runs_do():
    """40,000 replicates: standard deviations within 3 %, eight standard errors, of those of resampled means of runs;
    correlations of steps within 0.02, which is 4.5 standard errors of the least certain one: fewer than one seed in
    10,000 fails. Algorithms have streams of their own."""
    curves = shared_walks(np.random.default_rng(13), 6, 4)
    names = [list("abcdef")] * 4
    drawn = replicate_whole_runs(curves, ["mean"], names, 40_000, 1, "x")[:, :, 0]
    of_runs = curves.mean(axis=1)
    assert drawn.mean(axis=0) == pytest.approx(of_runs.mean(axis=0), abs=0.05)
    assert drawn.std(axis=0) == pytest.approx(of_runs.std(axis=0) / np.sqrt(6), rel=0.03)
    assert np.corrcoef(drawn.T) == pytest.approx(np.corrcoef(of_runs.T), abs=0.02)
    other = replicate_whole_runs(curves, ["mean"], names, 40_000, 1, "y")[:, :, 0]
    assert abs(np.corrcoef(drawn[:, 0], other[:, 0])[0, 1]) < 0.04


def test_all_steps_of_a_replicate_are_of_the_same_runs():
    scores = np.random.default_rng(0).random((5, 2))
    found = replicate_curves(np.stack([scores, -scores], axis=2), ["mean"], 100, 5)
    assert found[:, 1] == pytest.approx(-found[:, 0])
