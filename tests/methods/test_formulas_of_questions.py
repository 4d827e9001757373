"""Each formula of a question on the methods page, computed naively as it is printed, equals what the question answers:
to rounding, or, where the question draws data sets of its own, by the exact distribution over all that can be drawn."""

import math
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
from asking import function_of
from quantiles import quantile
from scipy import special, stats
from stand_in_plays import tables_of_plays

import surefoot
from surefoot.papers.agarwal2021.estimates import density
from surefoot.questions.registry import questions
from surefoot.statistics.coverage.metric_coverage import DESIGNS, MetricCoverage, cover_metrics_block, drawn_runs
from surefoot.statistics.coverage.score_coverage import CoverageOptions, cover_block
from surefoot.statistics.intervals.distributions import band_half_width
from surefoot.statistics.resampling.kernels import SPARE, draw_indices
from surefoot.statistics.resampling.stratified_bootstrap import metric_values
from surefoot.streams import stream_key, uniforms

NAMES = ("a", "b", "c")
TASKS = ("maze", "cliff", "chain")
LEVEL = 0.9
SURE = 5.0
"""Standard errors that chance exceeds once in 1.7 million cases."""
CHECKED = set()


def of(*names):
    """Notes for which questions the test is."""
    CHECKED.update(names)
    return lambda test: test


def mean(values):
    values = list(values)
    return math.fsum(values) / len(values)


def deviation(values):
    middle = mean(values)
    return math.sqrt(math.fsum((value - middle) ** 2 for value in values) / (len(values) - 1))


def tails(values, confidence=LEVEL):
    return [quantile(values, (1 - confidence) / 2), quantile(values, (1 + confidence) / 2)]


def table_of(scores):
    """A run table of {(algorithm, task): scores}."""
    rows = [(*key, run, score) for key, sample in scores.items() for run, score in enumerate(sample)]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])


def random_scores(runs=None, decimals=1):
    """Scores of three algorithms on three tasks, with ties; 3 to 6 runs, or as many as are asked for."""
    draw = np.random.default_rng(8)
    return {
        (name, task): draw.gamma(4.0, 1.0 + 0.2 * place, runs or draw.integers(3, 7)).round(decimals).tolist()
        for place, name in enumerate(NAMES)
        for task in TASKS
    }


SCORES = random_scores()
TABLE = table_of(SCORES)
EVEN = random_scores(5)
ONE_TASK = table_of({("a", "maze"): [1.0, 2.5, 7.0], ("b", "maze"): [2.0, 3.0, 4.5]})
"""Of which all data sets of one or two runs can be listed."""


def wins(x, y):
    return mean((a > b) + 0.5 * (a == b) for a, b in product(x, y))


def one(table, **wanted):
    for column, value in wanted.items():
        table = table[table[column] == value]
    (row,) = table.to_dict("records")
    return row


# Questions of scores


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


# Questions of learning curves

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


# Questions that draw data sets of their own: all that can be drawn are listed


@of("subsamples")
def test_subsamples():
    found = surefoot.subsamples(ONE_TASK, metrics=["mean"], sizes=[2], datasets=4000, resampled="runs").table()
    for name in "ab":
        scores = ONE_TASK.loc[ONE_TASK["algorithm"] == name, "score"].tolist()
        means = [mean(drawn) for drawn in product(scores, repeat=2)]
        row = one(found, algorithm=name)
        assert abs(row["value"] - mean(means)) < SURE * row["mean_error"]
        assert row["mean_error"] == pytest.approx(row["deviation"] / math.sqrt(4000))
        spread = math.sqrt(mean(value**2 for value in means) - mean(means) ** 2)
        assert row["deviation"] == pytest.approx(spread, rel=SURE / math.sqrt(2 * 4000))
        assert [row["low"], row["high"]] == [min(means), max(means)]  # either has a probability of 1/9
        assert row["whole"] == pytest.approx(mean(scores))


