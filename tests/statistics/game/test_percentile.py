"""Payoffs: against the definition, scipy's Mann-Whitney statistic, and what resampling must not change."""

import numpy as np
import pytest

from surefoot.questions import game
from surefoot.questions.coverage import coverage
from surefoot.statistics.game.percentile import payoffs
from surefoot.statistics.runs.samples import samples_from_runs


def test_cross_check_data_to_the_printed_digits(cross_check_samples):
    z = payoffs(cross_check_samples)
    assert z[0, 0] == pytest.approx([0.5, 0.5136111111, 0.4783333333], abs=5e-11)
    assert z[2, 1] == pytest.approx([0.4555555556, 0.4602777778, 0.5], abs=5e-11)


def test_a_shared_sample_has_exactly_one_half(run_table):
    scores = {("a", "x"): [1, 2, 2], ("a_s", "x"): [1, 2, 2], ("b", "x"): [1, 2, 2]}
    z = payoffs(samples_from_runs(run_table(scores, {("a_s", "x"): "a"})))
    assert z[0, 0].tolist()[:2] == [0.5, 0.5]
    assert z[0, 0, 2] == z[1, 0, 2] == pytest.approx((1 + 3 + 3) / 9)


def test_tasks_of_arrays_have_numbers_for_names():
    runs = {name: np.random.default_rng(place).normal(size=(12, 2)) for place, name in enumerate("ab")}
    sample = {"algorithm": "a", "environment": "1", "sizes": [3]}
    assert set(game.sample_distributions(runs, checked=True, **sample).table()["size"]) == {3, 12}
    cut = coverage(runs, checked=True, sizes=[2, 3], datasets=2, design="cut", methods=["pbp"])
    assert cut.table()["size"].tolist() == [2, 3]
