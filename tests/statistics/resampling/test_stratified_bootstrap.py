"""Metrics and their stratified bootstrap, beside plain numpy; intervals and accelerations that do not exist."""

import numpy as np
import pytest

from surefoot.statistics.metrics.catalogue import METRICS, Metric, metric
from surefoot.statistics.resampling.kernels import draw_indices
from surefoot.statistics.resampling.replicate_intervals import interval
from surefoot.statistics.resampling.stratified_bootstrap import (
    metric_values,
    replicate_metrics,
    row_acceleration,
    stratified_acceleration,
)
from surefoot.streams import stream_key

ALL = [*METRICS, "trimmed_mean(0.1)", "trimmed_mean(0)", "trimmed_mean(0.5)", "difficulty_progress(0.5)"]


def test_weighting_by_tasks_repeats_the_runs_of_tasks_that_have_fewer():
    rng = np.random.default_rng(1)
    columns = [rng.normal(size=size) for size in (2, 3, 6)]
    repeated = [np.repeat(column, 60 // column.size) for column in columns]
    weighted = metric_values(columns, [metric(f"{name} weighted by tasks") for name in ALL])
    assert weighted == pytest.approx(metric_values(repeated, ALL), rel=1e-12)


def test_metrics_are_written_as_they_are_read():
    assert str(metric("optimality_gap(0.5) weighted by tasks")) == "optimality_gap(0.5) weighted by tasks"
    assert [str(metric(name)) for name in ALL] == ALL
    assert metric(Metric("optimality_gap")) == metric("optimality_gap( 1.0 )") and str(Metric("optimality_gap"))


def test_every_index_is_equally_probable():
    """Chi-squared of a million draws each; the test fails falsely about once in a million times (6 sigma, 4 sizes)."""
    for size in (1, 7, 256, 257):
        counts = np.bincount(draw_indices(stream_key(3, "indices"), size, size, 1_000_000), minlength=size)
        assert counts.size == size
        expected = 1_000_000 / size
        statistic = ((counts - expected) ** 2 / expected).sum()
        assert abs(statistic - (size - 1)) <= 6 * np.sqrt(2 * size)


def moments(columns, draws, resampled):
    """Mean and variance of the mean of task means of resamples, by their formulas."""
    tasks = len(columns)
    means, variances = np.array([c.mean() for c in columns]), np.array([c.var() for c in columns])
    if resampled == "whole_runs":
        return means.mean(), np.mean(columns, axis=0).var() / draws[0]
    within = (variances / draws).mean() / tasks
    return means.mean(), within + (means.var() / tasks if resampled == "tasks_and_runs" else 0.0)


@pytest.mark.parametrize(
    ("resampled", "draws"),
    [
        ("runs", None),
        ("runs", 3),
        ("whole_runs", None),
        ("whole_runs", 3),
        ("tasks_and_runs", None),
        ("paired_runs", 3),
    ],
)
def test_the_replicates_have_the_moments_of_the_design(resampled, draws):
    """Mean and variance of 40,000 replicates within 5 standard errors: fails falsely less than once in 10^5 times."""
    rng = np.random.default_rng(4)
    columns = [rng.normal(rng.normal(), 1.0, 8) for _ in range(5)]
    found = replicate_metrics(columns, ["mean"], 40_000, seed=5, resampled=resampled, draws=draws)[:, 0]
    expected, variance = moments(columns, np.full(5, draws or 8), resampled)
    assert abs(found.mean() - expected) < 5 * np.sqrt(variance / 40_000)
    fourth = np.sqrt(((found - found.mean()) ** 2).var() / 40_000)
    assert abs(found.var() - variance) < 5 * fourth


@pytest.mark.parametrize("resampled", ["runs", "whole_runs", "paired_runs"])
def test_many_draws_of_few_runs_are_all_counted(resampled):
    """1,000 draws of one run are that run; of 3 runs, all of 200 means lie within 6 standard errors of the mean of the
    runs: fails falsely about once in 10^6 times."""
    names = ["mean", "iqm", "run_median", "exact_iqm", "probability_above(1)"]
    single = replicate_metrics([[0.5], [2.0]], names, 3, draws=1000, resampled=resampled)
    assert single == pytest.approx(np.tile([1.25, 1.25, 1.25, 1.25, 0.5], (3, 1)))
    assert replicate_metrics([[0.5], [2.0]], ["mean"], 1, draws=1000, resampled=resampled)[0, 0] == 1.25
    scores = np.random.default_rng(1).normal(size=(3, 2))
    found = replicate_metrics(scores, ["mean"], 200, draws=1000, resampled=resampled)
    assert np.abs(found - scores.mean()).max() < 6 * np.sqrt(scores.var(axis=0).max() / 1000)


def test_each_replicate_is_the_metric_of_a_resample():
    """With one task of two runs there are three resamples; all metrics of a replicate belong to the same one."""
    scores = np.array([[0.25], [2.0]])
    names = [name for name in ALL if name != "difficulty_progress"]
    found = replicate_metrics(scores, names, 300, seed=6)
    resamples = [metric_values(np.array(pair)[:, None], names) for pair in ([0.25, 0.25], [0.25, 2.0], [2.0, 2.0])]
    nearest = [min(range(3), key=lambda k: np.abs(row - resamples[k]).sum()) for row in found]
    assert found == pytest.approx(np.array(resamples)[nearest], rel=1e-12)
    assert 100 < nearest.count(1) < 200


def test_weights_by_tasks_in_resamples():
    columns = [np.array([0.0, 1.0]), np.array([5.0]), np.array([2.0, 3.0, 4.0])]
    names = [Metric("probability_above", 1.5, "tasks"), Metric("optimality_gap", 6.0, "tasks"), metric("mean")]
    above, gap, mean = replicate_metrics(columns, names, 50, seed=7).T
    assert above == pytest.approx(np.full(50, 2 / 3)) and gap == pytest.approx(6.0 - mean)


def test_neither_threads_nor_more_replicates_nor_the_order_of_tasks_change_a_replicate():
    rng = np.random.default_rng(8)
    columns = {"pong": rng.normal(size=300), "alien": rng.normal(size=6), "hero": rng.normal(size=11)}
    names = ["iqm", "mean", "run_median"]
    few = replicate_metrics(list(columns.values()), names, 50, 9, "a", list(columns))
    many = replicate_metrics(list(columns.values()), names, 5_000, 9, "a", list(columns), threads=2)
    assert many[:50].tobytes() == few.tobytes()
    assert many.tobytes() == replicate_metrics(list(columns.values()), names, 5_000, 9, "a", list(columns)).tobytes()
    turned = replicate_metrics([c[::-1] for c in columns.values()][::-1], names, 50, 9, "a", list(columns)[::-1])
    assert turned == pytest.approx(few, rel=1e-12)
    assert np.abs(replicate_metrics(list(columns.values()), names, 50, 9, "b", list(columns)) - few).max() > 1e-3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"metrics": ["iqr"]}, '"iqr" is not known. Hint: one of mean, median'),
        ({"metrics": ["iqm()"]}, "iqm takes none"),
        ({"metrics": ["trimmed_mean(0.6)"]}, "0 to 0.5"),
        (
            {"metrics": ["optimality_gap(1-2)"]},
            r'"1-2" is not a parameter of optimality_gap. Hint: .*optimality_gap\(1\)',
        ),
        ({"metrics": [Metric("optimality_gap", np.nan)]}, '"nan" is not a parameter of'),
        ({"metrics": [Metric("iqm", 0.6)]}, "iqm takes none"),
        ({"metrics": [np.median]}, "is not a metric. Hint: metrics are named"),
        ({"scores": np.ones(3)}, r"shape \(3,\)"),
        ({"scores": [[1.0], [np.nan]]}, "task 1: run 0 has the score nan"),
        ({"scores": [[1.0], [2.0, 3.0]], "resampled": "whole_runs"}, '1 to 2 runs. Hint: `resampled = "runs"`'),
        ({"metrics": ["difficulty_progress"], "draws": 1}, "the lowest 0.25 of 2 scores is less than one"),
    ],
)
def test_what_cannot_be_resampled_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        replicate_metrics(**({"scores": np.ones((3, 2)), "metrics": ["iqm"], "replicates": 10} | arguments))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"method": "BCa"}, '"BCa" is not known. Hint: one of percentile'),
        ({"method": "bc", "estimate": 9.0}, "bc is not available: all replicates are below"),
        ({"method": "bc", "estimate": 0.0}, "bc is not available: no replicates are below"),
        ({"method": "bca", "acceleration": 9.0}, "acceleration 9 is too great"),
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