@of("differences")
def test_differences():
    asked = {"metrics": ["mean"], "pairs": [["a", "b"]], "sizes": [1], "datasets": 4000, "resampled": "runs"}
    (row,) = function_of("differences")(ONE_TASK, **asked).table().to_dict("records")
    all_of = [x - y for x, y in product([1.0, 2.5, 7.0], [2.0, 3.0, 4.5])]  # each with a probability of 1/9
    assert [row["low"], row["high"]] == [min(all_of), max(all_of)]
    spread = math.sqrt(mean(value**2 for value in all_of) - mean(all_of) ** 2)
    assert abs(row["value"] - mean(all_of)) < SURE * spread / math.sqrt(4000)


@of("lifts")
def test_lifts():
    asked = {"metrics": ["mean"], "lifts": [0, 25], "sizes": [1], "datasets": 4000, "resampled": "runs"}
    found = function_of("lifts")(ONE_TASK, **asked, algorithms=["a"]).table()
    for lift in (0, 25):
        all_of = sorted(100 * ((1 + lift / 100) * x / y - 1) for x, y in product([1.0, 2.5, 7.0], repeat=2))
        row = one(found, lift=lift)
        # Three of nine have the ratio 1, and so the median; either end has a probability of 1/9.
        assert [row["low"], row["value"], row["high"]] == pytest.approx([all_of[0], all_of[4], all_of[-1]])


@of("trimmed_errors")
def test_trimmed_errors():
    asked = {"fractions": [0, 0.5], "sizes": [3], "datasets": 4000}
    found = function_of("trimmed_errors")(ONE_TASK, **asked, algorithms=["a"]).table()
    scores = [1.0, 2.5, 7.0]
    for fraction, statistic in ((0.0, mean), (0.5, lambda drawn: sorted(drawn)[1])):
        errors = [statistic(drawn) - statistic(scores) for drawn in product(scores, repeat=3)]
        for resampled in ("runs", "whole_runs"):
            row = one(found, fraction=fraction, resampled=resampled)
            assert abs(row["value"] - mean(error**2 for error in errors)) < SURE * row["value_error"]
            assert abs(row["bias"] - mean(errors)) < SURE * math.sqrt(row["value"] / 4000)


@of("protocols")
def test_protocols():
    asked = {"metrics": ["mean"], "sizes": [2], "settings": 2, "runs_of_setting": 2, "datasets": 4000}
    found = function_of("protocols")(ONE_TASK, **asked, algorithms=["a"], resampled="runs").table()
    scores = [1.0, 2.5, 7.0]
    means = [mean(drawn) for drawn in product(scores, repeat=2)]
    best = [max(pair) for pair in product(means, repeat=2)]
    for protocol, all_of in (("a", means), ("a, best of 2 settings", best)):
        row = one(found, protocol=protocol)
        spread = math.sqrt(mean(value**2 for value in all_of) - mean(all_of) ** 2)
        assert abs(row["value"] - mean(all_of)) < SURE * spread / math.sqrt(4000)
        assert row["high"] == 7.0


@of("subsample_densities")
def test_subsample_densities():
    """Counting values in bins first moves a density by less than a thousandth of its greatest value."""
    values = np.random.default_rng(1).gamma(3.0, size=300)
    quartiles = quantile(values, 0.75) - quantile(values, 0.25)
    bandwidth = 0.9 * min(deviation(values), quartiles / 1.349) * 300**-0.2
    points, found = density(values)
    kernel = NormalDist(0.0, bandwidth)
    wanted = [mean(kernel.pdf(point - value) for value in values) for point in points]
    assert found == pytest.approx(wanted, abs=1e-3 * max(wanted))
    asked = {"metrics": ["mean"], "algorithms": ["a"], "sizes_of": [2], "datasets": 50}
    drawn = function_of("subsample_densities")(ONE_TASK, **asked).table()
    area = np.trapezoid(drawn["value"], drawn["score"])
    assert area == pytest.approx(1.0, abs=0.01)


