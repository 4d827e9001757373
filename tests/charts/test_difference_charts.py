"""Findings of differences: runs that algorithms share separate nothing."""

import re

import numpy as np

import surefoot


def test_shared_runs_are_stated_and_separate_nothing():
    """Three algorithms with one law, whose ten runs share a third of their variance across 26 tasks: by separate
    tasks, the best is better than some other in 7 of 10 such studies."""
    draw = np.random.default_rng(3)
    scores = {name: draw.normal(size=(10, 1)) + 1.4 * draw.normal(size=(10, 26)) for name in "abc"}
    for found in (surefoot.aggregate_metrics(scores), surefoot.pairwise_differences(scores)):
        assert (found.table()["shared_runs"] == "found").all()
        seem = r"uns seem to vary together on all tasks( \(p = 0\.\d+\))?, so the interval"
        assert found.table()["remark"].str.fullmatch(f"r{seem} is of whole runs").all()
        assert re.search(f" R{seem}s take whole runs\\.$", found.finding())
    assert "(p = 0.00" in surefoot.aggregate_metrics(scores).finding()
    assert "do not show that it is best" in surefoot.pairwise_differences(scores).finding()
    apart = surefoot.pairwise_differences(scores, shared_runs=False)
    assert "do not show" not in apart.finding() and "whole runs" not in apart.finding()
    percentile = surefoot.aggregate_metrics(scores, methods="percentile")
    assert percentile.table()["remark"].str.contains("which this interval does not allow for").all()
    few = {name: of[:3, :5] for name, of in scores.items()}
    declared = surefoot.aggregate_metrics(few, shared_runs=True)
    assert declared.finding().endswith("Tasks share runs, so the intervals take whole runs.")
