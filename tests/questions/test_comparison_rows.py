"""Rows of comparisons of several algorithms: their letters, tiers, ranks and verdicts follow from the intervals."""

import numpy as np
import pytest

import surefoot

OPTIONS = {"metric": "mean", "skip_checks": True}


def runs(**means):
    """Ten runs on three tasks with these means, far apart by their spread of about 1/10 where they differ by 1."""
    noise = np.linspace(-0.15, 0.15, 10)[:, None] * np.array([1.0, -1.0, 0.5])
    orders = [np.random.default_rng(place).permutation(10) for place in range(len(means))]
    return {name: noise[order] + mean for order, (name, mean) in zip(orders, means.items(), strict=True)}


def rows(own, **options):
    return surefoot.multiple_comparisons(own, **OPTIONS, **options).table().set_index("algorithm")


def test_clear_differences_give_ranks_tiers_and_letters():
    found = rows(runs(a=3.0, b=3.0, c=2.0, d=1.0)).loc[list("abcd")]
    assert found["verdict"].tolist() == ["tied", "tied", "worse", "worse"]
    assert found["tied_with_best"].tolist() == [True, True, False, False]
    assert found["group_letters"].tolist() == ["a", "a", "b", "c"]
    assert found["tier"].tolist() == [1, 1, 2, 3]
    assert found["rank_low"].tolist() == [1, 1, 3, 4] and found["rank_high"].tolist() == [2, 2, 3, 4]
    assert found.loc["d", "difference_to_best"] == pytest.approx(-2.0, abs=0.1)


def test_a_single_best_algorithm_is_called_so():
    assert rows(runs(a=1.0, b=2.0))["verdict"].to_dict() == {"a": "worse", "b": "best"}
    assert rows(runs(a=1.0, b=2.0), comparisons="with_best")["verdict"].to_dict() == {"a": "worse", "b": "best"}


def test_a_baseline_is_compared_with_each_other_algorithm():
    result = surefoot.multiple_comparisons(runs(b=2.0, a=1.0, c=1.0, d=0.0), baseline="a", **OPTIONS)
    found = result.table().set_index("algorithm")
    assert found["verdict"].to_dict() == {"b": "better", "c": "not separated", "d": "worse"}
    assert set(found["baseline"]) == {"a"}
    pairs = result.tables()["pairs"].set_index("algorithm")
    assert list(pairs.index) == list("bcd") and set(pairs["baseline"]) == {"a"}
    assert pairs["difference"].to_dict() == found["difference_to_baseline"].to_dict()
    assert pairs["separated"].tolist() == [True, False, True]


@pytest.mark.parametrize("comparisons", ["all_pairs", "with_best"])
def test_an_algorithm_within_the_margin_is_not_far_behind(comparisons):
    own = runs(a=2.0, b=2.0, c=1.0)
    for margin, within in ((0.5, [True, True, False]), (2.0, [True, True, True])):
        assert rows(own, comparisons=comparisons, margin=margin).loc[list("abc"), "within_margin"].tolist() == within
    assert rows(own, comparisons=comparisons)["within_margin"].isna().all()


@pytest.mark.parametrize("comparisons", ["all_pairs", "with_best"])
def test_scores_of_which_lower_is_better_are_mirrored(comparisons):
    own = runs(a=2.0, b=2.1, c=1.0)
    found = rows(own, comparisons=comparisons)
    mirrored = rows({name: -scores for name, scores in own.items()}, comparisons=comparisons, lower_is_better=True)
    assert mirrored["verdict"].to_dict() == found["verdict"].to_dict()
    np.testing.assert_allclose(mirrored["low"], -found["high"], atol=1e-12)
    np.testing.assert_allclose(mirrored["high"], -found["low"], atol=1e-12)
