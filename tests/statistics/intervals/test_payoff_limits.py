"""Limits of the payoffs by PBP and by PBP-t: printed digits, and scores of which all are equal or apart."""

import pytest

from surefoot.statistics.intervals.catalogue import Options
from surefoot.statistics.intervals.payoff_limits import pbp, pbp_t
from surefoot.statistics.runs.samples import samples_from_runs


def test_cross_check_data_to_the_printed_digits(cross_check_samples):
    low, high = pbp(cross_check_samples, Options(0.05), "as_published")
    assert [low[0, 0, 1], high[0, 0, 1]] == pytest.approx([0.1846185003, 0.8566404410], abs=5e-11)
    assert [low[2, 1, 0], high[2, 1, 0]] == pytest.approx([0.1328040034, 0.8019003362], abs=5e-11)
    assert low[1, 0, 1] == high[1, 0, 1] == 0.5


def test_constant_scores_prove_nothing_unless_they_are_the_end_of_the_range(run_table):
    samples = samples_from_runs(run_table({("a", "x"): [1.0] * 50, ("b", "x"): [1.0] * 50}))
    published, corrected = (pbp(samples, Options(0.05), v)[0][0, 0, 1] for v in ("as_published", "corrected"))
    assert published == 1.0  # the range of the data is the single score
    assert 0.0 < corrected < 0.7


def test_complete_separation_leaves_t_limits_without_width_and_pbp_with_some(run_table):
    samples = samples_from_runs(run_table({("a", "x"): range(10, 40), ("b", "x"): range(5)}))
    low, high = pbp_t(samples, Options(0.05), "corrected")
    assert low[0, 0, 1] == high[0, 0, 1] == 1.0
    low, high = pbp(samples, Options(0.05), "corrected")
    assert low[0, 0, 1] < high[0, 0, 1] == 1.0
