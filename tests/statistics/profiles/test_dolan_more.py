"""Dolan-Moré profiles, the Welch distance and the rank test against published numbers, SciPy and enumeration."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from surefoot.statistics.comparison.rank_test import rank_test
from surefoot.statistics.profiles.dolan_more import (
    distance_profile,
    profile_table,
    rank_distances,
    time_ratios,
    welch_distances,
)
from surefoot.statistics.runs.samples import samples_from_runs

SHARED = Path(__file__).parents[4] / "shared"


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


def test_the_welch_distance_is_that_of_a_t_test():
    """Against scipy.stats.ttest_ind_from_stats; the deviations are raised by the 1e-6 that the distance adds."""
    generator = np.random.default_rng(1)
    means, deviations, runs = generator.normal(size=(50, 3)), generator.gamma(2.0, size=(50, 3)), [[24, 5, 9]]
    distances = welch_distances(means, deviations, runs)
    for row, mean in enumerate(means):
        best = mean.argmax()
        for method in range(3):
            arms = [(means[row, m], deviations[row, m] + 1e-6, runs[0][m]) for m in (best, method)]
            p = stats.ttest_ind_from_stats(*arms[0], *arms[1], equal_var=False, alternative="greater").pvalue
            assert distances[row, method] == pytest.approx(0.0 if method == best else -np.log10(p), rel=1e-8)


def test_a_profile_counts_strictly_smaller_distances():
    distances = np.array([[0.0, 1.0], [2.0, 0.0], [0.0, np.inf], [0.0, 0.5]])
    profile = distance_profile(distances, np.array([0.0, 0.5, 1.0, 2.0, 2.1]))
    np.testing.assert_array_equal(profile, [[0, 0], [0.75, 0.25], [0.75, 0.5], [0.75, 0.75], [1, 0.75]])
    table = profile_table(distances, ["a", "b"], np.array([1.0, 2.1]))
    assert list(table.itertuples(index=False, name=None)) == [
        ("a", 1.0, 3, 0.75),
        ("a", 2.1, 4, 1.0),
        ("b", 1.0, 2, 0.5),
        ("b", 2.1, 3, 0.75),
    ]


def test_time_ratios_and_their_errors():
    times = np.array([[1.0, 4.0], [3.0, np.nan], [np.inf, np.inf]])
    np.testing.assert_array_equal(time_ratios(times), [[0, 2], [0, np.inf], [np.inf, np.inf]])
    with pytest.raises(ValueError, match="a time of 0 has no ratio"):
        time_ratios(np.array([[0.0, 1.0]]))
    with pytest.raises(ValueError, match=r"a distance of -1\. Hint"):
        distance_profile(np.array([[-1.0, 0.0]]), np.array([1.0]))
    with pytest.raises(ValueError, match="problems in rows"):
        distance_profile(np.zeros((0, 2)), np.array([1.0]))
    with pytest.raises(ValueError, match="two runs or more"):
        welch_distances(np.zeros((1, 2)), np.ones((1, 2)), [[1, 5]])
    with pytest.raises(ValueError, match="one of welch, notebook"):
        welch_distances(np.zeros((1, 2)), np.ones((1, 2)), [[5, 5]], "student")


@pytest.mark.parametrize("levels", [3, 1000])
def test_the_rank_test_counts_all_ways_to_choose(levels):
    generator = np.random.default_rng(2)
    for _ in range(5):
        x, y = generator.integers(levels, size=4) + 1.0, generator.integers(levels, size=5) + 0.0
        ranks = stats.rankdata([*x, *y])
        sums = [ranks[list(chosen)].sum() for chosen in combinations(range(9), 4)]
        assert rank_test(x, y) == pytest.approx(np.mean(np.array(sums) >= ranks[:4].sum()))


def test_the_rank_test_is_that_of_scipy():
    generator = np.random.default_rng(3)
    x, y = generator.normal(0.5, size=11), generator.normal(size=5)
    expected = stats.mannwhitneyu(x, y, alternative="greater", method="exact").pvalue
    assert rank_test(x, y) == pytest.approx(expected, rel=1e-12)
    x, y = generator.integers(20, size=40) + 1.0, generator.integers(20, size=30) + 0.0
    expected = stats.mannwhitneyu(x, y, alternative="greater", method="asymptotic").pvalue
    assert rank_test(x, y) == pytest.approx(expected, rel=1e-9)
    assert rank_test(np.ones(30), np.ones(30)) == 1.0
    with pytest.raises(ValueError, match="samples of 0 and 1 runs"):
        rank_test(np.zeros(0), np.zeros(1))


def test_rank_distances_are_from_the_best_mean(run_table):
    scores = {("a", "e"): [1, 2, 3], ("b", "e"): [4, 5, 6], ("a", "f"): [1, 1], ("b", "f"): [1, 1]}
    distances = rank_distances(samples_from_runs(run_table(scores)))
    np.testing.assert_allclose(distances, [[np.log10(20), 0], [0, 0]], atol=1e-12)
