"""Exploits: what is added is what is said, and the textbook cases turn rankings round; other normalizations against the
definitions by hand, and what each is said to keep or lose."""

import numpy as np
import pytest

from surefoot.statistics.game import manipulations
from surefoot.statistics.game.manipulations import exploit, reversals
from surefoot.statistics.runs.samples import samples_from_runs


@pytest.fixture
def exploitable(run_table):
    """a is far ahead in x and a little behind in y and z; b is far behind c in x."""
    rng = np.random.default_rng(70)
    means = {"a": (9, 4.5, 4.5), "b": (5, 5.6, 5.6), "c": (6.5, 5, 5)}
    scores = {(n, e): rng.normal(mu, 0.8, 60) for n, m in means.items() for e, mu in zip("xyz", m, strict=True)}
    return run_table(scores)


def test_tables_and_the_cases_of_the_textbook(exploitable):
    table = exploit(exploitable, copies=5, references={e: np.arange(10.0) for e in "xyz"})
    assert table.columns.tolist() == ["scenario", "normalization", "algorithm", "estimate", "rank"]
    assert not table.duplicated(["scenario", "normalization", "algorithm"]).any()
    assert set(table["algorithm"]) == {"a", "b", "c"}
    turned = reversals(table).set_index(["scenario", "normalization"])
    for name in ("raw", "range", "range_of_means", "probability_of_outperforming", "policy_percentile"):
        for kind in ("copies", "near_copies"):
            counts = {turned.loc[(f"{kind}/{e}", name), "best_after"] for e in "xy"}
            assert counts == {"a", "b"}, name
    assert turned.loc[("terrible_algorithm", "raw"), "reversed_pairs"] == 0
    by_reference = turned.loc[[(f"reference/{name}", "performance_ratio_geometric") for name in "abc"]]
    assert (by_reference["reversed_pairs"] == 0).all()


def test_an_algorithm_at_the_bottom_is_never_divided_by(run_table):
    table = exploit(run_table({("a", "x"): [0, 0], ("b", "x"): [1, 2], ("c", "x"): [1, 0]}))
    assert {s for s in table["scenario"] if s.startswith("reference")} == {"reference/b", "reference/c"}


def test_a_copy_changes_only_its_environments_weight(exploitable):
    """Five copies of x make a mean over environments one in which x counts six times."""
    table = (
        exploit(exploitable, copies=5).set_index(["scenario", "normalization", "algorithm"])["estimate"].sort_index()
    )
    means = exploitable.groupby(["algorithm", "environment"])["score"].mean().unstack()
    expected = (6 * means["x"] + means["y"] + means["z"]) / 8
    assert table["copies/x", "raw"].to_numpy() == pytest.approx(expected.to_numpy(), rel=1e-12)
    least, greatest = means.min(), means.max()
    scaled = (means - least) / (greatest - least)
    expected = (6 * scaled["x"] + scaled["y"] + scaled["z"]) / 8
    assert table["copies/x", "range_of_means"].to_numpy() == pytest.approx(expected.to_numpy(), rel=1e-12)
    geometric = table.xs("performance_ratio_geometric", level="normalization")
    assert geometric["copies/x"].notna().all()


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
    arithmetic = manipulations.performance_ratio(samples, "a", "arithmetic")
    assert arithmetic == pytest.approx([1, (4 / 5 + 1) / 2, (1 / 5 + 3) / 2])
    geometric = manipulations.performance_ratio(samples, "c", "geometric")
    assert geometric == pytest.approx([np.sqrt(5 / 3), np.sqrt(4 / 3), 1])


def test_policy_percentiles_are_proportions_of_random_policies(samples):
    references = {"x": np.array([5.0, 0.0, 0.0, 20.0]), "y": np.array([-200.0, -95.0])}
    found = manipulations.policy_percentile(samples, references)
    assert found == pytest.approx([((0.5 + 0.75) / 2 + (0.5 + 1) / 2) / 2, (0.5 + 1) / 2, (0.5 + 1) / 2])
    tied = manipulations.policy_percentile(samples, {"x": np.array([4.0 * (1 + 2.0**-50)]), "y": references["y"]})
    assert tied.tolist() == manipulations.policy_percentile(samples, references | {"x": np.array([4.0])}).tolist()
    with pytest.raises(ValueError, match="no random policies for y"):
        manipulations.policy_percentile(samples, {"x": references["x"]})


def test_all_but_raw_means_ignore_location_and_scale(random_runs):
    runs = random_runs(3, 2, 20, seed=60)
    stretched = runs.assign(score=np.where(runs["environment"] == "e0", 1000 * runs["score"] - 7, runs["score"]))
    plain, changed = (manipulations.scale_values(samples_from_runs(table)) for table in (runs, stretched))
    for name, values in plain.items():
        assert np.allclose(values, changed[name], atol=1e-9) == (name != "raw")


def test_what_cannot_be_divided_by_is_refused(run_table):
    samples = samples_from_runs(run_table({("a", "x"): [0, 0], ("b", "x"): [1, 2]}))
    with pytest.raises(ValueError, match="all runs of a have the lowest score in x"):
        manipulations.performance_ratio(samples, "a", "arithmetic")
