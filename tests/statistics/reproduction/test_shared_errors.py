"""Joint tests of differences that share an error: their level by simulation, their power, and by hand."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from surefoot.statistics.reproduction.joint_tests import shared_error_tests


def differences(z, raised=0.0, group="a"):
    return pd.DataFrame({"group": group, "z": z, "raised": raised})


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.95])
@pytest.mark.parametrize("raised", [0.0, 1.5])
def test_both_tests_hold_their_level_whatever_the_correlation(correlation, raised):
    """8 differences, 4,000 groups, nominal 5 %: rejections beyond 264 of 4,000 have a chance below 1 in 100,000, if
    the level is held. Half of the raised ones are raised in full, which is the worst for the scatter."""
    random = np.random.default_rng(1)
    shared, own = random.normal(size=(4_000, 1)), random.normal(size=(4_000, 8))
    z = np.sqrt(correlation) * shared + np.sqrt(1.0 - correlation) * own
    z[:, :4] -= raised
    rows = pd.DataFrame({"group": np.repeat(np.arange(4_000), 8), "z": z.ravel(), "raised": raised})
    tests = shared_error_tests(rows)
    assert (tests["p_mean"] < 0.05).sum() <= 264
    assert (tests["p_scatter"] < 0.05).sum() <= 264


def test_a_distribution_that_is_off_as_a_whole_is_found_although_no_difference_is():
    off = shared_error_tests(differences(np.full(8, -3.5) + np.linspace(-0.4, 0.4, 8)))
    assert off["p_mean"].item() == pytest.approx(2.0 * norm.sf(3.5))
    scattered = shared_error_tests(differences([-3.5, 3.5, -3.4, 3.4, -3.3, 3.3, 0.0, 0.0]))
    assert scattered["p_mean"].item() == pytest.approx(1.0)
    assert scattered["p_scatter"].item() < 1e-9


def test_selection_excuses_lower_scores_by_what_it_raised_and_no_more():
    assert shared_error_tests(differences([-1.2, -0.8], 1.0))["p_mean"].item() == 1.0
    assert shared_error_tests(differences([-4.2, -3.8], 1.0))["p_mean"].item() == pytest.approx(2.0 * norm.sf(3.0))
    assert shared_error_tests(differences([4.2, 3.8], 1.0))["p_mean"].item() == pytest.approx(2.0 * norm.sf(4.0))


def test_single_differences_and_none():
    alone = shared_error_tests(differences([2.0])).iloc[0]
    assert (alone["count"], alone["p_scatter"]) == (1, 1.0)
    assert shared_error_tests(differences([])).empty
