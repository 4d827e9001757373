"""Coverage of metrics' intervals: designs, independence of blocks, and the level that should be asked for."""

import numpy as np
import pandas as pd
import pytest

from surefoot.statistics.coverage.metric_coverage import (
    DESIGNS,
    MetricCoverage,
    cover_metrics_block,
    drawn_runs,
    summarize_metric_coverage,
)

POPULATION = np.random.default_rng(0).normal(size=(30, 3))


def test_runs_are_drawn_evenly_with_and_without_replacement():
    """4,000 data sets of 6 of 10 runs: each run is in them as often as it should, within 5 standard errors; fails
    falsely about once in 10^5 times."""
    for design in DESIGNS:
        drawn = np.array([drawn_runs(10, 6, number, design, 1) for number in range(4_000)])
        counts = np.bincount(drawn.ravel(), minlength=10)
        assert np.abs(counts - 2_400).max() < 5 * np.sqrt(4_000 * 6 * 0.1 * 0.9)
        distinct = {len(set(row)) for row in drawn}
        assert distinct == {6} if design == "without_replacement" else 6 in distinct and 4 in distinct
    assert sorted(drawn_runs(10, 10, 0, "without_replacement", 1)) == list(range(10))


def test_blocks_join_to_the_whole():
    options = MetricCoverage(methods=("percentile", "bca_stratified"), n_resamples=50, confidences=(0.8, 0.95))
    whole = cover_metrics_block(POPULATION, 5, 0, 6, options)
    parts = [cover_metrics_block(POPULATION, 5, first, 3, options) for first in (0, 3)]
    pd.testing.assert_frame_equal(pd.concat(parts, ignore_index=True), whole)
    one = cover_metrics_block(POPULATION, 5, 4, 1, options._replace(metrics=("iqm",)))
    same = whole[(whole["dataset"] == 4) & (whole["metric"] == "iqm")].reset_index(drop=True)
    pd.testing.assert_frame_equal(one, same)


def test_an_interval_that_does_not_exist_does_not_hold_the_truth():
    options = MetricCoverage(("mean",), ("bc",), "with_replacement", 20)
    found = cover_metrics_block(np.ones((5, 2)), 3, 0, 4, options)
    assert found["low"].isna().all()
    found.loc[:2, ["low", "high"]] = [[0.0, 2.0], [1.0, 5.0], [1.5, 3.5]]
    (row,) = summarize_metric_coverage(found, ["mean"], [1.0]).to_dict("records")
    assert (row["datasets"], row["undefined"], row["estimate"], row["width"]) == (4, 1, 0.5, 8 / 3)
    assert row["estimate_error"] == 0.25 and row["width_error"] == pytest.approx(np.std([2, 4, 2], ddof=1) / np.sqrt(3))
