"""Answers about plays, computed naively as the methods page prints their formulas."""

import functools
import math
from fractions import Fraction
from itertools import pairwise

import pandas as pd
import pytest
from support.naive_formulas import LEVEL, NAMES, SCORES, TABLE, TASKS, between_weights, deviation, mean, one
from support.stand_in_plays import plays as stand_in_plays
from support.study_answers import function_of

import surefoot


@functools.cache
def all_plays():
    return stand_in_plays()


def test_formulas_of_agents():
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
    """Agents without variants, or the first variant of each."""
    plays = all_plays()
    variant = next(name for name in plays["variant"].unique() if name)
    return plays[(plays["environment"] == environment) & plays["variant"].isin(["", variant])], variant


def test_formulas_of_time_bounds():
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
