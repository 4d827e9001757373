"""Other normalizations: against the definitions by hand, and what each is said to keep or lose."""

import numpy as np
import pytest

from surefoot.statistics.game import exploits as scales
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
    plain, changed = (scales.scale_values(samples_from_runs(table)) for table in (runs, stretched))
    for name, values in plain.items():
        assert np.allclose(values, changed[name], atol=1e-9) == (name != "raw")


def test_what_cannot_be_divided_by_is_refused(run_table):
    samples = samples_from_runs(run_table({("a", "x"): [0, 0], ("b", "x"): [1, 2]}))
    with pytest.raises(ValueError, match="a has the lowest score in x"):
        scales.performance_ratio(samples, "a", "arithmetic")
