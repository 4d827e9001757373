"""Questions that draw data sets of their own: the answers beside the exact distribution over all that can be drawn."""

import math
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from support.naive_formulas import (
    LEVEL,
    SURE,
    mean,
    one,
    table_of,
    tails,
)
from support.study_answers import function_of

from surefoot.statistics.coverage.metric_coverage import DESIGNS, drawn_runs
from surefoot.statistics.resampling.kernels import draw_indices
from surefoot.streams import stream_key


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


def test_tuning():
    """Runs of one candidate are all alike: what is claimed follows from the order in which candidates are tried."""
    worth = [3.0, 5.0, 4.0]
    rows = [("a", "maze", candidate, run, score) for candidate, score in enumerate(worth) for run in range(4)]
    repeats = pd.DataFrame(rows, columns=["algorithm", "environment", "candidate", "run", "score"])
    asked = {"candidates": 3, "tuning_runs": 2, "reported_runs": 2, "repetitions": 2000}
    found = function_of("tuning")(repeats, **asked).table()
    assert one(found, procedure="complete_data_collection")["estimate"] == pytest.approx(mean(worth))
    assert one(found, procedure="tune_and_report")["estimate"] == pytest.approx(max(worth))
    averages = [mean(np.maximum.accumulate(order)) for order in permutations(worth)]
    row = one(found, procedure="tuning_average")
    assert abs(row["estimate"] - mean(averages)) < SURE * row["deviation"] / math.sqrt(2000)
