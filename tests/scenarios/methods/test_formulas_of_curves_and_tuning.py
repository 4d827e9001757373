"""The formulas of questions of learning curves, plays and hyperparameters, computed naively as the methods page prints
them, equal what is answered."""

import functools
import math
from itertools import combinations, pairwise, product
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.naive_formulas import (
    EVEN,
    LEVEL,
    NAMES,
    TASKS,
    deviation,
    mean,
    one,
    tails,
)
from support.stand_in_plays import tables_of_plays
from support.study_answers import function_of

import surefoot
from surefoot.statistics.profiles.curves import replicate_curves
from surefoot.statistics.resampling.stratified_bootstrap import metric_values

STEPS = (1, 2, 4, 8)
CURVES = {key: np.outer(scores, np.sqrt(STEPS)) + np.sin(np.outer(scores, STEPS)) for key, scores in EVEN.items()}
CURVE_TABLE = pd.DataFrame(
    [
        (*key, run, step, score)
        for key, runs in CURVES.items()
        for run, curve in enumerate(runs)
        for step, score in zip(STEPS, curve, strict=True)
    ],
    columns=["algorithm", "environment", "run", "step", "score"],
)


def values_at(name, place):
    return mean(mean(CURVES[name, task][:, place]) for task in TASKS)


def drawn_curves(name, metric, n_resamples, seed=0):
    """Replicates of a metric at each step, as `sample_efficiency` draws them."""
    curves = [CURVES[name, task] for task in TASKS]
    return replicate_curves(curves, [metric], n_resamples, seed, name, TASKS)[:, :, 0]


def test_sample_efficiency():
    asked = {"metrics": ["mean"], "confidence_level": LEVEL, "n_resamples": 200}
    pointwise, simultaneous = (
        surefoot.sample_efficiency(CURVE_TABLE, band=band, **asked).table() for band in ("pointwise", "simultaneous")
    )
    for name in NAMES:
        drawn = drawn_curves(name, "mean", 200)
        for place, step in enumerate(STEPS):
            row = one(pointwise, algorithm=name, step=step)
            assert row["estimate"] == pytest.approx(values_at(name, place))
            assert [row["low"], row["high"]] == pytest.approx(tails(drawn[:, place]))
        # Equally far at all steps, so that the wanted fraction of whole replicates would be inside
        spread = max(deviation(column) for column in drawn.T)
        far = [
            max(abs(value - mean(column)) for value, column in zip(replicate, drawn.T, strict=True)) / spread
            for replicate in drawn
        ]
        c = max(sorted(far)[math.ceil(LEVEL * 199 - 1e-9)], NormalDist().inv_cdf((1 + LEVEL) / 2))
        reach = math.sqrt(5 / 4) * stats.t.ppf(NormalDist().cdf(c), 3 * 4) * spread
        for place, step in enumerate(STEPS):
            row, value = one(simultaneous, algorithm=name, step=step), values_at(name, place)
            assert [row["low"], row["high"]] == pytest.approx([value - reach, value + reach])


@pytest.mark.parametrize(("metric", "degrees"), [("mean", 12.0), ("iqm", 6.0), ("median", 8.0)])
def test_curve_differences(metric, degrees):
    asked = {"metrics": [metric], "confidence_level": LEVEL, "n_resamples": 200, "seed": 5}
    found = surefoot.curve_differences(CURVE_TABLE, **asked).table()
    drawn = {name: drawn_curves(name, metric, 200, 5) for name in NAMES}
    pairs = list(combinations(NAMES, 2))
    spreads = {pair: max(deviation(column) for column in (drawn[pair[0]] - drawn[pair[1]]).T) for pair in pairs}
    largest = [
        max(
            abs(replicate[place] - mean(difference[:, place])) / spreads[pair]
            for pair, replicate, difference in of_pairs
            for place in range(len(STEPS))
        )
        for of_pairs in (
            [(pair, drawn[pair[0]][r] - drawn[pair[1]][r], drawn[pair[0]] - drawn[pair[1]]) for pair in pairs]
            for r in range(200)
        )
    ]
    c = sorted(largest)[math.ceil(LEVEL * 199 - 1e-9)]  # at most so far for the wanted fraction of them
    assert c > NormalDist().inv_cdf((1 + LEVEL) / 2)
    reach = math.sqrt(5 / 4) * stats.t.ppf(NormalDist().cdf(c), degrees)
    for pair, (place, step) in product(pairs, enumerate(STEPS)):
        row = one(found, algorithm=pair[0], baseline=pair[1], step=step)
        at = [metric_values([CURVES[name, task][:, place] for task in TASKS], [metric])[0] for name in pair]
        width = reach * spreads[pair]
        wanted = [at[0] - at[1], at[0] - at[1] - width, at[0] - at[1] + width]
        assert [row["estimate"], row["low"], row["high"]] == pytest.approx(wanted)


