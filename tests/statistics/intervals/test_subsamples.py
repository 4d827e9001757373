"""Samples of samples: what they are drawn from, and the bands around their distributions."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from surefoot.statistics.intervals.distributions import subsample_bands

SIZES = [50, 100, 1000]


@pytest.fixture
def runs(run_table):
    draw = np.random.default_rng(3)
    pairs = [(algorithm, environment) for algorithm in ("sarsa", "ac") for environment in ("acrobot", "chain")]
    return run_table({pair: draw.normal(size=400) for pair in pairs})


def bands(runs, sizes=SIZES, **settings):
    return subsample_bands(runs, "ac", "acrobot", sizes, **{"points": 1000, "seed": 9} | settings)


def scores(runs):
    chosen = (runs["algorithm"] == "ac") & (runs["environment"] == "acrobot")
    return np.sort(runs.loc[chosen, "score"].to_numpy())


def test_sizes_below_the_number_of_runs_are_drawn_and_all_runs_come_last(runs):
    table = bands(runs)
    columns = ["algorithm", "environment", "size", "probability", "score", "low", "high", "confidence", "runs"]
    assert table.columns.tolist() == columns
    assert table["size"].unique().tolist() == [50, 100, 400]
    assert (table["runs"] == 400).all() and (table["confidence"] == 0.95).all()
    whole = table[table["size"] == 400]
    expected = stats.ecdf(scores(runs)).cdf
    assert whole["score"].tolist() == expected.quantiles.tolist()
    assert whole["probability"].tolist() == pytest.approx(expected.probabilities.tolist())
    drawn = table[table["size"] == 50]
    assert set(drawn["score"]) < set(whole["score"])
    shares = np.diff(drawn["probability"], prepend=0) * 50
    assert shares == pytest.approx(shares.round()) and drawn["probability"].iloc[-1] == 1


def test_samples_follow_the_runs_and_do_not_depend_on_each_other(runs):
    """Kolmogorov-Smirnov statistic of 50 and 100 draws against the runs, at 1e-6 each."""
    table = bands(runs)
    pd.testing.assert_frame_equal(
        table[table["size"] == 100].reset_index(drop=True), bands(runs, [100]).query("size == 100")
    )
    assert not table.equals(bands(runs, seed=10))
    pool = scores(runs)
    for size in (50, 100):
        rows = table[table["size"] == size]
        share = np.searchsorted(pool, rows["score"], side="right") / pool.size
        assert np.abs(share - rows["probability"]).max() < stats.kstwo.isf(1e-6, size)


def test_curves_are_thinned(runs):
    assert (bands(runs, points=20).groupby("size").size() == 20).all()


def test_what_cannot_be_drawn_is_refused(runs):
    with pytest.raises(ValueError, match="q in acrobot has no runs"):
        subsample_bands(runs, "q", "acrobot", SIZES)
