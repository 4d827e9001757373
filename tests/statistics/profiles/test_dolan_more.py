"""Dolan-Moré profiles, the Welch distance and the rank test against published numbers, SciPy and enumeration."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.paths import SHARED

from surefoot.statistics.profiles.dolan_more import distance_profile, rank_test, time_ratios, welch_distances


@pytest.fixture(scope="module")
def machado():
    path = SHARED / "data" / "agarwal2021" / "recht2018" / "machado2018_means_stds.csv"
    if not path.is_file():
        pytest.skip(f"the published means are not here: {path}")
    table = pd.read_csv(path)
    table["method"] = table["algorithm"] + " " + table["frames_millions"].astype(str) + "M"
    return table


def wide(table, methods):
    columns = ("mean", "std", "n_runs")
    return [table.pivot(index="row", columns="method", values=name)[methods].to_numpy(float) for name in columns]


@pytest.mark.parametrize("formula", ["welch", "notebook"])
def test_distances_are_those_of_the_notebook(machado, formula):
    golden = pd.read_csv(SHARED / "golden" / "recht2018_distances.csv")
    golden = golden[golden["degrees_of_freedom"] == formula]
    distances = welch_distances(*wide(machado, ["Blob-PROST 200M", "DQN 200M"]), formula)
    np.testing.assert_allclose(distances, golden[["d_blobprost_200M", "d_dqn_200M"]], rtol=1e-8, atol=1e-8)


def test_profiles_count_the_games_of_the_figures(machado):
    golden = pd.read_csv(SHARED / "golden" / "recht2018_profiles.csv")
    for (_, formula), rows in golden.groupby(["figure", "degrees_of_freedom"], sort=False):
        methods = list(rows["method"].unique())
        curves = rows.pivot(index="minus_log10_tau", columns="method", values="count_of_60")[methods]
        grid = np.linspace(curves.index[0], curves.index[-1], len(curves))
        profile = distance_profile(welch_distances(*wide(machado, methods), formula), grid)
        np.testing.assert_array_equal(np.rint(60 * profile), curves)


def test_time_ratios_and_their_errors():
    times = np.array([[1.0, 4.0], [3.0, np.nan], [np.inf, np.inf]])
    np.testing.assert_array_equal(time_ratios(times), [[0, 2], [0, np.inf], [np.inf, np.inf]])
    with pytest.raises(ValueError, match="got a time of 0"):
        time_ratios(np.array([[0.0, 1.0]]))


def test_the_rank_test_is_that_of_scipy():
    generator = np.random.default_rng(3)
    x, y = generator.normal(0.5, size=11), generator.normal(size=5)
    expected = stats.mannwhitneyu(x, y, alternative="greater", method="exact").pvalue
    assert rank_test(x, y) == pytest.approx(expected, rel=1e-12)
    x, y = generator.integers(20, size=40) + 1.0, generator.integers(20, size=30) + 0.0
    expected = stats.mannwhitneyu(x, y, alternative="greater", method="asymptotic").pvalue
    assert rank_test(x, y) == pytest.approx(expected, rel=1e-9)
    assert rank_test(np.ones(30), np.ones(30)) == 1.0