@of("coverages")
def test_coverages():
    table = table_of({("a", task): EVEN["a", task] for task in TASKS})
    asked = {"metrics": ["mean"], "methods": ["percentile", "bca"], "sizes": [2], "datasets": 60}
    found = surefoot.coverages(table, **asked, replacement=[True], replicates=50, seed=1).table()
    found = found[found["level"] == 0.95]
    scores = np.array([EVEN["a", task] for task in sorted(TASKS)]).T
    study = MetricCoverage(("mean",), ("percentile", "bca"), DESIGNS[0], 50, (0.95,), 1)
    intervals, truth = cover_metrics_block(scores, 2, 0, 60, study), metric_values(list(scores.T), ["mean"])[0]
    for method in ("percentile", "bca"):
        own, row = intervals[intervals["method"] == method], one(found, method=method)
        held = [low <= truth <= high for low, high in zip(own["low"], own["high"], strict=True)]
        widths = [high - low for low, high in zip(own["low"], own["high"], strict=True) if not math.isnan(low)]
        assert row["value"] == pytest.approx(mean(held))
        assert row["value_error"] == pytest.approx(math.sqrt(mean(held) * (1 - mean(held)) / 60))
        assert row["width"] == pytest.approx(mean(widths))
        assert row["undefined"] == 60 - len(widths)
    assert one(found, method="bca")["undefined"] > 0


@of("task_coverages")
def test_task_coverages():
    scores = np.random.default_rng(4).normal(size=(12, 2))
    table = table_of({("a", task): column.tolist() for task, column in zip(("maze", "cliff"), scores.T, strict=True)})
    found = function_of("task_coverages")(
        table, sizes=[3], datasets=40, replicates=30, seed=2, confidence=LEVEL
    ).table()
    held = {"maze": [], "cliff": []}
    for dataset in range(40):
        chosen = scores[drawn_runs(12, 3, dataset, DESIGNS[1], 2)]
        assert len({tuple(run) for run in chosen}) == 3  # without replacement
        drawn = np.empty(90 + SPARE, np.uint32)
        draw_indices(stream_key(2, "task_coverage", 3), dataset, 3, 90, drawn)
        for task, own, truth in zip(held, chosen.T, scores.mean(axis=0), strict=True):
            low, high = tails([mean(own[list(one)]) for one in drawn[:90].reshape(30, 3)])
            held[task].append(low <= truth <= high)
    for task, values in held.items():
        row = one(found, environment=task)
        assert row["value"] == pytest.approx(mean(values))
        assert row["value_error"] == pytest.approx(math.sqrt(mean(values) * (1 - mean(values)) / 40))


@of("coverage")
def test_coverage():
    runs = TABLE.assign(cell=TABLE["algorithm"])
    asked = {"sizes": [3], "datasets": 30, "confidence": 0.5, "replicates": 40, "seed": 1}
    (row,) = function_of("coverage")(TABLE, methods=["bootstrap"], **asked).table().to_dict("records")
    options = CoverageOptions("resample", 1, 0.5, 40, ("corrected",), 0, None)
    blocks = cover_block(runs, ["bootstrap"], 3, 0, 30, options)
    points = surefoot.game_scores(TABLE).table()
    truth = points[points["aggregate"] == "game_score"].set_index("algorithm")["value"]
    missed, apart, widths, scores = [], [], [], []
    for _, own in blocks.groupby("dataset"):
        limits = own.set_index("algorithm")
        missed.append(any(not limits["low"][name] <= truth[name] <= limits["high"][name] for name in NAMES))
        apart.append(
            mean(
                limits["low"][x] > limits["high"][y] or limits["low"][y] > limits["high"][x]
                for x, y in combinations(NAMES, 2)
            )
        )
        widths.append(mean(limits["high"] - limits["low"]))
        scores.append(limits)
    rate = mean(missed)
    assert 0 < rate < 1
    assert row["failure_rate_truth"] == pytest.approx(rate)
    assert row["failure_rate_truth_error"] == pytest.approx(math.sqrt(rate * (1 - rate) / 29))
    assert [row["significance"], row["mean_width"]] == pytest.approx([mean(apart), mean(widths)])
    others = [
        any(not a["low"][name] <= b["score"][name] <= a["high"][name] for name in NAMES)
        for a, b in permutations(scores, 2)
    ]
    assert row["failure_rate"] == pytest.approx(mean(others))


