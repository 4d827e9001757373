"""What can be drawn: for each kind of study the names of its figures and tables, and what they are drawn from.

Light on purpose: it is imported whenever the workflow is parsed, so the functions are named, not imported.
"""

from typing import NamedTuple


class Drawing(NamedTuple):
    """One figure or table.

    kind : "figure" (a chart and its numbers) or "table" (numbers alone)
    function : "module:function"; called as function(tables, settings), returns (chart or None, DataFrame)
    needs : keys of `tables` that must be there: a stage and a table of it such as "collect/runs", or "published",
        "record", "record_intervals" and "record_coverage" (of a large run, kept in the repository), or "durations" (of
        all jobs)
    title : one line for lists of targets
    optional : keys of `tables` that are handed over where there are such, so that a page can be made for a study that
        does not ask for every interval; "reproduction" is of all studies
    setting : (key, value) put into `settings` for this drawing, where one function makes several
    """

    kind: str
    function: str
    needs: tuple[str, ...]
    title: str
    optional: tuple[str, ...] = ()
    setting: tuple[str, str] | None = None


_JORDAN2020 = "surefoot.figures.jordan2020"
_STUDY = "surefoot.figures.study"
_HOME = "surefoot.figures.home"
_COVERAGE = "surefoot.figures.coverage"

_RUNS = "collect/runs"
_POINTS = "aggregate/performance_percentile"
_WEIGHTS = "aggregate/performance_percentile_weights"
_SCORES = ("estimate/pbp", "estimate/pbp_t", "estimate/bootstrap")
_SHARPER = ("estimate/pbp_known_bounds", "estimate/pbp_u_statistic", "estimate/pbp_max_t")
_MEANS = ("estimate/anderson",)
_BANDS = ("estimate/dkw",)
_COVER = ("cover/as_published", "cover/corrected")
_RECORDS = ("record", "record_coverage", "record_intervals")
_ANSWER = (*_SCORES, "record_intervals")
_EXPLOITS, _ALPHA, _TUNING = "aggregate/exploits", "aggregate/alpha_rank", "aggregate/best_of_candidates"
_COMPARED = (_RUNS, _POINTS, "published")
_COMPARED_WHERE_ASKED = (*_SCORES, *_MEANS, *_BANDS, *_COVER, *_RECORDS)

_ENVIRONMENTS = {
    "acrobot": "Acrobot",
    "cart_pole": "Cart-Pole",
    "mountain_car": "Mountain Car",
    "pinball_box": "Pinball Box",
    "pinball_empty": "Pinball Empty",
    "pinball_medium": "Pinball Medium",
    "pinball_single": "Pinball Single",
    "gridworld_10_deterministic": "Gridworld 10 Deterministic",
    "gridworld_10_stochastic": "Gridworld 10 Stochastic",
    "gridworld_5_deterministic": "Gridworld 5 Deterministic",
    "gridworld_5_stochastic": "Gridworld 5 Stochastic",
    "chain_10_deterministic": "Chain 10 Deterministic",
    "chain_10_stochastic": "Chain 10 Stochastic",
    "chain_50_deterministic": "Chain 50 Deterministic",
    "chain_50_stochastic": "Chain 50 Stochastic",
}

_GROUPS = ("classic_control", "pinball", "gridworld", "chain")


def _figure(function: str, needs: tuple[str, ...], title: str, optional: tuple[str, ...] = (), setting=None) -> Drawing:
    return Drawing("figure", function, needs, title, optional, setting)


def _table(function: str, needs: tuple[str, ...], title: str, optional: tuple[str, ...] = (), setting=None) -> Drawing:
    return Drawing("table", function, needs, title, optional, setting)


def _environment_table(name: str) -> Drawing:
    title = f"Mean returns and ranks in {_ENVIRONMENTS[name]} (Appendix I)"
    optional = (*_MEANS, "record")
    return _table(
        f"{_JORDAN2020}.scores:table_environment", (_POINTS, "published"), title, optional, ("environment", name)
    )


