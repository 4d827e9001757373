"""The set tied with the best, all pairs, letters, tiers and ranks, beside scipy and brute force."""

import re
from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

import surefoot
from surefoot.errors import HintedError
from surefoot.statistics.comparison.differences import paired_rate_pairs, paired_task_pairs, rate_pairs, student_pairs
from surefoot.statistics.comparison.multiple_comparisons import (
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
from surefoot.statistics.intervals.rate_limits import item_mean

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


def test_limits_of_rate_differences_are_nearly_exact():
    """All outcomes of 50 runs on either side with their probabilities, so without error: at rates of .98 and .90, where
    Student's interval missed in 8 %, and at six others."""
    hits = np.arange(51)
    outcomes = [np.repeat([1.0, 0.0], [one, 50 - one]) for one in hits]
    low, high = rate_pairs(outcomes).limits(0.025)
    assert (low < high).all()
    for p, q in ((0.98, 0.9), (0.5, 0.5), (0.99, 0.01), (0.9, 0.9), (0.7, 0.3), (1.0, 0.95), (0.02, 0.02)):
        chances = np.outer(stats.binom.pmf(hits, 50, p), stats.binom.pmf(hits, 50, q))
        assert chances[(low > p - q + 1e-12) | (high < p - q - 1e-12)].sum() <= 0.05


def test_success_rates_have_newcombes_limits_with_exact_ends():
    """74 of 80 against 91 of 120; by Wilson's ends the limits are 6.2 and 26.0 points, and exact ends are wider."""
    rates = [np.repeat([1.0, 0.0], [74, 6]), np.repeat([1.0, 0.0], [91, 29])]
    pairs = rate_pairs(rates)
    low, high = (float(end[0, 1]) for end in pairs.limits(0.025))
    x, y = (stats.binomtest(int(one.sum()), one.size).proportion_ci(0.95, "exact") for one in rates)
    below, above = np.hypot(74 / 80 - x.low, y.high - 91 / 120), np.hypot(x.high - 74 / 80, 91 / 120 - y.low)
    assert (low, high) == pytest.approx((74 / 80 - 91 / 120 - below, 74 / 80 - 91 / 120 + above))
    assert 0.04 < low < 0.062 and 0.26 < high < 0.28 and 0.002 < pairs.p_value[0, 1] < 0.01
    assert pairs.limits(pairs.p_value[0, 1] / 2)[0][0, 1] == pytest.approx(0, abs=1e-3)
    shared = rate_pairs([np.array([0.2, 0.4, 0.9]), np.array([0.1, 0.1, 0.0])])
    assert (shared.limits(0.025)[1] > shared.limits(0.025)[0]).all()


def paired(first, second):
    """Limits of the first model less the second, each with an outcome of every item, by both methods."""
    means, names = np.array([first, second], float), list(map(str, range(len(first))))
    by_task = means[:, None] - means
    return paired_rate_pairs(by_task, names, len(first)), paired_task_pairs(by_task, names, 1.0)


def test_paired_success_rates_combine_wins_of_both():
    """Two rates of disjoint events, 6 and 2 of 40 items, whose correlation over items is negative."""
    first = [1] * 26 + [0] * 14
    second = [1] * 20 + [0] * 6 + [1] * 2 + [0] * 12
    pairs, _ = paired(first, second)
    ends = []
    for part in (np.maximum(np.subtract(first, second), 0.0), np.maximum(np.subtract(second, first), 0.0)):
        found = item_mean(part, list(map(str, range(40))), 40)
        ends.append((found.value - found.low, found.high - found.value))
    correlation = np.corrcoef(np.subtract(first, second) > 0, np.subtract(first, second) < 0)[0, 1]
    (below, _), (_, above) = ends
    reach = np.sqrt(below**2 + above**2 - 2 * correlation * below * above)
    low, high = (limit[0, 1] for limit in pairs.limits(0.025))
    assert correlation < 0 and low == pytest.approx(0.1 - reach) and low < 0.1 < high
    assert [limit[1, 0] for limit in pairs.limits(0.025)] == pytest.approx([-high, -low])
    same, _ = paired([1] * 10, [1] * 10)
    low, high = (limit[0, 1] for limit in same.limits(0.025))
    assert low < -0.2 and high > 0.2, "ten equal outcomes show little"


def test_a_detectable_difference_is_detected_in_80_percent():
    """Two algorithms, 6 runs of a task with known spread, 4,000 data sets with that true difference."""
    errors, degrees = np.full(2, 1 / np.sqrt(6)), np.full(2, 5.0)
    rng, shown = RNG(2), 0
    level = 0.025
    difference = student_pairs([0.0, 0.0], errors, degrees).detectable(level)[0, 1]
    for _ in range(4_000):
        x, y = rng.normal(difference, 1, 6), rng.normal(0, 1, 6)
        own = [x.std(ddof=1) / np.sqrt(6), y.std(ddof=1) / np.sqrt(6)]
        shown += student_pairs([x.mean(), y.mean()], own, degrees).limits(level)[0][0, 1] > 0
    assert shown / 4_000 == pytest.approx(0.8, abs=0.03)


def scores(means, runs=6, tasks=4, spread=0.3):
    """Scores with exactly these means, {a, b, ...: float64[runs, tasks]}."""
    noise = RNG(4).normal(0, spread, (len(means), runs, tasks))
    noise -= noise.mean(axis=(1, 2), keepdims=True)
    return {name: one + mean for name, one, mean in zip("abcdefg", noise, means, strict=False)}


def test_fixed_and_random_tasks_are_two_answers():
    """Tasks that favour one or the other algorithm, with little noise of runs."""
    effects = np.array([2.0, -1.0, 1.5, -0.5, 1.0])
    runs = RNG(6).normal(0, 0.05, (2, 4, 5))
    own = {"a": runs[0] + effects, "b": runs[1]}
    fixed, random = (surefoot.multiple_comparisons(own, metric="mean", tasks=t, skip_checks=True) for t in TASKS)
    assert fixed.table()["tied_with_best"].sum() == 1 and random.table()["tied_with_best"].sum() == 2
    assert fixed.finding().startswith("On these tasks") and "tasks like these" in random.finding()
    improvement = surefoot.multiple_comparisons(
        own, metric="probability_of_improvement", tasks="random", skip_checks=True
    )
    assert improvement.table()["tied_with_best"].sum() == 2
    with pytest.raises(HintedError, match="sample of tasks"):
        surefoot.multiple_comparisons(own, tasks="random", skip_checks=True)


TASKS = ("fixed", "random")


def test_success_rates_never_have_an_interval_without_width():
    own = {"a": np.ones((10, 1)), "b": np.zeros((10, 1)), "c": np.ones((10, 1))}
    found = surefoot.multiple_comparisons(own)
    assert (found.table()["metric"] == "mean").all() and found.table()["remark"].str.contains("success rates").all()
    assert (found.tables()["pairs"]["high"] > found.tables()["pairs"]["low"]).all()
    assert found.table()["tied_with_best"].tolist() == [True, True, False]


def test_improvement_is_compared_by_its_own_limits():
    own = scores([3.0, 3.0, 0.0])
    found = surefoot.multiple_comparisons(own, metric="probability_of_improvement", skip_checks=True)
    pairs = found.tables()["pairs"].set_index(["algorithm", "baseline"])
    alone = (
        surefoot.probability_of_improvement(own, pairs=[["a", "c"]], confidence_level=1 - 0.05 / 3, skip_checks=True)
        .table()
        .iloc[0]
    )
    known = (
        surefoot.probability_of_improvement(own, skip_checks=True)
        .table()
        .set_index(["algorithm", "baseline"])
        .loc[("a", "c")]
    )
    for one in (alone, known):
        wanted = [one[name] - 0.5 for name in ("estimate", "low", "high")]
        assert pairs.loc[("a", "c"), ["difference", "low", "high"]].tolist() == pytest.approx(wanted)
    assert known["p_value"] == pairs.loc[("a", "c"), "p_value"]
    assert pairs["separated"].tolist() == [False, True, True]
    assert found.table()["tied_with_best"].tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("own", "options", "message"),
    [
        ({"a": np.eye(4)}, {}, "two algorithms or more, and a is one"),
        (scores([1.0, 2.0], runs=1), {}, "one run of each of 4 tasks"),
        (scores([1.0, 2.0], tasks=1), {"metric": "mean", "tasks": "random"}, "a sample of one task"),
    ],
)
def test_runs_that_cannot_be_compared_are_refused(own, options, message):
    with pytest.raises(HintedError, match=message):
        surefoot.multiple_comparisons(own, skip_checks=True, **options)


