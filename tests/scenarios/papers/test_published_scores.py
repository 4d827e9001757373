"""Analyses of sets of scores: published scores against verified numbers, and small ones against enumeration.

Each comparison with numbers that were themselves simulated fails falsely once in 1,000 times: every row is allowed the
normal quantile for that, by Bonferroni, of the joint Monte Carlo error.
"""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import ndtri, stdtrit
from support.paths import SHARED
from support.study_answers import ask

from surefoot.runs.given.sets import read_scores
from surefoot.runs.published.published_source import kept_for
from surefoot.runs.result_tables import read_table, read_tables
from surefoot.runs.scales.scale_settings import SCALES
from surefoot.runs.scales.scaling import scaled
from surefoot.statistics.resampling.jackknife import row_acceleration, stratified_acceleration
from surefoot.statistics.resampling.replicate_intervals import interval
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics

OPTIONS = {"seed": 5, "confidence_level": 0.95, "n_resamples": 200, "threads": 1}
HUMAN = {"kind": "reference_scores", "reference_table": "atari_human"}


def table(name):
    for suffix in (".csv", ".csv.gz", ".parquet"):
        path = SHARED / "data" / "agarwal2021" / f"{name}{suffix}"
        if path.is_file():
            return pd.read_parquet(path) if suffix == ".parquet" else pd.read_csv(path)
    pytest.skip(f"the published scores are not here: {name}")


def sets_of(tables, sets):
    made = {name: SCALES.complete()[chosen["kind"]](**chosen) for name, chosen in sets.items()}
    kept = kept_for(chosen.get("runs") for chosen in sets.values())
    given = {name: table(name) for name in tables} | {name: read_table(path) for name, path in kept.items()}
    for scale in made.values():
        given |= read_tables(scale.kept())
    scores = scaled(given, made)
    return {name: rows.drop(columns="scores").dropna(axis=1, how="all") for name, rows in scores.groupby("scores")}


ATARI_100K = ["atari100k/final_scores", "atari100k/curl_final_and_max", "atari100k/der_ten_evaluations"]


@pytest.fixture(scope="module")
def atari100k():
    hundred = ["DER", "OTR", "CURL", "DrQ", "DrQ(eps)", "SPR"]
    sets = {
        "all": HUMAN | {"runs": "atari100k"},
        "first": HUMAN | {"runs": "atari100k", "max_runs": 10},
        "hundred": HUMAN | {"runs": "atari100k", "algorithms": hundred},
        "protocols": HUMAN | {"runs": "atari100k_protocols"},
    }
    return sets_of(ATARI_100K, sets)


@pytest.fixture(scope="module")
def dm_control():
    runs = {"kind": "reference_scores", "reference_table": "dm_control"}
    sets = {f"dm_control_{steps}": runs | {"runs": f"dm_control_{steps}"} for steps in ("100k", "500k")}
    sets |= {
        f"published_{steps}": {"kind": "none", "runs": f"dm_control_published_{steps}"} for steps in ("100k", "500k")
    }
    return sets_of(["dm_control/final_scores"], sets)


def golden(name):
    return pd.read_csv(SHARED / "golden" / f"agarwal2021_{name}.csv")


def farthest(rows):
    """The normal quantile that all of so many rows exceed once in 1,000 times."""
    return ndtri(1 - 0.001 / (2 * rows))


def test_expected_metrics_of_few_runs(atari100k):
    """The greatest of 36 z values and of as many deviations: errs once in 500 seeds."""
    options = OPTIONS | {"sizes": [3, 10, 50], "metrics": ["median", "iqm"], "datasets": 2000}
    ours = ask("subsample_metrics", {"hundred": atari100k["hundred"]}, options)
    known = golden("subsampling").query("subsampling == 'whole runs'")
    both = ours.merge(known, left_on=["algorithm", "size", "metric"], right_on=["algorithm", "n_runs", "metric"])
    assert len(both) == 36
    z = (both["estimate"] - both["expected"]) / np.hypot(both["mean_error"], both["mc_se_of_expected"])
    assert z.abs().max() < farthest(len(both))
    # The standard deviation of a standard deviation of n normal values is 1 / sqrt(2 n); the metrics are near normal.
    assert (both["deviation"] / both["sd"] - 1).abs().max() < 1.5 * farthest(len(both)) / np.sqrt(2 * 2000)


