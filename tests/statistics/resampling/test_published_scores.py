"""Every verified number of Agarwal et al. 2021 about aggregates, intervals, profiles, improvement and ranks."""

import numpy as np
import pandas as pd
import pytest
from published_scores import DATA, far_quantiles, golden, needs_published_scores, normalized, sigmas, subset
from scipy.special import stdtrit

from surefoot.sources.given.scores import read_scores
from surefoot.statistics.comparison.improvement import probability_of_improvement, replicate_improvement
from surefoot.statistics.comparison.rank_distributions import rank_distributions, simulated_rank_distributions
from surefoot.statistics.intervals.published_means import mean_t_interval
from surefoot.statistics.profiles.performance_profiles import nonlinear_positions, profile, replicate_profiles
from surefoot.statistics.resampling.jackknife import row_acceleration, stratified_acceleration
from surefoot.statistics.resampling.replicate_intervals import interval
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics

pytestmark = needs_published_scores
NAMES = {
    "dp25": "difficulty_progress(0.25)",
    "dp50": "difficulty_progress(0.5)",
    "prob_above_1": "probability_above(1)",
}
GRID = {"atari100k": ["SimPLe", "DER", "OTR", "CURL", "DrQ(eps)", "SPR"]}


def groups(table, *columns):
    return table.groupby(list(columns), sort=False)


def test_point_estimates():
    for (benchmark, normalization, algorithm, runs), rows in groups(
        golden("point_estimates"), "benchmark", "normalization", "algorithm", "runs"
    ):
        scores = subset(normalized(benchmark, normalization)[algorithm], runs)
        found = metric_values(scores, [NAMES.get(name, name) for name in rows["metric"]])
        assert found == pytest.approx(rows["value"].to_numpy(), rel=1e-9, abs=1e-9), (benchmark, algorithm, runs)


@pytest.mark.parametrize(
    ("table", "columns", "resampled"),
    [
        (
            "percentile_ci",
            {50_000: ("lower_rliable", "upper_rliable"), 250_000: ("lower_mean5", "upper_mean5")},
            "runs",
        ),
        ("task_bootstrap_ci", {50_000: ("lower", "upper")}, "tasks_and_runs"),
    ],
)
def test_percentile_intervals(table, columns, resampled):
    """Fails falsely once in 1000 times."""
    rows = golden(table)
    rows["runs"] = rows.get("runs", "all")
    for (benchmark, algorithm, runs), part in groups(rows, "benchmark", "algorithm", "runs"):
        scores = subset(normalized(benchmark)[algorithm], runs)
        drawn = replicate_metrics(scores, part["metric"], 8_000, 0, algorithm, resampled=resampled)
        for published, names in columns.items():
            for name, fraction in zip(names, (0.025, 0.975), strict=True):
                for replicates, limit in zip(drawn.T, part[name], strict=True):
                    far = far_quantiles(replicates, fraction, limit, published, 2 * len(columns) * len(rows), 1e-6)
                    assert far <= 0, (algorithm, runs, fraction)


def test_interval_methods():
    """Accelerations exactly; ends of 50,000 published replicates beside five times as many of ours. Their standard
    deviation is known from five numbers, hence Student's t; the test fails falsely once in 1000 times."""
    rows = golden("ci_methods")
    reach = stdtrit(4, 1 - 0.0005 / (2 * len(rows))) * np.sqrt(1 + 1 / 5)
    for (algorithm,), part in groups(rows, "algorithm"):
        scores, metrics = normalized("atari100k")[algorithm][:10], list(dict.fromkeys(part["metric"]))
        points, accelerations = metric_values(scores, metrics), row_acceleration(scores, metrics)
        stratified = stratified_acceleration(scores, metrics)
        drawn = [replicate_metrics(scores, metrics, 50_000, seed, algorithm) for seed in range(5)]
        for row in part.itertuples():
            k = metrics.index(row.metric)
            assert accelerations[k] == pytest.approx(row.acceleration_row_jackknife, abs=1e-9)
            assert stratified[k] == pytest.approx(row.acceleration_stratified, abs=1e-9)
            found = [interval(one[:, k], points[k], row.method, acceleration=accelerations[k]) for one in drawn]
            ends = np.array([one[:2] for one in found])
            far = np.abs(ends.mean(axis=0) - [row.lower, row.upper])
            assert (far < reach * ends.std(axis=0, ddof=1)).all(), row
            if row.method in ("bc", "bca"):
                assert found[0].bias_correction == pytest.approx(row.z0, abs=0.02)


