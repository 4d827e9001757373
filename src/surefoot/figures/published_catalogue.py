"""What can be drawn of studies of named sets of scores, from the numbers of their analyses: part of the catalogue."""

from surefoot.figures.drawing import Drawing, figure, table

_RECHT2018 = "surefoot.figures.recht2018"


def _numbers(*analyses: str) -> tuple[str, ...]:
    """Needs of figures that are drawn from the numbers of analyses, of this run or of the record."""
    return (*(f"numbers/{analysis}" for analysis in analyses), "record")


def _recht_profile(name: str, title: str) -> Drawing:
    return figure(f"{_RECHT2018}.profiles:welch_figure", (), title, _numbers(name), ("analysis", name))


_AGARWAL2021 = "surefoot.figures.agarwal2021"


def _analysed(function: str, analysis: str, title: str, setting=("analysis",), more: tuple[str, ...] = ()) -> Drawing:
    """A figure of the numbers of an analysis, whose name is handed over, or else the setting."""
    chosen = (*setting, analysis) if len(setting) == 1 else setting
    return figure(f"{_AGARWAL2021}.{function}", (), title, _numbers(analysis, *more), chosen)


_RECHT2018_NUMBERS = _numbers("figure_r1", "figure_r2", "differences", "figure_runs")

_METRICS_TITLE = "Median, IQM, mean and optimality gap"
_AGARWAL2021_FIGURES = {
    "figure_2_left": _analysed("studies:figure_2_left", "figure_2_left", "Density of the median of few runs (2 left)"),
    "figure_2_right": _analysed("studies:ranges_figure", "subsamples", "Ranges of median and IQM (2 right)"),
    "figure_3": _analysed("studies:expected_figure", "subsamples", "Expected median (3)", ("metric", "median")),
    "figure_4": _analysed("studies:lift_figure", "figure_4", "Observed lifts (4)"),
    "figure_5": _analysed("studies:figure_5", "figure_5", "Protocols that report a maximum (5)"),
    "figure_6": _analysed("coverage:figure_6", "coverage", "Coverage of intervals, median and IQM (6)"),
    "figure_6_width": _analysed("coverage:width_figure", "coverage", "Width of intervals (6)"),
    "figure_6_level": _analysed("coverage:level_figure", "coverage", "Coverage by nominal level (6, caption)"),
    "figure_7": _analysed("profiles:profile_figure", "figure_7", "Profiles, Atari 100k (7)"),
    "figure_8": figure(f"{_AGARWAL2021}.sketch:figure_8", (), "Sketch of IQM and optimality gap (8)"),
    "figure_9": _analysed("intervals:aggregate_figure", "figure_9", f"{_METRICS_TITLE}, Atari 200M (9)"),
    "figure_10_left": _analysed("profiles:profile_figure", "figure_10_left", "Profiles, Atari 200M (10 left)"),
    "figure_10_right": _analysed(
        "studies:efficiency_figure", "figure_a20", "IQM by frames, Atari 200M (10 right)", ("metric", "iqm")
    ),
    "figure_11a": _analysed("intervals:figure_11a", "figure_11a", "Mean, DM Control (11a)", more=("figure_a31",)),
    "figure_11b": _analysed("profiles:profile_figure", "figure_11b", "Profiles, DM Control (11b)"),
    "figure_11c": _analysed("comparisons:rank_figure", "figure_11c", "Ranks, DM Control (11c)"),
    "figure_12_left": _analysed("profiles:profile_figure", "figure_12_left", "Profiles, Procgen (12 left)"),
    "figure_12_right": _analysed(
        "comparisons:improvement_pairs", "figure_12_right", "Probability of improvement, Procgen (12 right)"
    ),
    "figure_a14": _analysed("coverage:figure_a14", "figure_a14", "Scores of DER by game (A.14)"),
    "figure_a15": _analysed("studies:figure_a15", "figure_a15", "Differences by number of runs (A.15)"),
    "figure_a16": _analysed("studies:trimmed_figure", "figure_a16", "Errors of trimmed means (A.16)"),
    "figure_a17": _analysed("studies:expected_figure", "subsamples", "Expected IQM (A.17)", ("metric", "iqm")),
    "figure_a18": _analysed("coverage:figure_a18", "figure_a18", "Coverage in single games (A.18)"),
    "figure_a19": _analysed("coverage:coverage_figure", "coverage", "Coverage of intervals, all metrics (A.19)"),
    "figure_a20": _analysed("studies:efficiency_figure", "figure_a20", "Median and IQM by frames (A.20)"),
    "figure_a21": _analysed("profiles:profile_figure", "figure_a21", "Profiles, Procgen min-max (A.21)"),
    "figure_a22": _analysed("intervals:aggregate_figure", "figure_a22", f"{_METRICS_TITLE}, tasks drawn too (A.22)"),
    "figure_a23": _analysed("profiles:nonlinear_figure", "figure_10_left", "Non-linear axis, Atari 200M (A.23)"),
    "figure_a24": _analysed("profiles:nonlinear_figure", "figure_7", "Non-linear axis, Atari 100k (A.24)"),
    "figure_a25": _analysed("intervals:aggregate_figure", "figure_a25", "DP-25 and superhuman probability (A.25)"),
    "figure_a26": _analysed("studies:figure_a26", "figure_a26", "Optimality gap by its target (A.26)"),
    "figure_a27": _analysed("profiles:profile_figure", "figure_a27", "Profiles, record-normalized (A.27)"),
    "figure_a28": _analysed("comparisons:improvement_figure", "figure_a28", "Improvement, Atari 200M (A.28)"),
    "figure_a29": _analysed("comparisons:improvement_figure", "figure_a29", "Improvement, Atari 100k (A.29)"),
    "figure_a30": _analysed("intervals:aggregate_figure", "figure_a30", f"{_METRICS_TITLE}, Atari 100k (A.30)"),
    "figure_a31": _analysed("intervals:aggregate_figure", "figure_a31", f"{_METRICS_TITLE}, DM Control (A.31)"),
    "figure_a32": _analysed("intervals:aggregate_figure", "figure_a32", f"{_METRICS_TITLE}, Procgen (A.32)"),
    "figure_a33": _analysed("comparisons:rank_figure_by_task", "figure_11c", "Ranks by task, DM Control (A.33)"),
    "simulated_aggregates": _analysed("intervals:aggregate_figure", "simulated_aggregates", "Metrics, simulated"),
    "simulated_profiles": _analysed("profiles:profile_figure", "simulated_profiles", "Profiles, simulated"),
    "simulated_improvement": _analysed(
        "comparisons:improvement_figure", "simulated_improvement", "Probability of improvement, simulated"
    ),
    "simulated_ranks": _analysed("comparisons:rank_figure", "simulated_ranks", "Ranks, simulated"),
    "simulated_ranges": _analysed(
        "studies:ranges_figure", "simulated_subsamples", "Ranges by number of runs, simulated"
    ),
    "simulated_lifts": _analysed("studies:lift_figure", "simulated_lifts", "Observed lifts, simulated"),
    "simulated_trimmed": _analysed("studies:trimmed_figure", "simulated_trimmed", "Errors of trimmed means, simulated"),
    "simulated_coverage": _analysed("coverage:coverage_figure", "simulated_coverage", "Coverage, simulated"),
    "simulated_coverage_record": figure(
        f"{_AGARWAL2021}.coverage:coverage_figure",
        (),
        "The same coverage from the record of a larger run",
        ("recorded/simulated_coverage", "record"),
        ("analysis", "recorded/simulated_coverage"),
    ),
    "simulated_rank_test": figure(
        f"{_RECHT2018}.profiles:rank_figure",
        (),
        "Profile by a rank test, simulated",
        _numbers("simulated_rank_test"),
        ("analysis", "simulated_rank_test"),
    ),
}
_AGARWAL2021_NUMBERS = _numbers(
    *("all_runs", "coverage", "figure_10_left", "figure_11b", "figure_11c", "figure_12_right", "figure_4", "figure_5"),
    *("figure_7", "figure_9", "figure_a16", "figure_a18", "figure_a20", "figure_a22", "figure_a25", "figure_a29"),
    *("figure_a15", "figure_a30", "figure_a31", "figure_a32", "run_effects", "simulated_aggregates", "subsamples"),
    *("figure_2_left", "simulated_coverage", "figure_11a"),
)