def test_errors_of_trimmed_means(atari100k):
    """The greatest of 36 z values of errors and of as many biases: errs once in 500 seeds."""
    options = OPTIONS | {"size": 10, "fractions": [0, 0.25, 0.5], "datasets": 2000}
    ours = ask("trimmed_errors", {"hundred": atari100k["hundred"]}, options)
    names = {"whole_runs": "whole runs", "runs": "independent per game"}
    both = ours.assign(subsampling=ours["resample"].map(names)).merge(
        golden("trimmed_mean_mse"),
        left_on=["algorithm", "subsampling", "fraction"],
        right_on=["algorithm", "subsampling", "trim_fraction_each_side"],
        suffixes=("", "_known"),
    )
    assert len(both) == 36
    z = (both["estimate"] - both["mse_10_runs"]) / np.hypot(both["estimate_error"], both["mc_se_of_mse"])
    assert z.abs().max() < farthest(len(both))
    # The error of a mean square is sqrt(2) times the mean square over the root of the number of normal values.
    number = 2 * (both["mse_10_runs"] / both["mc_se_of_mse"]) ** 2
    z = (both["bias"] - both["bias_known"]) / np.sqrt(both["mse_10_runs"] * (1 / 2000 + 1 / number))
    assert z.abs().max() < farthest(len(both))


def quantile_error(low, high, count):
    """Monte Carlo error of a 2.5 % or 97.5 % quantile of normal values, from the width of their range."""
    deviation = (high - low) / (2 * ndtri(0.975))
    return deviation * np.sqrt(0.025 * 0.975 / count) / stats.norm.pdf(ndtri(0.975))


@pytest.mark.parametrize("analysis", ["lifts", "differences"])
def test_ranges_of_pairs(atari100k, analysis):
    options = OPTIONS | {"sizes": [5, 25], "metrics": ["median", "iqm"], "datasets": 4000}
    sets = {"hundred": atari100k["hundred"]}
    if analysis == "lifts":
        ours = ask("lifts", sets, options | {"algorithms": ["SPR"], "lifts": [0, 25]})
        known = golden("lift").rename(columns={"true_lift_percent": "lift", "n_runs": "size"})
        both = ours.merge(known, on=["lift", "size", "metric"])
    else:
        ours = ask("differences", sets, options | {"pairs": [["SPR", "DER"], ["DrQ(eps)", "DER"]]})
        both = ours.merge(
            golden("score_difference"),
            left_on=["algorithm", "baseline", "size", "metric"],
            right_on=["X", "Y", "n_runs", "metric"],
        )
    assert len(both) == 8
    error = np.hypot(*(quantile_error(both["q025"], both["q975"], count) for count in (4000, 20_000)))
    for ours_end, known_end in (("low", "q025"), ("high", "q975")):
        # Ratios are skewed, and so their upper quantile has up to twice the error of a normal one.
        assert ((both[ours_end] - both[known_end]) / error).abs().max() < 2 * farthest(2 * len(both))
    # A median has sqrt(pi / 2) times the error of a mean.
    deviation = (both["q975"] - both["q025"]) / (2 * ndtri(0.975))
    z = both["estimate"] - both["q500" if analysis == "lifts" else "mean_difference"]
    z /= deviation * np.sqrt(np.pi / 2 * (1 / 4000 + 1 / 20_000))
    assert z.abs().max() < farthest(len(both))


def test_a_lift_raises_scores_and_then_takes_the_metric():
    """A single run a task leaves nothing to chance, so the observed lift is the true one. Raised by 25 %, 0.4, 0.6 and
    0.72 are 0.5, 0.75 and 0.9: the gap to 1 is less by a third, and two of them are above 0.7 in place of one."""
    rows = [("a", task, 0, score) for task, score in (("e", 0.4), ("f", 0.6), ("g", 0.72))]
    runs = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])
    asked = {"metrics": ["mean", "optimality_gap", "probability_above(0.7)"], "lifts": [0, 25], "sizes": [1]}
    found = ask("lifts", {"s": runs}, OPTIONS | asked | {"datasets": 3})
    assert (found["low"] == found["high"]).all()
    values = found.set_index(["metric", "lift"])["estimate"]
    assert values[:, 0].tolist() == [0, 0, 0]
    gap = 100 * ((0.5 + 0.25 + 0.1) / (0.6 + 0.4 + 0.28) - 1)
    assert values[:, 25].tolist() == pytest.approx([25, gap, 100])
    with pytest.raises(ValueError, match=r"which is worse\. Hint: a lift requires positive scores"):
        ask("lifts", {"s": runs.assign(score=-runs["score"])}, OPTIONS | asked | {"datasets": 3})


