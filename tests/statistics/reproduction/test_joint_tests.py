"""Joint tests: what they find, and how often where there is nothing.

Joint tests of differences that share an error: their level by simulation, their power, and by hand.
"""

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from scipy.stats import norm

from surefoot.statistics.reproduction.joint_tests import LEVEL, joint_summary, joint_tests, shared_error_tests


def table(z, published=100.0, error=1.0):
    z = np.asarray(z, float)
    published = np.broadcast_to(published, z.shape)
    return pd.DataFrame({"published": published, "ours": published + error * z, "standard_error": error, "z": z})


def test_the_tests_are_those_of_scipy():
    draw = np.random.default_rng(2)
    z, published = draw.normal(size=12), draw.uniform(1, 50, 12)
    found = joint_tests(table(z, published, 0.5), ["a"] * 12).set_index("test")
    assert found.loc["mean", "p_value"] == pytest.approx(2 * scipy.stats.norm.sf(abs(z.sum()) / np.sqrt(12)))
    assert found.loc["spread", "p_value"] == pytest.approx(scipy.stats.chi2.sf(z @ z, 12))
    slope, *_ = np.linalg.lstsq(published[:, None] / 0.5, z, rcond=None)
    assert found.loc["factor", "estimate"] == pytest.approx(slope[0])
    assert (found["count"] == 12).all() and set(found["group"]) == {"a"}


def test_the_error_rate_is_that_of_the_whole_table():
    """600 tables of 9 tests: at the level of 0.01 more than 18 notice something in fewer than one of 10,000 cases."""
    draw = np.random.default_rng(3)
    groups = ["a"] * 6 + ["b"] * 6
    noticed = [joint_tests(table(z), groups)["noticed"].any() for z in draw.normal(size=(600, 12))]
    assert np.mean(noticed) <= 3 * LEVEL


def test_joint_tests_count_each_sample_once():
    rows = pd.concat([table([1.0, 2.0]), table([2.0, np.nan])], ignore_index=True)
    found = joint_tests(rows, ["a"] * 4)
    assert (found["count"] == 2).all()
    assert joint_tests(rows.iloc[:1], ["a"]).empty


def test_the_summary_of_all_differences_is_scipys():
    z = pd.Series([*np.random.default_rng(5).normal(size=40), 9.0, np.nan])
    groups = pd.Series([*["a"] * 20, *["b"] * 20, None, "a"])
    first, second = joint_summary(z, groups).to_dict("records")
    assert (first["group"], first["count"], second["group"], second["count"]) == ("a", 20, "b", 20)
    assert first["negative"] == (z[:20] < 0).sum()
    assert (second["mean"], second["deviation"]) == pytest.approx((z[20:40].mean(), z[20:40].std()))
    assert second["p_value"] == pytest.approx(scipy.stats.kstest(z[20:40], "norm").pvalue)


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


def test_a_shift_of_all_differences_is_found():
    off = shared_error_tests(differences(np.full(8, -3.5) + np.linspace(-0.4, 0.4, 8)))
    assert off["p_mean"].item() == pytest.approx(2.0 * norm.sf(3.5))
    scattered = shared_error_tests(differences([-3.5, 3.5, -3.4, 3.4, -3.3, 3.3, 0.0, 0.0]))
    assert scattered["p_mean"].item() == pytest.approx(1.0)
    assert scattered["p_scatter"].item() < 1e-9


def test_selection_excuses_only_what_it_raised():
    assert shared_error_tests(differences([-1.2, -0.8], 1.0))["p_mean"].item() == 1.0
    assert shared_error_tests(differences([-4.2, -3.8], 1.0))["p_mean"].item() == pytest.approx(2.0 * norm.sf(3.0))
    assert shared_error_tests(differences([4.2, 3.8], 1.0))["p_mean"].item() == pytest.approx(2.0 * norm.sf(4.0))
