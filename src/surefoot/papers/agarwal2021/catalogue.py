"""What can be drawn of the study of this paper; light, as the catalogue is."""

from surefoot.charts.drawing import Comparison, Drawing, figure, table
from surefoot.charts.entries import RUN, analysed, numbers_of

_AGARWAL2021 = "surefoot.papers.agarwal2021"
_METRICS_TITLE = "Median, IQM, mean and optimality gap"
_AGARWAL2021_FIGURES = {
    "figure_2_left": analysed(
        "subsamples:figure_2_left", "figure_2_left", "Density of the median of few runs (2 left)"
    ),
    "figure_2_right": analysed("subsamples:ranges_figure", "subsamples", "Ranges of median and IQM (2 right)"),
    "figure_3": analysed("subsamples:expected_figure", "subsamples", "Expected median (3)", ("metric", "median")),
    "figure_4": analysed("subsamples:lift_figure", "figure_4", "Observed lifts (4)"),
    "figure_5": analysed("subsamples:figure_5", "figure_5", "Protocols that report a maximum (5)"),
    "figure_6": analysed("metric_coverage:figure_6", "coverage", "Coverage of intervals, median and IQM (6)"),
    "figure_6_width": analysed("metric_coverage:width_figure", "coverage", "Width of intervals (6)"),
    "figure_6_level": analysed("metric_coverage:level_figure", "coverage", "Coverage by nominal level (6, caption)"),
    "figure_7": analysed("score_profiles:profile_figure", "figure_7", "Profiles, Atari 100k (7)"),
    "figure_8": figure(f"{_AGARWAL2021}.sketch:figure_8", (), "Sketch of IQM and optimality gap (8)"),
    "figure_9": analysed("metric_intervals:aggregate_figure", "figure_9", f"{_METRICS_TITLE}, Atari 200M (9)"),
    "figure_10_left": analysed("score_profiles:profile_figure", "figure_10_left", "Profiles, Atari 200M (10 left)"),
    "figure_10_right": analysed(
        "subsamples:efficiency_figure", "figure_a20", "IQM by frames, Atari 200M (10 right)", ("metric", "iqm")
    ),
    "figure_11a": analysed("metric_intervals:figure_11a", "figure_11a", "Mean, DM Control (11a)", more=("figure_a31",)),
    "figure_11b": analysed("score_profiles:profile_figure", "figure_11b", "Profiles, DM Control (11b)"),
    "figure_11c": analysed("comparisons:rank_figure", "figure_11c", "Ranks, DM Control (11c)"),
    "figure_12_left": analysed("score_profiles:profile_figure", "figure_12_left", "Profiles, Procgen (12 left)"),
    "figure_12_right": analysed(
        "comparisons:improvement_pairs", "figure_12_right", "Probability of improvement, Procgen (12 right)"
    ),
    "figure_a14": analysed("metric_coverage:figure_a14", "figure_a14", "Scores of DER by game (A.14)"),
    "figure_a15": analysed("subsamples:figure_a15", "figure_a15", "Differences by number of runs (A.15)"),
    "figure_a16": analysed("subsamples:trimmed_figure", "figure_a16", "Errors of trimmed means (A.16)"),
    "figure_a17": analysed("subsamples:expected_figure", "subsamples", "Expected IQM (A.17)", ("metric", "iqm")),
    "figure_a18": analysed("metric_coverage:figure_a18", "figure_a18", "Coverage in single games (A.18)"),
    "figure_a19": analysed("metric_coverage:coverage_figure", "coverage", "Coverage of intervals, all metrics (A.19)"),
    "figure_a20": analysed("subsamples:efficiency_figure", "figure_a20", "Median and IQM by frames (A.20)"),
    "figure_a21": analysed("score_profiles:profile_figure", "figure_a21", "Profiles, Procgen min-max (A.21)"),
    "figure_a22": analysed(
        "metric_intervals:aggregate_figure", "figure_a22", f"{_METRICS_TITLE}, tasks drawn too (A.22)"
    ),
    "figure_a23": analysed("score_profiles:nonlinear_figure", "figure_10_left", "Non-linear axis, Atari 200M (A.23)"),
    "figure_a24": analysed("score_profiles:nonlinear_figure", "figure_7", "Non-linear axis, Atari 100k (A.24)"),
    "figure_a25": analysed(
        "metric_intervals:aggregate_figure", "figure_a25", "DP-25 and superhuman probability (A.25)"
    ),
    "figure_a26": analysed("subsamples:figure_a26", "figure_a26", "Optimality gap by its target (A.26)"),
    "figure_a27": analysed("score_profiles:profile_figure", "figure_a27", "Profiles, record-normalized (A.27)"),
    "figure_a28": analysed("comparisons:improvement_figure", "figure_a28", "Improvement, Atari 200M (A.28)"),
    "figure_a29": analysed("comparisons:improvement_figure", "figure_a29", "Improvement, Atari 100k (A.29)"),
    "figure_a30": analysed("metric_intervals:aggregate_figure", "figure_a30", f"{_METRICS_TITLE}, Atari 100k (A.30)"),
    "figure_a31": analysed("metric_intervals:aggregate_figure", "figure_a31", f"{_METRICS_TITLE}, DM Control (A.31)"),
    "figure_a32": analysed("metric_intervals:aggregate_figure", "figure_a32", f"{_METRICS_TITLE}, Procgen (A.32)"),
    "figure_a33": analysed("comparisons:rank_figure_by_task", "figure_11c", "Ranks by task, DM Control (A.33)"),
    "simulated_aggregates": analysed("metric_intervals:aggregate_figure", "simulated_aggregates", "Metrics, simulated"),
    "simulated_profiles": analysed("score_profiles:profile_figure", "simulated_profiles", "Profiles, simulated"),
    "simulated_improvement": analysed(
        "comparisons:improvement_figure", "simulated_improvement", "Probability of improvement, simulated"
    ),
    "simulated_ranks": analysed("comparisons:rank_figure", "simulated_ranks", "Ranks, simulated"),
    "simulated_ranges": analysed(
        "subsamples:ranges_figure", "simulated_subsamples", "Ranges by number of runs, simulated"
    ),
    "simulated_lifts": analysed("subsamples:lift_figure", "simulated_lifts", "Observed lifts, simulated"),
    "simulated_trimmed": analysed(
        "subsamples:trimmed_figure", "simulated_trimmed", "Errors of trimmed means, simulated"
    ),
    "simulated_coverage": analysed("metric_coverage:coverage_figure", "simulated_coverage", "Coverage, simulated"),
    "simulated_coverage_record": figure(
        "surefoot.charts.metric_coverage:coverage_figure",
        (),
        "The same coverage from the record of a larger run",
        ("recorded/simulated_coverage", "record"),
        ("analysis", "recorded/simulated_coverage"),
    ),
    "simulated_rank_test": figure(
        "surefoot.charts.test_profiles:rank_figure",
        (),
        "Profile by a rank test, simulated",
        numbers_of("simulated_rank_test"),
        ("analysis", "simulated_rank_test"),
    ),
}
_AGARWAL2021_NUMBERS = numbers_of(
    *("all_runs", "coverage", "figure_10_left", "figure_11b", "figure_11c", "figure_12_right", "figure_4", "figure_5"),
    *("figure_7", "figure_9", "figure_a16", "figure_a18", "figure_a20", "figure_a22", "figure_a25", "figure_a29"),
    *("figure_a15", "figure_a30", "figure_a31", "figure_a32", "run_effects", "simulated_aggregates", "subsamples"),
    *("figure_2_left", "simulated_coverage", "figure_11a"),
)