def _appendix_figure(group: str) -> Drawing:
    title = f"Distributions of performance, {group.replace('_', ' ')} (Appendix I)"
    return _figure(f"{_JORDAN2020}.distributions:figure_appendix", (_RUNS,), title, _BANDS, ("group", group))


def _coverage_figure(source: str, title: str) -> Drawing:
    return _figure(f"{_COVERAGE}:figure_coverage", (_POINTS,), title, (*_COVER, "record_coverage"), ("source", source))


_ANY_STUDY = {
    "weights": _figure(f"{_STUDY}:weights", (_WEIGHTS,), "Weight of each environment and opponent in the score"),
    "table_runs": _table(f"{_STUDY}:table_runs", (_RUNS,), "Number of runs of each algorithm in each environment"),
}

_RECHT2018 = "surefoot.figures.recht2018"


def _numbers(*analyses: str) -> tuple[str, ...]:
    """Needs of figures that are drawn from the numbers of analyses, of this run or of the record."""
    return (*(f"numbers/{analysis}" for analysis in analyses), "record")


def _recht_profile(name: str, title: str) -> Drawing:
    return _figure(f"{_RECHT2018}.profiles:welch_figure", (), title, _numbers(name), ("analysis", name))


_AGARWAL2021 = "surefoot.figures.agarwal2021"


def _analysed(function: str, analysis: str, title: str, setting=("analysis",), more: tuple[str, ...] = ()) -> Drawing:
    """A figure of the numbers of an analysis, whose name is handed over, or else the setting."""
    chosen = (*setting, analysis) if len(setting) == 1 else setting
    return _figure(f"{_AGARWAL2021}.{function}", (), title, _numbers(analysis, *more), chosen)


_RECHT2018_NUMBERS = _numbers("figure_r1", "figure_r2", "differences", "figure_runs")

