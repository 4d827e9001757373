"""The set tied with the best, all pairs, letters, tiers and ranks, beside scipy and brute force."""

from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

import surefoot
from surefoot.errors import HintedError
from surefoot.statistics.comparison.metric_differences import student_pairs
from surefoot.statistics.comparison.simultaneous_comparisons import (
    all_pairs,
    best_limits,
    control_levels,
    joint_adjustment,
    joint_tails,
    letters,
    rank_limits,
    simultaneous,
    tiers,
    with_baseline,
)

RNG = np.random.default_rng
SURE = 5.0
"""Standard errors that chance exceeds once in 1.7 million cases."""


def samples_with_means(means, runs):
    """One task, equal spreads: float64[algorithms, runs]."""
    noise = RNG(0).standard_normal((len(means), runs))
    noise = (noise - noise.mean(axis=1, keepdims=True)) / noise.std(axis=1, ddof=1, keepdims=True)
    return noise + np.array(means)[:, None]


def together(values, errors, degrees, baseline=None, seed=0):
    """All comparisons, or those with the algorithm at the place `baseline`, at 95 %."""
    family = all_pairs(len(values)) if baseline is None else with_baseline(len(values), baseline)
    adjustment = joint_adjustment([joint_tails(errors, degrees, seed)], family)
    return simultaneous(student_pairs(values, errors, degrees), adjustment, family, 0.95)


def test_all_pairs_agree_with_scipys_tukey():
    """Equal spreads and 400 runs, where pooled variances are those of each side: all p-values and the level of the
    simultaneous intervals, within the error of 20,000 draws."""
    samples = samples_with_means([0.0, 0.05, 0.1, 0.19], 400)
    errors = samples.std(axis=1, ddof=1) / 20
    found = together(samples.mean(axis=1), errors, np.full(4, 399.0))
    known = stats.tukey_hsd(*samples)
    assert 0.01 < known.pvalue.min() < 0.1
    off = ~np.eye(4, dtype=bool)
    error = SURE * np.sqrt(known.pvalue[off] * (1 - known.pvalue[off]) / 20_000) + 1e-4
    assert (np.abs(found.p_value[off] - known.pvalue[off]) <= error).all()
    interval = known.confidence_interval(0.95)
    assert found.low[off] == pytest.approx(interval.low[off], abs=0.005)
    assert found.high[off] == pytest.approx(interval.high[off], abs=0.005)


def test_a_baseline_agrees_with_scipys_dunnett():
    """Two-sided p-values of the many-to-one test, within the error of 20,000 draws and of scipy's own integration."""
    samples = samples_with_means([0.0, 0.13, 0.05, -0.2], 400)
    errors = samples.std(axis=1, ddof=1) / 20
    found = together(samples.mean(axis=1), errors, np.full(4, 399.0), baseline=0)
    known = stats.dunnett(*samples[1:], control=samples[0]).pvalue
    assert known.min() < 0.05 < known.max()
    assert (np.abs(found.p_value[1:, 0] - known) <= SURE * np.sqrt(known * (1 - known) / 20_000) + 1e-3).all()
    assert np.isnan(found.p_value[1:, 1:]).all() and not found.separated[1:, 1:].any()


def test_a_baseline_holds_with_unequal_variances_and_runs():
    """Six equal algorithms, of which the noisiest has the fewest runs and another one is the baseline: at most 5 % and
    four standard errors of 400 data sets (a level that chance exceeds in 3 of 100,000 runs)."""
    rng, wrong = RNG(11), 0
    spreads, runs = np.array([1.0, 4.0, 1.0, 0.5, 2.0, 1.0]), np.array([10, 3, 5, 20, 4, 8])
    family = with_baseline(6, 0)
    for number in range(400):
        samples = [rng.normal(0, spread, count) for spread, count in zip(spreads, runs, strict=True)]
        errors = np.array([one.std(ddof=1) / np.sqrt(one.size) for one in samples])
        adjustment = joint_adjustment([joint_tails(errors, runs - 1.0, number, 2_000)], family)
        pairs = student_pairs([one.mean() for one in samples], errors, runs - 1.0)
        wrong += simultaneous(pairs, adjustment, family, 0.95).separated.any()
    assert wrong <= 400 * 0.05 + 4 * np.sqrt(400 * 0.05 * 0.95)


def test_comparisons_with_the_best_agree_with_scipys_dunnett():
    """The level of each control is the one-sided p-value at which the many-to-one test has 5 %."""
    samples = samples_with_means([0.0, 0.13, 0.0, 0.0], 400)
    errors = samples.std(axis=1, ddof=1) / 20
    pairs = student_pairs(samples.mean(axis=1), errors, np.full(4, 399.0))
    known = stats.dunnett(*samples[1:], control=samples[0], alternative="greater")
    tails = joint_tails(errors, np.full(4, 399.0))
    smallest = tails[:, :3]  # that the control, which is x of these pairs, looks better; by symmetry as often worse
    share = np.mean(smallest.min(axis=1) <= pairs.p_value[0, 1] / 2)
    assert share == pytest.approx(known.pvalue[0], abs=SURE * np.sqrt(known.pvalue[0] / 20_000))
    assert np.mean(smallest.min(axis=1) <= control_levels(tails, 4, 0.95)[0]) == pytest.approx(0.05, abs=SURE * 0.003)


