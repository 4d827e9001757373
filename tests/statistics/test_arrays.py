"""Numbers that are equal but for rounding, and the statistics that they would decide."""

import numpy as np
import pytest

import surefoot
from surefoot.statistics.arrays import RELATIVE, exceeds, rank_values, score_places
from surefoot.statistics.metrics.metric_catalogue import FOUR_METRICS, METRICS
from surefoot.statistics.profiles.dolan_more import rank_test
from surefoot.statistics.profiles.performance_profiles import profile, replicate_profiles
from surefoot.statistics.resampling.jackknife import row_acceleration
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics

THIRD = (0.1 + 0.2, 0.3)  # equal, and 0.1 + 0.2 > 0.3 in doubles


def places(*values, decimals=RELATIVE):
    return score_places([np.array(values)], decimals)[0].tolist()


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12, -1e6])
def test_ties_are_relative_to_the_scores(scale):
    assert places(*(scale * value for value in (THIRD[0], THIRD[1], 0.4))) == ([0, 0, 1] if scale > 0 else [1, 1, 0])


def test_what_a_subtraction_leaves_of_nothing_is_zero():
    """The mean of 0.1, 0.2 and -0.3 is 1.9e-17 in one order and 0 in another."""
    noise = (0.1 + 0.2 - 0.3) / 3
    assert noise != 0.0
    assert places(noise, 0.0, 0.5, 0.7, 0.9) == [0, 0, 1, 2, 3]


def test_rank_tests_and_ranks_do_not_hang_on_the_last_digit():
    assert rank_test(np.array([THIRD[0]] * 3), np.array([THIRD[1]] * 3)) == 1.0
    assert rank_values([THIRD[0], THIRD[1], 0.9]).tolist() == [2, 2, 1]
    assert exceeds([0.3, 0.5, THIRD[0]], [0.2, 0.5, 0.3]).tolist() == [True, False, False]


def test_a_score_at_a_threshold_is_not_above_it():
    scores = np.array([[THIRD[0]], [0.5]])
    assert profile(scores, [0.3]).tolist() == [0.5]
    assert metric_values(scores, ["probability_above(0.3)"]).tolist() == [0.5]
    drawn = replicate_profiles(scores, [0.3], n_resamples=50)
    assert set(drawn.ravel()) <= {0.0, 0.5, 1.0} and drawn.min() == 0.0
    assert profile(scores, [0.3], "average_scores").tolist() == [1.0]
    assert profile(np.array([[THIRD[0]]]), [0.3], "average_scores").tolist() == [0.0]


@pytest.mark.parametrize("score", [0.3, 0.1, 1e-12, 1e6 + 0.1, -0.7])
def test_equal_scores_have_their_score_and_no_bca_interval(score):
    scores = np.full((5, 3), score)
    names = [name for name in METRICS if name not in ("optimality_gap", "probability_above")]
    assert metric_values(scores, names).tolist() == [score] * len(names)
    assert (replicate_metrics(scores, names, 100) == score).all()
    for method in ("bc", "bca", "bca_stratified"):
        found = surefoot.aggregate_metrics({"a": scores}, metrics=FOUR_METRICS, methods=method, n_resamples=100)
        assert found.table()["low"].isna().all()
        assert found.notes()["note"].str.contains("is not available").tolist() == [True] * len(FOUR_METRICS)


def test_an_enormous_score_is_left_out_with_all_of_itself():
    """Without it, the mean of the others is their mean; taken from a sum, it would leave 0."""
    scores = np.array([[1.0], [2.0], [4.0], [1e20]])
    left = np.array([np.delete(scores, run).mean() for run in range(4)])
    influence = left.mean() - left
    by_hand = (influence**3).sum() / 6 / (influence**2).sum() ** 1.5
    assert row_acceleration(scores, ["mean"])[0] == pytest.approx(by_hand, rel=1e-12)
