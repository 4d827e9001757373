"""Other normalizations: against the definitions by hand, and what each is said to keep or lose."""

import numpy as np
import pandas as pd
import pytest

from surefoot.statistics.game import other_normalizations as scales
from surefoot.statistics.game.aggregation import aggregate
from surefoot.statistics.game.payoff_table import payoff_table
from surefoot.statistics.game.percentile import payoffs
from surefoot.statistics.game.run_percentiles import run_percentiles
from surefoot.statistics.runs.samples import samples_from_runs


@pytest.fixture
def samples(run_table):
    scores = {
        ("a", "x"): [0, 10],
        ("b", "x"): [4, 4],
        ("c", "x"): [2, 0],
        ("a", "y"): [-100, -50],
        ("b", "y"): [-90, -60],
        ("c", "y"): [-10, -40],
    }
    return samples_from_runs(run_table(scores))


def test_by_hand(samples):
    means = np.array([[5.0, -75.0], [4.0, -75.0], [1.0, -25.0]])
    assert scales.raw(samples) == pytest.approx(means.mean(axis=1))
    assert scales.range_of_scores(samples) == pytest.approx(
        [(0.5 + 25 / 90) / 2, (0.4 + 25 / 90) / 2, (0.1 + 75 / 90) / 2]
    )
    known = scales.range_of_scores(samples, {"x": (-5, 15), "y": (-100, 0)})
    assert known == pytest.approx([(0.5 + 0.25) / 2, (0.45 + 0.25) / 2, (0.3 + 0.75) / 2])
    assert scales.range_of_means(samples) == pytest.approx([0.5, 0.375, 0.5])
    assert scales.probability_of_outperforming(samples)[0] == pytest.approx((0.5 + 0.75 + 0.5 + 0.0) / 4)


def test_ratios_by_hand(samples):
    arithmetic = scales.performance_ratio(samples, "a", "arithmetic")
    assert arithmetic == pytest.approx([1, (4 / 5 + 1) / 2, (1 / 5 + 3) / 2])
    geometric = scales.performance_ratio(samples, "c", "geometric")
    assert geometric == pytest.approx([np.sqrt(5 / 3), np.sqrt(4 / 3), 1])


def test_the_reference_decides_the_order_of_arithmetic_means_and_not_of_geometric_ones(run_table):
    """Two environments in each of which one algorithm is ten times as good as the other (Fleming and Wallace 1986)."""
    scores = {("a", "x"): [10], ("b", "x"): [1], ("a", "y"): [1], ("b", "y"): [10.5], ("z", "x"): [0], ("z", "y"): [0]}
    samples = samples_from_runs(run_table(scores))
    orders = {
        mean: [np.argsort(scales.performance_ratio(samples, name, mean)[:2]).tolist() for name in ("a", "b")]
        for mean in ("arithmetic", "geometric")
    }
    assert orders["arithmetic"] == [[0, 1], [1, 0]]
    assert orders["geometric"][0] == orders["geometric"][1] == [0, 1]
    assert scales.performance_ratio(samples, "a", "geometric")[2] == 0.0


def test_policy_percentiles_are_proportions_of_random_policies(samples):
    references = {"x": np.array([5.0, 0.0, 0.0, 20.0]), "y": np.array([-200.0, -95.0])}
    found = scales.policy_percentile(samples, references)
    assert found == pytest.approx([((0.5 + 0.75) / 2 + (0.5 + 1) / 2) / 2, (0.5 + 1) / 2, (0.5 + 1) / 2])
    tied = scales.policy_percentile(samples, {"x": np.array([4.0 * (1 + 2.0**-50)]), "y": references["y"]})
    assert tied.tolist() == scales.policy_percentile(samples, references | {"x": np.array([4.0])}).tolist()
    with pytest.raises(ValueError, match="y has no random policies"):
        scales.policy_percentile(samples, {"x": references["x"]})


