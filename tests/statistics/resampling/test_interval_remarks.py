"""Student's intervals of metrics, the remarks about intervals that are too narrow, and the studies behind both."""

import numpy as np
import pytest
from scipy import stats

import surefoot
from surefoot.runs.result_tables import read_table
from surefoot.statistics.coverage.failure_rates import FAILS
from surefoot.statistics.resampling.interval_remarks import expected_coverage, metric_remark
from surefoot.validation.difference_coverage import difference_intervals
from surefoot.validation.intervals import metric_intervals
from surefoot.workflow.planning.drawing_jobs import TRUST_RECORDS


def test_the_expected_coverage_is_that_of_normal_scores():
    """Standard deviations of resamples of the mean are known exactly, so no resampling: 20,000 data sets of 3 runs and
    4 tasks, within 5 standard errors, which fails falsely about once in 10^6 times."""
    scores = np.random.default_rng(2).normal(size=(20_000, 3, 4))
    half = stats.norm.ppf(0.975) * np.sqrt((scores.var(axis=1) / 3).sum(axis=1)) / 4
    held = (np.abs(scores.mean(axis=(1, 2))) <= half).mean()
    expected = expected_coverage([3] * 4)
    assert abs(held - expected) < 5 * np.sqrt(expected * (1 - expected) / 20_000)


def test_remarks_are_seen_where_they_apply():
    scores = {"a": np.random.default_rng(3).normal(size=(3, 10))}
    percentile, student = (
        surefoot.aggregate_metrics(scores, methods=method, shared_runs=False, n_resamples=100)
        .table()
        .set_index("metric")
        for method in ("percentile", "student")
    )
    assert percentile["remark"].str.contains("holds the truth in about 87 %").all()
    student = student["remark"]
    assert student["iqm"] == student["mean"] == "" and "about 8 % of simulated" in student["median"]
    few = surefoot.aggregate_metrics({"a": scores["a"][:, 1:2]}, n_resamples=100).table().set_index("metric")["remark"]
    assert few["iqm"] == "" and few["mean"].startswith("with 2 degrees of freedom, such intervals missed in about 9 %")
    two, many, most = ([np.arange(float(runs))] * 10 for runs in (2, 10, 20))
    assert metric_remark("percentile", "iqm", many) == ""
    assert metric_remark("student", "median", most) == ""
    assert "bca interval" in metric_remark("bca", "iqm", two)


@pytest.mark.parametrize("metric", ["iqm", "trimmed_mean(0.1)", "difficulty_progress"])
def test_algorithms_with_other_numbers_of_runs_are_cut_alike(metric):
    """Two algorithms whose runs of a task are nearly equal have the same metric, however many runs; whole scores would
    cut 3 of 15 scores of the one and 12 of 50 of the other."""
    levels = np.array([0.0, 0.1, 2.0, 10.0, 50.0])
    few, many = (levels + 1e-6 * np.arange(runs)[:, None] for runs in (3, 10))
    scores = {"a": few, "b": many}
    compared = surefoot.pairwise_differences(scores, metrics=metric, n_resamples=2, skip_checks=True).table().iloc[0]
    assert compared["estimate"] == pytest.approx(0.0, abs=1e-4)
    # The metric of an algorithm does not depend on the others.
    values = surefoot.aggregate_metrics(scores, metrics=metric, n_resamples=2, skip_checks=True).table()["estimate"]
    assert values[0] != pytest.approx(values[1], abs=1e-2)
    alone = surefoot.aggregate_metrics({"a": few}, metrics=metric, n_resamples=2, skip_checks=True).table()["estimate"]
    assert alone[0] == values[0]


def test_recorded_unlike_numbers_of_runs():
    """IQMs of equal algorithms in 200 data sets of each of four cases, each tested at 1 % / 4: of intervals exactly at
    their level, one record in a hundred fails this test."""
    table = read_table(TRUST_RECORDS / "difference_intervals.csv")
    own = table[
        table["data"].str.contains("opposite|lost") & (table["method"] == "student") & (table["target"] == "iqm")
    ]
    assert len(own) == 4
    assert (stats.binom.sf(own["failures"] - 1, own["datasets"], 0.05) > 0.01 / 4).all()


def test_every_recorded_failure_carries_a_remark():
    """All cases of Student's interval. Those without a remark are tested at 1 % divided by the number of cases, so that
    of intervals exactly at their level, one record in a hundred fails this test; at 2.5 % each, chance lets up to 8 of
    about 80 seem to fail (more in 2 of 1,000 records)."""
    table = read_table(TRUST_RECORDS / "metric_intervals.csv")
    student = table[table["method"] == "student"]
    unremarked = student[student["remark"] == ""]
    assert len(student) == 4 * len(metric_intervals.cells) and len(unremarked) > 40
    chance = stats.binom.sf(unremarked["failures"] - 1, unremarked["datasets"], 0.05)
    assert (chance > 0.01 / len(student)).all() and (unremarked["outcome"] == FAILS).sum() <= 8
    chance = stats.binom.sf(student["failures_unremarked"] - 1, student["datasets"], 0.05)
    assert (chance > 0.01 / len(student)).all()
    assert (student["outcome"] == FAILS).sum() > 20


def test_recorded_differences_that_fail_carry_a_remark():
    """Cases of Student's interval without a remark are tested at 1 % divided by their number, so that of intervals
    exactly at their level, one record in a hundred fails this test."""
    table = read_table(TRUST_RECORDS / "difference_intervals.csv")
    student = table[table["method"] == "student"]
    assert len(student) == 4 * len(difference_intervals.cells)
    unremarked = student[student["remark"] == ""]
    assert (stats.binom.sf(unremarked["failures"] - 1, unremarked["datasets"], 0.05) > 0.01 / len(unremarked)).all()
    several = student[
        (student["target"] == "iqm") & (student["tasks"] > 1) & ~student["data"].str.contains("tied|two_point")
    ]
    assert (several["remark"] == "").mean() > 0.8
    percentile = table[(table["method"] == "percentile") & (table["runs"] < 5)]
    assert (percentile["outcome"] == FAILS).mean() > 0.9