_METRICS_TITLE = "Median, IQM, mean and optimality gap"
_AGARWAL2021_FIGURES = {
    "figure_2_left": _analysed("studies:figure_2_left", "figure_2_left", "Density of the median of few runs (2 left)"),
    "figure_2_right": _analysed("studies:ranges_figure", "subsamples", "Ranges of median and IQM (2 right)"),
    "figure_3": _analysed("studies:expected_figure", "subsamples", "Expected median (3)", ("metric", "median")),
    "figure_4": _analysed("studies:lift_figure", "figure_4", "Observed lifts (4)"),
    "figure_5": _analysed("studies:figure_5", "figure_5", "Protocols that report a maximum (5)"),
    "figure_6": _analysed("coverage:coverage_figure", "coverage", "Coverage of intervals (6, A.19)"),
    "figure_6_width": _analysed("coverage:width_figure", "coverage", "Width of intervals (6, A.19)"),
    "figure_6_level": _analysed("coverage:level_figure", "coverage", "Coverage by nominal level (6, caption)"),
    "figure_7": _analysed("profiles:profile_figure", "figure_7", "Profiles, Atari 100k (7)"),
    "figure_8": _figure(f"{_AGARWAL2021}.sketch:figure_8", (), "Sketch of IQM and optimality gap (8)"),
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
    "simulated_rank_test": _figure(
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

CATALOGUE: dict[str, dict[str, Drawing]] = {
    "jordan2020": {
        "verdict": _table(
            f"{_JORDAN2020}.verdict:verdict",
            _COMPARED,
            "Sentences and counts of the page",
            (*_COMPARED_WHERE_ASKED, _EXPLOITS, _ALPHA, _TUNING),
        ),
        "figure_1": _figure(f"{_JORDAN2020}.diagrams:figure_1", (), "Diagram of tune-and-report (Figure 1)"),
        "figure_2": _figure(f"{_JORDAN2020}.diagrams:figure_2", (), "Diagram of complete data collection (Figure 2)"),
        "figure_3": _figure(
            f"{_JORDAN2020}.distributions:figure_3", (_RUNS,), "Distribution functions in cart-pole (Figure 3)", _BANDS
        ),
        "figure_4": _figure(
            f"{_JORDAN2020}.distributions:figure_4",
            (_RUNS,),
            "Distributions of AC in acrobot by number of trials (Figure 4)",
            (*_BANDS, "estimate/subsamples"),
        ),
        "figure_5": _figure(
            f"{_JORDAN2020}.scores:figure_5",
            (_POINTS, "published"),
            "Aggregate scores with three kinds of intervals (Figure 5)",
            _SCORES,
        ),
        "figure_5_record": _figure(
            f"{_JORDAN2020}.scores:figure_5_record",
            (_POINTS, "published"),
            "The same from the large run's record",
            (*_SCORES, "record_intervals"),
        ),
        "table_1": _table(
            f"{_JORDAN2020}.scores:table_1", (_POINTS, "published"), "Aggregate scores and ranks (Table 1)", _SCORES
        ),
        "table_2": _table(
            f"{_JORDAN2020}.coverage:table_2",
            ("published",),
            "Failure and significance rates of intervals (Table 2)",
            (*_COVER, "record_coverage"),
        ),
        "table_4": _table(f"{_JORDAN2020}.definitions:table_4", (), "Distributions of hyperparameters (Table 4)"),
        "table_5": _table(
            f"{_JORDAN2020}.definitions:table_5", (_RUNS, "published"), "Environments and episodes (Table 5)"
        ),
        **{f"figure_appendix_{group}": _appendix_figure(group) for group in _GROUPS},
        **{f"table_{name}": _environment_table(name) for name in _ENVIRONMENTS},
        "figure_coverage": _coverage_figure("study", "Failures, separated pairs and width of intervals"),
        "figure_coverage_record": _coverage_figure("record", "The same from the large run's record"),
        "figure_methods": _figure(
            f"{_JORDAN2020}.methods:figure_methods",
            (_POINTS,),
            "Aggregate scores with every kind of intervals",
            (*_SCORES, *_SHARPER),
        ),
        "table_methods": _table(
            f"{_JORDAN2020}.methods:table_methods",
            (_POINTS,),
            "Width and guarantee of every kind of intervals",
            (*_SCORES, *_SHARPER),
        ),
        "figure_normalizations": _figure(
            f"{_JORDAN2020}.exploits:figure_normalizations", (), "Ranks under each normalization", (_EXPLOITS,)
        ),
        "table_exploits": _table(
            f"{_JORDAN2020}.exploits:table_exploits", (), "What can move the ranking under each", (_EXPLOITS,)
        ),
        "table_scenarios": _table(
            f"{_JORDAN2020}.exploits:table_scenarios", (), "Pairs turned round in each scenario", (_EXPLOITS,)
        ),
        "figure_alpha_rank": _figure(
            f"{_JORDAN2020}.procedures:figure_alpha_rank", (), "Scores at finite alpha (Appendix B)", (_ALPHA,)
        ),
        "figure_tuning": _figure(
            f"{_JORDAN2020}.procedures:figure_tuning", (), "What a report of the best trial would claim", (_TUNING,)
        ),
        "reproduction": _figure(
            f"{_JORDAN2020}.comparison:reproduction",
            _COMPARED,
            "Published numbers beside ours, and their differences",
            _COMPARED_WHERE_ASKED,
        ),
        "figure_record": _figure(
            f"{_JORDAN2020}.comparison:figure_record", (_POINTS,), "Differences of the large run's record", ("record",)
        ),
        "table_reproduction": _table(
            f"{_JORDAN2020}.comparison:table_reproduction",
            _COMPARED,
            "Published numbers reproduced, by kind",
            _COMPARED_WHERE_ASKED,
        ),
        "table_numbers": _table(
            f"{_JORDAN2020}.comparison:table_numbers",
            _COMPARED,
            "Every published number beside this run's and the record's",
            _COMPARED_WHERE_ASKED,
        ),
        **_ANY_STUDY,
    },
    "study": {
        "verdict": _table(
            f"{_STUDY}:verdict", (_RUNS, _POINTS), "Sentences and counts of the page", (*_SCORES, *_MEANS, *_BANDS)
        ),
        "scores": _figure(f"{_STUDY}:scores", (_POINTS,), "Aggregate scores with their intervals", _SCORES),
        "table_ranks": _table(
            f"{_STUDY}:table_ranks", (_POINTS,), "Aggregate scores and ranks by every method", _SCORES
        ),
        "means": _figure(f"{_STUDY}:means", (_POINTS,), "Mean scores in each environment with intervals", _MEANS),
        "distributions": _figure(
            f"{_STUDY}:distributions", (_RUNS,), "Distributions of scores in each environment", _BANDS
        ),
        **_ANY_STUDY,
    },
    "recht2018": {
        "verdict": _table(
            f"{_RECHT2018}.verdict:verdict", ("published",), "Sentences and counts of the page", _RECHT2018_NUMBERS
        ),
        "figure_r1": _recht_profile("figure_r1", "Blob-PROST and DQN after 200 million frames (first figure)"),
        "figure_r2": _recht_profile(
            "figure_r2", "Blob-PROST after 200 and DQN after 10 million frames (second figure)"
        ),
        "figure_100m": _recht_profile("figure_100m", "Both after 100 million frames (notebook)"),
        "figure_all_four": _recht_profile("figure_all_four", "Both after 100 and 200 million frames (notebook)"),
        "figure_runs": _figure(
            f"{_RECHT2018}.profiles:rank_figure",
            (),
            "The profile from runs, by a rank test",
            _numbers("figure_runs"),
            ("analysis", "figure_runs"),
        ),
        "table_differences": _table(
            f"{_RECHT2018}.profiles:table_differences", (), "Games on which the methods differ", _numbers("differences")
        ),
        "reproduction": _table(
            f"{_RECHT2018}.verdict:reproduction",
            ("published",),
            "Published numbers beside ours",
            _RECHT2018_NUMBERS,
        ),
    },
    "agarwal2021": {
        "verdict": _table(
            f"{_AGARWAL2021}.verdict:verdict", ("published",), "Sentences and counts of the page", _AGARWAL2021_NUMBERS
        ),
        **_AGARWAL2021_FIGURES,
        "table_methods": _table(
            f"{_AGARWAL2021}.intervals:table_methods",
            (),
            "Every kind of bootstrap interval, Atari 100k",
            _numbers("figure_a30"),
            ("analysis", "figure_a30"),
        ),
        "table_methods_simulated": _table(
            f"{_AGARWAL2021}.intervals:table_methods",
            (),
            "Every kind of bootstrap interval, simulated",
            _numbers("simulated_aggregates"),
            ("analysis", "simulated_aggregates"),
        ),
        "reproduction": _table(
            f"{_AGARWAL2021}.verdict:reproduction",
            ("published",),
            "Published numbers and claims beside ours",
            _AGARWAL2021_NUMBERS,
        ),
    },
    "metrics": {
        "verdict": _table(
            f"{_AGARWAL2021}.findings:metrics_verdict",
            (),
            "Sentences of the page",
            _numbers("aggregates", "profiles", "improvement", "ranks", "subsamples"),
        ),
        "aggregates": _analysed("intervals:aggregate_figure", "aggregates", "Metrics with intervals"),
        "table_methods": _table(
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
    },
    "home": {
        "verdict": _table(
            f"{_HOME}:verdict", (_RUNS, _POINTS, "durations"), "Sentences and counts of the page", _ANSWER
        ),
        "answer": _figure(f"{_HOME}:answer", (_POINTS,), "Aggregate scores of the main study", _ANSWER),
        "table_verdicts": _table(
            f"{_HOME}:table_verdicts", (), "Published numbers reproduced, by study", ("reproduction",)
        ),
        "durations": _figure(f"{_HOME}:durations", ("durations",), "What took how long"),
    },
}