@of("false_alarm_rates")
def test_false_alarm_rates():
    """Two runs, one that wins against the other. At the second round the ordinary interval leaves out 1/2 only where
    both runs of one side beat both of the other, in one of eight cases; bets of two rounds settle nothing."""
    table = table_of({(name, "maze"): [0.0, 1.0] for name in "ab"})
    asked = {"compare": ["a", "b"], "rounds": 2, "datasets": 600, "replicates": 100}
    found = surefoot.false_alarm_rates(table, **asked).table()
    assert one(found, method="percentile", round=1)["ever"] == 0.0
    alarms = one(found, method="percentile", round=2)
    assert alarms["ever"] == alarms["alarms"]
    assert abs(alarms["ever"] - 1 / 8) < SURE * math.sqrt(7 / 64 / 600)
    assert one(found, method="betting", round=2)["ever"] == 0.0


@of("run_plans")
@pytest.mark.parametrize("lower", [False, True])
def test_run_plans(lower):
    """A pilot of two runs, 1 and 3: spread out by the root of 2. The interval of a study of two runs is the textbook's,
    with one degree of freedom, and that of the difference of two studies has Welch's, as they are stated. Its error is
    known to 3 % by resampling, so that no study may come so near to the limit that this decides."""
    metric = "optimality_gap(9)" if lower else "mean"
    asked = {"metrics": [metric], "sizes": [2], "lifts": [0, 100], "datasets": 400, "replicates": 1000}
    found = surefoot.run_plans(table_of({("a", "maze"): [1.0, 3.0]}), **asked).table()
    runs = 2 - math.sqrt(2), 2 + math.sqrt(2)
    studies = list(product(runs, repeat=2))
    widths = [2 * stats.t.ppf(0.975, 1) * np.std(drawn, ddof=1) / math.sqrt(2) for drawn in studies]
    width = one(found, quantity="width")["value"]
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
        assert abs(row["value"] - share) < SURE * math.sqrt(share * (1 - share) / 400)


@of("tuning")
def test_tuning():
    """Runs of one candidate are all alike: what is claimed follows from the order in which candidates are tried."""
    worth = [3.0, 5.0, 4.0]
    rows = [("a", "maze", candidate, run, score) for candidate, score in enumerate(worth) for run in range(4)]
    repeats = pd.DataFrame(rows, columns=["algorithm", "environment", "candidate", "run", "score"])
    asked = {"candidates": 3, "tuning_runs": 2, "reported_runs": 2, "repetitions": 2000}
    found = function_of("tuning")(repeats, **asked).table()
    assert one(found, procedure="complete_data_collection")["value"] == pytest.approx(mean(worth))
    assert one(found, procedure="tune_and_report")["value"] == pytest.approx(max(worth))
    averages = [mean(np.maximum.accumulate(order)) for order in permutations(worth)]
    row = one(found, procedure="tuning_average")
    assert abs(row["value"] - mean(averages)) < SURE * row["deviation"] / math.sqrt(2000)


# Questions of runs


@of("task_means")
def test_task_means():
    found = surefoot.task_means(TABLE, confidence=LEVEL).table()
    for (name, task), scores in SCORES.items():
        row = one(found, algorithm=name, environment=task)
        reach = stats.t.ppf(0.95, len(scores) - 1) * deviation(scores) / math.sqrt(len(scores))
        wanted = [mean(scores), mean(scores) - reach, mean(scores) + reach]
        assert [row["mean"], row["low"], row["high"]] == pytest.approx(wanted)


@of("sample_distributions")
def test_sample_distributions():
    found = function_of("sample_distributions")(
        TABLE, algorithm="b", environment="maze", sizes=[2], confidence=LEVEL
    ).table()
    scores = SCORES["b", "maze"]
    rows = found[found["size"] == len(scores)]
    assert rows["score"].tolist() == sorted(set(scores))
    for row in found.to_dict("records"):
        width = math.sqrt(math.log(2 / (1 - LEVEL)) / (2 * row["size"]))
        assert width == pytest.approx(float(band_half_width(row["size"], 1 - LEVEL)))
        assert row["low"] == pytest.approx(max(row["probability"] - width, 0.0))
        assert row["high"] == pytest.approx(min(row["probability"] + width, 1.0))
    assert rows["probability"].tolist() == pytest.approx([mean(s <= t for s in scores) for t in sorted(set(scores))])


