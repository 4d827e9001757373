"""Comparisons of several algorithms, as they are asked of runs."""

import numpy as np
import pytest
from scipy import stats
from support.evaluations import clustered_error, evaluation

import surefoot
from surefoot.errors import HintedError

RNG = np.random.default_rng


def scores(means, runs=6, tasks=4, spread=0.3):
    """Scores with exactly these means, {a, b, ...: float64[runs, tasks]}."""
    noise = RNG(4).normal(0, spread, (len(means), runs, tasks))
    noise -= noise.mean(axis=(1, 2), keepdims=True)
    return {name: one + mean for name, one, mean in zip("abcdefg", noise, means, strict=False)}


def test_fixed_and_random_tasks_are_two_answers():
    """Tasks that favour one or the other algorithm, with little noise of runs."""
    effects = np.array([2.0, -1.0, 1.5, -0.5, 1.0])
    runs = RNG(6).normal(0, 0.05, (2, 4, 5))
    own = {"a": runs[0] + effects, "b": runs[1]}
    fixed, random = (surefoot.multiple_comparisons(own, metric="mean", tasks=t, skip_checks=True) for t in TASKS)
    assert fixed.table()["tied_with_best"].sum() == 1 and random.table()["tied_with_best"].sum() == 2
    assert fixed.finding().startswith("On these tasks") and "tasks like these" in random.finding()
    improvement = surefoot.multiple_comparisons(
        own, metric="probability_of_improvement", tasks="random", skip_checks=True
    )
    assert improvement.table()["tied_with_best"].sum() == 2
    with pytest.raises(HintedError, match="random tasks"):
        surefoot.multiple_comparisons(own, tasks="random", skip_checks=True)


TASKS = ("fixed", "random")


def test_success_rates_never_have_an_interval_without_width():
    own = {"a": np.ones((10, 1)), "b": np.zeros((10, 1)), "c": np.ones((10, 1))}
    found = surefoot.multiple_comparisons(own)
    assert (found.table()["metric"] == "mean").all() and found.table()["remark"].str.contains("success rates").all()
    assert (found.tables()["pairs"]["high"] > found.tables()["pairs"]["low"]).all()
    assert found.table()["tied_with_best"].tolist() == [True, True, False]


def test_improvement_is_compared_by_its_own_limits():
    own = scores([3.0, 3.0, 0.0])
    found = surefoot.multiple_comparisons(own, metric="probability_of_improvement", skip_checks=True)
    pairs = found.tables()["pairs"].set_index(["algorithm", "baseline"])
    alone = (
        surefoot.probability_of_improvement(own, pairs=[["a", "c"]], confidence_level=1 - 0.05 / 3, skip_checks=True)
        .table()
        .iloc[0]
    )
    known = (
        surefoot.probability_of_improvement(own, skip_checks=True)
        .table()
        .set_index(["algorithm", "baseline"])
        .loc[("a", "c")]
    )
    for one in (alone, known):
        wanted = [one[name] - 0.5 for name in ("estimate", "low", "high")]
        assert pairs.loc[("a", "c"), ["difference", "low", "high"]].tolist() == pytest.approx(wanted)
    assert known["p_value"] == pairs.loc[("a", "c"), "p_value"]
    assert pairs["separated"].tolist() == [False, True, True]
    assert found.table()["tied_with_best"].tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("own", "options", "message"),
    [
        ({"a": np.eye(4)}, {}, "at least two algorithms, but got only a"),
        (scores([1.0, 2.0], runs=1), {}, "one run of each of 4 tasks"),
        (scores([1.0, 2.0], tasks=1), {"metric": "mean", "tasks": "random"}, "there is one task"),
    ],
)
def test_runs_that_cannot_be_compared_are_refused(own, options, message):
    with pytest.raises(HintedError, match=message):
        surefoot.multiple_comparisons(own, skip_checks=True, **options)


def test_runs_that_are_all_alike_decide_nothing():
    """Their spread is nothing but rounding, whichever numbers they are."""
    alike = {name: np.full((3, 2), value) for name, value in (("a", 0.7), ("b", 0.7000001))}
    found = surefoot.multiple_comparisons(alike, skip_checks=True)
    pair = found.tables()["pairs"].iloc[0]
    assert not pair["separated"] and np.isnan(pair["p_value"]) and np.isnan(pair["low"])
    assert found.table()["low"].isna().all() and found.table()["remark"].str.contains("cannot be estimated").all()
    assert "nan" not in found.finding() and found.chart()
    assert "tied" not in found.finding() and "b and a are not compared" in found.finding()
    assert not found.table()["tied_with_best"].any() and (found.table()["verdict"] == "not compared").all()
    against = surefoot.multiple_comparisons(alike, baseline="a", skip_checks=True)
    assert "b is not compared" in against.finding() and against.chart()
    far = {name: np.full((3, 2), value) for name, value in (("a", 95.3), ("b", 95.31))}
    random = surefoot.multiple_comparisons(far, metric="mean", tasks="random", skip_checks=True)
    assert not random.tables()["pairs"]["separated"].any()


def test_no_difference_is_greater_than_there_can_be():
    """No limit of rates is above 1, and none of probabilities of improvement above 0.5, with few tasks as a sample."""
    certain = {name: np.ones((5, 2)) for name in "ab"}
    found = surefoot.multiple_comparisons(certain, metric="mean", tasks="random", skip_checks=True)
    assert found.table()["detectable"].isna().all() and "would have been shown" not in found.finding()
    draw = RNG(0)
    own = {name: draw.normal(mean, 0.1, (5, 2)) for name, mean in (("a", 0.5), ("b", 0.6), ("c", 0.9))}
    options = {"metric": "probability_of_improvement", "tasks": "random", "skip_checks": True}
    pairs = surefoot.multiple_comparisons(own, **options).tables()["pairs"]
    best = surefoot.multiple_comparisons(own, comparisons="with_best", **options).table()
    for limits in (best[["low", "high"]], pairs[["low", "high"]]):
        assert limits.abs().max(axis=None) == 0.5


def test_paired_differences_are_those_of_clusters():
    """The interval of a difference is the clustered one of the items' differences; with one item a cluster, the paired
    t test. Scores of 0 and 1 have limits of their own, and so these are 0 and 10."""
    table = evaluation(1)
    table["score"] *= 10
    means = table.pivot_table(index="environment", columns="algorithm", values="score", sort=False)
    both = surefoot.multiple_comparisons(
        table, metric="mean", tasks="random", use_clusters=True, algorithms=["a", "b"], skip_checks=True
    )
    (pair,) = both.tables()["pairs"].to_dict("records")
    clusters = [name.split("/")[0] for name in means.index]
    error = clustered_error(list(means["a"] - means["b"]), clusters) * (12 / 11) ** 0.5
    assert (pair["high"] - pair["low"]) / 2 == pytest.approx(stats.t.ppf(0.975, 11) * error, rel=1e-9)
    assert pair["p_value"] == pytest.approx(2 * stats.t.sf(abs(pair["difference"]) / error, 11), rel=1e-6)
    alone = surefoot.multiple_comparisons(table, metric="mean", tasks="random", algorithms=["a", "b"], skip_checks=True)
    test = stats.ttest_rel(means["a"], means["b"])
    row = alone.tables()["pairs"].iloc[0]
    wanted = (test.pvalue, *test.confidence_interval(0.95))
    assert (row["p_value"], row["low"], row["high"]) == pytest.approx(wanted, rel=1e-9)
    with pytest.raises(HintedError, match="clusters"):
        surefoot.multiple_comparisons(table, metric="mean", use_clusters=True, skip_checks=True)
