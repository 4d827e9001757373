"""What can be drawn: for each kind of study the names of its figures and tables, and what they are drawn from.

Light on purpose: it is imported whenever the workflow is parsed, so the functions are named, not imported.
"""

from surefoot.figures.drawing import Drawing
from surefoot.figures.drawing import figure as _figure
from surefoot.figures.drawing import table as _table
from surefoot.figures.published_catalogue import AGARWAL2021, HOW_MANY_RUNS, METRICS, RECHT2018, TRUST
from surefoot.statistics.interval_catalogue import INTERVAL_METHODS

_JORDAN2020 = "surefoot.figures.jordan2020"
_CASTRONOVO2016 = "surefoot.figures.castronovo2016"
_STUDY = "surefoot.figures.study"
_HOME = "surefoot.figures.home"
_PUBLISHED_COUNTS = "surefoot.figures.published_counts"
_COVERAGE = "surefoot.figures.coverage"

_RUNS, _PLAYS = "collect/runs", "collect/plays"
_AGENTS, _BOUNDS, _VIEWS = "aggregate/agents", "aggregate/time_bounds", "estimate/views"
_POINTS = "aggregate/performance_percentile"
_WEIGHTS = "aggregate/performance_percentile_weights"
_SCORES = tuple(f"estimate/{method}" for method in INTERVAL_METHODS)
_MEANS = ("estimate/anderson",)
_BANDS = ("estimate/dkw",)
_COVER = ("cover/as_published", "cover/corrected")
_RECORDS = ("record", "record_coverage", "record_intervals")
_ANSWER = (*_SCORES, "record_intervals")
_JUDGED = ("all_published", "all_records", "reproduction")
_EXPLOITS, _ALPHA, _BEST = "aggregate/exploits", "aggregate/alpha_rank", "aggregate/best_of_candidates"
_TUNING, _PERCENTILES = "aggregate/tuning", "aggregate/run_percentiles"
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
    "table_coverage": _table(
        f"{_COVERAGE}:table_coverage", (_POINTS,), "How often intervals fail, and what they separate", ("coverage",)
    ),
}

