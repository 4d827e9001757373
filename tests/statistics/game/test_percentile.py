"""Aggregate scores of the game, and the payoffs that they take."""

import pandas as pd
import pytest

from surefoot.statistics.game.percentile import aggregate, payoff_table


def point_values(runs):
    return aggregate(runs, payoff_table(runs))


@pytest.fixture
def runs(random_runs):
    return random_runs(3, 2, 30, seed=25)


def test_aggregate_gives_scores_means_and_weights(cross_check_runs):
    values, weights = point_values(cross_check_runs)
    scores = values[values["aggregate"] == "game_score"]
    assert scores["estimate"].tolist() == pytest.approx([0.4939567187, 0.4869576694, 0.4886789391], abs=5e-11)
    assert scores["rank"].tolist() == [1, 3, 2]
    assert (scores["environment"] == "").all() and scores[["standard_error", "runs"]].isna().all(axis=None)
    assert weights["weight"].sum() == pytest.approx(1)
    first = weights[(weights.environment == "environment_1") & (weights.opponent == "algorithm_0")]
    assert first["weight"].item() == pytest.approx(0.2477807505, abs=5e-11)
    means = values[values["aggregate"] == "mean"].set_index(["environment", "algorithm"])
    for pair, sample in cross_check_runs.groupby(["environment", "algorithm"])["score"]:
        assert means.loc[pair, "estimate"] == pytest.approx(sample.mean())
        assert means.loc[pair, "standard_error"] == pytest.approx(sample.sem())
        assert means.loc[pair, "runs"] == 60


def test_aggregate_takes_payoffs_in_any_order_and_no_others(runs):
    normalized = payoff_table(runs)
    values, _ = aggregate(runs, normalized)
    shuffled, _ = aggregate(runs, normalized.sample(frac=1, random_state=0))
    pd.testing.assert_frame_equal(values, shuffled)
    with pytest.raises(ValueError, match="17 payoffs, which do not match 3 algorithms in 2 environments"):
        aggregate(runs, normalized.iloc[1:])
