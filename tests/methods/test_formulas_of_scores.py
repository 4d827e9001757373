"""The formulas of questions of scores, computed naively as the methods page prints them, equal what is answered."""

import math
from itertools import combinations, permutations, product

import numpy as np
import pandas as pd
import pytest
from asking import function_of
from naive_formulas import (
    EVEN,
    LEVEL,
    NAMES,
    SCORES,
    SURE,
    TABLE,
    TASKS,
    deviation,
    mean,
    of,
    one,
    table_of,
    tails,
    wins,
)
from scipy import stats

import surefoot


@of("aggregates")
def test_aggregates():
    found = surefoot.aggregates(TABLE, metrics=["mean"], methods=["percentile"], confidence=LEVEL, replicates=300)
    for name in NAMES:
        row = one(found.table(), algorithm=name)
        assert row["value"] == pytest.approx(mean(mean(SCORES[name, task]) for task in TASKS))
        (drawn,) = (values[:, 0] for key, values in found.replicates.items() if key[1] == name)
        assert [row["low"], row["high"]] == pytest.approx(tails(drawn))
        assert row["standard_error"] == pytest.approx(deviation(drawn))
        # N_m runs of each task with replacement: the variance of their mean is the tasks' over N_m, divided by N_m.
        parts = [(len(x), deviation(x) ** 2) for x in (SCORES[name, task] for task in TASKS)]
        wanted = math.sqrt(sum((size - 1) / size * square / size for size, square in parts)) / len(TASKS)
        assert deviation(drawn) == pytest.approx(wanted, rel=SURE / math.sqrt(2 * 300))


@of("group_sequential")
def test_group_sequential():
    """One look at two algorithms, of which all assignments of five runs each can be listed."""
    found = surefoot.group_sequential(table_of(EVEN), group_size=5, looks=2, algorithms=["a", "b"], checked=True)
    x, y = ([mean(EVEN[name, task][run] for task in TASKS) for run in range(5)] for name in "ab")
    row = one(found.table(), x="a", y="b")
    assert row["value"] == pytest.approx(mean(x) - mean(y))
    differences = [abs(2 * sum(chosen) - sum(x + y)) for chosen in combinations(x + y, 5)]
    as_great = sum(difference >= abs(sum(x) - sum(y)) - 1e-9 for difference in differences)
    assert row["separated"] == (as_great <= 0.05 / 2 * len(differences))


@of("pairwise_differences")
def test_pairwise_differences():
    asked = {"metrics": ["mean"], "confidence": LEVEL, "replicates": 300, "seed": 4}
    found = surefoot.pairwise_differences(TABLE, **asked).table()
    drawn = surefoot.aggregates(TABLE, **asked).replicates
    values, errors, degrees, levels = {}, {}, {}, []
    for (_, name), replicates in drawn.items():
        columns = [SCORES[name, task] for task in TASKS]
        parts = [(len(x), deviation(x) ** 2 / len(x)) for x in columns]  # the jackknife's, of a mean
        total = math.fsum(part for _, part in parts)
        enlarged = math.sqrt(total / math.fsum((size - 1) / size * part for size, part in parts))
        values[name], errors[name] = mean(map(mean, columns)), enlarged * deviation(replicates[:, 0])
        degrees[name] = max(
            total**2 / math.fsum(part**2 / (size + 1) for size, part in parts) - 2, min(size for size, _ in parts) - 1
        )
    more = {key: value for key, value in asked.items() if key != "metrics"}
    together = surefoot.multiple_comparisons(TABLE, metric="mean", **more).pairs()
    for x, y in combinations(NAMES, 2):
        row, joint = one(found, x=x, y=y), one(together, x=x, y=y)
        squares = errors[x] ** 2, errors[y] ** 2
        known = sum(squares) ** 2 / (squares[0] ** 2 / (degrees[x] + 2) + squares[1] ** 2 / (degrees[y] + 2)) - 2
        freedom, error = max(known, min(degrees[x], degrees[y])), math.sqrt(sum(squares))
        value, reach = values[x] - values[y], (row["high"] - row["low"]) / 2
        assert [row["value"], row["low"], row["high"]] == pytest.approx([value, value - reach, value + reach])
        assert [row["low"], row["high"]] == pytest.approx([joint["low"], joint["high"]])
        levels.append(stats.t.sf(reach / error, freedom))
    assert levels == pytest.approx([levels[0]] * 3) and (1 - LEVEL) / 6 < levels[0] < (1 - LEVEL) / 2
    pair = surefoot.pairwise_differences(TABLE, algorithms=NAMES[:2], **asked).table().iloc[0]
    row = one(found, x=NAMES[0], y=NAMES[1])
    error = (row["high"] - row["low"]) / stats.t.isf(levels[0], row["degrees"])
    assert pair["high"] - pair["low"] == pytest.approx(error * stats.t.isf((1 - LEVEL) / 2, row["degrees"]))


