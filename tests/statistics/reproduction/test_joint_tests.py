"""Joint tests: what they find, and how often where there is nothing."""

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from surefoot.statistics.reproduction.joint_tests import ALL, LEVEL, joint_tests


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


def test_one_per_cent_is_found_by_the_factor_and_by_no_single_number():
    """Ten numbers that are 1 % too high, about 2 standard errors each: none is beyond 4."""
    published = np.linspace(190.0, 210.0, 10)
    rows = table(0.01 * published, published)
    found = joint_tests(rows, ["a"] * 5 + ["b"] * 5)
    last = found.set_index(["group", "test"]).loc[(ALL, "factor")]
    assert last["estimate"] == pytest.approx(0.01) and last["noticed"]


def test_the_error_rate_is_that_of_the_whole_table():
    """600 tables of 9 tests: at the level of 0.01 more than 18 notice something in fewer than one of 10,000 cases."""
    draw = np.random.default_rng(3)
    groups = ["a"] * 6 + ["b"] * 6
    noticed = [joint_tests(table(z), groups)["noticed"].any() for z in draw.normal(size=(600, 12))]
    assert np.mean(noticed) <= 3 * LEVEL


def test_one_sample_under_two_names_counts_once_and_numbers_without_z_do_not():
    rows = pd.concat([table([1.0, 2.0]), table([2.0, np.nan])], ignore_index=True)
    found = joint_tests(rows, ["a"] * 4)
    assert (found["count"] == 2).all()
    assert joint_tests(rows.iloc[:1], ["a"]).empty
