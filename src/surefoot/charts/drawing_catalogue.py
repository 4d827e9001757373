"""Catalogue of the figures and tables of each kind of study, and the tables they need.

This module is imported whenever the workflow is parsed, so it imports nothing heavy; entries refer to functions by
name. Each paper has a `catalogue.py` in its folder, which is found automatically.
"""

from importlib import import_module
from pathlib import Path

from surefoot.charts.drawing import (
    AGENTS,
    BANDS,
    MEANS,
    OTHER_RUNS,
    OTHERWISE,
    PLAYS,
    POINTS,
    RUNS,
    SCORES,
    TRUST_SUBJECTS,
    Comparison,
    Drawing,
    Need,
    answered,
    any_study,
    figure,
    reproduction,
    shown_by,
    table,
)
from surefoot.runs.scales.published_scores import BENCHMARKS

_SUMMED_UP = ("multiple_comparisons", "pairwise_differences", "aggregate_metrics", "performance_profiles")
"""Kinds of questions whose results are summarized in sentences on a page."""
METRICS = {
    # The chart of the first question of each kind.
    **{
        kind: answered(shown_by(kind), Need("first", kind), note="")
        for kind in (*_SUMMED_UP, "probability_of_improvement", "rank_probabilities", "subsample_metrics")
    },
    "table_standings": table(
        shown_by("multiple_comparisons", "standings_table"),
        {"table": Need("first", "multiple_comparisons")},
        "Letters, ranks and differences to the best",
    ),
    "table_tasks": table(
        shown_by("task_means", "table"), {"table": Need("first", "task_means")}, "Mean scores in each environment"
    ),
    "table_methods": table(
        shown_by("aggregate_metrics", "methods_table"),
        {"table": Need("first", "aggregate_metrics")},
        "Metrics with the intervals of each method",
    ),
}

_PLANS = {"table": Need("first", "plan_runs")}
HOW_MANY_RUNS = {
    "how_many_runs": table("surefoot.charts.run_numbers:pilots_table", _PLANS, "Pilots of the plans"),
    "how_many_runs_widths": figure(shown_by("plan_runs"), _PLANS),
    "how_many_runs_chances": figure(shown_by("plan_runs", "chances_chart"), _PLANS),
    "how_many_runs_needed": table(
        shown_by("plan_runs", "needed_table"), _PLANS, "Runs that are needed to detect a lift"
    ),
    "sequential": answered(shown_by("sequential_comparison"), Need("first", "sequential_comparison")),
    "false_alarms": answered(shown_by("false_alarm_rates"), Need("first", "false_alarm_rates")),
    "false_alarms_record": answered(shown_by("false_alarm_rates"), Need("larger", "false_alarm_rates")),
}

_TRUST = "surefoot.charts.trust"
_DRAWN_KINDS = {"drawn_kinds": Need("trust", "drawn_kinds")}
_REMARKS = {"remarks": Need("trust", "remarks")}
TRUST = {
    "figure_pooled": figure(f"{_TRUST}:figure_pooled", _DRAWN_KINDS),
    "table_lookup": table(f"{_TRUST}:table_lookup", _DRAWN_KINDS, "Recommended interval, by numbers of runs and tasks"),
    "table_kinds": table(
        f"{_TRUST}:table_kinds", _DRAWN_KINDS | _REMARKS, "Failure rates over randomly drawn kinds of studies"
    ),
    "table_remarks": table(f"{_TRUST}:table_remarks", _REMARKS, "Failure rates by remark"),
    "table_methods": table(
        f"{_TRUST}:table_methods",
        {"subjects": {name: Need("trust", name) for name in TRUST_SUBJECTS}},
        "Where each method holds its level",
    ),
    "watched_intervals": figure(
        "surefoot.charts.calculators:watched_intervals", {"watched": Need("trust", "watched_intervals")}
    ),
    "kinds": figure("surefoot.charts.calculators:kinds_as_dots", _DRAWN_KINDS | _REMARKS),
}