COMPARISONS = {"agarwal2021": {"run": Comparison(f"{_AGARWAL2021}.compare:run", ("published",), _AGARWAL2021_NUMBERS)}}
DRAWINGS: dict[str, dict[str, Drawing]] = {
    "agarwal2021": {
        "verdict": table(
            f"{_AGARWAL2021}.verdict:verdict",
            ("published", RUN),
            "Sentences and counts of the page",
            _AGARWAL2021_NUMBERS,
        ),
        **_AGARWAL2021_FIGURES,
        "table_methods": table(
            "surefoot.charts.metric_intervals:table_methods",
            (),
            "Every kind of bootstrap interval, Atari 100k",
            numbers_of("figure_a30"),
            ("analysis", "figure_a30"),
        ),
        "table_methods_simulated": table(
            "surefoot.charts.metric_intervals:table_methods",
            (),
            "Every kind of bootstrap interval, simulated",
            numbers_of("simulated_aggregates"),
            ("analysis", "simulated_aggregates"),
        ),
        "table_record": table(
            f"{_AGARWAL2021}.beside_record:table_record",
            (),
            "Simulated runs beside the record of a larger run",
            (
                *numbers_of("simulated_subsamples", "simulated_lifts", "simulated_trimmed", "simulated_coverage"),
                *("recorded/simulated_subsamples", "recorded/simulated_lifts"),
                *("recorded/simulated_trimmed", "recorded/simulated_coverage"),
            ),
        ),
        "reproduction": table(
            f"{_AGARWAL2021}.verdict:reproduction", (RUN,), "Published numbers and claims beside ours"
        ),
        "table_not_judged": table(
            f"{_AGARWAL2021}.verdict:table_not_judged",
            ("published", RUN),
            "Published numbers and claims that have no counterpart here, and why",
        ),
    },
}