def test_protocols(atari100k):
    options = OPTIONS | {
        "sizes": [5],
        "settings": 8,
        "runs_of_setting": 3,
        "metrics": ["median", "mean"],
        "datasets": 1000,
    }
    ours = ask("protocols", {"protocols": atari100k["protocols"]}, options)
    names = {
        "DER": "DER, final evaluation",
        "DER, maximum of 10": "DER, CURL's protocol (max of 10 evaluations)",
        "CURL": "CURL, final evaluation",
        "CURL, maximum of 10": "CURL, CURL's protocol",
    }
    known = golden("protocols")
    best = known["protocol"].str.contains("SUNRISE")
    known.loc[best, "protocol"] = "best"
    ours = ours.assign(protocol=ours["protocol"].map(names).fillna("best"))
    both = ours.merge(known, left_on=["protocol", "size", "metric"], right_on=["protocol", "n_runs", "metric"])
    assert len(both) == 10
    error = (both["q975"] - both["q025"]) / (2 * ndtri(0.975)) * np.sqrt(1 / 1000 + 1 / 20_000)
    assert ((both["estimate"] - both["expected"]) / error).abs().max() < farthest(len(both))
    error = np.hypot(*(quantile_error(both["q025"], both["q975"], count) for count in (1000, 20_000)))
    for ours_end, known_end in (("low", "q025"), ("high", "q975")):
        assert ((both[ours_end] - both[known_end]) / error).abs().max() < 2 * farthest(2 * len(both))


def test_coverage_and_width(atari100k):
    options = OPTIONS | {"algorithms": ["DER"], "metrics": ["median", "iqm"], "methods": ["percentile", "basic", "bca"]}
    options |= {
        "sizes": [5],
        "replacement": [False, True],
        "datasets": 150,
        "levels": [0.95, 0.999],
        "n_resamples": 500,
    }
    ours = ask("interval_coverage", {"hundred": atari100k["hundred"]}, options)
    assert set(ours.loc[ours["level"] == 0.999, "method"]) == {"percentile"}
    assert not ours.duplicated(["replacement", "metric", "method", "level"]).any()
    ours = ours.assign(replacement=ours["replacement"].map({True: "with", False: "without"}))
    both = ours[ours["level"] == 0.95].merge(
        golden("coverage"),
        left_on=["size", "replacement", "metric", "method"],
        right_on=["n_runs", "replacement", "metric", "method"],
    )
    assert len(both) == 12
    known = both["coverage_percent"] / 100
    error = np.sqrt(known * (1 - known) / 150 + (both["mc_se_percent"] / 100) ** 2)
    assert ((both["estimate"] - known) / error).abs().max() < farthest(24)
    assert ((both["width"] - both["mean_width"]) / (both["width_error"] * 1.1)).abs().max() < farthest(24)


def test_ranks_and_published_means_of_dm_control(dm_control):
    runs = {name: rows for name, rows in dm_control.items() if name.startswith("dm")}
    ours = ask("rank_probabilities", runs, OPTIONS)
    known = golden("rank_distribution").assign(env=lambda rows: rows["env"].replace("average over tasks", ""))
    both = ours.assign(steps=ours["scores"].str[-4:]).merge(
        known, left_on=["steps", "environment", "algorithm", "rank"], right_on=["steps", "env", "algorithm", "rank"]
    )
    assert len(both) == 504
    np.testing.assert_allclose(both["estimate"], both["probability"], atol=1e-8)
    published = {name: rows for name, rows in dm_control.items() if name.startswith("published")}
    ours = ask("published_intervals", published, OPTIONS).assign(steps=lambda rows: rows["scores"].str[-4:])
    both = ours.merge(golden("dmc_t_intervals"), on=["algorithm", "steps"])
    as_published = both[both["method"] == "as_published"]
    independent = both[both["method"] == "independent_tasks"]
    assert len(as_published) == len(independent) == 6
    np.testing.assert_allclose(as_published["low"], as_published["lower_paper"], atol=1e-6)
    np.testing.assert_allclose(as_published["high"], as_published["upper_paper"], atol=1e-6)
    np.testing.assert_allclose(independent["low"], independent["lower_if_tasks_independent"], atol=1e-6)


