"""Every verified number of Agarwal et al. 2021 about aggregates, intervals, profiles, improvement and ranks."""

import numpy as np
import pytest
from published_scores import far_quantiles, golden, needs_published_scores, normalized, subset
from scipy.special import stdtrit

from surefoot.sources.given.sets import read_scores
from surefoot.statistics.resampling.replicate_intervals import interval
from surefoot.statistics.resampling.stratified_bootstrap import (
    metric_values,
    replicate_metrics,
    row_acceleration,
    stratified_acceleration,
)

pytestmark = needs_published_scores
NAMES = {
    "dp25": "difficulty_progress(0.25)",
    "dp50": "difficulty_progress(0.5)",
    "prob_above_1": "probability_above(1)",
}


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
            ends = np.array(found)
            far = np.abs(ends.mean(axis=0) - [row.lower, row.upper])
            assert (far < reach * ends.std(axis=0, ddof=1)).all(), row


def test_the_published_tables_look_like_runs_of_tasks():
    for benchmark in ("atari100k", "ale200m", "dm_control_100k", "dm_control_500k"):
        tables = normalized(benchmark)
        assert read_scores(tables)["algorithm"].unique().tolist() == list(tables)
    with pytest.raises(ValueError, match="differ as tasks do"):
        read_scores({"DER": normalized("atari100k")["DER"].T})
