"""Subsamples of runs: the answers beside the exact distribution over all that can be drawn."""

import math
from itertools import product

import numpy as np
import pytest
from support.naive_formulas import LEVEL, ONE_TASK, SURE, mean, one, table_of, tails
from support.study_answers import function_of

import surefoot
from surefoot.statistics.coverage.metric_coverage import DESIGNS, drawn_runs
from surefoot.statistics.resampling.resampling_kernels import draw_indices
from surefoot.streams import stream_key


def test_formulas_of_subsamples():
    """Four numbers within five standard errors: errs once in 400,000 seeds."""
    found = surefoot.subsample_metrics(ONE_TASK, metrics=["mean"], sizes=[2], datasets=4000, resample="runs").table()
    for name in "ab":
        scores = ONE_TASK.loc[ONE_TASK["algorithm"] == name, "score"].tolist()
        means = [mean(drawn) for drawn in product(scores, repeat=2)]
        row = one(found, algorithm=name)
        assert abs(row["estimate"] - mean(means)) < SURE * row["mean_error"]
        assert row["mean_error"] == pytest.approx(row["deviation"] / math.sqrt(4000))
        spread = math.sqrt(mean(value**2 for value in means) - mean(means) ** 2)
        assert row["deviation"] == pytest.approx(spread, rel=SURE / math.sqrt(2 * 4000))
        assert [row["low"], row["high"]] == [min(means), max(means)]  # either has a probability of 1/9
        assert row["whole"] == pytest.approx(mean(scores))


def test_task_coverages():
    scores = np.random.default_rng(4).normal(size=(12, 2))
    table = table_of({("a", task): column.tolist() for task, column in zip(("maze", "cliff"), scores.T, strict=True)})
    found = function_of("task_coverages")(
        table, sizes=[3], datasets=40, n_resamples=30, seed=2, confidence_level=LEVEL
    ).table()
    held = {"maze": [], "cliff": []}
    for dataset in range(40):
        chosen = scores[drawn_runs(12, 3, dataset, DESIGNS[1], 2)]
        assert len({tuple(run) for run in chosen}) == 3  # without replacement
        drawn = draw_indices(stream_key(2, "task_coverage", 3), dataset, 3, 90)
        for task, own, truth in zip(held, chosen.T, scores.mean(axis=0), strict=True):
            low, high = tails([mean(own[list(one)]) for one in drawn.reshape(30, 3)])
            held[task].append(low <= truth <= high)
    for task, values in held.items():
        row = one(found, environment=task)
        assert row["estimate"] == pytest.approx(mean(values))
        assert row["estimate_error"] == pytest.approx(math.sqrt(mean(values) * (1 - mean(values)) / 40))