RECHT2018 = {
    "verdict": table(
        f"{_RECHT2018}.verdict:verdict", ("published",), "Sentences and counts of the page", _RECHT2018_NUMBERS
    ),
    "figure_r1": _recht_profile("figure_r1", "Blob-PROST and DQN after 200 million frames (first figure)"),
    "figure_r2": _recht_profile("figure_r2", "Blob-PROST after 200 and DQN after 10 million frames (second figure)"),
    "figure_100m": _recht_profile("figure_100m", "Both after 100 million frames (notebook)"),
    "figure_all_four": _recht_profile("figure_all_four", "Both after 100 and 200 million frames (notebook)"),
    "figure_runs": figure(
        f"{_RECHT2018}.profiles:rank_figure",
        (),
        "The profile from runs, by a rank test",
        _numbers("figure_runs"),
        ("analysis", "figure_runs"),
    ),
    "table_differences": table(
        f"{_RECHT2018}.profiles:table_differences", (), "Games on which the methods differ", _numbers("differences")
    ),
    "reproduction": table(
        f"{_RECHT2018}.verdict:reproduction",
        ("published",),
        "Published numbers beside ours",
        _RECHT2018_NUMBERS,
    ),
    "table_not_judged": table(
        f"{_RECHT2018}.verdict:table_not_judged",
        ("published",),
        "Published numbers that have no counterpart here, and why",
        _RECHT2018_NUMBERS,
    ),
}
AGARWAL2021 = {
    "verdict": table(
        f"{_AGARWAL2021}.verdict:verdict", ("published",), "Sentences and counts of the page", _AGARWAL2021_NUMBERS
    ),
    **_AGARWAL2021_FIGURES,
    "table_methods": table(
        f"{_AGARWAL2021}.intervals:table_methods",
        (),
        "Every kind of bootstrap interval, Atari 100k",
        _numbers("figure_a30"),
        ("analysis", "figure_a30"),
    ),
    "table_methods_simulated": table(
        f"{_AGARWAL2021}.intervals:table_methods",
        (),
        "Every kind of bootstrap interval, simulated",
        _numbers("simulated_aggregates"),
        ("analysis", "simulated_aggregates"),
    ),
    "table_record": table(
        f"{_AGARWAL2021}.beside_record:table_record",
        (),
        "Simulated runs beside the record of a larger run",
        (
            *_numbers("simulated_subsamples", "simulated_lifts", "simulated_trimmed", "simulated_coverage"),
            *("recorded/simulated_subsamples", "recorded/simulated_lifts"),
            *("recorded/simulated_trimmed", "recorded/simulated_coverage"),
        ),
    ),
    "reproduction": table(
        f"{_AGARWAL2021}.verdict:reproduction",
        ("published",),
        "Published numbers and claims beside ours",
        _AGARWAL2021_NUMBERS,
    ),
    "table_not_judged": table(
        f"{_AGARWAL2021}.verdict:table_not_judged",
        ("published",),
        "Published numbers and claims that have no counterpart here, and why",
        _AGARWAL2021_NUMBERS,
    ),
}
METRICS = {
    "verdict": table(
        f"{_AGARWAL2021}.findings:metrics_verdict",
        (),
        "Sentences of the page",
        _numbers("aggregates", "profiles", "improvement", "ranks", "subsamples"),
    ),
    "aggregates": _analysed("intervals:aggregate_figure", "aggregates", "Metrics with intervals"),
    "table_methods": table(
        f"{_AGARWAL2021}.intervals:table_methods",
        (),
        "Every kind of bootstrap interval",
        _numbers("aggregates"),
        ("analysis", "aggregates"),
    ),
    "profiles": _analysed("profiles:profile_figure", "profiles", "Performance profiles"),
    "improvement": _analysed("comparisons:improvement_figure", "improvement", "Probability of improvement"),
    "ranks": _analysed("comparisons:rank_figure", "ranks", "Ranks"),
    "subsamples": _analysed("studies:ranges_figure", "subsamples", "Ranges by number of runs"),
}

