"""Entries of the catalogue of figures and tables, and what they have in common: the names of the tables that figures
need, and usual figures. Light on purpose, as the catalogue is.
"""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from surefoot.questions.registry import questions
from surefoot.statistics.intervals.catalogue import INTERVAL_METHODS

FINDING_FUNCTION = "surefoot.questions.showing:finding"


class Drawing(NamedTuple):
    """One figure or table.

    kind : "figure" (a chart and its numbers) or "table" (numbers alone)
    function : "module:function"; called as function(tables, settings), returns (chart or None, DataFrame)
    needs : keys of `tables` that must be there: a stage and a table of it such as "collect/runs", or "published",
        "record", "record_intervals", "record_distributions" and "record_coverage" (of a large run, kept in the
        repository)
    title : of a table, its caption in an exported paper; the caption of a figure is its finding
    optional : keys of `tables` that are handed over where there are such, so that a page can be made for a study that
        does not ask for every interval; "all_runs" (comparisons with published numbers), "all_records" (those of the
        large runs) and "all_published" are of all studies, "coverage" of all a study's studies of
        coverage, by their names
    setting : what is put into `settings` for this drawing, where one function makes several
    known_as : what the function knows tables by, where that is not what the study calls them
    code : dotted names of modules that the function finds by themselves, and that decide the drawing as well
    """

    kind: str
    function: str
    needs: tuple[str, ...]
    title: str = ""
    optional: tuple[str, ...] = ()
    setting: Mapping[str, object] | None = None
    known_as: Mapping[str, str] | None = None
    code: tuple[str, ...] = ()


class Comparison(NamedTuple):
    """A side of a paper's comparison with its published numbers: that of this run, or of a large run's record.

    function : "module:function"; called as function(tables, settings), returns the table
    needs, optional : as of a drawing; it makes "compare/run" or "compare/record"
    settings : keys of the drawings' settings that decide it
    """

    function: str
    needs: tuple[str, ...]
    optional: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()


def as_plain_data(drawing: Drawing, inputs: Iterable[str]) -> dict[str, Any]:
    """All that decides a drawing, as a spec has it: the title only serves lists of targets.

    inputs : keys of the tables that are there for it
    """
    setting = dict(drawing.setting or {})
    plain = {"kind": drawing.kind, "function": drawing.function, "setting": setting, "inputs": sorted(inputs)}
    more = {"known_as": dict(drawing.known_as or {}), "code": list(drawing.code)}
    # The main chart of a question has the finding of the answer for its title.
    more["finding"] = next((model.finding for model in questions().values() if model.chart == drawing.function), "")
    return plain | {key: value for key, value in more.items() if value}


def modules_of(drawing: Mapping[str, Any]) -> tuple[str, ...]:
    """Dotted names of the modules that decide what a drawing is, which is given as `as_plain_data` has it."""
    finding = (drawing["finding"], FINDING_FUNCTION) if "finding" in drawing else ()
    functions = (function.partition(":")[0] for function in (drawing["function"], *finding))
    return (*functions, *drawing.get("code", ()))


def drawing_suffixes(kind: str) -> tuple[str, ...]:
    """The files of a drawing: a table is its numbers; a figure is its numbers, its Vega-Lite, its picture, and its
    picture as pages have it."""
    return ("csv",) if kind == "table" else ("csv", "json", "svg", "html")


def figure(
    function: str, needs: tuple[str, ...], optional: tuple[str, ...] = (), setting: Mapping[str, Any] | None = None
) -> Drawing:
    """An entry for a chart and its numbers."""
    return Drawing("figure", function, needs, optional=optional, setting=setting)


table = partial(Drawing, "table")
"""An entry for numbers alone."""


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
EXPLOITS, BEST = "aggregate/exploits", "aggregate/best_of_candidates"
TUNING = "aggregate/tuning"
TRUST_SUBJECTS = {
    "payoff_limits": "Payoffs and scores",
    "metric_intervals": "Metrics",
    "difference_intervals": "Differences",
    "multiple_comparisons": "Several algorithms",
    "improvement_intervals": "P(X > Y)",
    "profile_bands": "Profiles",
    "curve_bands": "Learning curves",
    "run_effects": "Dependent tasks",
    "tuning": "Hyperparameters",
    "sequential_level": "Sequential comparison",
    "group_sequential": "Looks at groups of runs",
    "sequential_success_rates": "Success rates, sequential",
    "evaluation_scores": "Means over items",
    "planning_band": "Planning",
}
"""What is studied by simulation."""
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


def analysed(function: str, analysis: str, **setting: object) -> Drawing:
    """A figure of the numbers of an analysis, whose name is handed over beside the setting."""
    return figure(function, (), numbers_of(analysis), {"analysis": analysis} | setting)


ANALYSES = table(
    "surefoot.charts.origin:table_analyses", (), "Where the numbers of each analysis come from", ("record",)
)


def reproduction(labels: Mapping[str, str], names: Mapping[str, str] | None = None) -> Drawing:
    """The table of published numbers beside ours; `labels` and `names` say what they are called."""
    setting = {"labels": dict(labels), "item_names": dict(names or {})}
    title = "Published numbers and claims beside ours"
    return table("surefoot.charts.published_numbers:table_reproduction", (RUN,), title, (RECORD, "published"), setting)


TABLE_KINDS = table(
    "surefoot.charts.published_numbers:table_kinds",
    ("published", RUN),
    "Published numbers of each kind, and their verdicts",
    (RECORD,),
)


def any_study() -> dict[str, Drawing]:
    """What is drawn of any study that can be."""
    return {
        "weights": figure(shown_by("game_scores", "weights_chart"), (WEIGHTS,)),
        "table_runs": table(
            "surefoot.charts.study_tables:table_runs", (RUNS,), "Number of runs of each algorithm in each environment"
        ),
        "table_coverage": table(
            shown_by("coverage", "table"), ("coverage",), "How often intervals fail, and what they separate"
        ),
    }