@of("multiple_comparisons")
def test_multiple_comparisons():
    """The levels by draws of numpy's own generator: 20,000 on either side, so that a level of 10 % has a standard error
    of 0.3 %."""
    asked = {"confidence": LEVEL, "replicates": 300, "seed": 4}
    found = surefoot.multiple_comparisons(TABLE, metric="mean", **asked)
    plain = surefoot.pairwise_differences(TABLE, metrics=["mean"], **asked).table()
    drawn = surefoot.aggregates(TABLE, metrics=["mean"], **asked).replicates
    errors, degrees = [], []
    for (_, name), replicates in drawn.items():
        parts = [(len(x), deviation(x) ** 2 / len(x)) for x in (SCORES[name, task] for task in TASKS)]
        total = math.fsum(part for _, part in parts)
        enlarged = math.sqrt(total / math.fsum((size - 1) / size * part for size, part in parts))
        errors.append(enlarged * deviation(replicates[:, 0]))
        fewest = min(size for size, _ in parts) - 1
        degrees.append(max(total**2 / math.fsum(part**2 / (size + 1) for size, part in parts) - 2, fewest))
    draw = np.random.default_rng(9)
    noise = draw.normal(size=(20_000, 3)) * errors
    squares = np.square(errors) * draw.chisquare(degrees, (20_000, 3)) / degrees
    smallest, one_sided = np.ones(20_000), np.ones((3, 20_000))
    for x, y in combinations(range(3), 2):
        total = squares[:, x] + squares[:, y]
        own = squares[:, x] ** 2 / (degrees[x] + 2) + squares[:, y] ** 2 / (degrees[y] + 2)
        freedom = np.maximum(total**2 / own - 2, min(degrees[x], degrees[y]))
        above = stats.t.sf((noise[:, x] - noise[:, y]) / np.sqrt(total), freedom)
        smallest = np.minimum(smallest, 2 * np.minimum(above, 1 - above))
        one_sided[y] = np.minimum(one_sided[y], above)  # that x looks better than y
        one_sided[x] = np.minimum(one_sided[x], 1 - above)
    for row in plain.to_dict("records"):
        own = one(found.pairs(), x=row["x"], y=row["y"])
        assert own["difference"] == pytest.approx(row["value"])
        error = math.hypot(*(errors[NAMES.index(side)] for side in (row["x"], row["y"])))
        level = 2 * stats.t.sf((own["high"] - own["low"]) / 2 / error, row["degrees"])
        assert np.mean(smallest <= level) == pytest.approx(1 - LEVEL, abs=SURE * 0.003)
        assert own["high"] - own["difference"] == pytest.approx(own["difference"] - own["low"])
    for place, name in enumerate(NAMES):
        row, level = one(found.table(), algorithm=name), np.quantile(one_sided[place], 1 - LEVEL)
        highs = []
        for pair in plain[(plain["x"] == name) | (plain["y"] == name)].to_dict("records"):
            error = math.hypot(*(errors[NAMES.index(side)] for side in (pair["x"], pair["y"])))
            ahead = pair["value"] if pair["x"] == name else -pair["value"]
            highs.append(ahead + stats.t.isf(level, pair["degrees"]) * error)
        assert row["high"] == pytest.approx(max(min(highs), 0), rel=0.1)
        assert row["tied_with_best"] == (row["high"] > 0)


@of("profiles")
def test_profiles():
    thresholds = [0.0, 2.0, 4.0, 4.1, 6.0]
    kinds = ["run_scores", "average_scores"]
    asked = {"thresholds": thresholds, "profiles": kinds, "confidence": LEVEL, "replicates": 200}
    found = surefoot.profiles(TABLE, **asked)
    for name, t in product(NAMES, thresholds):
        columns = [SCORES[name, task] for task in TASKS]
        wanted = {
            "run_scores": mean(mean(score > t for score in column) for column in columns),
            "average_scores": mean(mean(column) > t for column in columns),
        }
        for kind, value in wanted.items():
            row = one(found.table(), algorithm=name, profile=kind, threshold=t)
            assert row["value"] == pytest.approx(value)
            (drawn,) = (values for key, values in found.replicates.items() if key[1:] == (kind, name))
            assert [row["low"], row["high"]] == pytest.approx(tails(drawn[:, thresholds.index(t)]))
            assert row["band_low"] <= value <= row["band_high"]