def test_runs_that_are_all_alike_decide_nothing():
    """Their spread is nothing but rounding, whichever numbers they are."""
    alike = {name: np.full((3, 2), value) for name, value in (("a", 0.7), ("b", 0.7000001))}
    found = surefoot.multiple_comparisons(alike, skip_checks=True)
    pair = found.tables()["pairs"].iloc[0]
    assert not pair["separated"] and np.isnan(pair["p_value"]) and np.isnan(pair["low"])
    assert found.table()["low"].isna().all() and found.table()["remark"].str.contains("nothing tells").all()
    assert "nan" not in found.finding() and found.chart()
    assert "tied" not in found.finding() and "b and a are not compared" in found.finding()
    assert not found.table()["tied_with_best"].any() and (found.table()["verdict"] == "not compared").all()
    against = surefoot.multiple_comparisons(alike, baseline="a", skip_checks=True)
    assert "b is not compared" in against.finding() and against.chart()
    far = {name: np.full((3, 2), value) for name, value in (("a", 95.3), ("b", 95.31))}
    random = surefoot.multiple_comparisons(far, metric="mean", tasks="random", skip_checks=True)
    assert not random.tables()["pairs"]["separated"].any()


def test_no_difference_is_greater_than_there_can_be():
    """Of rates none is beyond 1, of probabilities of improvement none beyond 0.5, however few tasks are a sample."""
    certain = {name: np.ones((5, 2)) for name in "ab"}
    found = surefoot.multiple_comparisons(certain, metric="mean", tasks="random", skip_checks=True)
    assert found.table()["detectable"].isna().all() and "would have been shown" not in found.finding()
    draw = RNG(0)
    own = {name: draw.normal(mean, 0.1, (5, 2)) for name, mean in (("a", 0.5), ("b", 0.6), ("c", 0.9))}
    options = {"metric": "probability_of_improvement", "tasks": "random", "skip_checks": True}
    pairs = surefoot.multiple_comparisons(own, **options).tables()["pairs"]
    best = surefoot.multiple_comparisons(own, comparisons="with_best", **options).table()
    for limits in (best[["low", "high"]], pairs[["low", "high"]]):
        assert limits.abs().max(axis=None) == 0.5


