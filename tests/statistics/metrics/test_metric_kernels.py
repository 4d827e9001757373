"""Compiled kernels of metrics: the same bits as numpy, sorted columns, and counts that are added in order."""

import numpy as np
import pytest
from support.counted_resamples import COUNTED, counted

from surefoot.statistics.metrics.array_metrics import array_metrics, counted_sums
from surefoot.statistics.metrics.metric_catalogue import BLOCK, METRICS
from surefoot.statistics.metrics.metric_kernels import add_all_counted, add_counts, block_metrics, sort_column

WRITTEN = [*METRICS, "trimmed_mean(0.1)", "trimmed_mean(0.5)", "difficulty_progress(0.5)"]


@pytest.mark.parametrize(("sizes", "decimals"), COUNTED)
@pytest.mark.parametrize("resamples", [1, BLOCK])
def test_metrics_have_the_bits_of_numpy(sizes, decimals, resamples):
    """All of a block, or the first ones alone."""
    arguments = counted(sizes, decimals, WRITTEN).arguments
    found = np.full((resamples, len(WRITTEN)), np.nan)
    block_metrics(*arguments, found)
    np.testing.assert_array_equal(found, array_metrics(*arguments)[:resamples])


@pytest.mark.parametrize("size", [0, 1, 2, 9, 10, 200])
def test_a_column_is_sorted(size):
    rows = np.random.default_rng(size).normal(size=(size, 3)).round(1)
    ascending = np.empty(size)
    sort_column(rows, 1, ascending)
    np.testing.assert_array_equal(ascending, np.sort(rows[:, 1]))


@pytest.mark.parametrize("rows", [1, 3, 4, 11])
def test_values_are_added_in_ascending_order(rows):
    """Values of such different sizes that another order would have other bits; totals that there are count too."""
    random = np.random.default_rng(rows)
    counts = random.integers(0, 5, (rows, BLOCK)).astype(np.uint8)
    values = np.sort(random.normal(size=rows) * 10.0 ** random.integers(-8, 9, rows))
    totals = np.zeros(BLOCK)
    add_all_counted(counts, values, totals)
    np.testing.assert_array_equal(totals, counted_sums(counts, values))
    numbers = np.full(BLOCK, 7, np.int32)
    for row in counts:
        add_counts(row, numbers)
    np.testing.assert_array_equal(numbers, 7 + counts.sum(axis=0, dtype=np.int32))
