"""Tables: their columns and order, and what must not change what they say."""

import statistics

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.statistics.game.percentile import aggregate, payoff_table
from surefoot.statistics.intervals.bootstrap import replicate_scores
from surefoot.statistics.intervals.estimation import ESTIMATORS, SCORE_METHODS, VARIANTS, estimate
from surefoot.statistics.runs.samples import samples_from_runs

METHODS = tuple(ESTIMATORS)


LIMITS = ["method", "aggregate", "algorithm", "environment", "value", "low", "high", "standard_error"]
LIMITS += ["rank", "rank_low", "rank_high", "confidence", "runs", "replicates"]


def small_estimate(runs, method, **settings):
    return estimate(runs, method, replicates=64, **settings)


def point_values(runs):
    return aggregate(runs, payoff_table(runs))


@pytest.fixture
def runs(random_runs):
    return random_runs(3, 2, 30, seed=25)


def test_aggregate_gives_scores_means_and_weights(cross_check_runs):
    values, weights = point_values(cross_check_runs)
    assert values.columns.tolist() == [
        "aggregate",
        "algorithm",
        "environment",
        "value",
        "standard_error",
        "runs",
        "rank",
    ]
    scores = values[values["aggregate"] == "game_score"]
    assert scores["value"].tolist() == pytest.approx([0.4939567187, 0.4869576694, 0.4886789391], abs=5e-11)
    assert scores["rank"].tolist() == [1, 3, 2]
    assert (scores["environment"] == "").all() and scores[["standard_error", "runs"]].isna().all(axis=None)
    assert weights["weight"].sum() == pytest.approx(1)
    first = weights[(weights.environment == "environment_1") & (weights.opponent == "algorithm_0")]
    assert first["weight"].item() == pytest.approx(0.2477807505, abs=5e-11)
    means = values[values["aggregate"] == "mean"].set_index(["environment", "algorithm"])
    for pair, sample in cross_check_runs.groupby(["environment", "algorithm"])["score"]:
        assert means.loc[pair, "value"] == pytest.approx(sample.mean())
        assert means.loc[pair, "standard_error"] == pytest.approx(sample.sem())
        assert means.loc[pair, "runs"] == 60


def test_aggregate_takes_payoffs_in_any_order_and_no_others(runs):
    normalized = payoff_table(runs)
    values, _ = aggregate(runs, normalized)
    shuffled, _ = aggregate(runs, normalized.sample(frac=1, random_state=0))
    pd.testing.assert_frame_equal(values, shuffled)
    with pytest.raises(ValueError, match="17 payoffs do not fit 3 algorithms in 2 environments"):
        aggregate(runs, normalized.iloc[1:])


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("method", METHODS)
def test_estimates_have_their_columns_and_hold_their_values(runs, method, variant):
    table = small_estimate(runs, method, variant=variant, points=5)
    assert (table["method"] == method).all()
    if method == "dkw":
        assert table.columns.tolist() == ["method", "algorithm", "environment", "probability", "score", "low", "high"]
        assert (table.groupby(["environment", "algorithm"]).size() == 5).all()
        assert ((table["low"] <= table["probability"]) & (table["probability"] <= table["high"])).all()
        return
    assert table.columns.tolist() == LIMITS + ["ties"] * (method in SCORE_METHODS)
    assert ((table["low"] <= table["value"]) & (table["value"] <= table["high"])).all()
    assert ((table["rank_high"] <= table["rank"]) & (table["rank"] <= table["rank_low"])).all()
    assert (table["runs"] == runs.groupby(["algorithm", "environment"]).size().min()).all()
    assert table["replicates"].tolist() == [64 if method == "bootstrap" else pd.NA] * len(table)
    assert (table["standard_error"].notna() == (method == "bootstrap")).all()
    assert table["confidence"].iloc[0] == pytest.approx(1 - 0.05 / 6 if method == "anderson" else 0.95)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_bootstraps_standard_error_is_the_deviation_of_its_replicates(runs, variant):
    table = small_estimate(runs, "bootstrap", seed=3, variant=variant)
    scores = replicate_scores(samples_from_runs(runs), 3, 64, variant)
    assert table["standard_error"].tolist() == pytest.approx([statistics.stdev(column) for column in scores.T.tolist()])
    one = estimate(runs, "bootstrap", replicates=1)
    assert one["standard_error"].isna().all()


