"""Probability of improvement and rank distributions, beside scipy's Mann-Whitney statistic and plain enumeration.

Ranks: against every published one, and the order they must keep among themselves.
"""

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats
from scipy.stats import mannwhitneyu
from support.paths import SHARED

from surefoot.statistics.comparison.probability_of_improvement import (
    improvement_bounds,
    improvement_limits,
    paired_improvement_bounds,
    probability_of_improvement,
)
from surefoot.statistics.intervals.estimation import ranks

RNG = np.random.default_rng(0)
X = [RNG.normal(0.3, 1.0, size).round(1) for size in (7, 5, 300)]
Y = [RNG.normal(0.0, 1.0, size).round(1) for size in (4, 5, 260)]


def by_scipy(x, y):
    return np.mean(
        [mannwhitneyu(a, b, method="asymptotic").statistic / (a.size * b.size) for a, b in zip(x, y, strict=True)]
    )


def limits(bounds):
    """The limits (low, high) at 95 %."""
    return tuple(improvement_limits([bounds], 0.95)[0])


def test_the_probability_is_that_of_mann_and_whitney():
    found = probability_of_improvement(X, Y)
    assert found.probability == pytest.approx(by_scipy(X, Y), abs=1e-12)
    assert found.probability + probability_of_improvement(Y, X).probability == pytest.approx(1.0, abs=1e-12)
    assert found.ties == pytest.approx(np.mean([(a[:, None] == b).mean() for a, b in zip(X, Y, strict=True)]))


@pytest.mark.parametrize(("tasks", "runs"), [(1, 5), (3, 20), (10, 3)])
def test_limits_of_improvements_near_one_hold_their_level(tasks, runs):
    """200 studies of P = .95. Limits that miss in 5 % do so in more than 21 less than once in 1,000 times; percentile
    intervals of one task of 5 runs miss in 57 %. Nothing that is drawn here is without width."""
    rng, missed, width = np.random.default_rng(3), 0, 1.0
    for _ in range(200):
        u, v = rng.random((2, runs, tasks))
        low, high = limits(improvement_bounds(u ** (1 / 19), v))
        missed += not low <= 0.95 <= high
        width = min(width, high - low)
    assert missed <= 21 and width > 0.0


def test_few_runs_of_one_task_do_not_count_as_certain():
    """Equal algorithms with 2 and 20 runs of two tasks, separated in at most 5 % and four standard errors of 200 data
    sets (a level that chance exceeds in 3 of 100,000 runs); by the variances of each task alone in about 35 %."""
    rng, wrong = np.random.default_rng(8), 0
    for _ in range(200):
        x, y = ([rng.normal(size=2), rng.normal(size=20)] for _ in "xy")
        low, high = limits(improvement_bounds(x, y))
        wrong += low > 0.5 or high < 0.5
    assert wrong <= 200 * 0.05 + 4 * np.sqrt(200 * 0.05 * 0.95)


def test_limits_of_runs_that_all_win_are_those_of_as_many_hits():
    """Five pairs of matched runs a task, of which the exact lower limit is .025^(1/5) with one task."""
    apart = np.arange(5.0)[:, None]
    assert limits(improvement_bounds(apart + 5.0, apart)) == pytest.approx((0.025 ** (1 / 5), 1.0), abs=1e-8)
    several = np.repeat(apart, 7, axis=1)
    assert limits(improvement_bounds(several + 5.0, several)) == pytest.approx((0.025 ** (1 / 35), 1.0), abs=1e-8)
    low, high = limits(improvement_bounds(several, several + 5.0))
    assert (1.0 - high, 1.0 - low) == pytest.approx((0.025 ** (1 / 35), 1.0), abs=1e-8)


def test_limits_of_shared_runs_are_those_of_whole_runs():
    """Beside leaving out whole runs one by one, in another order of the runs of each task."""
    rng = np.random.default_rng(11)
    x, y = rng.normal(0.5, size=(6, 1)) + rng.normal(size=(6, 4)), rng.normal(size=(5, 4))
    value = probability_of_improvement(x, y).probability
    without = np.array([probability_of_improvement(np.delete(x, k, axis=0), y).probability for k in range(6)])
    of_x = 5 / 6 * np.sum((without - without.mean()) ** 2)
    of_y = np.array([np.var([np.mean(x[:, m] > one) for one in y[:, m]], ddof=1) / 5 for m in range(4)]) / 16
    total = of_x + of_y.sum()
    degrees = total**2 / (of_x**2 / 5 + np.sum(of_y**2) / 4)
    reach = stats.t.ppf(0.975, degrees) * np.sqrt(total) / (value * (1 - value))
    expected = special.expit(special.logit(value) + np.array([-reach, reach]))
    orders = [rng.permutation(6) for _ in range(4)]
    found = limits(improvement_bounds([x[order, m] for m, order in enumerate(orders)], y, shared=(orders, None)))
    assert found == pytest.approx(expected, rel=1e-12)


