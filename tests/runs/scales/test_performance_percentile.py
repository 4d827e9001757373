"""Shares of the runs of one algorithm that score at most as much as those of another."""

import pytest
from support.naive_formulas import mean, scores_of, table

from surefoot.runs.scales.performance_percentile import PerformancePercentile


def test_the_scale_is_what_its_formula_says():
    runs = table(4)
    found = PerformancePercentile().pairs(runs.assign(cell=runs["algorithm"]))
    assert len(found) == 2 * 3 * 3
    for row in found.itertuples():
        own, others = (scores_of(runs, row.environment, name) for name in (row.algorithm, row.opponent))
        wanted = mean([mean([float(other <= score) for other in others]) for score in own])
        assert row.payoff == pytest.approx(0.5 if row.algorithm == row.opponent else wanted, rel=1e-12)