def test_points_of_metrics_profiles_and_improvements(atari100k):
    first = {"atari100k": atari100k["first"]}
    metrics = ["median", "iqm", "mean", "optimality_gap"]
    ours = ask("aggregate_metrics", first, OPTIONS | {"metrics": metrics, "methods": ["percentile", "bca", "normal"]})
    known = golden("point_estimates").query("benchmark == 'atari100k' and runs in ['runs 0-9', 'runs 0-4']")
    both = ours.merge(known, on=["algorithm", "metric"], suffixes=("", "_known"))
    assert len(both) == 7 * 4 * 3
    np.testing.assert_allclose(both["estimate"], both["value"], rtol=1e-8)
    assert ((both["low"] <= both["estimate"]) & (both["estimate"] <= both["high"])).mean() > 0.9
    six = {"algorithms": ["SimPLe", "DER", "OTR", "CURL", "DrQ(eps)", "SPR"]}
    grid = {"thresholds": {"from": 0, "to": 2, "count": 41}, "ticks": [0, 0.1, 0.2, 0.5, 1, 2]}
    ours = ask(
        "performance_profiles", first, OPTIONS | six | grid | {"distributions": ["run_scores", "average_scores"]}
    )
    known = golden("performance_profiles").query("benchmark == 'atari100k'")
    names = {"run_scores": "run-score", "average_scores": "average-score"}
    both = ours.assign(kind=ours["profile"].map(names), tau=ours["threshold"].round(6)).merge(
        known, on=["kind", "algorithm", "tau"], suffixes=("_ours", "")
    )
    assert len(both) > 400
    np.testing.assert_allclose(both["estimate"], both["profile"], atol=1e-8)
    ticks = ours[(ours["algorithm"] == "") & (ours["profile"] == "run_scores")]
    known = golden("nonlinear_ticks").query("benchmark == 'atari100k'")
    np.testing.assert_allclose(ticks["position"], known["position"], atol=1e-8)
    # CURL's scores have ten decimals, and so tie with no others to the last digits of a double.
    pairs = {"pairs": [["SPR", "DrQ(eps)"], ["SPR", "OTR"], ["SPR", "CURL"]]}
    ours = ask("probability_of_improvement", first, OPTIONS | pairs | {"decimals": 9})
    known = golden("probability_of_improvement").query("benchmark == 'atari100k' and runs == 'first 10'")
    both = ours.merge(known, left_on=["algorithm", "baseline"], right_on=["X", "Y"])
    assert len(both) == 3
    np.testing.assert_allclose(both["estimate"], both["probability_rounded"], atol=1e-9)
    assert (
        ask("probability_of_improvement", first, OPTIONS | pairs)["ties"].iloc[2] < 0.001 < 0.02 < ours["ties"].iloc[2]
    )
    np.testing.assert_allclose(both["as_published"], both["probability"], atol=3e-6)


def test_runs_of_spr_share_something_across_games(atari100k):
    ours = ask("shared_run_test", {"hundred": atari100k["hundred"]}, OPTIONS | {"size": 10}).set_index("algorithm")
    assert ours.index[ours["p_value"] < 0.01].tolist() == ["SPR"]
    assert ours.loc["SPR", ["first_iqm", "iqm"]].tolist() == pytest.approx([0.375402, 0.336649], abs=1e-6)


def test_sample_efficiency_of_public_curves():
    tables = ["ale200m/dopamine_curves", "ale200m/dreamerv2_curves"]
    sets = sets_of(tables, {"curves": HUMAN | {"runs": "ale200m_curves"}})
    ours = ask("sample_efficiency", sets, OPTIONS | {"metrics": ["iqm", "median"], "n_resamples": 20})
    known = golden("sample_efficiency")
    both = ours.merge(
        known, left_on=["algorithm", "frames", "metric"], right_on=["algorithm", "frames_millions", "metric"]
    )
    assert len(both) == 5 * 10 * 2
    np.testing.assert_allclose(both["estimate"], both["point"], atol=1e-5)


