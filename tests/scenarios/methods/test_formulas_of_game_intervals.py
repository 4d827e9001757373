"""Each formula of an interval of scores of the game on the methods page, computed naively as it is printed, equals what
the library computes, to rounding."""

import math
from itertools import combinations, permutations, product

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, stats
from support.naive_formulas import mean, quantile, variance

from surefoot.statistics.intervals.bootstrap import replicate_scores, score_quantiles
from surefoot.statistics.intervals.estimation import estimate
from surefoot.statistics.intervals.interval_catalogue import ESTIMATORS, Options
from surefoot.statistics.intervals.payoff_limits import lower_limits, pbp, pbp_matchings, pbp_t
from surefoot.statistics.runs.samples import samples_from_runs

DELTA = 0.2
ALGORITHMS, ENVIRONMENTS = 3, 2
PAYOFFS = [(i, j, k) for i, j, k in product(range(3), range(2), range(3)) if i != k]


def run_table(sizes):
    """Runs of three algorithms in two environments, with ties."""
    draw = np.random.default_rng(12)
    rows = [
        (f"a{i}", f"e{j}", run, score, f"a{i}")
        for i, j in product(range(3), range(2))
        for run, score in enumerate(draw.normal(0.4 * i, 1.0, sizes[(i + j) % 3]).round(1))
    ]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score", "cell"])


@pytest.fixture(scope="module")
def runs():
    """3 to 5 of each pair."""
    return run_table((3, 4, 5))


@pytest.fixture(scope="module")
def samples(runs):
    return samples_from_runs(runs)


def scores_of(runs, i, j):
    chosen = (runs["algorithm"] == f"a{i}") & (runs["environment"] == f"e{j}")
    return sorted(runs.loc[chosen, "score"])


def pair(runs, payoff):
    i, j, k = payoff
    return scores_of(runs, i, j), scores_of(runs, k, j)


def payoff_of(x, y):
    return mean(b <= a for a, b in product(x, y))


def half_width(size):
    return min(1.0, math.sqrt(math.log(2 / (DELTA / (ALGORITHMS * ENVIRONMENTS))) / (2 * size)))


def integral(values, begin, end):
    """Of the quantile function of equally weighted values, in the order in which they are given."""
    size = len(values)
    return math.fsum(
        value * max(0.0, min((t + 1) / size, end) - max(t / size, begin)) for t, value in enumerate(values)
    )


def band_limits(x, y):
    own, other = half_width(len(x)), half_width(len(y))
    low = [max(mean(b <= a for b in y) - other, 0.0) for a in x]
    high = [min(mean(b <= a for b in y) + other, 1.0) for a in x]
    return integral(low, 0.0, 1.0 - own), own + integral(high, own, 1.0)


def standard_error_and_degrees(x, y):
    a = variance([mean(b <= one for b in y) for one in x]) / len(x)
    b = variance([mean(one >= other for one in x) for other in y]) / len(y)
    degrees = (a + b) ** 2 / (a**2 / (len(x) - 1) + b**2 / (len(y) - 1)) if a + b else math.nan
    return math.sqrt(a + b), degrees


def published_student_limits(x, y):
    """Of the paper's variant: without the opponent's share, at the level of as many payoffs as there are samples."""
    a = variance([mean(b <= one for b in y) for one in x]) / len(x)
    reach = math.sqrt(a) * stats.t.ppf(1 - DELTA / (2 * ALGORITHMS * ENVIRONMENTS), len(x) - 1)
    return payoff_of(x, y) - reach, payoff_of(x, y) + reach


def student_limits(x, y):
    z = payoff_of(x, y)
    error, degrees = standard_error_and_degrees(x, y)
    level = DELTA / (ALGORITHMS * (ALGORITHMS - 1) * ENVIRONMENTS)
    reach = error * stats.t.ppf(1 - level / 2, degrees) if error else 0.0
    return max(z - reach, 0.0), min(z + reach, 1.0)


def matched_hits(x, y, hit):
    """The numbers of hits of all one-to-one matchings of the smaller sample with runs of the other."""
    if len(x) <= len(y):
        return [sum(map(hit, x, chosen)) for chosen in permutations(y, len(x))]
    return [sum(map(hit, chosen, y)) for chosen in permutations(x, len(y))]


