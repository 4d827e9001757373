"""The formulas of questions of learning curves, plays and hyperparameters, computed naively as the methods page prints
them, equal what is answered."""

import functools
import math
from fractions import Fraction
from itertools import combinations, pairwise, product
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
from asking import function_of
from naive_formulas import (
    EVEN,
    LEVEL,
    NAMES,
    TASKS,
    deviation,
    mean,
    of,
    one,
    tails,
)
from scipy import stats
from stand_in_plays import tables_of_plays

import surefoot
from surefoot.statistics.resampling.stratified_bootstrap import metric_values
from surefoot.streams import stream_key, uniforms

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


@of("run_curves")
def test_run_curves():
    found = surefoot.run_curves(CURVE_TABLE).table()
    for (name, task), runs in CURVES.items():
        rows = found[(found["algorithm"] == name) & (found["environment"] == task)]
        middle = rows[rows["curve"] == "mean"]
        assert middle["step"].tolist() == list(STEPS)
        assert middle["score"].tolist() == pytest.approx(runs.mean(axis=0).tolist())
        singles = rows.loc[rows["curve"] == "run", "score"].to_numpy().reshape(5, len(STEPS))
        assert singles == pytest.approx(runs)


@of("sample_efficiency")
def test_sample_efficiency():
    asked = {"metrics": ["mean"], "confidence": LEVEL, "replicates": 200}
    found = surefoot.sample_efficiency(CURVE_TABLE, **asked)
    for name in NAMES:
        drawn = found.replicates[name][:, :, 0]
        for place, step in enumerate(STEPS):
            row = one(found.table("pointwise"), algorithm=name, step=step)
            assert row["value"] == pytest.approx(values_at(name, place))
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
            row, value = one(found.table("simultaneous"), algorithm=name, step=step), values_at(name, place)
            assert [row["low"], row["high"]] == pytest.approx([value - reach, value + reach])


@of("curve_differences")
@pytest.mark.parametrize(("metric", "degrees"), [("mean", 12.0), ("iqm", 6.0), ("median", 8.0)])
def test_curve_differences(metric, degrees):
    asked = {"metrics": [metric], "confidence": LEVEL, "replicates": 200, "seed": 5}
    found = surefoot.curve_differences(CURVE_TABLE, **asked).table()
    drawn = {
        name: values[:, :, 0] for name, values in surefoot.sample_efficiency(CURVE_TABLE, **asked).replicates.items()
    }
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
        row = one(found, x=pair[0], y=pair[1], step=step)
        at = [metric_values([CURVES[name, task][:, place] for task in TASKS], [metric])[0] for name in pair]
        width = reach * spreads[pair]
        wanted = [at[0] - at[1], at[0] - at[1] - width, at[0] - at[1] + width]
        assert [row["value"], row["low"], row["high"]] == pytest.approx(wanted)


@of("steps_to_threshold")
def test_steps_to_threshold():
    draw = np.random.default_rng(6)
    rows = []
    for run in range(12):
        ends = 6 if run % 3 == 0 else 10  # every third run ends early
        rows += [("a", "maze", run, step, score) for step, score in enumerate(draw.uniform(0, 1, ends), 1)]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "step", "score"])
    found = surefoot.steps_to_threshold(table, threshold=0.9)
    (row,) = found.table().to_dict("records")
    first = {run: part.loc[part["score"] >= 0.9, "step"].min() for run, part in table.groupby("run")}
    last = table.groupby("run")["step"].max()
    followed = {run: last[run] if math.isnan(step) else step for run, step in first.items()}
    share, median = Fraction(0), math.nan
    for step in sorted({step for step in first.values() if not math.isnan(step)}):
        reached = sum(one == step for one in first.values())
        share = 1 - (1 - share) * (1 - Fraction(reached, sum(end >= step for end in followed.values())))
        median = step if share >= Fraction(1, 2) and math.isnan(median) else median
    assert row["share"] == pytest.approx(float(share))
    assert row["median"] == median
    least = sum(not math.isnan(step) for step in first.values())
    most = least + sum(math.isnan(step) and last[run] < 10 for run, step in first.items())
    assert row["low"] == pytest.approx(stats.beta.ppf(0.025, least, 13 - least))
    assert row["high"] == pytest.approx(stats.beta.ppf(0.975, most + 1, 12 - most))


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


def mean_of(task, setting, runs=range(4)):
    own = TUNED[(TUNED[["environment", "step", "entropy"]] == [task, *setting]).all(axis=1)].set_index("run")["score"]
    return mean(own[list(runs)])


