"""Ranks: against every published one, and the order they must keep among themselves."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.statistics.intervals.estimation import ranks
from surefoot.statistics.ties import rank_values

GOLDEN = Path(__file__).resolve().parents[4] / "shared" / "golden"
needs_golden = pytest.mark.skipif(not GOLDEN.is_dir(), reason=f"no published tables at {GOLDEN}")


@needs_golden
@pytest.mark.parametrize("method", ["pbp", "pbpt", "bootstrap"])
def test_published_aggregate_intervals_give_the_published_ranks(method):
    table = pd.read_csv(GOLDEN / f"jordan2020_{method}.csv")
    found = ranks(table["score"], table["score_low"], table["score_high"])
    assert found.rank.tolist() == table["rank"].tolist()
    assert found.low.tolist() == table["rank_low"].tolist()
    assert found.high.tolist() == table["rank_high"].tolist()


@needs_golden
def test_published_environment_tables_give_the_published_ranks_but_for_four_rounded_ties():
    """Rounded to 0.1, four means equal that of a better algorithm, from which the unrounded ones differed."""
    differing = []
    for environment, table in pd.read_csv(GOLDEN / "jordan2020_performance.csv").groupby("environment"):
        found = ranks(table["mean"], table["low"], table["high"])
        assert found.low.tolist() == table["rank_low"].tolist()
        assert found.high.tolist() == table["rank_high"].tolist()
        for algorithm, rank, published in zip(table["algorithm"], found.rank, table["rank"], strict=True):
            if rank != published:
                differing.append((environment, algorithm, int(rank), published))
    assert sorted(differing) == [
        ("chain_10_deterministic", "q", 4, 6),
        ("chain_10_deterministic", "q_s", 4, 6),
        ("gridworld_5_stochastic", "sarsa", 5, 7),
        ("gridworld_5_stochastic", "sarsa_s", 5, 7),
    ]


def test_equal_values_share_the_better_rank():
    assert rank_values([3.0, 5.0, 3.0, 1.0]).tolist() == [2, 1, 2, 4]


def test_points_without_width_are_as_certain_as_they_look():
    found = ranks([1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 0.0])
    assert found.rank.tolist() == found.high.tolist() == [1, 1, 3]
    assert found.low.tolist() == [2, 2, 3]


@given(st.lists(st.tuples(*[st.integers(0, 6)] * 3).map(sorted), min_size=1, max_size=8))
def test_the_rank_lies_between_its_limits(limits):
    low, values, high = np.array(limits, float).T
    found = ranks(values, low, high)
    assert ((found.high >= 1) & (found.high <= found.rank) & (found.rank <= found.low) & (found.low <= low.size)).all()
