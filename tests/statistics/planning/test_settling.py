"""How many runs would settle a difference: by brute force, and over many pilots."""

import numpy as np
import pytest
from scipy import stats

from surefoot.statistics.comparison.differences import POWER, runs_to_settle

LEVEL = 0.975


def degrees_of(runs, tasks=1):
    """Of the difference of two means over tasks with equal variances, as `pairwise_differences` has them."""
    return 2 * (tasks * (runs + 1) - 2 + 2) - 2


def needed(difference, tasks=1):
    """The smallest number of runs of both sides, scores of variance 1: by trying all."""
    for runs in range(2, 20_000):
        degrees = degrees_of(runs, tasks)
        if stats.nct.sf(stats.t.ppf(LEVEL, degrees), degrees, difference * np.sqrt(runs * tasks / 2)) >= POWER:
            return runs
    raise AssertionError


@pytest.mark.parametrize("runs", [3, 5, 10])
@pytest.mark.parametrize("tasks", [1, 5, 26])
@pytest.mark.parametrize("difference", [0.3, 1.0, 3.0])
def test_it_is_the_number_that_trying_all_finds(runs, tasks, difference):
    found = runs_to_settle([difference], [np.sqrt(2 / (runs * tasks))], [degrees_of(runs, tasks)], runs, LEVEL)
    assert found.runs.tolist() == [needed(difference, tasks)]


def test_no_difference_needs_infinitely_many_and_no_spread_two():
    found = runs_to_settle([0.0, 1.0, 50.0], [1.0, 0.0, 1.0], [8.0] * 3, 5, LEVEL)
    assert found.runs.tolist() == [np.inf, 2.0, 2.0]
    assert np.isinf(found.high[0]) and found.low[0] > 5
