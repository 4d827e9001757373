"""When runs reach a score: Kaplan and Meier's share against scipy, exact limits, and the median's sign test."""

import numpy as np
import pytest
from scipy import stats

from surefoot.curves.reaching import binomial_limits, share_reached


@pytest.mark.filterwarnings("ignore:The confidence interval is undefined")  # where all have reached it
@pytest.mark.parametrize("seed", range(20))
def test_the_share_is_that_of_scipy(seed):
    """Of runs that are censored at any step, with ties among steps and of both kinds."""
    rng = np.random.default_rng(seed)
    steps = rng.integers(1, 12, 25).astype(float)
    reached = rng.random(25) < 0.6
    ours = share_reached(steps, reached, 0.9)
    theirs = stats.ecdf(stats.CensoredData.right_censored(steps, ~reached))
    assert ours.share == pytest.approx(theirs.cdf.evaluate(ours.steps))
    limits = theirs.sf.confidence_interval(confidence_level=0.9, method="log-log")
    early = steps[~reached].min()
    late = (ours.steps > early) & (ours.share < 1)
    assert late.any()
    assert 1 - ours.high[late] == pytest.approx(limits.low.evaluate(ours.steps[late]))
    assert (ours.low <= ours.share).all() and (ours.share <= ours.high).all()
    assert (np.diff(ours.low) >= 0).all()
    exact = ours.steps <= early
    counts = [np.sum(reached & (steps <= step)) for step in ours.steps[exact]]
    wanted = [stats.binomtest(int(count), 25).proportion_ci(0.9, "exact") for count in counts]
    assert ours.low[exact] == pytest.approx([limit.low for limit in wanted])
    assert ours.high[exact] == pytest.approx([limit.high for limit in wanted])


@pytest.mark.parametrize("trials", [1, 5, 40])
def test_binomial_limits_are_exact(trials):
    counts = np.arange(trials + 1)
    low, high = binomial_limits(counts.astype(float), trials, 0.95)
    wanted = [stats.binomtest(int(count), trials).proportion_ci(0.95, "exact") for count in counts]
    assert low == pytest.approx([limit.low for limit in wanted])
    assert high == pytest.approx([limit.high for limit in wanted])


def test_medians_with_censored_runs_by_hand():
    """Five runs: three reach the score at 10, 20, 30, and two never do, so that half have at the third."""
    found = share_reached(np.array([10.0, 20.0, 30.0, 40.0, 40.0]), np.array([1, 1, 1, 0, 0], bool), 0.95)
    assert found.share.tolist() == pytest.approx([0.2, 0.4, 0.6])
    median, low, high = found.median()
    assert median == 30 and low == 10 and np.isnan(high)
    none = share_reached(np.array([40.0, 40.0]), np.array([False, False]), 0.95)
    assert none.steps.size == 0 and np.isnan(none.median()).all()
    # A run that ends early counts as long as it is followed: then 1/4 of the four left, and 1/2 of the two of them.
    early = share_reached(np.array([5.0, 10.0, 15.0, 20.0, 30.0]), np.array([0, 1, 0, 1, 0], bool), 0.95)
    assert early.share.tolist() == pytest.approx([0.25, 1 - 0.75 * 0.5])


def test_limits_of_the_median_hold_their_level():
    """400 studies of 9 runs, a fifth of which are censored: limits of the sign test, the second and the eighth run,
    hold 96.1 %, so that fewer than 370 are expected less than once in 1,000 times, and so are all 400."""
    rng, held, truth = np.random.default_rng(5), 0, np.log(2)
    end = -np.log(0.2)
    for _ in range(400):
        steps = rng.exponential(size=9)
        _, low, high = share_reached(np.minimum(steps, end), steps <= end, 0.95).median()
        held += bool((low <= truth) and not high < truth)
    assert 370 <= held < 400