_HOW_MANY_RUNS = "surefoot.figures.how_many_runs"
_RECORDED_ALARMS = ("recorded/false_alarms", "record")
HOW_MANY_RUNS = {
    "how_many_runs": table(
        f"{_HOW_MANY_RUNS}:verdict",
        ("numbers/how_many_runs",),
        "Sentences of the page",
        ("numbers/sequential", "numbers/false_alarms", *_RECORDED_ALARMS),
    ),
    "how_many_runs_widths": figure(
        f"{_HOW_MANY_RUNS}:widths", ("numbers/how_many_runs",), "Width of intervals by number of runs"
    ),
    "how_many_runs_chances": figure(
        f"{_HOW_MANY_RUNS}:chances", ("numbers/how_many_runs",), "Chance to detect a lift by number of runs"
    ),
    "how_many_runs_needed": table(
        f"{_HOW_MANY_RUNS}:table_needed", ("numbers/how_many_runs",), "Runs that are needed to detect a lift"
    ),
    "sequential": figure(
        f"{_HOW_MANY_RUNS}:sequential", (), "Comparison of two algorithms after every run", ("numbers/sequential",)
    ),
    "false_alarms": figure(
        f"{_HOW_MANY_RUNS}:false_alarms", (), "False alarms under continuous looking", ("numbers/false_alarms",)
    ),
    "false_alarms_record": figure(
        f"{_HOW_MANY_RUNS}:false_alarms",
        (),
        "The same from the record of a larger run",
        _RECORDED_ALARMS,
        ("analysis", "recorded/false_alarms"),
    ),
}

