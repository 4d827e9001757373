"""Tables of intervals: what must not change what they say; and which method is quoted, with which remark."""

import numpy as np
import pandas as pd
import pytest

import surefoot
from surefoot.statistics.game.percentile import aggregate, payoff_table
from surefoot.statistics.intervals.estimation import ESTIMATORS, SCORE_METHODS, estimate

METHODS = tuple(ESTIMATORS)


def small_estimate(runs, method, **settings):
    return estimate(runs, method, n_resamples=64, **settings)


def point_values(runs):
    return aggregate(runs, payoff_table(runs))


@pytest.fixture
def runs(random_runs):
    return random_runs(3, 2, 30, seed=25)


@pytest.mark.parametrize("method", METHODS)
def test_intervals_hold_their_values(runs, method):
    table = small_estimate(runs, method)
    assert (table["method"] == method).all()
    if method == "dkw":
        assert ((table["low"] <= table["probability"]) & (table["probability"] <= table["high"])).all()
        return
    assert ((table["low"] <= table["estimate"]) & (table["estimate"] <= table["high"])).all()
    assert ((table["rank_high"] <= table["rank"]) & (table["rank"] <= table["rank_low"])).all()
    assert (table["runs"] == runs.groupby(["algorithm", "environment"]).size().min()).all()
    assert table["n_resamples"].tolist() == [64 if method == "bootstrap" else pd.NA] * len(table)
    assert (table["standard_error"].notna() == (method == "bootstrap")).all()
    assert table["confidence_level"].iloc[0] == pytest.approx(1 - 0.05 / 6 if method == "anderson" else 0.95)


def test_one_algorithm_has_means_and_bands_but_no_game(random_runs):
    runs = random_runs(1, 2, 9, seed=26)
    assert len(small_estimate(runs, "anderson")) == 2
    assert set(small_estimate(runs, "dkw")["environment"]) == {"e0", "e1"}
    assert (payoff_table(runs)["payoff"] == 0.5).all()
    for method in SCORE_METHODS:
        with pytest.raises(ValueError, match="at least two algorithms"):
            small_estimate(runs, method)


def test_a_single_run_has_a_score_and_no_standard_error(run_table):
    runs = run_table({("a", "x"): [1.0, 3.0], ("b", "x"): [2.0]})
    values, _ = point_values(runs)
    mean = values[values["aggregate"] == "mean"].set_index("algorithm")
    assert np.isnan(mean.loc["b", "standard_error"]) and mean.loc["b", "runs"] == 1
    assert len(estimate(runs, "pbp")) == 2
    assert len(estimate(runs, "pbp_matchings")) == 2
    for method in ("pbp_t", "bootstrap"):
        with pytest.raises(ValueError, match=f"only one run for b / x. Hint: add runs, or leave {method} out"):
            surefoot.evaluation_game_intervals(runs, methods=[method])
