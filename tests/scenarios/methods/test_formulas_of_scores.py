"""The formulas of questions of scores, computed naively as the methods page prints them, equal what is answered."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import stats
from support.naive_formulas import (
    EVEN,
    LEVEL,
    NAMES,
    SCORES,
    SURE,
    TABLE,
    TASKS,
    between_weights,
    deviation,
    mean,
    one,
    table_of,
    tails,
)
from support.study_answers import function_of

import surefoot
from surefoot.statistics.profiles.performance_profiles import replicate_profiles
from surefoot.statistics.resampling.stratified_bootstrap import replicate_metrics


def samples(name):
    return [SCORES[name, task] for task in TASKS]


def drawn_means(name, n_resamples, seed=0):
    """Replicates of the mean, as `aggregate_metrics` draws them."""
    return replicate_metrics(samples(name), ["mean"], n_resamples, seed, f"runs/{name}", TASKS)[:, 0]


def test_aggregates():
    found = surefoot.aggregate_metrics(
        TABLE, metrics=["mean"], methods=["percentile"], confidence_level=LEVEL, n_resamples=300
    )
    for name in NAMES:
        row = one(found.table(), algorithm=name)
        assert row["estimate"] == pytest.approx(mean(mean(SCORES[name, task]) for task in TASKS))
        drawn = drawn_means(name, 300)
        assert [row["low"], row["high"]] == pytest.approx(tails(drawn))
        assert row["standard_error"] == pytest.approx(deviation(drawn))
        # N_m runs of each task with replacement: the variance of their mean is the tasks' over N_m, divided by N_m.
        parts = [(len(x), deviation(x) ** 2) for x in (SCORES[name, task] for task in TASKS)]
        wanted = math.sqrt(sum((size - 1) / size * square / size for size, square in parts)) / len(TASKS)
        assert deviation(drawn) == pytest.approx(wanted, rel=SURE / math.sqrt(2 * 300))


def test_profiles():
    thresholds = [0.0, 2.0, 4.0, 4.1, 6.0]
    kinds = ["run_scores", "average_scores"]
    asked = {"thresholds": thresholds, "distributions": kinds, "confidence_level": LEVEL, "n_resamples": 200}
    found = surefoot.performance_profiles(TABLE, **asked)
    for name, t in product(NAMES, thresholds):
        columns = [SCORES[name, task] for task in TASKS]
        wanted = {
            "run_scores": mean(mean(score > t for score in column) for column in columns),
            "average_scores": mean(mean(column) > t for column in columns),
        }
        for kind, value in wanted.items():
            row = one(found.table(), algorithm=name, profile=kind, threshold=t)
            assert row["estimate"] == pytest.approx(value)
            drawn = replicate_profiles(columns, thresholds, kind, 200, 0, f"runs/{name}", TASKS)
            assert [row["low"], row["high"]] == pytest.approx(tails(drawn[:, thresholds.index(t)]))
            assert row["band_low"] <= value <= row["band_high"]


def test_gap_curve():
    found = function_of("gap_curve")(TABLE, thresholds=[2.0, 5.0]).table()
    for name, gamma in product(NAMES, (2.0, 5.0)):
        wanted = mean(mean(max(gamma - score, 0.0) for score in SCORES[name, task]) for task in TASKS) / gamma
        assert one(found, algorithm=name, gamma=gamma)["estimate"] == pytest.approx(wanted)


def test_histograms():
    found = function_of("histograms")(TABLE, algorithms=["b"], bins=3).table()
    for task in TASKS:
        scores = SCORES["b", task]
        width = (max(scores) - min(scores)) / 3
        counts = [0, 0, 0]
        for score in scores:
            counts[min(int((score - min(scores)) / width), 2)] += 1
        rows = found[found["environment"] == task]
        assert rows["count"].tolist() == counts
        assert rows["low"].tolist() == pytest.approx([min(scores) + width * k for k in range(3)])


def test_views():
    found = function_of("views")(TABLE, confidence_level=LEVEL, n_resamples=100).table()
    probabilities = surefoot.probability_of_improvement(TABLE).table()
    scaled = {}
    for task in TASKS:
        seen = [score for name in NAMES for score in SCORES[name, task]]
        for name in NAMES:
            scaled[name, task] = [(score - min(seen)) / (max(seen) - min(seen)) for score in SCORES[name, task]]
    for name in NAMES:
        own = [scaled[name, task] for task in TASKS]
        # Algorithms have other largest numbers of runs, so exactly a quarter is cut.
        iqm = between_weights(own, Fraction(1, 4), Fraction(3, 4))
        assert one(found, view="iqm", algorithm=name)["estimate"] == pytest.approx(iqm)
        above = mean(probabilities.loc[probabilities["algorithm"] == name, "estimate"])
        row = one(found, view="probability_of_improvement", algorithm=name)
        assert row["estimate"] == pytest.approx(above) and row["low"] <= row["estimate"] <= row["high"]
    assert set(found["view"]) == {"iqm", "probability_of_improvement"}


def test_shared_run_test():
    found = surefoot.shared_run_test(table_of(EVEN), size=2)
    for name in NAMES:
        ranks = [stats.rankdata(EVEN[name, task]) - 3.0 for task in TASKS]  # (N + 1) / 2 of five runs
        inflation = math.fsum(sum(run) ** 2 for run in zip(*ranks, strict=True)) / np.sum(np.square(ranks))
        row = one(found.table(), algorithm=name)
        assert row["correlation"] == pytest.approx((inflation - 1) / 2)
        # Kendall's W is Friedman's statistic divided by M (N - 1).
        test = stats.friedmanchisquare(*np.transpose([EVEN[name, task] for task in TASKS]))
        assert inflation / 3 == pytest.approx(test.statistic / (3 * 4))
        assert row["p_value"] == pytest.approx(test.pvalue)


def test_ranks():
    """Counted over all draws of one run of each algorithm; algorithms that tie share their ranks."""
    found = surefoot.rank_probabilities(TABLE).table()
    chances = {}
    for task in TASKS:
        for drawn in product(*(SCORES[name, task] for name in NAMES)):
            for name, score in zip(NAMES, drawn, strict=True):
                better, tied = sum(other > score for other in drawn), drawn.count(score)
                for rank in range(better + 1, better + tied + 1):
                    chances.setdefault((task, name, rank), []).append(1 / tied)
    sizes = {task: math.prod(len(SCORES[name, task]) for name in NAMES) for task in TASKS}
    for name, rank in product(NAMES, (1, 2, 3)):
        wanted = [sum(chances.get((task, name, rank), [])) / sizes[task] for task in TASKS]
        values = [one(found, environment=place, algorithm=name, rank=rank)["estimate"] for place in (*TASKS, "")]
        assert values == pytest.approx([*wanted, mean(wanted)])
