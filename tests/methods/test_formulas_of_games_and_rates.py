"""The formulas of questions of runs, the game and success rates, computed naively as the methods page prints them,
equal what is answered."""

import math
from fractions import Fraction
from itertools import combinations, product
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
from asking import function_of
from naive_formulas import (
    LEVEL,
    NAMES,
    SCORES,
    TABLE,
    TASKS,
    deviation,
    mean,
    of,
    one,
    table_of,
)
from scipy import special, stats

import surefoot
from surefoot.statistics.intervals.distributions import band_half_width


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

    def log_capitals(p, sign, rounds):
        """After each of some rounds."""
        accounts, found = {False: [0.0] * 49, True: [0.0] * 49}, []
        for row, separate in list(zip(bets, apart, strict=True))[:rounds]:
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
            out = max(log_capitals(middle, sign, rounds)) >= math.log(2 / (1 - LEVEL))
            low, high = (middle, high) if out else (low, middle)
        return low

    for rounds in (1, 7, 30):
        row = one(rows, round=rounds)
        assert row["value"] == pytest.approx(mean(w for outcome in outcomes[:rounds] for w in outcome))
        assert row["low"] == pytest.approx(least_left(1, rounds), abs=1e-7)
        assert row["high"] == pytest.approx(1 - least_left(-1, rounds), abs=1e-7)
