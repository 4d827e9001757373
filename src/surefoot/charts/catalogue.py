"""What can be drawn: for each kind of study the names of its figures and tables, and what they are drawn from.

Light on purpose: it is imported whenever the workflow is parsed, so the functions are named, not imported. Each paper
has a part of it in its own folder, which is found there.
"""

from importlib import import_module
from pathlib import Path

from surefoot.charts.drawing import Comparison, Drawing, figure, table
from surefoot.charts.entries import (
    AGENTS,
    ANSWER,
    ANY_STUDY,
    BANDS,
    JUDGED,
    MEANS,
    OTHER_RUNS,
    OTHERWISE,
    PLAYS,
    POINTS,
    RUNS,
    SCORES,
    reproduction,
    shown_by,
)
from surefoot.charts.published_catalogue import HOW_MANY_RUNS, METRICS, TRUST

_HOME = "surefoot.charts.home"
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
            "numbers/aggregates",
            "numbers/pairwise_differences",
            f"numbers/{OTHERWISE}",
            "numbers/profiles",
            f"collect/{OTHER_RUNS}",
            "estimate/task_means",
        ),
    ),
    "scores": figure(shown_by("game_scores"), (POINTS,), "Aggregate scores with their intervals", SCORES),
    "table_ranks": table(
        shown_by("game_scores", "ranks_table"), (POINTS,), "Aggregate scores and ranks by every method", SCORES
    ),
    "means": figure(
        shown_by("game_intervals", "means_chart"), (POINTS,), "Mean scores in each environment with intervals", MEANS
    ),
    "distributions": figure(
        shown_by("game_intervals", "distributions_chart"), (RUNS, *BANDS), "Distributions of scores in each environment"
    ),
    "table_agents": table(shown_by("agents", "table"), (AGENTS,), "Agents with their scores and times"),
    "table_reproduction": reproduction({}),
    **ANY_STUDY,
    **METRICS,
}
"""What the page of any study shows, as far as the study asks it; see
`surefoot.pipeline.drawing_jobs` for the rest."""

CATALOGUE: dict[str, dict[str, Drawing]] = {
    "study": STUDY_DRAWINGS,
    "how_many_runs": HOW_MANY_RUNS,
    "trust": TRUST,
    "methods": {},  # whose tables are made of docstrings, by `surefoot.methods.tables`
    "home": {
        "answer": figure(f"{_HOME}:answer", (POINTS,), "Aggregate scores of the main study", ANSWER),
        "table_verdicts": table(
            f"{_HOME}:table_verdicts", (), "Published numbers and their verdicts, by study", JUDGED
        ),
    },
}
COMPARISONS: dict[str, dict[str, Comparison]] = {}
"""By set of figures, or by study, and by side, "run" or "record"."""
for _path in sorted(_PAPERS.glob("*/catalogue.py")):
    _paper = import_module(f"surefoot.papers.{_path.parent.name}.catalogue")
    COMPARISONS.update(_paper.COMPARISONS)
    for _name, _drawings in getattr(_paper, "DRAWINGS", {}).items():
        CATALOGUE.setdefault(_name, {}).update(_drawings)

STUDY_SETS = tuple(name for name in CATALOGUE if name not in ("home", "how_many_runs", "methods", "trust"))
"""The sets of figures that a study may ask for."""