def test_shared_wins_count_as_those_of_one_task():
    x, y, names = np.ones((4, 9)), np.zeros((4, 9)), [range(4)] * 9
    one = limits(improvement_bounds(x[:, :1], y[:, :1]))
    assert (
        limits(improvement_bounds(x, y, shared=(names, names))) == one and one[0] < limits(improvement_bounds(x, y))[0]
    )


@pytest.mark.parametrize(("x", "y"), [([1, 2, 3], [1, 1, 4]), ([1, 1], [1, 1]), ([0, 0, 1, 1, 1], [0, 1, 1])])
def test_limits_of_the_reverse_pair_are_mirrored_at_ties(x, y):
    x, y = (np.array(runs, float)[:, None] for runs in (x, y))
    low, high = limits(improvement_bounds(x, y))
    assert limits(improvement_bounds(y, x)) == pytest.approx((1.0 - high, 1.0 - low), abs=1e-12)
    assert 0.0 < low < high < 1.0


@pytest.mark.parametrize("runs", [3, 10])
def test_limits_of_scores_that_tie_hold_their_level(runs):
    """200 studies of one task whose scores are 0, 1 or 2, P = .695; more than 20 misses of 5 % are one in 1,000."""
    rng, shares, missed = np.random.default_rng(4), np.array([0.2, 0.3, 0.5]), 0
    value = sum(shares[k] * (shares[::-1][:k].sum() + shares[::-1][k] / 2) for k in range(3))
    for _ in range(200):
        x, y = (rng.choice(3, (runs, 1), p=p).astype(float) for p in (shares, shares[::-1]))
        low, high = limits(improvement_bounds(x, y))
        missed += not low <= value <= high
    assert missed <= 20


GOLDEN = SHARED / "golden"
needs_golden = pytest.mark.skipif(not GOLDEN.is_dir(), reason=f"no published tables at {GOLDEN}")


@needs_golden
@pytest.mark.parametrize("method", ["pbp", "pbpt", "bootstrap"])
def test_published_aggregate_intervals_give_the_published_ranks(method):
    table = pd.read_csv(GOLDEN / f"jordan2020_{method}.csv")
    found = ranks(table["score"], table["score_low"], table["score_high"])
    assert (table[["rank", "rank_low", "rank_high"]] == np.array(found).T).all(axis=None)


@needs_golden
def test_published_tables_give_published_ranks_but_for_ties():
    """Rounded to 0.1, four means equal that of a better algorithm, from which the unrounded ones differed."""
    differing = []
    for environment, table in pd.read_csv(GOLDEN / "jordan2020_performance.csv").groupby("environment"):
        ranked, *ends = ranks(table["mean"], table["low"], table["high"])
        assert (table[["rank_low", "rank_high"]] == np.array(ends).T).all(axis=None)
        for algorithm, rank, published in zip(table["algorithm"], ranked, table["rank"], strict=True):
            if rank != published:
                differing.append((environment, algorithm, int(rank), published))
    assert sorted(differing) == [
        ("chain_10_deterministic", "q", 4, 6),
        ("chain_10_deterministic", "q_s", 4, 6),
        ("gridworld_5_stochastic", "sarsa", 5, 7),
        ("gridworld_5_stochastic", "sarsa_s", 5, 7),
    ]


def test_paired_runs_of_the_probability_of_improvement():
    """Of several tasks the variance of paired placements by hand; of three pairs of one task, matched runs that belong
    to no pair, and so no order of the two algorithms matters."""
    rng = np.random.default_rng(7)
    x, y = rng.normal(size=(2, 5, 3))
    found = limits(paired_improvement_bounds(list(x.T), list(y.T)))
    parts = [
        np.array([(a > y[:, m]).mean() - (b > x[:, m]).mean() for a, b in zip(x[:, m], y[:, m], strict=True)])
        for m in range(3)
    ]
    variances = np.array([part.var(ddof=1) / 5 for part in parts])
    value = np.mean([(x[:, m, None] > y[:, m]).mean() for m in range(3)])
    degrees = variances.sum() ** 2 / (variances**2 / 4).sum()
    reach = stats.t.ppf(0.975, degrees) * np.sqrt(variances.sum()) / 3 / (value * (1 - value))
    assert found == pytest.approx(tuple(1 / (1 + np.exp(-np.log(value / (1 - value)) - reach * np.array([-1, 1])))))
    low, high = limits(paired_improvement_bounds([x[:3, 0]], [y[:3, 0]]))
    mirrored = limits(paired_improvement_bounds([y[:3, 0]], [x[:3, 0]]))
    assert low < 0.05 and high > 0.95 and mirrored == pytest.approx((1 - high, 1 - low))


def test_equal_paired_runs_are_rarely_separated():
    """400 data sets of 5 pairs of one task with a common seed, which correlates them by .8: at most 5 % and four
    standard errors, which chance exceeds in 3 of 100,000 runs."""
    rng = np.random.default_rng(8)
    wrong = 0
    for _ in range(400):
        first, second = rng.standard_normal((2, 5))
        low, high = limits(paired_improvement_bounds([first], [0.8 * first + 0.6 * second]))
        wrong += low > 0.5 or high < 0.5
    assert wrong <= 400 * 0.05 + 4 * np.sqrt(400 * 0.05 * 0.95)