def threshold(trials, theta, level):
    small = stats.binom.sf(np.arange(trials), trials, theta) <= level  # of 1, 2, ... hits and more
    return int(np.argmax(small)) + 1 if small.any() else trials


def least_not_rejected(hits, trials, level):
    """The least theta, to 1e-5, that the e-value of these equally likely numbers of hits does not reject."""

    def rejected(theta):
        first = threshold(trials, theta, 0.7 * level)
        greatest = 1.0  # theta with the same first threshold
        if stats.binom.sf(first - 1, trials, theta) <= 0.7 * level:
            greatest = optimize.brentq(
                lambda t: stats.binom.sf(first - 1, trials, t) / (0.7 * level) - 1, theta, 1.0, xtol=1e-15
            )
            greatest *= 1 - 1e-12
        others = [threshold(trials, greatest, part * level) for part in (0.02, 0.0001)]
        value = 0.0
        for weight, s in zip((0.7, 0.2, 0.1), (first, *others), strict=True):
            value += weight * mean(count >= s for count in hits) / stats.binom.sf(s - 1, trials, theta)
        return value >= 1 / level

    coarse = next(theta for theta in np.linspace(1e-4, 1.0, 1001) if not rejected(theta))
    grid = np.linspace(max(coarse - 1.2e-3, 1e-9), coarse, 121)
    return next(theta for theta in grid if not rejected(theta))


def lower_matching_limit(x, y, hit):
    return least_not_rejected(matched_hits(x, y, hit), min(len(x), len(y)), DELTA / (2 * len(PAYOFFS)))


def matching(x, y):
    lower = lower_matching_limit(x, y, lambda a, b: b <= a)
    return lower, 1 - lower_matching_limit(x, y, lambda a, b: b > a)


PAYOFF_FORMULAS = {
    "pbp": (lambda samples: pbp(samples, Options(DELTA), "corrected"), band_limits, 1e-12),
    "pbp_t": (lambda samples: pbp_t(samples, Options(DELTA), "corrected"), student_limits, 1e-10),
    "pbp_t as published": (
        lambda samples: pbp_t(samples, Options(DELTA), "as_published"),
        published_student_limits,
        1e-10,
    ),
    "pbp_matchings": (lambda samples: pbp_matchings(samples, Options(DELTA), "corrected"), matching, 1.5e-5),
}


@pytest.mark.parametrize("method", PAYOFF_FORMULAS)
def test_limits_of_payoffs_are_what_their_formula_says(runs, samples, method):
    """Those of the matchings to the grid of theta."""
    library, formula, tolerance = PAYOFF_FORMULAS[method]
    low, high = library(samples)
    for payoff in PAYOFFS:
        wanted = formula(*pair(runs, payoff))
        assert [low[payoff], high[payoff]] == pytest.approx(wanted, abs=tolerance), payoff


HITS = {
    "the first": [33],
    "the second": 7 * [10] + 3 * [30],
    "the second's weight": 19 * [10] + [30],
    "the third": 199 * [10] + [34],
    "the third's weight": 9999 * [10] + [33],
}


@pytest.mark.parametrize("decides", HITS)
def test_thresholds_of_matchings_follow_their_formula(decides):
    """Of 40 runs, so that all three differ and none is the number of runs."""
    hits, trials = HITS[decides], 40
    law = np.bincount(hits, minlength=trials + 1) / len(hits)
    wanted = least_not_rejected(hits, trials, 0.01)
    assert lower_limits([law], 0.01)[0] == pytest.approx(wanted, abs=1.5e-5)


def test_limits_of_payoffs_of_single_runs_follow_their_formula():
    few = run_table((1, 2, 1))
    low, high = pbp(samples_from_runs(few), Options(DELTA), "corrected")
    for payoff in PAYOFFS:
        assert [low[payoff], high[payoff]] == pytest.approx(band_limits(*pair(few, payoff)), abs=1e-12)


def test_the_bootstraps_limits_are_quantiles_of_all_scores_games(runs, samples):
    found = estimate(runs, "bootstrap", 1 - DELTA, seed=5, n_resamples=200)
    drawn = replicate_scores(samples, 5, 200, "corrected")
    for row, scores in zip(found.itertuples(), drawn.T, strict=True):
        wanted = quantile(scores, DELTA / 6), quantile(scores, 1 - DELTA / 6)
        assert [row.low, row.high] == pytest.approx(wanted, rel=1e-12)
    for low, high, scores in zip(*score_quantiles(drawn, samples, DELTA, "as_published"), drawn.T, strict=True):
        wanted = quantile(scores, DELTA / 12), quantile(scores, 1 - DELTA / 12)
        assert [low, high] == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("sizes", [(3, 4, 5), (1, 2, 1)])
