"""No statistic depends on the unit of the scores, or on a constant added to all of them.

Scores are tenths, so that sums that are equal differ in their last digits; they are multiplied by a power of ten, or a
whole number is added. Everything is to be as before, to rounding: results in the scores' unit are transformed alike,
shares and probabilities do not change.
"""

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import surefoot
from surefoot.statistics.game.evaluation_game import play
from surefoot.statistics.game.percentile import payoffs
from surefoot.statistics.intervals.interval_catalogue import INTERVAL_METHODS, RECOMMENDED, Options, leading, remark
from surefoot.statistics.intervals.payoff_limits import pbp, pbp_matchings, pbp_t
from surefoot.statistics.profiles.dolan_more import rank_test
from surefoot.statistics.resampling.replicate_intervals import METHODS
from surefoot.statistics.runs.samples import samples_from_runs

LOCATIONS = ("mean", "median", "iqm", "exact_iqm", "trimmed_mean(0.1)", "run_median", "difficulty_progress")
THRESHOLDS = np.array([2, 5, 8, 11]) / 10
SCALES = st.integers(-12, 12).map(lambda exponent: (10.0**exponent, 0.0))
SHIFTS = st.sampled_from([-1e6, -20.0, 3.0, 1e4, 1e6]).map(lambda constant: (1.0, constant))
CHANGES = st.one_of(SCALES, SHIFTS)


@st.composite
def tables(draw, fewest_runs=2):
    """{algorithm: tenths, float64[runs, tasks]} of two or three algorithms."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    runs, tasks = draw(st.integers(fewest_runs, 6)), draw(st.integers(1, 4))
    values = draw(st.sampled_from([3, 11, 1_000]))
    names = "abc"[: draw(st.integers(2, 3))]
    return {name: rng.integers(1, values + 1, (runs, tasks)) / 10 for name in names}


def changed(table, change):
    scale, constant = change
    return {name: scores * scale + constant for name, scores in table.items()}


def assert_same(function, table, change, unit="none"):
    """What the function finds, as an array, is the same; unit : "none", "score" or "difference" of two scores."""
    scale, constant = change
    before, after = (
        np.asarray(function(*given), float) for given in ((table, 1.0, 0.0), (changed(table, change), *change))
    )
    if unit != "none":
        after = (after - (constant if unit == "score" else 0.0)) / scale
    # Adding 1e6 rounds scores and sums to 1e-10. Limits from two runs multiply by Student's quantile, which is 12.7
    # at one degree of freedom and itself depends on rounded variances: by 48 in 300 random tables, by 97 in FEW_RUNS.
    absolute = max(1e-8, 200 * np.spacing(abs(constant)))
    assert after == pytest.approx(before, rel=1e-9, abs=absolute, nan_ok=True)


def to_runs(table):
    rows = [
        (name, f"e{task}", run, scores[run, task], name)
        for name, scores in table.items()
        for run, task in np.ndindex(scores.shape)
    ]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score", "cell"])


HALVES = {
    "a": np.array([[3, 2, 2, 1], [1, 1, 1, 1], [1, 3, 2, 3]]) / 10,
    "b": np.array([[2, 2, 3, 3], [2, 2, 2, 3], [1, 3, 3, 1]]) / 10,
}
"""Of many resamples, the median lies between two scores."""
FEW_RUNS = {"a": np.array([[0.1, 0.5], [0.9, 0.2]]), "b": np.array([[1.0, 0.1], [0.2, 0.2]])}


@settings(max_examples=20)
@example(HALVES, (1.0, -1e6), True)
@example(FEW_RUNS, (1.0, -1e6), False)
@given(tables(), CHANGES, st.booleans())
def test_metrics_and_all_their_intervals(table, change, unequal):
    """Of tasks with equal numbers of runs, and where the first task lacks one."""
    runs, tasks = table["a"].shape
    unequal = unequal and tasks > 1
    enough = (runs - 1) * tasks >= 4  # for a quarter of the scores that leaving one run out leaves
    metrics = [name for name in LOCATIONS if enough or name != "difficulty_progress"]
    methods = [method for method in METHODS if method != "bca" or not unequal]

    def limits(given, *_):
        """NaN where there is no such interval."""
        if unequal:
            given = {name: [scores[1:, 0], *scores[:, 1:].T] for name, scores in given.items()}
        found = surefoot.aggregate_metrics(given, metrics=metrics, methods=methods, n_resamples=100, skip_checks=True)
        return found.table()[["estimate", "low", "high"]]

    assert_same(limits, table, change, "score")


@settings(max_examples=15)
@given(tables(), CHANGES, st.sampled_from(["run_scores", "average_scores"]))
def test_profiles_and_their_bands(table, change, kind):
    def performance_profiles(given, scale, constant):
        asked = {
            "thresholds": THRESHOLDS * scale + constant,
            "distributions": kind,
            "n_resamples": 100,
            "skip_checks": True,
        }
        return surefoot.performance_profiles(given, **asked).table()[
            ["estimate", "low", "high", "band_low", "band_high", "position"]
        ]

    assert_same(performance_profiles, table, change)


@settings(max_examples=20)
@given(tables(), CHANGES)
def test_improvement_and_ranks(table, change):
    def probability_of_improvement(given, *_):
        found = surefoot.probability_of_improvement(given, n_resamples=100, skip_checks=True)
        return found.table().drop(columns=["scores", "algorithm", "baseline", "as_published", "shared_runs"])

    assert_same(probability_of_improvement, table, change)
    assert_same(
        lambda given, *_: surefoot.rank_probabilities(given, skip_checks=True).table()["estimate"], table, change
    )
    assert_same(lambda given, *_: rank_test(given["a"][:, 0], given["b"][:, 0]), table, change)


def with_other_last_digits(table, change):
    """The changed scores, where every other run's tenths are products in place of quotients."""
    scale, constant = change
    return {
        name: np.where(np.arange(len(scores))[:, None] % 2, np.round(scores * 10) * 0.1, scores) * scale + constant
        for name, scores in table.items()
    }


