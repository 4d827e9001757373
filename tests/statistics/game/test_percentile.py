"""Payoffs: against the definition, scipy's Mann-Whitney statistic, and what resampling must not change."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.questions import game
from surefoot.questions.coverage import coverage
from surefoot.statistics.game.percentile import counts_at_or_below, payoffs
from surefoot.statistics.runs.samples import samples_from_runs


def test_cross_check_data_to_the_printed_digits(cross_check_samples):
    z = payoffs(cross_check_samples)
    assert z[0, 0] == pytest.approx([0.5, 0.5136111111, 0.4783333333], abs=5e-11)
    assert z[2, 1] == pytest.approx([0.4555555556, 0.4602777778, 0.5], abs=5e-11)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=30), st.lists(st.integers(-3, 3), min_size=1, max_size=30))
def test_counts_are_those_of_a_right_continuous_distribution_function(points, sample):
    points, sample = np.sort(np.array(points, float)), np.sort(np.array(sample, float))
    counts = np.empty(points.size, np.int64)
    counts_at_or_below(points, sample, counts)
    assert counts.tolist() == [(sample <= x).sum() for x in points]


def test_a_shared_sample_has_exactly_one_half(run_table):
    scores = {("a", "x"): [1, 2, 2], ("a_s", "x"): [1, 2, 2], ("b", "x"): [1, 2, 2]}
    z = payoffs(samples_from_runs(run_table(scores, {("a_s", "x"): "a"})))
    assert z[0, 0].tolist()[:2] == [0.5, 0.5]
    assert z[0, 0, 2] == z[1, 0, 2] == pytest.approx((1 + 3 + 3) / 9)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 5))
def test_more_of_the_same_runs_changes_nothing(random_runs_seed, copies):
    rng = np.random.default_rng(random_runs_seed)
    rows = [(f"a{i}", "e", score, f"a{i}") for i in range(3) for score in rng.integers(0, 9, rng.integers(1, 12))]
    runs = pd.DataFrame(rows, columns=["algorithm", "environment", "score", "cell"])
    more = pd.concat([runs] * copies)
    assert np.array_equal(payoffs(samples_from_runs(runs)), payoffs(samples_from_runs(more)))


def test_tasks_of_arrays_have_numbers_for_names():
    runs = {name: np.random.default_rng(place).normal(size=(12, 2)) for place, name in enumerate("ab")}
    sample = {"algorithm": "a", "environment": "1", "sizes": [3]}
    assert set(game.sample_distributions(runs, checked=True, **sample).table()["size"]) == {3, 12}
    cut = coverage(runs, checked=True, sizes=[2, 3], datasets=2, design="cut", methods=["pbp"])
    assert cut.table()["size"].tolist() == [2, 3]
