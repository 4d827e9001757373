"""Types of entries of the catalogue of figures and tables, the tables they need, and common entries.

Kept light, like the catalogue.
"""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from surefoot.questions._framework.registry import questions
from surefoot.statistics.intervals.catalogue import INTERVAL_METHODS

FINDING_FUNCTION = "surefoot.questions.showing:finding"


class Drawing(NamedTuple):
    """Entry for a figure or table.

    kind : "figure" (a chart and its numbers) or "table" (numbers alone)
    function : "module:function"; called as function(tables, settings), returns (chart or None, DataFrame)
    needs : required keys of `tables`: a stage and a table such as "collect/runs", or "published", "record",
        "record_intervals", "record_distributions" and "record_coverage" (from a large run, kept in the repository)
    title : caption of a table in an exported paper; the caption of a figure is its finding
    optional : keys of `tables` that are passed if present, so that a page can be made for a study without every
        interval; "all_runs" (comparisons with published numbers), "all_records" (comparisons of the large runs) and
        "all_published" cover all studies; "coverage" holds all coverage studies of a study, by name
    setting : entries added to `settings` for this drawing, if one function makes several drawings
    known_as : names of tables in the function, if they differ from the names in the study
    code : dotted names of further modules that the function looks up and that affect the drawing
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
    """One side of the comparison of a paper with its published numbers: this run, or the record of a large run.

    function : "module:function"; called as function(tables, settings), returns the table
    needs, optional : as in `Drawing`; the result is "compare/run" or "compare/record"
    settings : keys of the drawings' settings that affect it
    """

    function: str
    needs: tuple[str, ...]
    optional: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()


def as_plain_data(drawing: Drawing, inputs: Iterable[str]) -> dict[str, Any]:
    """Return everything that determines a drawing as plain data; the title only serves lists of targets.

    inputs : keys of the available tables
    """
    setting = dict(drawing.setting or {})
    plain = {"kind": drawing.kind, "function": drawing.function, "setting": setting, "inputs": sorted(inputs)}
    more = {"known_as": dict(drawing.known_as or {}), "code": list(drawing.code)}
    # The main chart of a question has the finding of the answer for its title.
    more["finding"] = next((model.finding for model in questions().values() if model.chart == drawing.function), "")
    return plain | {key: value for key, value in more.items() if value}


def modules_of(drawing: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the dotted names of the modules that determine a drawing, given as plain data."""
    finding = (drawing["finding"], FINDING_FUNCTION) if "finding" in drawing else ()
    functions = (function.partition(":")[0] for function in (drawing["function"], *finding))
    return (*functions, *drawing.get("code", ()))


def drawing_suffixes(kind: str) -> tuple[str, ...]:
    """Return the suffixes of the files of a drawing: its numbers, and for figures Vega-Lite, SVG and HTML."""
    return ("csv",) if kind == "table" else ("csv", "json", "svg", "html")


def figure(
    function: str, needs: tuple[str, ...], optional: tuple[str, ...] = (), setting: Mapping[str, Any] | None = None
) -> Drawing:
    """Return the entry for a chart and its numbers."""
    return Drawing("figure", function, needs, optional=optional, setting=setting)


table = partial(Drawing, "table")
"""Return the entry for a table."""


OTHER_RUNS, OTHERWISE = "runs_otherwise", "short_runs_treated_otherwise"
"""What a report calls the source and scale, and the question, that show what another policy for short runs would do."""
RUNS = "collect/runs"
PLAYS = "collect/plays"
AGENTS = "aggregate/agents"
BOUNDS = "aggregate/time_bounds"
VIEWS = "estimate/views"
POINTS = "aggregate/game_scores"
WEIGHTS = "aggregate/game_scores_weights"
SCORES = tuple(f"estimate/{method}" for method in INTERVAL_METHODS)
MEANS = ("estimate/anderson",)
BANDS = ("estimate/dkw",)
COVER = ("cover/as_published", "cover/corrected")
RECORDS = ("record", "record_coverage", "record_intervals")
ANSWER = (*SCORES, "record_intervals")
RUN = "compare/run"
RECORD = "compare/record"
JUDGED = ("all_published", "all_records", "all_runs")
EXPLOITS = "aggregate/exploits"
BEST = "aggregate/best_of_candidates"
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
    """Return the needs of figures drawn from analyses of this run or of the record."""
    return (*(f"numbers/{analysis}" for analysis in analyses), "record")


def shown_by(question: str, function: str = "chart") -> str:
    """Return the function that presents the answer of a question: its chart, table, or another in its module."""
    model = questions()[question]
    main = {"chart": model.chart, "table": model.page_table}.get(function, "")
    return main or f"{(model.chart or model.page_table).partition(':')[0]}:{function}"


def analysed(function: str, analysis: str, **setting: object) -> Drawing:
    """Return the entry for a figure of an analysis, whose name is added to the setting."""
    return figure(function, (), numbers_of(analysis), {"analysis": analysis} | setting)


ANALYSES = table(
    "surefoot.charts.origin:table_analyses", (), "Where the numbers of each analysis come from", ("record",)
)


def reproduction(labels: Mapping[str, str], names: Mapping[str, str] | None = None) -> Drawing:
    """Return the entry for the table of published numbers and ours; `labels` and `names` provide their titles."""
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
    """Return the drawings that apply to any study."""
    return {
        "weights": figure(shown_by("game_scores", "weights_chart"), (WEIGHTS,)),
        "table_runs": table(
            "surefoot.charts.study_tables:table_runs", (RUNS,), "Number of runs of each algorithm in each environment"
        ),
        "table_coverage": table(
            shown_by("coverage", "table"), ("coverage",), "How often intervals fail, and what they separate"
        ),
    }
