"""Questions that draw data sets of their own: the answers beside the exact distribution over all that can be drawn."""

import math
from itertools import permutations, product
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.naive_formulas import (
    LEVEL,
    ONE_TASK,
    SURE,
    deviation,
    mean,
    one,
    quantile,
    table_of,
    tails,
)
from support.study_answers import function_of

import surefoot
from surefoot.papers.agarwal2021.estimates import density
from surefoot.statistics.coverage.metric_coverage import DESIGNS, drawn_runs
from surefoot.statistics.resampling.kernels import draw_indices
from surefoot.streams import stream_key


def test_subsamples():
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


def test_subsample_densities():
    """Counting values in bins first moves a density by less than a thousandth of its greatest value."""
    values = np.random.default_rng(1).gamma(3.0, size=300)
    quartiles = quantile(values, 0.75) - quantile(values, 0.25)
    bandwidth = 0.9 * min(deviation(values), quartiles / 1.349) * 300**-0.2
    points, found = density(values)
    kernel = NormalDist(0.0, bandwidth)
    wanted = [mean(kernel.pdf(point - value) for value in values) for point in points]
    assert found == pytest.approx(wanted, abs=1e-3 * max(wanted))
    asked = {"metric": "mean", "algorithms": ["a"], "sizes": [2], "datasets": 50}
    drawn = function_of("subsample_densities")(ONE_TASK, **asked).table()
    area = np.trapezoid(drawn["estimate"], drawn["score"])
    assert area == pytest.approx(1.0, abs=0.01)


def test_differences_lifts_and_protocols():
    """Either end has a probability of 1/9; of two ninths and more, the median is the middle one.

    Three means within five standard errors: errs once in 500,000 seeds.
    """
    asked = {"metrics": ["mean"], "datasets": 4000, "resample": "runs"}
    (row,) = function_of("differences")(ONE_TASK, pairs=[["a", "b"]], sizes=[1], **asked).table().to_dict("records")
    of_each = {"difference": ([x - y for x, y in product([1.0, 2.5, 7.0], [2.0, 3.0, 4.5])], row)}
    found = function_of("lifts")(ONE_TASK, lifts=[0, 25], sizes=[1], algorithms=["a"], **asked).table()
    for lift in (0, 25):
        all_of = sorted(100 * ((1 + lift / 100) * x / y - 1) for x, y in product([1.0, 2.5, 7.0], repeat=2))
        row = one(found, lift=lift)
        assert [row["low"], row["estimate"], row["high"]] == pytest.approx([all_of[0], all_of[4], all_of[-1]])
    asked |= {"sizes": [2], "settings": 2, "runs_of_setting": 2, "algorithms": ["a"]}
    found = function_of("protocols")(ONE_TASK, **asked).table()
    means = [mean(drawn) for drawn in product([1.0, 2.5, 7.0], repeat=2)]
    of_each["a"] = means, one(found, protocol="a")
    of_each["best"] = list(map(max, product(means, repeat=2))), one(found, protocol="a, best of 2 settings")
    for name, (all_of, row) in of_each.items():
        spread = math.sqrt(mean(value**2 for value in all_of) - mean(all_of) ** 2)
        assert abs(row["estimate"] - mean(all_of)) < SURE * spread / math.sqrt(4000), name
        assert row["high"] == max(all_of) and (name == "best" or row["low"] == min(all_of))


def test_trimmed_errors():
    """Eight numbers within five standard errors, four of their errors within 10 %: errs once in 100,000 seeds."""
    asked = {"fractions": [0, 0.5], "size": 3, "datasets": 4000, "algorithms": ["a"]}
    found = function_of("trimmed_errors")(ONE_TASK, **asked).table()
    scores = [1.0, 2.5, 7.0]
    for (fraction, statistic), resample in product(
        [(0.0, mean), (0.5, lambda x: sorted(x)[1])], ["runs", "whole_runs"]
    ):
        errors = [statistic(drawn) - statistic(scores) for drawn in product(scores, repeat=3)]
        row = one(found, fraction=fraction, resample=resample)
        assert abs(row["estimate"] - mean(error**2 for error in errors)) < SURE * row["estimate_error"]
        squares = deviation([error**2 for error in errors])
        assert row["estimate_error"] == pytest.approx(squares / math.sqrt(4000), rel=0.1)
        assert abs(row["bias"] - mean(errors)) < SURE * math.sqrt(row["estimate"] / 4000)


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


@pytest.mark.parametrize("lower", [False, True])
def test_run_plans(lower):
    """A pilot of two runs, 1 and 3: spread out by the root of 2. The interval of a study of two runs is the textbook's,
    with one degree of freedom, and that of the difference of two studies has Welch's, as they are stated. Its error is
    known to 3 % by resampling, so that no study may come so near to the limit that this decides."""
    metric = "optimality_gap(9)" if lower else "mean"
    asked = {"metrics": [metric], "sizes": [2], "lifts": [0, 100], "datasets": 400, "n_resamples": 1000}
    found = surefoot.plan_runs(table_of({("a", "maze"): [1.0, 3.0]}), **asked).table()
    runs = 2 - math.sqrt(2), 2 + math.sqrt(2)
    studies = list(product(runs, repeat=2))
    widths = [2 * stats.t.ppf(0.975, 1) * np.std(drawn, ddof=1) / math.sqrt(2) for drawn in studies]
    width = one(found, quantity="width")["estimate"]
    assert abs(width - mean(widths)) < SURE * np.std(widths) / math.sqrt(400) + 0.03 * mean(widths)
    for lift in (0, 100):
        detected = []
        for first, second in product(studies, repeat=2):
            both = [np.array(first), np.array(second) * (1 + lift / 100)]
            a, b = (one.var(ddof=1) / 2 for one in both)
            degrees = max((a + b) ** 2 / (a**2 / 3 + b**2 / 3) - 2, 1) if a + b else 1
            limit = stats.t.ppf(0.975, degrees) * math.sqrt(a + b)
            gained = both[1].mean() - both[0].mean()
            assert abs(gained - limit) > 0.05 * limit or gained == limit == 0
            detected.append(gained > limit)
        share = mean(detected)
        row = one(found, quantity="chance", lift_percent=lift)
        assert abs(row["estimate"] - share) < SURE * math.sqrt(share * (1 - share) / 400)


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