def drawn_runs(rng):
    """Two to five algorithms with unlike spreads and numbers of runs: normal, skewed, tied, or of 0 and 1."""
    count, tasks = int(rng.integers(2, 6)), int(rng.integers(1, 5))
    law = rng.choice(["normal", "skewed", "tied", "binary"])
    runs = {}
    for name in "abcde"[:count]:
        shape = (int(rng.integers(3, 9)), tasks)
        noise = rng.normal(rng.choice([0.0, 0.5, 1.5]), rng.choice([0.2, 1.0]), shape)
        laws = {"normal": noise, "skewed": np.exp(noise), "tied": noise.round(), "binary": (noise > 0.5).astype(float)}
        runs[name] = laws[law]
    return runs


@pytest.mark.parametrize("baseline", [None, "b"])
def test_both_questions_give_one_answer(baseline):
    """Sixty data sets: the pairs of both are the same to the last bit, an interval excludes 0 if and only if its
    p-value is at most 5 %, letters, ranks, verdicts and sentences say the same, and metrics alone name none as best."""
    rng = RNG(9)
    for _ in range(60):
        runs = drawn_runs(rng)
        options = {
            "baseline": baseline,
            "n_resamples": 100,
            "skip_checks": True,
            "lower_is_better": bool(rng.random() < 0.5),
        }
        found = surefoot.multiple_comparisons(runs, **options)
        pairs = found.tables()["pairs"]
        known = surefoot.pairwise_differences(runs, **options).table()
        assert pairs[["algorithm", "baseline"]].equals(known[["algorithm", "baseline"]])
        for one, other in (("difference", "estimate"), ("low", "low"), ("high", "high"), ("p_value", "p_value")):
            np.testing.assert_array_equal(pairs[one], known[other])
        excludes = (pairs["low"] > 0) | (pairs["high"] < 0)
        assert (excludes == (pairs["p_value"] <= 0.05)).all() and (excludes == known["separated"]).all()
        rows = found.table().set_index("algorithm")
        if baseline is not None:
            words = {"": "not separated", baseline: "worse"}
            expected = {pair.algorithm: words.get(pair.better, "better") for pair in known.itertuples()}
            expected |= dict.fromkeys(known.loc[known["low"].isna(), "algorithm"], "not compared")
            assert rows["verdict"].to_dict() == expected
            continue
        worse = dict.fromkeys(runs, 0)
        for pair in known.dropna(subset="low").itertuples():
            shared = {*rows.group_letters[pair.algorithm]} & {*rows.group_letters[pair.baseline]} - {"\N{EN DASH}"}
            compared = not {pair.algorithm, pair.baseline} & {*rows.index[rows["verdict"] == "not compared"]}
            assert bool(shared) != pair.separated or not compared
            if pair.separated:
                worse[pair.algorithm if pair.better == pair.baseline else pair.baseline] += 1
        assert {name: 1 + above for name, above in worse.items()} == rows["rank_low"].to_dict()
        assert (rows["tied_with_best"] <= (rows["rank_low"] == 1)).all()
        assert rows["tied_with_best"].any() or rows["low"].isna().any()
        assert ((rows["group_letters"] == "\N{EN DASH}") == (rows["verdict"] == "not compared")).all()
        said = surefoot.pairwise_differences(runs, **options).finding()
        assert ("comes first" in said) == ("tied" in set(rows["verdict"])), (said, rows["verdict"])
        alone = surefoot.aggregate_metrics(runs, metrics="iqm", n_resamples=100, skip_checks=True).finding()
        assert not re.search("best|tied|better|worse", alone)


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
    with pytest.raises(HintedError, match="two families"):
        surefoot.multiple_comparisons(scores([1.0, 2.0]), comparisons="with_best", baseline="a", skip_checks=True)


@pytest.mark.parametrize("ask", ["multiple_comparisons", "pairwise_differences", "probability_of_improvement"])
def test_an_unknown_baseline_is_refused(ask):
    runs = {"Rainbow": np.eye(4), "DQN": np.eye(4)}
    for given, meant in (("rainbow", "Rainbow"), ("Rainbwo", "Rainbow"), ("dqn", "DQN")):
        with pytest.raises(HintedError, match=f'no scores of "{given}"') as caught:
            getattr(surefoot, ask)(runs, baseline=given, skip_checks=True)
        assert caught.value.hint == f'did you mean "{meant}"?'