_STANDINGS = {"standings": Need("leaderboards", "standings")}
LEADERBOARDS = {"how_many_runs": figure("surefoot.charts.calculators:how_many_runs", _STANDINGS)}
for _name in BENCHMARKS:
    LEADERBOARDS[_name] = figure("surefoot.charts.leaderboards:leaderboard", _STANDINGS, benchmark=_name)
    LEADERBOARDS[f"{_name}_tasks"] = table(
        "surefoot.charts.leaderboards:leaderboard_tasks",
        {"tasks": Need("leaderboards", "tasks")},
        "Means in each environment",
        benchmark=_name,
    )

_PAPERS = Path(__file__).parents[1] / "papers"

STUDY_DRAWINGS: dict[str, Drawing] = {
    "verdict": table(
        "surefoot.charts.study_sentences:verdict",
        {
            "comparisons": Need("first", "multiple_comparisons"),
            "differences": Need("first", "pairwise_differences"),
            "aggregates": Need("first", "aggregate_metrics"),
            "profiles": Need("first", "performance_profiles"),
            "runs": RUNS,
            "points": POINTS,
            "intervals": SCORES,
            "task_means": Need("first", "task_means"),
            "plays": PLAYS,
            "other_runs": Need("collect", OTHER_RUNS),
            "other_comparisons": Need("answer", OTHERWISE),
        },
        "Sentences and counts of the page",
    ),
    "scores": figure(shown_by("evaluation_game_scores"), {"points": POINTS, "intervals": SCORES}),
    "table_ranks": table(
        shown_by("evaluation_game_scores", "ranks_table"),
        {"points": POINTS, "intervals": SCORES},
        "Aggregate scores and ranks by every method",
    ),
    "means": figure(shown_by("evaluation_game_intervals", "means_chart"), {"points": POINTS, "intervals": MEANS}),
    "distributions": figure(shown_by("evaluation_game_intervals", "distributions_chart"), {"table": BANDS}),
    "table_agents": table(shown_by("agents", "table"), {"table": AGENTS}, "Agents with their scores and times"),
    "table_reproduction": reproduction({}),
    **any_study(),
    **METRICS,
}
"""Figures and tables for the page of any study; see `surefoot.workflow.planning.drawing_jobs` for other pages."""

CATALOGUE: dict[str, dict[str, Drawing]] = {
    "study": STUDY_DRAWINGS,
    "how_many_runs": HOW_MANY_RUNS,
    "trust": TRUST,
    "leaderboards": LEADERBOARDS,
    "methods": {},  # `surefoot.reporting.descriptions` makes its tables from docstrings
    "home": {
        "misses": figure(f"{_TRUST}:misses", _DRAWN_KINDS),
        "report": answered(shown_by("multiple_comparisons"), Need("leaderboards", "comparisons"), note=""),
        "ledger": table(
            "surefoot.charts.study_tables:ledger",
            {"reproductions": Need("studies", "reproductions")},
            "Every judged number and claim of all papers",
        ),
    },
}
COMPARISONS: dict[str, dict[str, Comparison]] = {}
"""Comparisons with published numbers: {set of figures or study: {"run" or "record": comparison}}."""
for _path in sorted(_PAPERS.glob("*/catalogue.py")):
    _paper = import_module(f"surefoot.papers.{_path.parent.name}.catalogue")
    COMPARISONS.update(_paper.COMPARISONS)
    for _name, _drawings in getattr(_paper, "DRAWINGS", {}).items():
        CATALOGUE.setdefault(_name, {}).update(_drawings)

_NO_STUDIES = ("home", "how_many_runs", "leaderboards", "methods", "trust")
STUDY_SETS = tuple(name for name in CATALOGUE if name not in _NO_STUDIES)
"""Sets of figures that a study may request."""