@pytest.mark.parametrize("method", METHODS)
def test_threads_do_not_change_a_byte(runs, method):
    pd.testing.assert_frame_equal(
        small_estimate(runs, method, threads=1), small_estimate(runs, method, threads=2), check_exact=True
    )


@settings(max_examples=15, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.permutations(range(3)),
    st.permutations(range(2)),
    st.sampled_from((*SCORE_METHODS, "anderson")),
)
def test_renaming_and_reordering_permutes_the_result(seed, algorithms, environments, method):
    rng = np.random.default_rng(seed)
    parts = {
        (i, j): pd.DataFrame(
            {"algorithm": f"a{i}", "environment": f"e{j}", "score": rng.normal(i, 1, 6).round(1), "cell": f"a{i}"}
        )
        for j in range(2)
        for i in range(3)
    }
    runs = pd.concat(parts.values(), ignore_index=True)
    reordered = pd.concat([parts[i, j] for j in environments for i in algorithms], ignore_index=True)
    key = ["algorithm", "environment"]
    table = small_estimate(runs, method).sort_values(key, ignore_index=True)
    permuted = small_estimate(reordered, method).sort_values(key, ignore_index=True)
    pd.testing.assert_frame_equal(table, permuted, check_exact=False, rtol=0, atol=1e-8)


def test_constant_scores_everywhere(run_table):
    scores = {(a, e): [2.0] * 4 for a in ("a", "b") for e in ("x", "y")}
    runs = run_table(scores)
    values, _ = point_values(runs)
    assert values["rank"].tolist() == [1] * 6
    for method in METHODS:
        table = small_estimate(runs, method)
        assert np.isfinite(table[["low", "high"]].to_numpy()).all()
    assert estimate(runs, "pbp")["high"].tolist() == pytest.approx([1.0, 1.0], abs=0.3)


def test_one_algorithm_has_means_and_bands_but_no_game(random_runs):
    runs = random_runs(1, 2, 9, seed=26)
    assert len(small_estimate(runs, "anderson")) == 2
    assert set(small_estimate(runs, "dkw")["environment"]) == {"e0", "e1"}
    assert (payoff_table(runs)["payoff"] == 0.5).all()
    for method in SCORE_METHODS:
        with pytest.raises(ValueError, match="at least two algorithms"):
            small_estimate(runs, method)


def test_a_single_run_has_a_score_and_no_standard_error(run_table):
    runs = run_table({("a", "x"): [1.0, 3.0], ("b", "x"): [2.0]})
    values, _ = point_values(runs)
    mean = values[values["aggregate"] == "mean"].set_index("algorithm")
    assert np.isnan(mean.loc["b", "standard_error"]) and mean.loc["b", "runs"] == 1
    assert len(estimate(runs, "pbp")) == 2
    assert len(estimate(runs, "pbp_matchings")) == 2
    for method in ("pbp_t", "bootstrap"):
        with pytest.raises(ValueError, match="b in x"):
            small_estimate(runs, method)


def test_methods_with_one_variant_do_not_take_the_published_one(run_table):
    """A quirk of the published program is no theorem: what was never published is as its docstring says.

    The limits of two algorithms with equal samples agree, which the published program takes for equality.
    """
    scores = {("a", "e"): np.arange(12.0), ("b", "e"): np.arange(12.0), ("c", "e"): np.arange(12.0) + 5.0}
    runs = run_table(scores)
    assert not small_estimate(runs, "pbp", variant="as_published").equals(
        small_estimate(runs, "pbp", variant="corrected")
    )
    tables = [small_estimate(runs, "pbp_matchings", variant=variant) for variant in ("as_published", "corrected")]
    pd.testing.assert_frame_equal(*tables)
