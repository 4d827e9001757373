"""Interval methods and accelerations, beside scipy's bootstrap and by hand."""

import numpy as np
import pytest
from scipy.stats import bootstrap, norm

from surefoot.statistics.metrics.catalogue import metric
from surefoot.statistics.resampling.jackknife import row_acceleration, stratified_acceleration
from surefoot.statistics.resampling.replicate_intervals import interval
from surefoot.statistics.resampling.stratified_bootstrap import metric_values

SCORES = np.random.default_rng(0).lognormal(size=(12, 1))


@pytest.mark.parametrize(("ours", "scipys"), [("percentile", "percentile"), ("basic", "basic"), ("bca", "BCa")])
def test_limits_are_those_of_scipy_from_the_same_replicates(ours, scipys):
    found = bootstrap((SCORES[:, 0],), np.mean, n_resamples=999, method=scipys, rng=1)
    value = interval(
        found.bootstrap_distribution, SCORES.mean(), ours, acceleration=row_acceleration(SCORES, ["mean"])[0]
    )
    assert value[:2] == pytest.approx(tuple(found.confidence_interval), rel=1e-9)


def test_normal_and_bc_limits_by_hand():
    replicates = np.random.default_rng(2).normal(1.0, 2.0, (500, 3))
    low, high = interval(replicates, np.ones(3), "normal", 0.9)[:2]
    assert low == pytest.approx(1.0 - norm.ppf(0.95) * replicates.std(axis=0, ddof=1))
    assert high - 1.0 == pytest.approx(1.0 - low)
    found = interval(replicates, np.full(3, 1.5), "bc", 0.9)
    z0 = norm.ppf((replicates < 1.5).mean(axis=0))
    assert found.bias_correction == pytest.approx(z0)
    for k in range(3):
        assert found.low[k] == pytest.approx(np.quantile(replicates[:, k], norm.cdf(2 * z0[k] + norm.ppf(0.05))))


def test_ties_may_count_half():
    replicates = np.array([0.0, 1.0, 1.0, 2.0])
    assert interval(replicates, 1.0, "bc", ties="half").bias_correction == pytest.approx(0.0)
    assert interval(replicates, 1.0, "bc").bias_correction == pytest.approx(norm.ppf(0.25))


@pytest.mark.parametrize("name", ["iqm", "mean", "median", "optimality_gap", "exact_iqm", "probability_above"])
@pytest.mark.parametrize("weighting", ["runs", "tasks"])
def test_stratified_accelerations_are_those_of_leaving_each_run_out(name, weighting):
    columns = [np.random.default_rng(k).lognormal(size=size) for k, size in enumerate((5, 3, 4))]
    chosen = metric(f"{name} weighted by {weighting}")
    cubes = squares = 0.0
    for m, column in enumerate(columns):
        left = [
            metric_values([*columns[:m], np.delete(column, n), *columns[m + 1 :]], [chosen])[0]
            for n in range(column.size)
        ]
        influence = (column.size - 1) * (np.mean(left) - left)
        cubes += (influence**3).sum() / column.size**3
        squares += (influence**2).sum() / column.size**2
    assert stratified_acceleration(columns, [chosen])[0] == pytest.approx(cubes / 6 / squares**1.5, rel=1e-7)


def test_without_influence_there_is_no_acceleration():
    assert row_acceleration(np.full((4, 2), 0.1), ["mean", "iqm"]).tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"replicates": np.empty(0)}, "0 replicates"),
        ({"method": "BCa"}, '"BCa" is not known. Hint: one of percentile'),
        ({"confidence": 95}, "a confidence of 95"),
        ({"method": "bca"}, "bca without an acceleration"),
        ({"method": "bc", "estimate": 9.0}, "bc is not available: all replicates are below"),
        ({"method": "bc", "estimate": 0.0}, "bc is not available: no replicates are below"),
        ({"method": "bca", "acceleration": 9.0}, "acceleration 9 is too great"),
        ({"method": "normal", "replicates": np.ones(1)}, "at least 2"),
    ],
)
def test_intervals_that_do_not_exist_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        interval(**({"replicates": np.arange(9.0), "estimate": 4.5} | arguments))


def test_a_single_run_has_no_acceleration():
    with pytest.raises(ValueError, match="bca: one run of a task"):
        row_acceleration(np.ones((1, 3)), ["iqm"])
    with pytest.raises(ValueError, match="bca_stratified: one run"):
        stratified_acceleration(np.ones((1, 3)), ["iqm"])
    with pytest.raises(ValueError, match="2 to 3 runs"):
        row_acceleration([np.ones(2), np.ones(3)], ["iqm"])
