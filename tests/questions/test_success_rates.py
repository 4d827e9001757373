"""Differences of success rates, as they are asked of trials."""

import math
from inspect import unwrap
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.stats import boschloo_exact
from support.naive_formulas import (
    LEVEL,
)

import surefoot
from surefoot.questions.success_rates import rollouts_sample_size


def rollouts(*rows):
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "successes", "trials"])


def trainings(**successes):
    """Outcomes of 20 trials of each training."""
    return rollouts(*[(name, "maze", run, won, 20) for name, each in successes.items() for run, won in enumerate(each)])


def test_three_trainings_of_all_against_none_are_separated():
    (row,) = surefoot.success_rate_differences(trainings(a=[20] * 3, b=[0] * 3)).table().itertuples()
    # All of one side succeed and all of the other fail with a probability of at most 2 / 2^6 if both are equal.
    assert row.p_value == pytest.approx(2 / 64, rel=1e-6)
    assert row.separated and row.low > 0.05 and row.high == 1
    assert not row.distribution_free_separated and row.distribution_free_low < 0 < row.smallest_separable < 1


def test_three_trainings_of_three_algorithms_separate_nothing():
    found = surefoot.success_rate_differences(trainings(a=[20] * 3, b=[0] * 3, c=[1, 0, 2]))
    assert not found.table()["separated"].any() and found.table()["smallest_separable"].isna().all()
    assert "With so few training runs, no difference could be separated." in found.finding()


def test_five_trainings_show_30_points():
    table = trainings(a=[18, 17, 19, 18, 17], b=[12, 11, 13, 12, 12], c=[6, 5, 7, 6, 5])
    found = surefoot.success_rate_differences(table)
    rows = found.table()
    assert rows["separated"].all() and (rows["estimate"] >= rows["smallest_separable"]).all()
    assert not rows["distribution_free_separated"].any()
    assert "3 of 3 pairs are separated" in found.finding() and "assumptions about the rates, none" in found.finding()


@pytest.mark.parametrize("arguments", [(0.5, 0.0), (0.9, 0.2), (-0.1, 0.2), (0.5, 0.2, 1.0)])
def test_rates_that_cannot_be_planned_for(arguments):
    with pytest.raises(ValueError, match="Hint: "):
        rollouts_sample_size(*arguments)


def test_environments_apart_and_together():
    table = rollouts(
        ("a", "maze", 0, 9, 10), ("b", "maze", 0, 2, 10), ("a", "cliff", 0, 5, 20), ("b", "cliff", 0, 4, 20)
    )
    apart = surefoot.success_rate_differences(table).table()
    assert apart["environment"].tolist() == ["maze", "cliff"] and apart["separated"].tolist() == [True, False]
    (both,) = surefoot.success_rate_differences(table, pool_environments=True).table().itertuples()
    assert both.algorithm_rate == pytest.approx(14 / 30) and both.algorithm_trials == 30
    assert both.p_value == pytest.approx(boschloo_exact([[14, 6], [16, 24]]).pvalue, abs=1e-3)
    with pytest.raises(ValueError, match=r"10 to 11 trials in maze\. Hint: "):
        surefoot.success_rate_differences(table.assign(trials=[10, 11, 20, 20]), pool_environments=True)


def test_rates_of_failures_are_turned_into_rates_of_success():
    table = rollouts(("a", "maze", 0, 2, 10), ("b", "maze", 0, 7, 10))
    won = surefoot.success_rate_differences(table).table()
    failures = table.assign(score=-(1 - table["successes"] / 10), direction=-1).drop(columns="successes")
    pd.testing.assert_frame_equal(unwrap(surefoot.success_rate_differences)(failures).table(), won)


ONE_RUN = rollouts(("a", "maze", 0, 9, 10), ("b", "maze", 0, 2, 10))
STARTS = pd.DataFrame(
    [(name, "maze", start, int(start % every > 0)) for name, every in (("a", 2), ("b", 5)) for start in range(20)],
    columns=["algorithm", "environment", "run", "score"],
)


@pytest.mark.parametrize(
    ("table", "settings", "message"),
    [
        (STARTS[1:], {"same_starts": True}, r"a has no trial in maze from the start 0, unlike others\. Hint: "),
        (ONE_RUN, {"same_starts": True}, r"a run has 10 trials\. Hint: "),
        (pd.concat([ONE_RUN, ONE_RUN[1:].assign(run=1)]), {}, r"a / maze has one run, but b / maze has 2\. Hint: "),
        (
            ONE_RUN.assign(environment=["maze", "cliff"]),
            {},
            r"no environment has trials of at least two of a, b\. Hint: ",
        ),
        (STARTS, {"algorithms": ["a"]}, r"but got only a\. Hint: add another"),
        (STARTS, {"algorithms": ["a", "d"]}, r'no scores for "d"\. Hint: '),
    ],
)
def test_trials_that_cannot_be_compared(table, settings, message):
    with pytest.raises(ValueError, match=message):
        surefoot.success_rate_differences(table, **settings)


def clopper_pearson(successes, trials, tail=0.025):
    low = stats.beta.ppf(tail, successes, trials - successes + 1) if successes else 0.0
    high = stats.beta.ppf(1 - tail, successes + 1, trials - successes) if successes < trials else 1.0
    return low, high


def test_85_of_100_trials_in_five_trainings():
    rows = [("a", "maze", run, won, 20) for run, won in enumerate([15, 16, 17, 18, 19])]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "successes", "trials"])
    (row,) = surefoot.success_rates(table).table().itertuples()
    assert (row.rate, row.runs, row.trials) == (0.85, 5, 100)
    # The rates vary less than independent trials would, so that the variance is that of 100 trials, but for one more
    # success and failure; with 4 degrees of freedom.
    variance = 86 / 102 * 16 / 102 / 100
    effective = 0.85 * 0.15 / variance * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 4)) ** 2
    np.testing.assert_allclose((row.low, row.high), clopper_pearson(0.85 * effective, effective), atol=1e-9)
    assert row.distribution_free_low < 0.45 < 0.7 < row.low and row.high <= row.distribution_free_high


def test_success_rate_differences_of_pairs():
    """Tango's limits by maximizing the likelihood at each difference; McNemar's p-value by its sum."""
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    won = {"a": [1, 1, 1, 1, 0, 1, 0, 1], "b": [0, 1, 0, 1, 1, 0, 0, 0]}
    pairs = pd.DataFrame(
        [(name, "maze", start, one) for name, each in won.items() for start, one in enumerate(each)],
        columns=["algorithm", "environment", "run", "score"],
    )
    (row,) = (
        surefoot.success_rate_differences(pairs, same_starts=True, confidence_level=LEVEL).table().to_dict("records")
    )
    b, c, n = 4, 1, 8
    assert row["estimate"] == pytest.approx((b - c) / n) and row["test"] == "mcnemar"
    assert row["p_value"] == pytest.approx(2 * sum(math.comb(b + c, k) for k in range(c + 1)) / 2 ** (b + c))
    for limit in (row["low"], row["high"]):
        q = np.linspace(max(-limit, 0.0), (1 - limit) / 2, 2_000_001)[1:-1]
        likeliest = q[np.argmax(b * np.log(q + limit) + c * np.log(q) + (n - b - c) * np.log(1 - 2 * q - limit))]
        spread = math.sqrt(n * (2 * likeliest + limit * (1 - limit)))
        assert abs(b - c - n * limit) == pytest.approx(z * spread, rel=1e-5)