_TRUST = "surefoot.figures.trust"
_JORDAN2020_RECORD = "surefoot.figures.jordan2020.recorded"
_TRUST_SUBJECTS = {
    "payoff_limits": "Failure rates of limits of payoffs and of aggregate scores",
    "metric_intervals": "Failure rates of intervals of aggregate metrics",
    "improvement_intervals": "Failure rates of intervals of the probability of improvement",
    "profile_bands": "Failure rates of bands of performance profiles",
    "curve_bands": "Failure rates of bands of learning curves",
    "run_effects": "Failure rates of intervals where runs share luck across tasks",
    "sequential_level": "False alarms of the comparison after every run",
    "planning_band": "Failure rates of the bands around planned widths and chances",
}
_TRUST_TABLES = tuple(f"trust/{subject}" for subject in _TRUST_SUBJECTS)
TRUST = {
    "verdict": table(f"{_TRUST}:verdict", (), "Sentences and counts of the page", _TRUST_TABLES),
    "table_methods": table(f"{_TRUST}:table_methods", (), "Where each method holds its level", _TRUST_TABLES),
    "table_mutations": table(
        f"{_JORDAN2020_RECORD}:table_mutations", ("published", "record"), "Faults that the comparison would notice"
    ),
    **{
        f"figure_{name}": figure(f"{_TRUST}:{function}", (f"trust/{subject}",), title, setting=("subject", subject))
        for subject, title in _TRUST_SUBJECTS.items()
        for name, function in ((subject, "worst_figure"), (f"{subject}_by_data", "subject_figure"))
    },
}
