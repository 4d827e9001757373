"""Catalogue of the figures and tables of each kind of study, and the tables they need.

Kept light because it is imported whenever the workflow is parsed: functions are named, not imported. Each paper has
its own part, `catalogue.py`, in its folder, which is discovered there.
"""

from importlib import import_module
from pathlib import Path

from surefoot.charts.drawing import (
    AGENTS,
    BANDS,
    JUDGED,
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
    analysed,
    any_study,
    figure,
    reproduction,
    shown_by,
    table,
)


def _first_table(question: str, title: str, function: str = "table") -> Drawing:
    """Return the entry for a table of the first question of a kind."""
    needs = (f"numbers/{question}",)
    return table(shown_by(question, function), needs, title, ("record",), {"analysis": question})


_SUMMED_UP = ("multiple_comparisons", "pairwise_differences", "aggregates", "profiles")
"""Kinds of questions whose answers are summarized in sentences on a page."""
METRICS = {
    # The chart of the first question of each kind.
    **{
        kind: figure(shown_by(kind), (f"numbers/{kind}",), ("record",), {"analysis": kind})
        for kind in (*_SUMMED_UP, "improvement", "ranks", "subsamples")
    },
    "table_standings": _first_table("multiple_comparisons", "Letters, ranks and differences to the best"),
    "table_tasks": table(
        shown_by("task_means", "table"),
        ("estimate/task_means",),
        "Mean scores in each environment",
        setting={"analysis": "task_means"},
    ),
    "table_methods": _first_table("aggregates", "Metrics with the intervals of each method", "methods_table"),
}

_RECORDED_ALARMS = ("recorded/false_alarm_rates", "record")
HOW_MANY_RUNS = {
    "how_many_runs": table(
        "surefoot.charts.run_numbers:pilots_table",
        ("numbers/run_plans",),
        "Pilots, and how they were taken for plans",
        _RECORDED_ALARMS,
    ),
    "how_many_runs_widths": figure(shown_by("run_plans"), ("numbers/run_plans",)),
    "how_many_runs_chances": figure(shown_by("run_plans", "chances_chart"), ("numbers/run_plans",)),
    "how_many_runs_needed": table(
        shown_by("run_plans", "needed_table"), ("numbers/run_plans",), "Runs that are needed to detect a lift"
    ),
    "sequential": analysed(shown_by("sequential_comparison"), "sequential_comparison"),
    "false_alarms": analysed(shown_by("false_alarm_rates"), "false_alarm_rates"),
    "false_alarms_record": figure(
        shown_by("false_alarm_rates"), (), _RECORDED_ALARMS, {"analysis": "recorded/false_alarm_rates"}
    ),
}

_TRUST = "surefoot.charts.trust"
_DRAWN_KINDS = ("trust/drawn_kinds",)
_KINDS_AND_REMARKS = (*_DRAWN_KINDS, "trust/remarks")
TRUST = {
    "figure_pooled": figure(f"{_TRUST}:figure_pooled", _DRAWN_KINDS),
    "table_lookup": table(f"{_TRUST}:table_lookup", _DRAWN_KINDS, "Which interval to take, by runs and tasks"),
    "table_kinds": table(f"{_TRUST}:table_kinds", _KINDS_AND_REMARKS, "Failure rates over drawn kinds of studies"),
    "table_remarks": table(f"{_TRUST}:table_remarks", ("trust/remarks",), "What remarks predict"),
    "table_methods": table(
        f"{_TRUST}:table_methods",
        (),
        "Where each method holds its level",
        tuple(f"trust/{name}" for name in TRUST_SUBJECTS),
    ),
}


_HOME = "surefoot.charts.study_tables"
_PAPERS = Path(__file__).parents[1] / "papers"

STUDY_DRAWINGS: dict[str, Drawing] = {
    "verdict": table(
        "surefoot.questions.study_sentences:verdict",
        (),
        "Sentences and counts of the page",
        (
            RUNS,
            POINTS,
            *SCORES,
            *MEANS,
            *BANDS,
            PLAYS,
            *(f"numbers/{kind}" for kind in (*_SUMMED_UP, OTHERWISE)),
            f"collect/{OTHER_RUNS}",
            "estimate/task_means",
        ),
    ),
    "scores": figure(shown_by("game_scores"), (POINTS,), SCORES),
    "table_ranks": table(
        shown_by("game_scores", "ranks_table"), (POINTS,), "Aggregate scores and ranks by every method", SCORES
    ),
    "means": figure(shown_by("game_intervals", "means_chart"), (POINTS,), MEANS),
    "distributions": figure(shown_by("game_intervals", "distributions_chart"), (RUNS, *BANDS)),
    "table_agents": table(shown_by("agents", "table"), (AGENTS,), "Agents with their scores and times"),
    "table_reproduction": reproduction({}),
    **any_study(),
    **METRICS,
}
"""Drawings that the page of any study may show; see `surefoot.pipeline.drawing_jobs` for the rest."""

CATALOGUE: dict[str, dict[str, Drawing]] = {
    "study": STUDY_DRAWINGS,
    "how_many_runs": HOW_MANY_RUNS,
    "trust": TRUST,
    "methods": {},  # whose tables are made of docstrings, by `surefoot.methods.descriptions`
    "home": {
        "misses": figure(f"{_TRUST}:misses", _DRAWN_KINDS),
        "table_verdicts": table(
            f"{_HOME}:table_verdicts", (), "Published numbers and their verdicts, by study", JUDGED
        ),
    },
}
COMPARISONS: dict[str, dict[str, Comparison]] = {}
"""Comparisons by set of figures (or by study) and by side, "run" or "record"."""
for _path in sorted(_PAPERS.glob("*/catalogue.py")):
    _paper = import_module(f"surefoot.papers.{_path.parent.name}.catalogue")
    COMPARISONS.update(_paper.COMPARISONS)
    for _name, _drawings in getattr(_paper, "DRAWINGS", {}).items():
        CATALOGUE.setdefault(_name, {}).update(_drawings)

STUDY_SETS = tuple(name for name in CATALOGUE if name not in ("home", "how_many_runs", "methods", "trust"))
"""Sets of figures that a study may request."""