@of("best_of_candidates")
def test_best_of_candidates():
    found = function_of("best_of_candidates")(TABLE, candidates=[1, 2, 3]).table()
    for (name, task), k in product(SCORES, (1, 2, 3)):
        scores = sorted(SCORES[name, task])
        size = len(scores)
        printed = sum(scores[t - 1] * math.comb(t - 1, k - 1) for t in range(k, size + 1)) / math.comb(size, k)
        listed = mean(max(drawn) for drawn in combinations(scores, k))
        row = one(found, candidates=k, environment=task, algorithm=name)
        assert row["value"] == pytest.approx(printed) == pytest.approx(listed)


def payoff(x, y):
    return mean(b <= a for a, b in product(x, y))


def payoffs():
    """{(algorithm, environment, opponent): payoff}."""
    return {
        (x, task, y): 0.5 if x == y else payoff(SCORES[x, task], SCORES[y, task])
        for x, task, y in product(NAMES, TASKS, NAMES)
    }


def moves(z, chance):
    """The moves of the game, by the chance that a gain makes a player move, and its strategies."""
    strategies = list(product(NAMES, product(TASKS, NAMES)))
    eta = 1 / (len(NAMES) + len(NAMES) * len(TASKS) - 2)
    matrix = np.zeros((len(strategies), len(strategies)))
    for a, (x, other) in enumerate(strategies):
        for b, (y, another) in enumerate(strategies):
            if (x == y) != (other == another):
                gain = z[y, *another] - z[x, *other]
                matrix[a, b] = eta * chance(gain if other == another else -gain)
    return matrix + np.diag(1 - matrix.sum(axis=1)), strategies


def scores_and_weights(z, visits, strategies):
    weights = {}
    for visit, (_, other) in zip(visits, strategies, strict=True):
        weights[other] = weights.get(other, 0.0) + visit
    return {x: math.fsum(weight * z[x, *other] for other, weight in weights.items()) for x in NAMES}, weights


def limit_chance(gain):
    return 1.0 if gain > 1e-12 else 1 / 50 if gain > -1e-12 else 0.0


def jumping(matrix):
    size = len(matrix)
    gamma = 1 - 1 / size
    return np.linalg.solve((np.eye(size) - gamma * matrix).T, np.full(size, (1 - gamma) / size))


@of("game_scores")
def test_game_scores():
    z = payoffs()
    matrix, strategies = moves(z, limit_chance)
    scores, weights = scores_and_weights(z, jumping(matrix), strategies)
    found = surefoot.game_scores(TABLE)
    points = found.table()
    for name in NAMES:
        assert one(points, aggregate="game_score", algorithm=name)["value"] == pytest.approx(scores[name], abs=1e-10)
    assert sum(weights.values()) == pytest.approx(1.0)


@of("exploits")
def test_exploits():
    """Where an environment is copied twice, and where a terrible algorithm is added, on two of the scales."""
    found = function_of("exploits")(TABLE, copies=2).table()

    def least_to_greatest(scores, tasks):
        values = dict.fromkeys(NAMES, 0.0)
        for task in tasks:
            seen = [score for (_, where), sample in scores.items() if where == task for score in sample]
            for name in NAMES:
                values[name] += (mean(scores[name, task]) - min(seen)) / (max(seen) - min(seen)) / len(tasks)
        return values

    def outperforming(scores, tasks):
        names = list(dict.fromkeys(name for name, _ in scores))
        return {
            x: mean(payoff(scores[x, task], scores[y, task]) for task in tasks for y in names if y != x) for x in NAMES
        }

    terrible = {
        ("terrible", task): [min(score for name in NAMES for score in SCORES[name, task])] * 3 for task in TASKS
    }
    scenarios = {
        "as_run": (SCORES, TASKS),
        "copies/cliff": (SCORES, (*TASKS, "cliff", "cliff")),
        "terrible_algorithm": (SCORES | terrible, TASKS),
    }
    for scenario, (scores, tasks) in scenarios.items():
        for scale, formula in (("range", least_to_greatest), ("probability_of_outperforming", outperforming)):
            for name, value in formula(scores, tasks).items():
                row = one(found, scenario=scenario, normalization=scale, algorithm=name)
                assert row["value"] == pytest.approx(value), (scenario, scale)