CATALOGUE: dict[str, dict[str, Drawing]] = {
    "jordan2020": {
        "verdict": _table(
            f"{_JORDAN2020}.verdict:verdict",
            _COMPARED,
            "Sentences and counts of the page",
            (*_COMPARED_WHERE_ASKED, "record_seeds", _EXPLOITS, _ALPHA, _BEST, _TUNING, _PERCENTILES),
        ),
        "figure_1": _figure(f"{_JORDAN2020}.diagrams:figure_1", (), "Diagram of tune-and-report (Figure 1)"),
        "figure_2": _figure(f"{_JORDAN2020}.diagrams:figure_2", (), "Diagram of complete data collection (Figure 2)"),
        "figure_3": _figure(
            f"{_JORDAN2020}.distributions:figure_3",
            (_RUNS, "published"),
            "Distribution functions in cart-pole (Figure 3)",
            (*_BANDS, "record_distributions"),
        ),
        "figure_4": _figure(
            f"{_JORDAN2020}.distributions:figure_4",
            (_RUNS, "published"),
            "Distributions of AC in acrobot by number of trials (Figure 4)",
            (*_BANDS, "estimate/subsamples", "record_distributions"),
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
        "table_3": _table(f"{_JORDAN2020}.symbols:table_3", (), "Symbols of the paper (Table 3)"),
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
            _SCORES,
        ),
        "table_methods": _table(
            f"{_JORDAN2020}.methods:table_methods",
            (_POINTS,),
            "Width and guarantee of every kind of intervals",
            _SCORES,
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
            f"{_JORDAN2020}.procedures:figure_tuning", (), "What a report of the best trial would claim", (_BEST,)
        ),
        "figure_procedures": _figure(
            f"{_JORDAN2020}.tuning:figure_procedures", (), "What tuned results would have claimed", (_TUNING,)
        ),
        "table_procedures": _table(
            f"{_JORDAN2020}.tuning:table_procedures", (), "What three procedures of evaluation report", (_TUNING,)
        ),
        "figure_run_percentiles": _figure(
            f"{_JORDAN2020}.percentiles:figure_run_percentiles",
            (),
            "Percentiles of single runs (Definition 2)",
            (_PERCENTILES,),
        ),
        "reproduction": _figure(
            f"{_JORDAN2020}.comparison:reproduction",
            _COMPARED,
            "Published numbers beside ours, and their differences",
            _COMPARED_WHERE_ASKED,
        ),
        "figure_record": _figure(
            f"{_JORDAN2020}.recorded:figure_record",
            (_POINTS, "published"),
            "Differences of the large run's record",
            _RECORDS,
        ),
        "table_reproduction": _table(
            f"{_JORDAN2020}.recorded:table_reproduction",
            _COMPARED,
            "Published numbers reproduced, by kind",
            _COMPARED_WHERE_ASKED,
        ),
        "table_judged": _table(
            f"{_JORDAN2020}.judged:table_judged",
            _COMPARED,
            "Which published numbers are judged, and why others are not",
            _COMPARED_WHERE_ASKED,
        ),
        "table_joint": _table(
            f"{_JORDAN2020}.joint:table_joint",
            _COMPARED,
            "Joint tests of all differences of an environment",
            _COMPARED_WHERE_ASKED,
        ),
        "table_numbers": _table(
            f"{_JORDAN2020}.recorded:table_numbers",
            _COMPARED,
            "Every published number beside this run's and the record's",
            _COMPARED_WHERE_ASKED,
        ),
        **_ANY_STUDY,
    },
    "study": {
        "verdict": _table(
            f"{_STUDY}:verdict",
            (_RUNS, _POINTS),
            "Sentences and counts of the page",
            (*_SCORES, *_MEANS, *_BANDS, _PLAYS),
        ),
        "scores": _figure(f"{_STUDY}:scores", (_POINTS,), "Aggregate scores with their intervals", _SCORES),
        "table_ranks": _table(
            f"{_STUDY}:table_ranks", (_POINTS,), "Aggregate scores and ranks by every method", _SCORES
        ),
        "means": _figure(f"{_STUDY}:means", (_POINTS,), "Mean scores in each environment with intervals", _MEANS),
        "distributions": _figure(
            f"{_STUDY}:distributions", (_RUNS,), "Distributions of scores in each environment", _BANDS
        ),
        "table_agents": _table(
            f"{_CASTRONOVO2016}.comparison:table_agents", (), "Agents with their scores and times", (_AGENTS,)
        ),
        **_ANY_STUDY,
    },
    "recht2018": RECHT2018,
    "agarwal2021": AGARWAL2021,
    "metrics": METRICS,
    "how_many_runs": HOW_MANY_RUNS,
    "trust": TRUST,
    "castronovo2016": {
        "verdict": _table(
            f"{_CASTRONOVO2016}.verdict:verdict",
            (_RUNS, _POINTS, _PLAYS, _AGENTS, _BOUNDS, "published"),
            "Sentences and counts of the page",
            (*_SCORES, *_MEANS, *_BANDS, _VIEWS, "record"),
        ),
        **{
            f"figure_{number}": _table(
                f"{_CASTRONOVO2016}.experiment:listing",
                (),
                f"The experiment's file: {part} (Figure {number})",
                setting=("part", part),
            )
            for number, part in ((1, "agents"), (2, "protocol"))
        },
        **{
            f"figure_{number}": _figure(
                f"{_CASTRONOVO2016}.diagrams:figure_distribution",
                (),
                f"The distribution {title} (Figure {number})",
                setting=("distribution", name),
            )
            for number, name, title in ((3, "gc", "GC"), (4, "gdl", "GDL"), (5, "grid", "Grid"))
        },
        **{
            f"figure_{number}": _figure(
                f"{_CASTRONOVO2016}.times:figure_times",
                (_AGENTS,),
                f"Score against {axis} time, {case} case (Figure {number})",
                setting=("panel", f"{case}/{axis}"),
            )
            for number, case, axis in (
                (6, "accurate", "offline"),
                (7, "accurate", "online"),
                (10, "inaccurate", "offline"),
                (11, "inaccurate", "online"),
            )
        },
        **{
            f"figure_{number}": _figure(
                f"{_CASTRONOVO2016}.bounds:figure_bounds",
                (_BOUNDS,),
                f"Best algorithms under bounds on times, {case} case (Figure {number})",
                setting=("case", case),
            )
            for number, case in ((8, "accurate"), (12, "inaccurate"))
        },
        **{
            f"table_{number}": _table(
                f"{_CASTRONOVO2016}.comparison:table_scores",
                (_AGENTS, "published"),
                f"Published scores beside ours, {case} case (Figure {number})",
                ("record",),
                ("case", case),
            )
            for number, case in ((9, "accurate"), (13, "inaccurate"))
        },
        **{
            f"table_corrections_{case}": _table(
                f"{_CASTRONOVO2016}.comparison:table_corrections",
                (_AGENTS, "published"),
                f"Agents as published beside corrected ones, {case} case",
                ("record",),
                ("case", case),
            )
            for case in ("accurate", "inaccurate")
        },
        "table_1": _table(
            f"{_CASTRONOVO2016}.times:table_1", (_AGENTS,), "How times vary with parameters (Table 1), measured"
        ),
        "table_agents": _table(
            f"{_CASTRONOVO2016}.comparison:table_agents", (_AGENTS,), "Scores and times of all agents"
        ),
        "table_orders": _table(
            f"{_CASTRONOVO2016}.bounds:table_orders", (_BOUNDS,), "Best algorithms from left to right (section 5.3)"
        ),
        "table_z": _table(
            f"{_CASTRONOVO2016}.comparison:table_z", ("estimate/paired_z",), "Paired tests between the best agents"
        ),
        "reproduction": _figure(
            f"{_CASTRONOVO2016}.comparison:reproduction", (_AGENTS, "published"), "Every published score beside ours"
        ),
        "figure_record": _figure(
            f"{_CASTRONOVO2016}.recorded:figure_record",
            ("published",),
            "Differences of the large run's record",
            ("record",),
        ),
        "table_library": _table(
            f"{_CASTRONOVO2016}.comparison:table_library",
            (_AGENTS, "published"),
            "Scores of the authors' program at fixed parameters beside ours",
            ("record",),
        ),
        "table_deviations": _table(
            f"{_CASTRONOVO2016}.comparison:table_deviations",
            (_AGENTS, "published"),
            "Published scores that are explained or differ, and why",
            ("record",),
        ),
        "table_joint": _table(
            f"{_CASTRONOVO2016}.joint:table_joint",
            (_AGENTS, "published"),
            "All published scores of each distribution tested together",
            ("record",),
        ),
        "table_untestable": _table(
            f"{_CASTRONOVO2016}.comparison:table_untestable",
            (_AGENTS, "published"),
            "Published scores of which the MDPs that were played cannot tell, and what they could have told",
            ("record",),
        ),
        "table_not_judged": _table(
            f"{_CASTRONOVO2016}.comparison:table_not_judged",
            (_AGENTS, "published"),
            "Published scores that this run is not compared with, and why",
        ),
        "figure_views": _figure(
            f"{_CASTRONOVO2016}.views:figure_views", (_POINTS, _VIEWS), "The same runs through three views", _SCORES
        ),
        "table_views": _table(
            f"{_CASTRONOVO2016}.views:table_views", (_POINTS, _VIEWS), "Values and ranks by the three views", _SCORES
        ),
        "scores": _figure(f"{_STUDY}:scores", (_POINTS,), "Aggregate scores with their intervals", _SCORES),
        "table_ranks": _table(
            f"{_STUDY}:table_ranks", (_POINTS,), "Aggregate scores and ranks by every method", _SCORES
        ),
        **_ANY_STUDY,
    },
    "home": {
        "verdict": _table(
            f"{_HOME}:verdict",
            (_RUNS, _POINTS, "durations"),
            "Sentences and counts of the page",
            (*_ANSWER, *_JUDGED),
        ),
        "answer": _figure(f"{_HOME}:answer", (_POINTS,), "Aggregate scores of the main study", _ANSWER),
        "table_verdicts": _table(
            f"{_PUBLISHED_COUNTS}:table_verdicts", (), "Published numbers and their verdicts, by study", _JUDGED
        ),
        "durations": _figure(f"{_HOME}:durations", ("durations",), "What took how long"),
    },
}

STUDY_SETS = tuple(name for name in CATALOGUE if name not in ("home", "how_many_runs", "trust"))
"""The sets of figures that a study may ask for."""