def test_hsus_intervals_by_hand():
    """Balanced, with one quantile for all controls: the constrained intervals as in Hsu's book."""
    values = np.array([3.0, 2.5, 0.0])
    pairs = student_pairs(values, np.full(3, 0.3), np.full(3, 1e6))
    levels = control_levels(None, 3, 0.95)
    reach = stats.norm.isf(0.025) * 0.3 * np.sqrt(2)
    found = best_limits(pairs, levels)
    assert found.tied.tolist() == [True, True, False]
    assert found.high == pytest.approx([0.5 + reach, reach - 0.5, 0.0], rel=1e-4)
    assert found.low == pytest.approx([0.5 - reach, -0.5 - reach, -3.0 - reach], rel=1e-4)
    alone = best_limits(student_pairs([3.0, 0.0, 0.0], np.full(3, 0.3), np.full(3, 1e6)), levels)
    assert alone.tied.tolist() == [True, False, False] and alone.low[0] == 0.0 and (alone.high[1:] == 0.0).all()


def graphs(count):
    pairs = list(combinations(range(count), 2))
    for drawn in product((False, True), repeat=len(pairs)):
        apart = np.zeros((count, count), bool)
        for (i, j), one in zip(pairs, drawn, strict=True):
            apart[i, j] = apart[j, i] = one
        yield apart


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_algorithms_share_a_letter_iff_not_separated(count):
    """All graphs of so many algorithms; and no letter says what another says too."""
    for apart in graphs(count):
        found = [set(one) for one in letters(apart, range(count))]
        for i, j in combinations(range(count), 2):
            assert bool(found[i] & found[j]) != apart[i, j]
        assert all(found) and "a" in found[0]
        columns = [{i for i in range(count) if name in found[i]} for name in set().union(*found)]
        assert not any(one <= other for one, other in combinations(columns, 2))
        assert not any(other <= one for one, other in combinations(columns, 2))


def test_letters_of_more_than_26_groups():
    found = letters(~np.eye(30, dtype=bool), range(30))
    assert found[25:28] == ["z", "a1", "b1"] and len(set(found)) == 30


def test_tiers_and_ranks():
    low = np.array([[0, 1, 1, 1], [-9, 0, -9, 1], [-9, -9, 0, -9], [-9, -9, -9, 0]], float)
    assert tiers(low > 0, range(4)).tolist() == [1, 2, 2, 3]
    best, worst = rank_limits(low > 0)
    assert (best.tolist(), worst.tolist()) == ([1, 2, 2, 3], [1, 3, 4, 4])


def scores(means, runs=6, tasks=4, spread=0.3):
    """Scores with exactly these means, {a, b, ...: float64[runs, tasks]}."""
    noise = RNG(4).normal(0, spread, (len(means), runs, tasks))
    noise -= noise.mean(axis=(1, 2), keepdims=True)
    return {name: one + mean for name, one, mean in zip("abcdefg", noise, means, strict=False)}


def test_lower_is_better_mirrors_the_answer_and_keeps_the_units():
    """Losses are positive, and what is said of them is what is said of their negatives."""
    losses = {name: 10.0 - one for name, one in scores([3.0, 3.05, 1.0]).items()}
    gains = {name: -one for name, one in losses.items()}
    for options in ({}, {"comparisons": "with_best"}, {"baseline": "b"}):
        options |= {"shared_runs": True}  # whose errors need no resamples
        found = surefoot.multiple_comparisons(losses, lower_is_better=True, skip_checks=True, **options).table()
        known = surefoot.multiple_comparisons(gains, skip_checks=True, **options).table()
        assert found["algorithm"].tolist() == known["algorithm"].tolist() and (found["estimate"] > 0).all()
        assert found["verdict"].tolist() == known["verdict"].tolist()
        ends = -known[["high", "low"]].to_numpy()
        np.testing.assert_allclose(found[["low", "high"]].to_numpy(), ends, atol=1e-9)
    wins = surefoot.probability_of_improvement(losses, lower_is_better=True, skip_checks=True).table()
    np.testing.assert_array_equal(
        wins["estimate"], surefoot.probability_of_improvement(gains, skip_checks=True).table()["estimate"]
    )
    pairs = surefoot.pairwise_differences(losses, lower_is_better=True, skip_checks=True)
    assert set(pairs.table()["better"]) == {"", "a", "b"} and "is better than c" in pairs.finding()


def test_comparisons_with_the_best_are_an_option():
    """Hsu's intervals end at 0 for those that are worse, and nothing is said of pairs or letters."""
    found = surefoot.multiple_comparisons(scores([3.0, 3.0, 0.0]), comparisons="with_best", skip_checks=True)
    table = found.table()
    assert table["tied_with_best"].tolist() == [True, True, False] and table["high"].iloc[-1] == 0.0
    assert "pairs" not in found.tables() and (table["group_letters"] == "").all()
    assert "comparisons with the best" in found.finding()
    with pytest.raises(HintedError, match="exclude each other"):
        surefoot.multiple_comparisons(scores([1.0, 2.0]), comparisons="with_best", baseline="a", skip_checks=True)


@pytest.mark.parametrize("ask", ["multiple_comparisons", "pairwise_differences", "probability_of_improvement"])
def test_an_unknown_baseline_is_refused(ask):
    runs = {"Rainbow": np.eye(4), "DQN": np.eye(4)}
    for given, meant in (("rainbow", "Rainbow"), ("Rainbwo", "Rainbow"), ("dqn", "DQN")):
        with pytest.raises(HintedError, match=f'no scores for "{given}"') as caught:
            getattr(surefoot, ask)(runs, baseline=given, skip_checks=True)
        assert caught.value.hint == f'did you mean "{meant}"?'
