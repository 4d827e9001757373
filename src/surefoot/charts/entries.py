"""What entries of the catalogue have in common: the names of the tables that figures need, and usual figures.

Light on purpose, as the catalogue is.
"""

from collections.abc import Mapping

from surefoot.charts.drawing import Drawing, figure, table
from surefoot.questions.registry import questions
from surefoot.statistics.intervals.catalogue import INTERVAL_METHODS

OTHER_RUNS, OTHERWISE = "runs_otherwise", "short_runs_treated_otherwise"
"""What a report calls the source and scale, and the question, that show what another policy for short runs would do."""
RUNS, PLAYS = "collect/runs", "collect/plays"
AGENTS, BOUNDS, VIEWS = "aggregate/agents", "aggregate/time_bounds", "estimate/views"
POINTS = "aggregate/game_scores"
WEIGHTS = "aggregate/game_scores_weights"
SCORES = tuple(f"estimate/{method}" for method in INTERVAL_METHODS)
MEANS = ("estimate/anderson",)
BANDS = ("estimate/dkw",)
COVER = ("cover/as_published", "cover/corrected")
RECORDS = ("record", "record_coverage", "record_intervals")
ANSWER = (*SCORES, "record_intervals")
RUN, RECORD = "compare/run", "compare/record"
JUDGED = ("all_published", "all_records", "all_runs")
EXPLOITS, ALPHA, BEST = "aggregate/exploits", "aggregate/alpha_rank", "aggregate/best_of_candidates"
TUNING, PERCENTILES = "aggregate/tuning", "aggregate/run_percentiles"
COMPARED = (RUNS, POINTS, "published")
COMPARED_WHERE_ASKED = (*SCORES, *MEANS, *BANDS, *COVER, *RECORDS)


def numbers_of(*analyses: str) -> tuple[str, ...]:
    """Needs of figures that are drawn from the numbers of analyses, of this run or of the record."""
    return (*(f"numbers/{analysis}" for analysis in analyses), "record")


def shown_by(question: str, function: str = "chart") -> str:
    """The name of a function that shows the answer of a question: its chart, its table, or another beside them."""
    model = questions()[question]
    main = {"chart": model.chart, "table": model.page_table}.get(function, "")
    return main or f"{(model.chart or model.page_table).partition(':')[0]}:{function}"


def analysed(function: str, analysis: str, title: str, **setting: object) -> Drawing:
    """A figure of the numbers of an analysis, whose name is handed over beside the setting."""
    return figure(function, (), title, numbers_of(analysis), {"analysis": analysis} | setting)


ANALYSES = table(
    "surefoot.charts.origin:table_analyses", (), "Where the numbers of each analysis come from", ("record",)
)


def reproduction(labels: Mapping[str, str], names: Mapping[str, str] | None = None) -> Drawing:
    """The table of published numbers beside those of this run; `labels` and `names` say what they are called."""
    setting = {"labels": dict(labels), "item_names": dict(names or {})}
    title = "Published numbers and claims beside ours"
    return table("surefoot.charts.published_numbers:table_reproduction", (RUN,), title, setting=setting)


def table_not_judged(reason: str, labels: Mapping[str, str], names: Mapping[str, str] | None = None) -> Drawing:
    """The table of published numbers that this run has no counterpart of, and the reason."""
    setting = {"reason": reason, "labels": dict(labels), "item_names": dict(names or {})}
    title = "Published numbers and claims that have no counterpart here, and why"
    return table("surefoot.charts.published_numbers:table_not_judged", ("published", RUN), title, setting=setting)


ANY_STUDY = {
    "weights": figure(
        shown_by("game_scores", "weights_chart"), (WEIGHTS,), "Weight of each environment and opponent in the score"
    ),
    "table_runs": table(
        "surefoot.charts.runs:table_runs", (RUNS,), "Number of runs of each algorithm in each environment"
    ),
    "table_coverage": table(
        shown_by("coverage", "table"), ("coverage",), "How often intervals fail, and what they separate"
    ),
}