def test_performance_profiles():
    """The profiles exactly; the bands' ends fail falsely once in 1000 times."""
    rows = golden("performance_profiles")
    judged = 2 * int(rows["lower_rliable_2000"].notna().sum())
    for (benchmark, hyphenated, algorithm), part in groups(rows, "benchmark", "kind", "algorithm"):
        scores = normalized(benchmark)[algorithm][: 10 if benchmark == "atari100k" else None]
        kind, grid = hyphenated.replace("-", "_") + "s", part["tau"].to_numpy()
        assert profile(scores, grid, kind) == pytest.approx(part["profile"].to_numpy(), abs=1e-8)
        if part["lower_rliable_2000"].isna().all():
            continue
        drawn = replicate_profiles(scores, grid, kind, 2_000, 0, algorithm)
        for replicates, *limits in zip(drawn.T, part["lower_rliable_2000"], part["upper_rliable_2000"], strict=True):
            for fraction, limit in zip((0.025, 0.975), limits, strict=True):
                assert far_quantiles(replicates, fraction, limit, 2_000, judged, 1e-6) <= 0, (algorithm, kind)


def test_nonlinear_axis():
    for (benchmark,), part in groups(golden("nonlinear_ticks"), "benchmark"):
        tables = normalized(benchmark)
        chosen = [tables[a][:10] for a in GRID[benchmark]] if benchmark in GRID else tables.values()
        positions = nonlinear_positions([profile(scores, part["tau"].to_numpy()) for scores in chosen])
        assert positions == pytest.approx(part["position"].to_numpy(), abs=1e-8)


def test_probability_of_improvement():
    """Probabilities as published (3e-6, as the comparison of floating-point scores is not defined better) and rounded,
    exactly; ends of intervals fail falsely once in 1000 times."""
    rows = golden("probability_of_improvement")
    for row in rows.itertuples():
        x, y = (subset(normalized(row.benchmark)[a], row.runs) for a in (row.X, row.Y))
        as_published = probability_of_improvement(x, y, decimals=None)
        assert as_published.probability == pytest.approx(row.probability, abs=3e-6)
        found = probability_of_improvement(x, y, decimals=9)
        assert found.probability == pytest.approx(row.probability_rounded, abs=1e-9)
        assert found.ties == pytest.approx(row.tie_fraction_rounded, abs=1e-6)
        drawn = replicate_improvement(x, y, 2_000, 0, (row.X, row.Y), decimals=None)
        published = {2_000: (row.lower_rliable_2000, row.upper_rliable_2000)}
        published[4_000 if len(x) == 100 else 20_000] = (row.lower_20000, row.upper_20000)
        for replicates, limits in published.items():
            for fraction, limit in zip((0.025, 0.975), limits, strict=True):
                if np.isfinite(limit):
                    assert far_quantiles(drawn, fraction, limit, replicates, 4 * len(rows), 1e-6) <= 0, row


def test_rank_distributions():
    rows = golden("rank_distribution")
    for (steps,), part in groups(rows, "steps"):
        tables = normalized(f"dm_control_{steps}")
        names = list(dict.fromkeys(part["algorithm"]))
        by_task = rank_distributions([tables[name] for name in names])
        tasks = sorted(set(part["env"]) - {"average over tasks"})
        tables = dict(zip(tasks, by_task, strict=True)) | {"average over tasks": by_task.mean(axis=0)}
        found = [tables[row.env][names.index(row.algorithm), row.rank - 1] for row in part.itertuples()]
        assert found == pytest.approx(part["probability"].to_numpy(), abs=1e-8)


def test_ranks_of_shifted_copies():
    """Exactly, and by 50,000 draws a task within what is wrong once in 1000 times."""
    rows = golden("rank_selfcheck")
    scores = normalized("dm_control_100k")["DrQ"]
    copies = [scores + 0.1 * shift for shift in range(5)]
    found = rank_distributions(copies).mean(axis=0)
    assert found.ravel() == pytest.approx(rows["exact"].to_numpy(), abs=1e-8)
    simulated = simulated_rank_distributions(copies, 50_000, 1).mean(axis=0)
    error = np.sqrt(0.25 / 50_000 / 6)
    assert np.abs(simulated - found).max() < sigmas(25) * error
    assert rows["notebook_100000_draws"].to_numpy() == pytest.approx(found.ravel(), abs=0.002)


def test_intervals_from_published_means():
    published = pd.read_csv(DATA / "dm_control" / "published_means_stds.csv")
    for row in golden("dmc_t_intervals").itertuples():
        part = published[(published["algorithm"] == row.algorithm) & (published["steps"] == row.steps)]
        means, deviations = part["mean"] / 1000, part["std"] / 1000
        paper = mean_t_interval(means, deviations, row.n_runs)
        independent = mean_t_interval(means, deviations, row.n_runs, tasks_independent=True)
        found = [*paper, *independent[1:]]
        expected = [row.mean, row.lower_paper, row.upper_paper]
        expected += [row.lower_if_tasks_independent, row.upper_if_tasks_independent]
        assert found == pytest.approx(expected, abs=1e-6)


def test_the_published_tables_look_like_runs_of_tasks():
    for benchmark in ("atari100k", "ale200m", "dm_control_100k", "dm_control_500k"):
        tables = normalized(benchmark)
        assert read_scores(tables)["algorithm"].unique().tolist() == list(tables)
    with pytest.raises(ValueError, match="differ as tasks do"):
        read_scores({"DER": normalized("atari100k")["DER"].T})
