"""How many runs: widths and chances beside the normal approximation.

The band of a plan: against the spread of plans from many pilots, and how often it holds the truth.
"""

import numpy as np
import pytest
from scipy.stats import t

import surefoot
from surefoot.statistics.run_planning import plan

PILOT = np.random.default_rng(0).normal(10.0, 2.0, (25, 4))


def test_a_plan_predicts_the_interval_that_a_report_prints():
    """One task, 3 runs: the mean width of studies is that of `student` over fresh samples within 5 % (their standard
    error is 1.5 %); a percentile interval is less than half as wide."""
    scores = np.random.default_rng(1).normal(10.0, 2.0, (4000, 1))
    predicted = plan(scores, ["mean"], [3], [0.0], studies=400, n_resamples=200)[0]["width"][0]
    deviation = t.ppf(0.975, 2) / np.sqrt(3) * 2.0 * np.sqrt(np.pi) / 2  # the mean of s is 0.886 sigma with 3 runs
    assert predicted == pytest.approx(2 * deviation, rel=0.08)
    runs = {"a": scores[:3], "b": scores[3:6]}
    printed = surefoot.aggregate_metrics(runs, metrics="mean", methods="student", n_resamples=2000).table().iloc[0]
    of_runs = plan(scores[:3], ["mean"], [3], [0.0], studies=400, n_resamples=200)[0]
    assert of_runs["low"][0] < printed["high"] - printed["low"] < of_runs["high"][0]


def test_more_runs_detect_more():
    widths, chances = plan(PILOT, ["iqm", "optimality_gap(12)"], [2, 30], [10.0], studies=40, n_resamples=100)
    assert (widths.loc[widths["runs"] == 30, "width"].to_numpy() < widths.loc[widths["runs"] == 2, "width"]).all()
    iqm = chances[chances["metric"] == "iqm"].set_index("runs")["chance"]
    assert iqm[30] >= 0.9 > iqm[2]
    gap = chances[chances["metric"] == "optimality_gap(12)"].set_index("runs")["chance"]
    assert gap[30] >= 0.9 > gap[2]  # a lift lowers it


def test_negative_scores_are_planned_without_lifts():
    widths, chances = plan(PILOT - 20, ["iqm"], [5], [0.0], studies=5, n_resamples=50)
    assert (widths["width"] > 0).all() and chances["lift_percent"].tolist() == [0.0]
    mostly_positive = plan(PILOT - 8, ["iqm"], [5], [100.0], studies=5, n_resamples=50)[1]
    assert (PILOT < 8).any() and (mostly_positive["chance"] > 0).all()


def test_more_runs_in_the_pilot_make_a_narrower_band():
    wide, narrow = (plan(PILOT[:runs], ["mean"], [10], [10.0], studies=30, n_resamples=80) for runs in (4, 25))
    for few, many in zip(wide, narrow, strict=True):
        assert (many["high"] - many["low"])[0] < 0.7 * (few["high"] - few["low"])[0]


def test_a_pilot_without_spread_says_nothing_of_the_width():
    widths, chances = plan(np.ones((3, 2)), ["mean", "iqm"], [5], [10.0], studies=5, n_resamples=20)
    assert (widths["width"] == 0).all() and widths["high"].isna().all()
    assert chances[["low", "high"]].to_numpy().tolist() == [[0.0, 1.0]] * 2