@of("gap_curve")
def test_gap_curve():
    found = function_of("gap_curve")(TABLE, thresholds=[2.0, 5.0]).table()
    for name, gamma in product(NAMES, (2.0, 5.0)):
        pooled = [score for task in TASKS for score in SCORES[name, task]]
        wanted = mean(max(gamma - score, 0.0) for score in pooled) / gamma
        assert one(found, algorithm=name, gamma=gamma)["value"] == pytest.approx(wanted)


@of("histograms")
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


@of("improvement")
def test_improvement():
    found = surefoot.improvement(TABLE, confidence=LEVEL)
    published = surefoot.improvement(TABLE, confidence=LEVEL, replicates=200, method="percentile")
    for x, y in permutations(NAMES, 2):
        row, resampled = one(found.table(), x=x, y=y), one(published.table(), x=x, y=y)
        value = mean(wins(SCORES[x, task], SCORES[y, task]) for task in TASKS)
        assert row["value"] == pytest.approx(value) and resampled["value"] == pytest.approx(value)
        (drawn,) = (values for key, values in published.replicates.items() if key[1:] == (x, y))
        assert [resampled["low"], resampled["high"]] == pytest.approx(tails(drawn))
        parts = []
        for task in TASKS:
            for own, other in ((x, y), (y, x)):
                placements = [wins([score], SCORES[other, task]) for score in SCORES[own, task]]
                parts.append((np.var(placements, ddof=1) / len(placements), len(placements) - 1))
        total = sum(part for part, _ in parts)
        degrees = total**2 / sum(part**2 / free for part, free in parts)
        error = math.sqrt(total) / len(TASKS) / (value * (1 - value))
        ends = [
            math.log(value / (1 - value)) + sign * stats.t.ppf((1 + LEVEL) / 2, degrees) * error for sign in (-1, 1)
        ]
        assert [row["low"], row["high"]] == pytest.approx([1 / (1 + math.exp(-end)) for end in ends])


@of("views")
def test_views():
    found = function_of("views")(TABLE, confidence=LEVEL, replicates=100).table()
    probabilities = surefoot.improvement(TABLE).table()
    scaled = {}
    for task in TASKS:
        seen = [score for name in NAMES for score in SCORES[name, task]]
        for name in NAMES:
            scaled[name, task] = [(score - min(seen)) / (max(seen) - min(seen)) for score in SCORES[name, task]]
    for name in NAMES:
        pooled = sorted(score for task in TASKS for score in scaled[name, task])
        cut = len(pooled) // 4
        assert one(found, view="iqm", algorithm=name)["value"] == pytest.approx(mean(pooled[cut : len(pooled) - cut]))
        above = mean(probabilities.loc[probabilities["x"] == name, "value"])
        row = one(found, view="probability_of_improvement", algorithm=name)
        assert row["value"] == pytest.approx(above) and row["low"] <= row["value"] <= row["high"]
    assert set(found["view"]) == {"iqm", "probability_of_improvement"}


@of("ranks")
def test_ranks():
    found = surefoot.ranks(TABLE).table()
    total = {(name, rank): [] for name in NAMES for rank in (1, 2, 3)}
    for task in TASKS:
        chances = dict.fromkeys(total, 0.0)
        drawn = list(product(*(SCORES[name, task] for name in NAMES)))
        for scores in drawn:
            for k, name in enumerate(NAMES):
                better = sum(score > scores[k] for score in scores)
                tied = sum(score == scores[k] for score in scores)  # itself too
                for rank in range(better + 1, better + tied + 1):
                    chances[name, rank] += 1 / tied / len(drawn)
        for (name, rank), chance in chances.items():
            assert one(found, environment=task, algorithm=name, rank=rank)["value"] == pytest.approx(chance)
            total[name, rank].append(chance)
    for (name, rank), values in total.items():
        assert one(found, environment="", algorithm=name, rank=rank)["value"] == pytest.approx(mean(values))


@of("run_effects")
def test_run_effects():
    found = surefoot.run_effects(table_of(EVEN), sizes=[2])
    for name in NAMES:
        ranks = [stats.rankdata(EVEN[name, task]) - 3.0 for task in TASKS]  # (N + 1) / 2 of five runs
        inflation = math.fsum(sum(run) ** 2 for run in zip(*ranks, strict=True)) / np.sum(np.square(ranks))
        row = one(found.effects(), algorithm=name)
        assert row["inflation"] == pytest.approx(inflation)
        assert row["correlation"] == pytest.approx((inflation - 1) / 2)
        # Kendall's W is Friedman's statistic divided by M (N - 1).
        test = stats.friedmanchisquare(*np.transpose([EVEN[name, task] for task in TASKS]))
        assert inflation / 3 == pytest.approx(test.statistic / (3 * 4))
        assert one(found.table(), algorithm=name)["p_value"] == pytest.approx(test.pvalue)