SETTINGS = (("low", "off"), ("low", "on"), ("high", "off"), ("high", "on"))
TUNED = pd.DataFrame(
    [
        ("a", task, run, *setting, 9.0 + place * (-1.0 if task == "maze" else 0.4) + draw)
        for task in ("maze", "cliff")
        for place, setting in enumerate(SETTINGS)
        for run, draw in enumerate(np.random.default_rng(place).normal(size=4))
    ],
    columns=["algorithm", "environment", "run", "step", "entropy", "score"],
)


def test_hyperparameter_selection():
    both = pd.concat([TUNED, TUNED.assign(algorithm="b", score=TUNED["score"].rank())], ignore_index=True)
    found = surefoot.hyperparameter_selection(both).table()
    scores = {key: list(rows["score"]) for key, rows in both.groupby(["algorithm", "environment"])}
    for name in ("a", "b"):
        shares = {}
        for (task, *setting), rows in both[both["algorithm"] == name].groupby(["environment", "step", "entropy"]):
            own = [
                mean(mean(other < score for other in scores[one, task]) for one in ("a", "b"))
                for score in rows["score"]
            ]
            shares.setdefault(tuple(setting), []).append(mean(own))
        best = max(shares, key=lambda setting: mean(shares[setting]))
        row = one(found, algorithm=name)
        assert row["setting"] == f"step={best[0]}, entropy={best[1]}"
        assert row["estimate"] == pytest.approx(mean(shares[best]))


@functools.cache
def all_plays():
    return tables_of_plays()["collect/plays"]


def test_agents():
    plays = all_plays()
    found = function_of("agents")(plays).table()
    for key, part in list(plays.groupby(["variant", "environment", "algorithm", "parameters"]))[:12]:
        names = dict(zip(("variant", "environment", "algorithm", "parameters"), key, strict=True))
        row, scores = one(found, **names), part["score"].tolist()
        reach = 1.96 * deviation(scores) / math.sqrt(len(scores))
        wanted = [mean(scores), mean(scores) - reach, mean(scores) + reach]
        assert [row["estimate"], row["low"], row["high"]] == pytest.approx(wanted)
        assert row["seconds_offline"] == pytest.approx(mean(part["seconds_offline"]))
        assert row["seconds_decision"] == pytest.approx(mean(part["seconds_online"]) / mean(part["decisions"]))


def best_agents(plays):
    """{algorithm: scores by MDP of its agent with the highest mean}, best first."""
    means = {key: part.set_index("run")["score"] for key, part in plays.groupby(["algorithm", "parameters"])}
    best = {}
    for (algorithm, _), scores in sorted(means.items(), key=lambda item: -mean(item[1])):
        best.setdefault(algorithm, scores)
    return best


def z_of(x, y):
    differences = (x - y).dropna().tolist()
    return mean(differences) * math.sqrt(len(differences)) / deviation(differences)


def plays_of(environment):
    """Of agents that have no variants, or of the first."""
    plays = all_plays()
    variant = next(name for name in plays["variant"].unique() if name)
    return plays[(plays["environment"] == environment) & plays["variant"].isin(["", variant])], variant


def test_time_bounds():
    plays, variant = plays_of("accurate/grid")
    plays = plays[plays["algorithm"] != "formula"]  # a part of opps_ds, which the question leaves out
    found = function_of("time_bounds")(plays).table()
    found = found[found["variant"] == variant]
    for bounds in ("milliseconds_online", "milliseconds_offline"):
        grid = sorted(found[bounds].unique())
        assert grid[0] == 0.01 and all(after / before == pytest.approx(5) for before, after in pairwise(grid))
    for row in found.to_dict("records"):
        times = plays.groupby(["algorithm", "parameters"])[["seconds_online", "seconds_offline"]].mean() * 1e3
        within = (times["seconds_online"] <= row["milliseconds_online"] + 1e-12) & (
            times["seconds_offline"] <= row["milliseconds_offline"] + 1e-12
        )
        names = pd.MultiIndex.from_frame(plays[["algorithm", "parameters"]])
        best = best_agents(plays[within.reindex(names).to_numpy()])
        wanted = list(best)[:1]
        for name in list(best)[1:]:
            if not z_of(best[wanted[0]], best[name]) < 1.96:
                break
            wanted.append(name)
        assert row["algorithms"] == ", ".join(wanted)
