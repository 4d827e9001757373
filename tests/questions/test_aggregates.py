"""Aggregate metrics, as they are asked of runs."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.naive_formulas import (
    LEVEL,
    NAMES,
    SCORES,
    SURE,
    TABLE,
    TASKS,
    deviation,
    mean,
    one,
    tails,
)
from support.two_algorithms import ARRAYS

import surefoot
from surefoot.statistics.metrics.metric_catalogue import Metric
from surefoot.statistics.resampling.stratified_bootstrap import replicate_metrics


def test_metrics_say_their_weighting():
    rng = np.random.default_rng(2)
    ragged = {"a": [rng.normal(size=20), rng.normal(5.0, size=3)]}
    by_runs = ["iqm weighted by runs", Metric("optimality_gap", 1 / 3, "runs")]
    found = surefoot.aggregate_metrics(ragged, metrics=by_runs, n_resamples=200)
    assert found.table()["metric"].tolist() == ["iqm weighted by runs", "optimality_gap(0.333333) weighted by runs"]
    named = surefoot.subsample_metrics({"a": ARRAYS["ours"]}, metrics=Metric("optimality_gap"), sizes=3, datasets=9)
    assert named.table()["metric"].tolist() == ["optimality_gap"]
    by_tasks = surefoot.aggregate_metrics(ragged, metrics="iqm weighted by tasks", n_resamples=200).table()
    assert by_tasks["metric"].tolist() == ["iqm"] and abs(by_tasks["estimate"] - found.table()["estimate"])[0] > 1.0


def test_aggregates_are_printed_a_line_an_algorithm():
    long = {"a" * 60 + str(number): scores + number for number, scores in enumerate(ARRAYS.values())}
    lines = repr(surefoot.aggregate_metrics(long, n_resamples=20)).splitlines()
    assert max(map(len, lines)) <= 100
    assert "runs: 10; tasks: 5" in lines[0] and lines[1].split() == ["algorithm", "iqm", "interval", "remark"]
    assert sum(line.startswith("a" * 20) and " to " in line for line in lines) == len(long)
    assert "table() also has median, mean, optimality_gap." in lines
    several = surefoot.aggregate_metrics({"first": ARRAYS, "second": ARRAYS}, metrics="mean", n_resamples=20)
    shown = " ".join(repr(several).split())
    assert shown.count("second") == 2
    assert all(shown.count(remark) == (remark != "") for remark in several.table()["remark"].unique() if remark)


def test_few_runs_may_vary_together_and_both_intervals_are_given():
    draw = np.random.default_rng(4)
    found = surefoot.aggregate_metrics({name: draw.normal(size=(3, 5)) for name in "ab"}, metrics=["iqm"])
    table = found.table()
    assert (table["shared_runs"] == "cannot tell").all() and (table["shared_runs_p_value"] > 0.05).all()
    whole = surefoot.aggregate_metrics(
        {name: draw.normal(size=(3, 5)) for name in "ab"}, metrics=["iqm"], shared_runs=True
    )
    assert (whole.table()[["low", "high"]].to_numpy() == whole.table().filter(like="whole_runs").to_numpy()).all()
    assert table["remark"].str.startswith("runs may vary together on all tasks (p = ").all()
    best = table.loc[table["estimate"].idxmax()]
    said = f"{best['low_whole_runs']:.3f} to {best['high_whole_runs']:.3f}".replace("-", "\N{MINUS SIGN}")
    assert said in found.finding() and "which 3 runs do not rule out" in found.finding()
    apart = surefoot.aggregate_metrics({name: draw.normal(size=(3, 5)) for name in "ab"}, shared_runs=False).table()
    assert apart["low_whole_runs"].isna().all() and not apart["remark"].str.contains("vary together").any()


def test_students_interval_of_whole_runs_is_of_their_means():
    scores = np.random.default_rng(4).lognormal(size=(5, 7))
    found = surefoot.aggregate_metrics({"a": scores}, metrics="mean", resample="whole_runs", n_resamples=20)
    means = scores.mean(axis=1)
    known = stats.t.interval(0.95, len(means) - 1, means.mean(), stats.sem(means))
    assert found.table()[["low", "high"]].iloc[0].tolist() == pytest.approx(known)


def test_the_standard_error_of_a_sample_of_tasks():
    """That of the tasks' means if runs are equal; 20,000 resamples, within 6 standard errors (3 %), which
    chance exceeds once in 500 million seeds."""
    means = np.random.default_rng(4).lognormal(size=7)
    scores = {"a": np.tile(means, (3, 1))}
    asked = {"resample": "tasks_and_runs", "n_resamples": 20_000, "skip_checks": True}
    found = surefoot.aggregate_metrics(scores, metrics="mean", **asked).table().iloc[0]
    assert found["standard_error"] == pytest.approx(stats.sem(means), rel=0.03)
    low, high = stats.t.interval(0.95, 6, means.mean(), stats.sem(means))
    assert found["low"] < low + 0.03 * (high - low) and found["high"] > high - 0.03 * (high - low)


def test_metrics_of_a_sample_of_tasks_of_which_half_are_solved():
    """The truth is 1/2 by symmetry. At a level of 5 %, more than 15 of 100 data sets miss it once in 27,000 tests; the
    jackknife over tasks misses the median in about 80."""
    draw = np.random.default_rng(6)
    missed = np.zeros(2)
    for number in range(100):
        scores = draw.integers(2, size=10) + 0.05 * draw.normal(size=(5, 10))
        found = surefoot.aggregate_metrics(
            {"a": scores}, metrics=["iqm", "median"], resample="tasks_and_runs", n_resamples=200, seed=number
        ).table()
        missed += ((found["low"] > 0.5) | (found["high"] < 0.5)).to_numpy()
    assert (missed <= 15).all()


def test_limits_end_at_the_possible_scores():
    """Scores that are all 0 or 1, a table of bounded scores, and scores that are only seen between 0 and 1."""
    a = np.array([[1.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    outcomes = {"a": a, "b": 1.0 - a}
    near_ends = [[700.0, 1000.0], [990.0, 980.0], [1000.0, 600.0]]
    names = ["walker_walk", "cheetah_run"]
    returns = [
        (algorithm, environment, run, score)
        for algorithm in "ab"
        for run, scores in enumerate(near_ends)
        for environment, score in zip(names, scores, strict=True)
    ]
    raw = pd.DataFrame(returns, columns=["algorithm", "environment", "run", "score"])
    bounded = surefoot.normalize_scores(raw)
    between = {name: np.array(near_ends) / 1000.0 for name in "ab"}
    metrics = ["mean", "median", "iqm", "optimality_gap"]
    ends = ["low", "high", "low_whole_runs", "high_whole_runs"]
    for runs, inside in ((outcomes, True), (bounded, True), (between, False)):
        table = surefoot.aggregate_metrics(runs, metrics=metrics, n_resamples=200).table()
        assert table[ends].stack().between(0.0, 1.0).all() == inside
        assert table["remark"].str.contains("where no run scored").any() != inside
    means = surefoot.task_means(outcomes).table()
    assert means["low"].min() == 0.0 and means["high"].max() == 1.0
    assert not surefoot.task_means(between).table()["high"].between(0.0, 1.0).all()


def test_formulas_of_task_means():
    found = surefoot.task_means(TABLE, confidence_level=LEVEL).table()
    for (name, task), scores in SCORES.items():
        row = one(found, algorithm=name, environment=task)
        reach = stats.t.ppf(0.95, len(scores) - 1) * deviation(scores) / math.sqrt(len(scores))
        wanted = [mean(scores), mean(scores) - reach, mean(scores) + reach]
        assert [row["mean"], row["low"], row["high"]] == pytest.approx(wanted)


def samples(name):
    return [SCORES[name, task] for task in TASKS]


def drawn_means(name, n_resamples, seed=0):
    """Replicates of the mean, as `aggregate_metrics` draws them."""
    return replicate_metrics(samples(name), ["mean"], n_resamples, seed, f"runs/{name}", TASKS)[:, 0]


def test_formulas_of_aggregates():
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