@of("hyperparameter_sensitivity")
def test_hyperparameter_sensitivity():
    found = surefoot.hyperparameter_sensitivity(TUNED, confidence=LEVEL).table().set_index("quantity")
    tasks = ("maze", "cliff")
    tuned = mean(max(mean_of(task, setting) for setting in SETTINGS) for task in tasks)
    cross = max(mean(mean_of(task, setting) for task in tasks) for setting in SETTINGS)
    assert list(found["value"]) == pytest.approx([tuned, cross, tuned - cross])
    variances = {}
    for task, rows in TUNED.groupby("environment"):
        own = {key: deviation(part["score"]) ** 2 for key, part in rows.groupby(["step", "entropy"])}
        variances[task] = {key: max(value, mean(own.values())) / 4 for key, value in own.items()}
    quantile_of_t = stats.t.ppf((1 + LEVEL) / 2, 2 * 3)
    lows, highs, held_out = [], [], []
    for split in range(10):
        order = uniforms(stream_key(0, "tuning", "a"), split, 4).argsort()
        halves = order[::2], order[1::2]
        each = [{task: max(SETTINGS, key=lambda one: mean_of(task, one, runs)) for task in tasks} for runs in halves]
        same = [max(SETTINGS, key=lambda one: mean(mean_of(task, one, runs) for task in tasks)) for runs in halves]
        others = halves[::-1]
        best = mean(mean_of(task, each[n][task], others[n]) for n in (0, 1) for task in tasks)
        one = mean(mean_of(task, same[n], others[n]) for n in (0, 1) for task in tasks)
        held_out.append((best, one))

        def error(chosen, setting_of):
            """Of the difference of a held-out value and the mean of settings: halves have twice the variance."""
            parts = [
                2 * (variances[task][chosen[n][task]] + variances[task][setting_of[task]]) / 16
                for n in (0, 1)
                for task in tasks
                if chosen[n][task] != setting_of[task]
            ]
            return quantile_of_t * math.sqrt(math.fsum(parts))

        def value(setting_of):
            return mean(mean_of(task, setting_of[task]) for task in tasks)

        alike = [dict.fromkeys(tasks, setting) for setting in SETTINGS]
        choices = [dict(zip(tasks, choice, strict=True)) for choice in product(SETTINGS, repeat=2)]
        lows.append(best - max(value(choice) + error(each, choice) for choice in alike))
        of_same = [dict.fromkeys(tasks, setting) for setting in same]
        highs.append(max(value(choice) + error(of_same, choice) for choice in choices) - one)
    assert list(found["held_out"][:2]) == pytest.approx([mean(column) for column in zip(*held_out, strict=True)])
    assert found.loc["sensitivity", "low"] == pytest.approx(max(mean(lows), 0.0))
    # The maximum over all choices is bounded by tangents of the error.
    assert mean(highs) <= found.loc["sensitivity", "high"] <= 1.1 * mean(highs)


@of("effective_dimension")
def test_effective_dimension():
    found = surefoot.effective_dimension(TUNED).table()
    tasks = ("maze", "cliff")
    base = max(SETTINGS, key=lambda setting: mean(mean_of(task, setting) for task in tasks))
    tuned = mean(max(mean_of(task, setting) for setting in SETTINGS) for task in tasks)
    values = []
    for size in range(3):
        reached = [
            mean(
                max(
                    mean_of(task, setting)
                    for setting in SETTINGS
                    if all(setting[place] == base[place] for place in (0, 1) if place not in subset)
                )
                for task in tasks
            )
            for subset in combinations((0, 1), size)
        ]
        values.append(max(reached))
    assert list(found["value"]) == pytest.approx(values)
    assert set(found["dimension"]) == {next(size for size in range(3) if values[size] >= 0.95 * tuned)}


@of("hyperparameter_selection")
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
        assert row["value"] == pytest.approx(mean(shares[best]))


@functools.cache
def all_plays():
    return tables_of_plays()["collect/plays"]


@of("agents")
def test_agents():
    plays = all_plays()
    found = function_of("agents")(plays).table()
    for key, part in list(plays.groupby(["variant", "environment", "algorithm", "parameters"]))[:12]:
        names = dict(zip(("variant", "environment", "algorithm", "parameters"), key, strict=True))
        row, scores = one(found, **names), part["score"].tolist()
        reach = 1.96 * deviation(scores) / math.sqrt(len(scores))
        wanted = [mean(scores), mean(scores) - reach, mean(scores) + reach]
        assert [row["value"], row["low"], row["high"]] == pytest.approx(wanted)
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


@of("paired_z")
def test_paired_z():
    plays, variant = plays_of("accurate/gc")
    found = function_of("paired_z")(plays).table()
    found = found[found["variant"] == variant]
    best = best_agents(plays)
    for x, y in combinations(best, 2):
        row = one(found, algorithm=x, opponent=y)
        z = z_of(best[x], best[y])
        assert row["z"] == pytest.approx(z)
        assert row["differs_two_sided"] == (not z < 1.96)
    assert len(found) == math.comb(len(best), 2)


@of("time_bounds")
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