@of("published_intervals")
def test_published_intervals():
    draw = np.random.default_rng(2)
    rows = [(name, task, *draw.uniform(1, 5, 2), 7) for name in NAMES for task in TASKS]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "score", "deviation", "runs"])
    found = function_of("published_intervals")(table, confidence=LEVEL).table()
    for name in NAMES:
        own = table[table["algorithm"] == name]
        middle, reach = mean(own["score"]), stats.t.ppf(0.95, 6) * math.sqrt(mean(own["deviation"] ** 2 / 7))
        for method, width in (("as_published", reach), ("independent_tasks", reach / math.sqrt(3))):
            row = one(found, algorithm=name, method=method)
            wanted = [middle, middle - width, middle + width]
            assert [row["value"], row["low"], row["high"]] == pytest.approx(wanted)


@of("welch_profile", "welch_differences")
def test_welch():
    draw = np.random.default_rng(3)
    rows = [
        (name, task, draw.normal(), draw.uniform(0, 0.5), 4 if name == "a" else 6)
        for task, name in product(range(9), "ab")
    ]
    rows[:2] = ("a", 0, 1.0, 0.0, 4), ("b", 0, 1.0 - 3e-6, 1e-6, 6)  # what is added to deviations decides
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "score", "deviation", "runs"])
    distances = {formula: {"a": [], "b": []} for formula in ("welch", "notebook")}
    for formula, found in distances.items():
        for _, pair in table.groupby("environment"):
            best, other = pair.sort_values("score", ascending=False).to_dict("records")
            v, w = ((row["deviation"] + 1e-6) ** 2 / row["runs"] for row in (best, other))
            squares = [part**2 * (row["runs"] if formula == "notebook" else 1) for part, row in ((v, best), (w, other))]
            degrees = (v + w) ** 2 / (squares[0] / (best["runs"] - 1) + squares[1] / (other["runs"] - 1))
            p = stats.t.sf((best["score"] - other["score"]) / math.sqrt(v + w), degrees)
            found[best["algorithm"]].append(0.0)
            found[other["algorithm"]].append(-math.log10(p))
    all_of = {distance for found in distances.values() for own in found.values() for distance in own}
    thresholds = sorted(
        distance * factor for distance in all_of for factor in (0.9999, 1.0001) if distance or factor < 1
    )
    profile = function_of("welch_profile")(table, algorithms=["a", "b"], thresholds=thresholds).table()
    differences = function_of("welch_differences")(table, algorithms=["a", "b"]).table()
    for formula, found in distances.items():
        own = profile[profile["degrees_of_freedom"] == formula]
        for name, t in product("ab", thresholds):
            wanted = mean(distance < t for distance in found[name])
            assert one(own, method=name, threshold=t)["fraction"] == pytest.approx(wanted)
        for level in (0.05, 0.01, 0.001):
            count = sum(max(pair) > -math.log10(level) for pair in zip(*found.values(), strict=True))
            row = one(differences, degrees_of_freedom=formula, level=level, method="")
            assert row["count"] == count and row["problems"] == 9


@of("rank_profile")
def test_rank_profile():
    thresholds = [0.0, 0.2, 0.5, 1.0, 2.0]
    found = function_of("rank_profile")(TABLE, thresholds=thresholds).table()
    distances = {name: [] for name in NAMES}
    for task in TASKS:
        best = max(NAMES, key=lambda name: mean(SCORES[name, task]))
        for name in NAMES:
            x, y = SCORES[best, task], SCORES[name, task]
            ranks = stats.rankdata(x + y)
            sums = [sum(ranks[list(chosen)]) for chosen in combinations(range(len(ranks)), len(x))]
            p = mean(total >= sum(ranks[: len(x)]) - 1e-9 for total in sums)
            distances[name].append(0.0 if name == best else -math.log10(p))
    for name, t in product(NAMES, thresholds):
        wanted = mean(distance < t for distance in distances[name])
        assert one(found, method=name, threshold=t)["fraction"] == pytest.approx(wanted)


@of("time_profiles")
def test_time_profiles():
    times = {"a": [1.0, 2.0, 4.0, 9.0], "b": [2.0, math.nan, 1.0, 3.0]}
    found = surefoot.time_profiles(times, thresholds=[1.0, 1.5, 2.0, 2.5, 4.0, 5.0]).table()
    for name, factor in product(times, (1.0, 1.5, 2.0, 2.5, 4.0, 5.0)):
        fastest = [min(time for time in pair if not math.isnan(time)) for pair in zip(*times.values(), strict=True)]
        wanted = mean(own < factor * best for own, best in zip(times[name], fastest, strict=True))  # NaN is not
        assert one(found, method=name, threshold=factor)["fraction"] == pytest.approx(wanted)