@of("success_rates")
def test_success_rates():
    """Limits against the closed form of the distribution of a sum of distinct rates with uniform weights; the
    correlation of trials against sums over pairs of trials' squared errors."""
    wins, trials = [3, 8, 5, 1], [8, 9, 6, 4]
    rows = [("a", "maze", run, win / trial, trial) for run, (win, trial) in enumerate(zip(wins, trials, strict=True))]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score", "trials"])
    (row,) = surefoot.success_rates(table, confidence=LEVEL).table().to_dict("records")
    rates = [Fraction(win, trial) for win, trial in zip(wins, trials, strict=True)]

    def exceeds(points, at):
        terms = [
            (one - at) ** 4 / math.prod(one - other for other in points if other != one) for one in points if one > at
        ]
        return float(sum(terms))

    assert exceeds([Fraction(0), *rates], Fraction(row["low"])) == pytest.approx(1 - (1 - LEVEL) / 2)
    failures = [1 - rate for rate in rates]
    assert exceeds([Fraction(0), *failures], 1 - Fraction(row["high"])) == pytest.approx(1 - (1 - LEVEL) / 2)
    assert row["rate"] == pytest.approx(float(sum(rates) / 4))
    outcomes = [[1] * win + [0] * (trial - win) for win, trial in zip(wins, trials, strict=True)]
    total, every = sum(trials), mean([one for run in outcomes for one in run])
    within = sum((one - mean(run)) ** 2 for run in outcomes for one in run) / (total - 4)
    between = sum(len(run) * (mean(run) - every) ** 2 for run in outcomes) / 3
    size = (total - sum(trial**2 for trial in trials) / total) / 3
    assert row["overdispersion"] == pytest.approx((between - within) / (between + (size - 1) * within))


@of("success_rate_differences")
def test_success_rate_differences_of_trials():
    """Newcombe's limits from Wilson's, as roots of a quadratic; Boschloo's p-value by the definition on a fine grid;
    Tango's limits by maximizing the likelihood at each difference; McNemar's p-value and Holm's by their sums."""
    rows = [("a", "maze", 0, 7, 9), ("b", "maze", 0, 2, 8), ("c", "maze", 0, 5, 10)]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "successes", "trials"])
    found = surefoot.success_rate_differences(table, confidence=LEVEL).table()
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)

    def wilson(won, trials):
        squared = z * z / trials
        middle, reach = (
            won / trials + squared / 2,
            z * math.sqrt(won / trials * (1 - won / trials) / trials + squared / trials / 4),
        )
        return (middle - reach) / (1 + squared), (middle + reach) / (1 + squared)

    def fisher(won_x, trials_x, won_y, trials_y):
        return stats.fisher_exact([[won_x, won_y], [trials_x - won_x, trials_y - won_y]], "greater").pvalue

    (_, _, _, won_x, trials_x), (_, _, _, won_y, trials_y) = rows[:2]
    (low_x, high_x), (low_y, high_y) = wilson(won_x, trials_x), wilson(won_y, trials_y)
    row = found.iloc[0]
    assert row["value"] == pytest.approx(7 / 9 - 2 / 8)
    assert row["low"] == pytest.approx(row["value"] - math.hypot(7 / 9 - low_x, high_y - 2 / 8))
    assert row["high"] == pytest.approx(row["value"] + math.hypot(high_x - 7 / 9, 2 / 8 - low_y))
    extreme = [
        (i, j)
        for i, j in product(range(trials_x + 1), range(trials_y + 1))
        if fisher(i, trials_x, j, trials_y) <= fisher(won_x, trials_x, won_y, trials_y) * (1 + 1e-9)
    ]
    largest = max(
        sum(stats.binom.pmf(i, trials_x, rate) * stats.binom.pmf(j, trials_y, rate) for i, j in extreme)
        for rate in np.linspace(0.3, 0.7, 81)
    )
    assert row["p_value"] == pytest.approx(2 * largest, rel=1e-4)
    ordered = sorted(found["p_value"])
    stepped = [min(max((3 - place) * ordered[place] for place in range(last + 1)), 1) for last in range(3)]
    assert sorted(found["p_adjusted"]) == pytest.approx(stepped)

    won = {"a": [1, 1, 1, 1, 0, 1, 0, 1], "b": [0, 1, 0, 1, 1, 0, 0, 0]}
    pairs = pd.DataFrame(
        [(name, "maze", start, one) for name, each in won.items() for start, one in enumerate(each)],
        columns=["algorithm", "environment", "run", "score"],
    )
    (row,) = surefoot.success_rate_differences(pairs, paired=True, confidence=LEVEL).table().to_dict("records")
    b, c, n = 4, 1, 8
    assert row["value"] == pytest.approx((b - c) / n) and row["test"] == "mcnemar"
    assert row["p_value"] == pytest.approx(2 * sum(math.comb(b + c, k) for k in range(c + 1)) / 2 ** (b + c))
    for limit in (row["low"], row["high"]):
        q = np.linspace(max(-limit, 0.0), (1 - limit) / 2, 2_000_001)[1:-1]
        likeliest = q[np.argmax(b * np.log(q + limit) + c * np.log(q) + (n - b - c) * np.log(1 - 2 * q - limit))]
        spread = math.sqrt(n * (2 * likeliest + limit * (1 - limit)))
        assert abs(b - c - n * limit) == pytest.approx(z * spread, rel=1e-5)