def test_andersons_limits_are_what_their_formula_says(sizes):
    runs = run_table(sizes)
    found = estimate(runs, "anderson", 1 - DELTA)
    for i, j in product(range(ALGORITHMS), range(ENVIRONMENTS)):
        x, width = scores_of(runs, i, j), half_width(len(scores_of(runs, i, j)))
        seen = runs.loc[runs["environment"] == f"e{j}", "score"]
        wanted = [
            width * seen.min() + integral(x, 0.0, 1.0 - width),
            width * seen.max() + integral(x, width, 1.0),
        ]
        (row,) = found[(found["algorithm"] == f"a{i}") & (found["environment"] == f"e{j}")].itertuples()
        assert [row.low, row.high] == pytest.approx(wanted, abs=1e-12)


def test_bands_of_distributions_are_what_their_formula_says(runs):
    found = estimate(runs, "dkw", 1 - DELTA)
    for i, j in product(range(ALGORITHMS), range(ENVIRONMENTS)):
        x, width = scores_of(runs, i, j), half_width(len(scores_of(runs, i, j)))
        rows = found[(found["algorithm"] == f"a{i}") & (found["environment"] == f"e{j}")]
        assert rows["score"].tolist() == sorted(set(x))
        below = [mean(score <= point for score in x) for point in sorted(set(x))]
        assert rows["probability"].tolist() == pytest.approx(below)
        assert rows["low"].tolist() == pytest.approx([max(part - width, 0.0) for part in below])
        assert rows["high"].tolist() == pytest.approx([min(part + width, 1.0) for part in below])


def test_every_interval_of_the_game_has_its_formula_here():
    own = {name.removesuffix(" as published") for name in PAYOFF_FORMULAS}
    assert own | {"bootstrap", "anderson", "dkw"} == set(ESTIMATORS)


@pytest.mark.parametrize("seed", range(4))
def test_score_limits_are_extremes_over_all_possible_games(seed):
    """Of two algorithms in one environment, with every free move at 0 or at eta: among these games is an extreme one,
    since each player's moves from a strategy enter its value one by one."""
    from surefoot.statistics.game.score_limits import score_limits
    from surefoot.streams import stream_key

    draw = np.random.default_rng(seed)
    low, high = np.sort(draw.uniform(size=(2, 2, 1, 2)), axis=0)
    low[[0, 1], 0, [0, 1]] = high[[0, 1], 0, [0, 1]] = 0.5
    found = score_limits(low, high, "corrected", stream_key(0, "test"))
    low, high = low.reshape(2, 2), high.reshape(2, 2)
    strategies, eta = list(product(range(2), range(2))), 1 / 2  # 1 / (n + nm - 2)
    sure, free = [], []
    for a, b in permutations(range(4), 2):
        (i, c), (other, opponent) = strategies[a], strategies[b]
        if (i == other) == (c == opponent):
            continue
        sign = 1 if c == opponent else -1  # the other player is paid -z
        here, there = (sorted((sign * low[s], sign * high[s])) for s in (strategies[a], strategies[b]))
        if there[0] > here[1]:
            sure.append((a, b))
        elif here[0] <= there[1]:
            free.append((a, b))
    games = []
    for chosen in (set(part) for size in range(len(free) + 1) for part in combinations(free, size)):
        moves = np.zeros((4, 4))
        for a, b in [*sure, *chosen]:
            moves[a, b] = eta
        moves += np.diag(1 - moves.sum(axis=1))
        visits = np.linalg.solve((np.eye(4) - 0.75 * moves).T, np.full(4, 0.25 / 4))
        games.append([visits[0] + visits[2], visits[1] + visits[3]])
    least, greatest = (np.array(games) @ limit.T for limit in (low, high))
    assert found[0] == pytest.approx(least.min(axis=0), abs=1e-6)
    assert found[1] == pytest.approx(greatest.max(axis=0), abs=1e-6)
