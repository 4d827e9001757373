"""Samples: order, sharing, and what a run table may not hold; the order of runs by their names."""

import numpy as np
import pytest

from surefoot.statistics.runs.samples import assemble, samples_from_runs


def test_pairs_hold_ascending_scores_in_order_of_appearance(run_table):
    runs = run_table({("b", "y"): [3, 1, 2], ("a", "y"): [5], ("b", "x"): [7, 6], ("a", "x"): [9, 8]})
    samples = samples_from_runs(runs)
    assert samples.algorithms == ("b", "a")
    assert samples.environments == ("y", "x")
    assert samples.pair(0, 0).tolist() == [1, 2, 3]
    assert samples.pair(1, 0).tolist() == [5]
    assert samples.pair(0, 1).tolist() == [6, 7]
    assert samples.sizes.tolist() == [[3, 2], [1, 2]]
    assert samples.sizes.min() == 1


def test_equal_cells_share_a_sample_in_their_environment_only(run_table):
    scores = {("a", "x"): [1, 2], ("a_s", "x"): [2, 1], ("a", "y"): [1, 2], ("a_s", "y"): [5, 6]}
    samples = samples_from_runs(run_table(scores, {("a_s", "x"): "a"}))
    assert samples.shared()[:, 0, :].all()
    assert samples.shared()[:, 1, :].tolist() == [[True, False], [False, True]]
    assert samples.distinct_cells().tolist() == [[True, True], [False, True]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda runs: runs[(runs.algorithm != "a1") | (runs.environment != "e1")], "a1 in e1: there are no runs"),
        (
            lambda runs: runs.assign(score=runs.score.where(runs.index != 0, np.nan)),
            "a0 in e0: some scores are not finite",
        ),
        (
            lambda runs: runs.assign(score=runs.score.where(runs.index != 0, np.inf)),
            "a0 in e0: some scores are not finite",
        ),
        (lambda runs: runs.assign(cell=runs.cell.where(runs.index != 0, "z")), "a0 in e0: the runs have more than"),
        (lambda runs: runs.assign(cell="same"), "a0 and a1 in e0 have the same cell but different scores"),
    ],
)
def test_unusable_tables_are_refused_by_name(random_runs, change, message):
    with pytest.raises(ValueError, match=message):
        samples_from_runs(change(random_runs(3, 2, 9, seed=2)))


def test_scores_that_are_equal_but_for_rounding_are_one_score(run_table):
    """In whatever order they come, as the least of them, and only within their environment."""
    sums = [0.1 + 0.2, 0.3, 0.7]
    for first, second in ((sums, [0.3]), ([0.3], sums)):
        samples = samples_from_runs(
            run_table({("a", "x"): first, ("b", "x"): second, ("a", "y"): sums[:1], ("b", "y"): [1]})
        )
        assert set(samples.pair(0, 0)) | set(samples.pair(1, 0)) == {0.3, 0.7}
        assert samples.pair(0, 1).tolist() == [0.1 + 0.2]
        assert samples.tied()
    joined = assemble("ab", "x", [[np.array([0.1 + 0.2])], [np.array([0.3])]], np.array([[0], [1]]))
    assert joined.pair(0, 0) == joined.pair(1, 0) == 0.3
