"""Studies that are analysed together, against each study on its own."""

import numpy as np
import pytest

from surefoot.errors import HintedError
from surefoot.statistics.metrics.metric_catalogue import metric
from surefoot.statistics.resampling.jackknife import standard_errors
from surefoot.statistics.resampling.simulated_studies import study_metrics, study_replicates
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics, task_keys
from surefoot.statistics.runs.samples import score_pool


@pytest.mark.parametrize(
    "written",
    [
        ["iqm", "median"],
        ["iqm", "difficulty_progress(0.5)"],
        ["mean", "median", "difficulty_progress(0.5)"],
        ["optimality_gap(0.5)", "iqm weighted by runs"],
    ],
)
@pytest.mark.parametrize(("tasks", "runs", "decimals"), [(2, 2, 9), (3, 5, 1), (7, 4, 9)])
def test_each_study_is_as_on_its_own(tasks, runs, decimals, written):
    """Up to 200 roundings, as numpy adds arrays of other shapes in another order."""
    scores = np.random.default_rng([tasks, runs]).normal(size=(6, tasks, runs)).round(decimals)
    scores[2] = 0.25  # a study without spread
    metrics = [metric(one) for one in written]
    keys = np.array([task_keys(range(tasks), study, "", "runs") for study in range(6)])
    together = study_metrics(scores, metrics, keys, 70)
    for study, of_study in enumerate(scores):
        columns = list(of_study)
        replicates = replicate_metrics(columns, metrics, 70, study)
        errors, degrees = standard_errors(columns, metrics, "runs", replicates)
        close = {"rtol": 200 * np.finfo(float).eps, "atol": 200 * np.finfo(float).eps}
        np.testing.assert_array_equal(together.replicates[:, study], replicates)
        np.testing.assert_array_equal(together.values[study], metric_values(columns, metrics))
        np.testing.assert_allclose(together.errors[study], errors, **close)
        np.testing.assert_allclose(together.degrees[study], degrees, **close)


def test_studies_that_share_draws_are_as_on_their_own():
    """So many resamples that the three studies are computed in two parts."""
    scores = np.random.default_rng(3).normal(size=(3, 2, 4)).round(1)
    metrics = [metric("iqm"), metric("mean"), metric("median")]
    keys = task_keys(range(2), 5, "", "runs")[None]
    pools = [score_pool(list(of_study)) for of_study in scores]
    together = study_replicates(pools, metrics, np.array([5, 5]), keys, 7000)
    for of_study, found in zip(scores, together, strict=True):
        np.testing.assert_array_equal(found, replicate_metrics(list(of_study), metrics, 7000, 5, draws=5))


def test_scores_that_are_too_large_are_refused():
    scores = np.ones((3, 2, 4))
    scores[1, 1, 2] = -1e200
    keys = np.zeros((3, 2, 4), np.uint64)
    with pytest.raises(HintedError, match="task 1: run 2 has the score -1e\\+200"):
        study_metrics(scores, [metric("iqm")], keys, 10)