@of("success_rate_differences")
def test_success_rate_differences_of_trainings():
    """The limits of both rates combined, and a p-value at whose confidence the interval ends at 0."""
    rows = [("a", "maze", run, won, 10) for run, won in enumerate((9, 10, 8, 10, 9))]
    rows += [("b", "maze", run, won, 10) for run, won in enumerate((1, 4, 0, 2, 1))]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "successes", "trials"])
    (row,) = surefoot.success_rate_differences(table, confidence=LEVEL).table().to_dict("records")
    assert row["unit"] == "training" and (row["units_x"], row["trials_x"]) == (5, 50)

    def limits(confidence):
        x, y = surefoot.success_rates(table, confidence=confidence).table().itertuples()
        value = x.rate - y.rate
        return value - math.hypot(x.rate - x.low, y.high - y.rate), value + math.hypot(x.high - x.rate, y.rate - y.low)

    assert (row["low"], row["high"]) == pytest.approx(limits(LEVEL))
    assert limits(1 - row["p_value"])[0] == pytest.approx(0, abs=1e-6)


@of("evaluation_scores")
def test_evaluation_scores():
    """The clustered standard error by the sums of clusters; limits as those of a beta distribution."""
    answers = {"t1/a": (1, 1, 0), "t1/b": (1, 1, 1), "t2/a": (0, 0, 1), "t3/a": (1, 0, 1), "t3/b": (1, 1, 1)}
    table = table_of({("m", item): each for item, each in answers.items()})
    found = surefoot.evaluation_scores(table, attempts=[2], clustered=True, confidence=LEVEL).table()
    values = {"mean": [mean(each) for each in answers.values()]}
    values["pass^2"] = [math.comb(sum(each), 2) / 3 for each in answers.values()]
    values["pass@2"] = [1 - math.comb(3 - sum(each), 2) / 3 for each in answers.values()]
    for name, of_item in values.items():
        row, middle = one(found, metric=name), mean(of_item)
        sums = [math.fsum(of_item[at] - middle for at in of) for of in ((0, 1), (2,), (3, 4))]
        error = math.sqrt(math.fsum(each**2 for each in sums)) / 5
        assert [row["value"], row["standard_error"]] == pytest.approx([middle, error])
        ratio = NormalDist().inv_cdf((1 + LEVEL) / 2) / stats.t.ppf((1 + LEVEL) / 2, 2)
        worth = min(middle * (1 - middle) / (error**2 * 3 / 2) * ratio**2, 15 if name == "mean" else 5)
        hits, misses = worth * middle, worth * (1 - middle)
        low, high = stats.beta.ppf((1 - LEVEL) / 2, hits, misses + 1), stats.beta.ppf((1 + LEVEL) / 2, hits + 1, misses)
        assert [row["low"], row["high"]] == pytest.approx([low, high])