def payoff_limits(given):
    """All limits of the payoffs, those of the range of scores included, and the payoffs and game scores."""
    samples = samples_from_runs(to_runs(given))
    z = payoffs(samples)
    return [
        z,
        np.broadcast_to(play(z).scores[:, None, None], z.shape),
        *pbp_matchings(samples, Options(0.05), "corrected"),
        *pbp_t(samples, Options(0.05), "corrected"),
        *pbp(samples, Options(0.05), "corrected"),
        *pbp(samples, Options(0.05), "as_published"),
    ]


@settings(max_examples=20)
@given(tables(), CHANGES)
def test_game_scores_see_ties_in_spite_of_rounding(table, change):
    """They depend on the order of the scores alone, so that what they find is the same to the last bit."""
    whole = {name: np.round(scores * 10) for name, scores in table.items()}
    found = payoff_limits(with_other_last_digits(table, change))
    np.testing.assert_array_equal(found, payoff_limits(whole))


def test_the_method_to_quote_is_proven_if_possible():
    assert leading(INTERVAL_METHODS) == RECOMMENDED and INTERVAL_METHODS[RECOMMENDED].proven
    assert leading(("bootstrap", "pbp_t", "pbp")) == "pbp"
    assert leading(("bootstrap", "pbp_t")) == "pbp_t"


@pytest.mark.parametrize("method", INTERVAL_METHODS)
def test_a_method_without_a_guarantee_is_never_without_a_remark(method):
    for runs in (2, 99, 100, 100_000):
        for ties in (True, False):
            proven = INTERVAL_METHODS[method].proven
            assert (remark(method, "corrected", runs, ties) == "") == proven
            unproven = bool(INTERVAL_METHODS[method].as_published) or not proven
            assert (remark(method, "as_published", runs, ties) != "") == unproven