@cache
def published(benchmark, normalization):
    """{algorithm: float64[runs, tasks]} with the tasks in alphabetical order."""
    references = {"human": "atari_human", "record": "atari_record", "max=1000": "dm_control"}[normalization]
    tables, names = ["dm_control/final_scores"], [benchmark]
    if benchmark == "atari100k":
        tables, names = ATARI_100K, ["atari100k_protocols", "atari100k"]
    elif benchmark == "ale200m":
        tables = ["ale200m/final_scores"]
    scale = {"kind": "reference_scores", "reference_table": references}
    sets = sets_of(tables, {name: scale | {"runs": name} for name in names})
    return {
        algorithm.replace(", maximum of 10", " (max of 10)"): rows.pivot(
            index="run", columns="environment", values="score"
        ).to_numpy()
        for name in names
        for algorithm, rows in sets[name].groupby("algorithm", sort=False)
    }


BENCHMARKS = {"atari100k": "human", "ale200m": "human", "dm_control_100k": "max=1000", "dm_control_500k": "max=1000"}
NAMES = {
    "dp25": "difficulty_progress(0.25)",
    "dp50": "difficulty_progress(0.5)",
    "prob_above_1": "probability_above(1)",
}
FIRST = {"runs 0-9": 10, "runs 0-4": 5}
"""The numbers of runs that a golden table names; others are all."""


def test_point_estimates():
    columns = ["benchmark", "normalization", "algorithm", "runs"]
    for (benchmark, normalization, algorithm, runs), rows in golden("point_estimates").groupby(columns):
        scores = published(benchmark, normalization)[algorithm][: FIRST.get(runs)]
        found = metric_values(scores, [NAMES.get(name, name) for name in rows["metric"]])
        assert found == pytest.approx(rows["value"].to_numpy(), rel=1e-9, abs=1e-9), (benchmark, algorithm, runs)


def is_far(n_resamples, fraction, known, known_replicates, rows):
    """Whether a published quantile lies outside of where ours may be, given the Monte Carlo error of both.

    Of B and B' replicates, the two fractions below a point differ with variance q (1 - q) (1 / B + 1 / B'); the
    quantiles at the ends of that range enclose the published one, but once in 1000 times for all `rows` together.
    """
    reach = farthest(rows) * np.sqrt(fraction * (1 - fraction) * (1 / len(n_resamples) + 1 / known_replicates))
    low, high = np.quantile(n_resamples, [max(fraction - reach, 0), min(fraction + reach, 1)])
    return not low - 1e-6 <= known <= high + 1e-6


@pytest.mark.parametrize(
    ("table", "columns", "resample"),
    [
        (
            "percentile_ci",
            {50_000: ("lower_rliable", "upper_rliable"), 250_000: ("lower_mean5", "upper_mean5")},
            "runs",
        ),
        ("task_bootstrap_ci", {50_000: ("lower", "upper")}, "tasks_and_runs"),
    ],
)
def test_percentile_intervals(table, columns, resample):
    """Fails falsely once in 1000 times."""
    rows = golden(table)
    rows["runs"] = rows.get("runs", "all")
    for (benchmark, algorithm, runs), part in rows.groupby(["benchmark", "algorithm", "runs"], sort=False):
        scores = published(benchmark, BENCHMARKS[benchmark])[algorithm][: FIRST.get(runs)]
        drawn = replicate_metrics(scores, part["metric"], 8_000, 0, algorithm, resample=resample)
        for known, names in columns.items():
            for name, fraction in zip(names, (0.025, 0.975), strict=True):
                for n_resamples, limit in zip(drawn.T, part[name], strict=True):
                    far = is_far(n_resamples, fraction, limit, known, 2 * len(columns) * len(rows))
                    assert not far, (algorithm, runs, fraction)


def test_interval_methods():
    """Accelerations exactly; ends of 50,000 published replicates beside five times as many of ours. Their standard
    deviation is known from five numbers, hence Student's t; the test fails falsely once in 1000 times."""
    rows = golden("ci_methods")
    reach = stdtrit(4, 1 - 0.0005 / (2 * len(rows))) * np.sqrt(1 + 1 / 5)
    for algorithm, part in rows.groupby("algorithm"):
        scores, metrics = published("atari100k", "human")[algorithm][:10], list(dict.fromkeys(part["metric"]))
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
    for benchmark, normalization in BENCHMARKS.items():
        tables = published(benchmark, normalization)
        assert read_scores(tables)["algorithm"].unique().tolist() == list(tables)
    with pytest.raises(ValueError, match="differ as much as tasks usually do"):
        read_scores({"DER": published("atari100k", "human")["DER"].T})