def test_scales_are_blind_to_location_and_scale_but_for_raw_means(random_runs):
    runs = random_runs(3, 2, 20, seed=60)
    stretched = runs.assign(score=np.where(runs["environment"] == "e0", 1000 * runs["score"] - 7, runs["score"]))
    for name, scale in scales.SCALES.items():
        same = np.allclose(*(scale(samples_from_runs(table)) for table in (runs, stretched)), atol=1e-9)
        assert same == (name != "raw")


def test_only_ranks_are_blind_to_the_shape_of_the_scale(random_runs):
    runs = random_runs(3, 2, 20, seed=61)
    bent = runs.assign(score=np.exp(2 * runs["score"]))
    ranks = {"probability_of_outperforming", "performance_percentile"}
    for name, scale in scales.SCALES.items():
        same = np.allclose(*(scale(samples_from_runs(table)) for table in (runs, bent)), atol=1e-9)
        assert same == (name in ranks)


def test_what_cannot_be_divided_by_is_refused(run_table):
    samples = samples_from_runs(run_table({("a", "x"): [0, 0], ("b", "x"): [1, 2]}))
    with pytest.raises(ValueError, match="a has the lowest score in x"):
        scales.performance_ratio(samples, "a", "arithmetic")
    with pytest.raises(ValueError, match="no runs"):
        scales.performance_ratio(samples, "c", "arithmetic")
    with pytest.raises(ValueError, match="arithmetic or geometric"):
        scales.performance_ratio(samples, "b", "harmonic")


def test_an_environment_in_which_all_are_equal_decides_nothing(run_table):
    scores = {("a", "x"): [3.0, 3.0], ("b", "x"): [3.0, 3.0], ("a", "y"): [0.0, 1.0], ("b", "y"): [1.0, 1.0]}
    samples = samples_from_runs(run_table(scores))
    assert scales.range_of_means(samples) == pytest.approx([0.25, 0.75])


def test_run_percentiles_average_to_the_scores(random_runs):
    """Weighted with the game's weights of the environments they give the aggregate score, once an algorithm's mean
    percentile against itself is replaced by 1/2."""
    runs = random_runs(3, 2, 20, seed=62, decimals=1).sample(frac=1, random_state=0)
    values, weights = aggregate(runs, payoff_table(runs))
    table = run_percentiles(runs, weights)
    pd.testing.assert_frame_equal(table[runs.columns], runs)
    assert table["percentile"].between(0, 1).all()
    samples = samples_from_runs(runs)
    q = weights.set_index(["environment", "opponent"])["weight"]
    for i, algorithm in enumerate(samples.algorithms):
        score = 0.0
        for j, environment in enumerate(samples.environments):
            own = table[(table["algorithm"] == algorithm) & (table["environment"] == environment)]
            x = samples.pair(i, j)
            against_itself = (x[None, :] <= x[:, None]).mean()
            score += q[environment].sum() * own["percentile"].mean() + q[environment, algorithm] * (
                0.5 - against_itself
            )
        assert score == pytest.approx(
            values.set_index("algorithm").query('aggregate == "game_score"')["value"][algorithm]
        )


def test_run_percentiles_of_one_opponent_are_its_distribution_function(cross_check_runs):
    weights = pd.DataFrame(
        {
            "environment": np.repeat(["environment_0", "environment_1"], 3),
            "opponent": 2 * [f"algorithm_{i}" for i in range(3)],
        }
    ).assign(weight=[0, 0.2, 0, 0, 0.8, 0])
    table = run_percentiles(cross_check_runs, weights)
    means = table.groupby(["algorithm", "environment"])["percentile"].mean()
    z = payoffs(samples_from_runs(cross_check_runs))
    assert means["algorithm_0", "environment_0"] == pytest.approx(z[0, 0, 1])
    assert means["algorithm_2", "environment_1"] == pytest.approx(z[2, 1, 1])
    with pytest.raises(ValueError, match="missing or 0"):
        run_percentiles(cross_check_runs, weights[:3])
