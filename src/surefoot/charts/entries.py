"""What entries of the catalogue have in common: the names of the tables that figures need, and usual figures.

Light on purpose, as the catalogue is.
"""

from surefoot.charts.drawing import Drawing, figure, table
from surefoot.statistics.interval_catalogue import INTERVAL_METHODS

_COVERAGE = "surefoot.charts.coverage"

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


def coverage_figure(source: str, title: str) -> Drawing:
    return figure(f"{_COVERAGE}:figure_coverage", (POINTS,), title, (*COVER, "record_coverage"), ("source", source))


def analysed(function: str, analysis: str, title: str, setting=("analysis",), more: tuple[str, ...] = ()) -> Drawing:
    """A figure of the numbers of an analysis, whose name is handed over, or else the setting."""
    chosen = (*setting, analysis) if len(setting) == 1 else setting
    return figure(f"surefoot.charts.{function}", (), title, numbers_of(analysis, *more), chosen)


STUDY = "surefoot.charts.study"
ANY_STUDY = {
    "weights": figure(f"{STUDY}:weights", (WEIGHTS,), "Weight of each environment and opponent in the score"),
    "table_runs": table(f"{STUDY}:table_runs", (RUNS,), "Number of runs of each algorithm in each environment"),
    "table_coverage": table(
        f"{_COVERAGE}:table_coverage", (POINTS,), "How often intervals fail, and what they separate", ("coverage",)
    ),
}