@of("sequential_success_rates")
def test_sequential_success_rates():
    """Pair by pair, as it is printed."""
    outcomes = {"a": (1, 1, 1, 0, 1, 1, 1), "b": (0, 0, 1, 0, 0, 0, 0)}
    found = surefoot.sequential_success_rates(table_of({(x, "maze"): each for x, each in outcomes.items()}))
    greatest = 0.0
    for x, y in (("a", "b"), ("b", "a")):
        capital, before = [1.0] * 8, 0
        for number, (u, v) in enumerate(zip(outcomes[x], outcomes[y], strict=True)):
            odds = math.log((before + 1) / (2 * number + 2 - before - 1))
            for place in range(8):
                away = 0.4 * 15 ** (place / 7) / 2
                a, b = 1 / (1 + math.exp(-odds - away)), 1 / (1 + math.exp(-odds + away))
                m = (a + b) / 2
                capital[place] *= (a / m if u else (1 - a) / (1 - m)) * (b / m if v else (1 - b) / (1 - m))
            before += u + v
            greatest = max(greatest, mean(capital))
    assert found.table()["p_value"][0] == pytest.approx(min(2 / greatest, 1))


@of("sequential_comparison")
@pytest.mark.parametrize("independent", [True, False, "auto"])
def test_sequential_comparison(independent):
    """On two tasks of which X rather wins one where it loses the other, so that rounds come to be bet on apart."""
    draw = np.random.default_rng(5)
    x, y = (draw.normal(skill, 1.0, (30, 2)).round(1) for skill in (0.4, 0.0))
    x[:, 0] += np.where(np.arange(30) % 2, 1.5, -1.5)
    x[:, 1] -= np.where(np.arange(30) % 2, 1.5, -1.5)
    table = table_of({(name, task): list(s[:, k]) for name, s in (("a", x), ("b", y)) for k, task in enumerate("mn")})
    found = surefoot.sequential_comparison(
        table, compare=["a", "b"], tasks_independent=independent, replicates=10, confidence=LEVEL
    )
    rows = found.table()
    apart = rows["apart"].tolist()
    if independent == "auto":
        assert 0 < sum(apart) < 30, "both kinds of rounds"
    outcomes = [[(a > b) + 0.5 * (a == b) for a, b in zip(*pair, strict=True)] for pair in zip(x, y, strict=True)]
    bets = [row if separate else [mean(row)] for row, separate in zip(outcomes, apart, strict=True)]
    stakes = [f / 50 for f in range(1, 50)]
    few = min(1.0, 2 / 2) if independent == "auto" else 1.0  # at most 2 f / M of two tasks

    def log_capitals(p, sign):
        """After each round."""
        accounts, found = {False: [0.0] * 49, True: [0.0] * 49}, []
        for row, separate in zip(bets, apart, strict=True):
            for w in row:
                value = w if sign > 0 else 1 - w
                for place, f in enumerate(stakes):
                    accounts[separate][place] += math.log1p((few * f if separate else f) * (value / p - 1))
            found.append(math.fsum(special.logsumexp(account) - math.log(49) for account in accounts.values()))
        return found

    def least_left(sign, rounds):
        """The least value against which the capital never was so much, by halving."""
        low, high = 0.0, 1.0
        for _ in range(30):
            middle = (low + high) / 2
            out = max(log_capitals(middle, sign)[:rounds]) >= math.log(2 / (1 - LEVEL))
            low, high = (middle, high) if out else (low, middle)
        return low

    for rounds in (1, 7, 30):
        row = one(rows, round=rounds)
        assert row["value"] == pytest.approx(mean(w for outcome in outcomes[:rounds] for w in outcome))
        assert row["low"] == pytest.approx(least_left(1, rounds), abs=1e-7)
        assert row["high"] == pytest.approx(1 - least_left(-1, rounds), abs=1e-7)


# Questions of plays


@of("agents")
def test_agents():
    plays = tables_of_plays()["collect/plays"]
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
    plays = tables_of_plays()["collect/plays"]
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


# The limits of scores of the game are compared beside the intervals that they come from.
of("game_intervals")


def test_every_question_has_its_formula_here():
    assert set(questions()) == CHECKED
