"""Entries of the catalogue of figures and tables: their types, the tables that they need, and common entries.

Like the catalogue, this module imports nothing heavy: entries refer to functions by name, and the signatures are parsed
from the source.
"""

import ast
import functools
import inspect
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from surefoot.questions._framework.question_registry import questions
from surefoot.registry import function_named
from surefoot.statistics.intervals.interval_catalogue import INTERVAL_METHODS

FINDING_FUNCTION = "surefoot.questions._framework.showing:finding"


class Need(NamedTuple):
    """An input table of a figure or table.

    of : origin of the input table

        - "collect" or "estimate": a table that this stage of the workflow produces for the study; `RUNS` is the run
        table of the source of the first question, whatever its name
        - "compare": the comparison of "run" or "record" with published numbers
        - "answer": the result of the question `name`, from this run, or from the record of a larger run if this one has
        no runs
        - "first": the result of the first question of the kind `name`
        - "larger": the result of the question `name`, or of the first question of the kind `name`, in the record of a
        larger run; "largest": the same, or the result of this run if there is no such record
        - "kept": a table about a paper that comes with the project: "published", "record", or "record_<kind>"
        - "trust": a record of failure rates of intervals
        - "leaderboards": a record of the leaderboards
        - "every": the results of all questions of the kind `name`, by the names of the questions
        - "studies": the tables of published numbers next to ours of all studies; `name` is "reproductions"
    name : name of the table, the question or the kind
    table : name of a further table of the result, if it has several
    """

    of: Literal[
        "collect",
        "estimate",
        "compare",
        "answer",
        "first",
        "larger",
        "largest",
        "kept",
        "trust",
        "leaderboards",
        "every",
        "studies",
    ]
    name: str
    table: str = ""


Needs = Need | tuple[Need, ...] | Mapping[str, Need]
"""Tables for one argument: a table, several tables to concatenate, or a mapping of tables."""
_NO_KEYWORDS: Mapping[str, Any] = MappingProxyType({})


class Drawing(NamedTuple):
    """Catalogue entry of a figure or table.

    kind : "figure" (a chart and its numbers) or "table" (numbers alone)
    function : "module:function"; its positional arguments are tables, its keywords are settings, and it returns an
        Altair chart for a figure, or a DataFrame for a table. The numbers of a figure are its first table, or those of
        the function `<name>_numbers` in the same module; see `surefoot.charts.draw.numbers_of`
    tables : the tables for each argument; an argument without a default is required
    title : caption of a table in an exported paper; the caption of a figure is its finding
    keywords : keyword arguments of the function; the others are filled in from the study and the question
    note : text that replaces the figure if required tables are missing; without a note, the drawing is omitted
    finding : "module:function" that returns the finding of the first table, which becomes the title of the chart
    always_finding : show the finding even if the chart has a title
    code : dotted names of further modules that the function imports dynamically
    """

    kind: Literal["figure", "table"]
    function: str
    tables: Mapping[str, Needs]
    title: str = ""
    keywords: Mapping[str, Any] = _NO_KEYWORDS
    note: str = ""
    finding: str = ""
    always_finding: bool = False
    code: tuple[str, ...] = ()


class Comparison(NamedTuple):
    """Comparison of this run, or of the record of a large run, with the published numbers of a paper.

    function, tables : as in `Drawing`, except that the function returns a single DataFrame
    """

    function: str
    tables: Mapping[str, Needs]


class Signature(NamedTuple):
    """Arguments of a drawing function.

    required, optional : names of the tables, without and with a default
    keywords : for each keyword, by name, True if it has a default
    """

    required: tuple[str, ...]
    optional: tuple[str, ...]
    keywords: Mapping[str, bool]


@functools.cache
def signature_of(function: str) -> Signature:
    """Return the arguments of "module:function".

    Its module is parsed and not imported, since charts are slow to import and plans are made often.
    """
    module, _, name = function.partition(":")
    for node in _parsed(module).body:
        if isinstance(node, ast.FunctionDef) and node.name == name and not node.decorator_list:
            names = [argument.arg for argument in node.args.args]
            required = len(names) - len(node.args.defaults)
            has_default = [default is not None for default in node.args.kw_defaults]
            keywords = dict(zip((argument.arg for argument in node.args.kwonlyargs), has_default, strict=True))
            return Signature(tuple(names[:required]), tuple(names[required:]), keywords)
    parameters = inspect.signature(function_named(function)).parameters.values()
    tables = {one.name: one.default is one.empty for one in parameters if one.kind is not one.KEYWORD_ONLY}
    return Signature(
        tuple(name for name, required in tables.items() if required),
        tuple(name for name, required in tables.items() if not required),
        {one.name: one.default is not one.empty for one in parameters if one.kind is one.KEYWORD_ONLY},
    )


@functools.cache
def _parsed(module: str) -> ast.Module:
    """Return the syntax tree of a module, given its dotted name or the path of a file; empty if there is no source."""
    path = module
    if not module.endswith(".py"):
        found = find_spec(module)
        path = (found and found.origin) or ""
    return ast.parse(Path(path).read_bytes() if path.endswith(".py") else b"")


def keywords_of(function: str, given: Mapping[str, Any], facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keyword arguments of a function, with values from the catalogue and from the facts about a study.

    Parameters
    ----------
    function : "module:function"
    given : keywords of an entry of the catalogue, all of which the function must declare
    facts : further values by name; only declared ones are used

    Raises
    ------
    TypeError
        if the function does not declare one of `given`, or requires one that is neither in `given` nor in `facts`
    """
    declared = signature_of(function).keywords
    if unknown := given.keys() - declared.keys():
        raise TypeError(f"{function} has no keyword {', '.join(sorted(unknown))}")
    known = {**facts, **given}
    if missing := [name for name, has_default in declared.items() if not has_default and name not in known]:
        raise TypeError(f"{function} needs the keyword {', '.join(missing)}")
    return {name: known[name] for name in declared if name in known}


def modules_of(drawing: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the dotted names of the modules that determine a figure or table.

    drawing : entry of the figure or table in the settings of a job
    """
    finding = (drawing["finding"]["function"], FINDING_FUNCTION) if "finding" in drawing else ()
    functions = (function.partition(":")[0] for function in (drawing["function"], *finding))
    return (*functions, *drawing.get("code", ()))


def drawing_suffixes(kind: str) -> tuple[str, ...]:
    """Return the file suffixes of a figure or table: its numbers, and for figures Vega-Lite, SVG and HTML."""
    return ("csv",) if kind == "table" else ("csv", "json", "svg", "html")


def figure(function: str, tables: Mapping[str, Needs], note: str = "", **keywords: Any) -> Drawing:
    """Return the catalogue entry of a chart and its numbers."""
    return Drawing("figure", function, tables, keywords=keywords, note=note)


def table(function: str, tables: Mapping[str, Needs], title: str, **keywords: Any) -> Drawing:
    """Return the catalogue entry of a table."""
    return Drawing("table", function, tables, title, keywords)


OTHER_RUNS, OTHERWISE = "runs_otherwise", "short_runs_treated_otherwise"
"""Names of the source and the scale (`OTHER_RUNS`) and of the question (`OTHERWISE`) that a report adds to show the
effect of another treatment of short runs.
"""
NOT_AT_HAND = "Neither this run nor a record has the scores of this figure."
RUNS = Need("collect", "runs")
PLAYS = Need("collect", "plays")
AGENTS = Need("first", "agents")
BOUNDS = Need("first", "time_bounds")
POINTS = Need("first", "evaluation_game_scores")
SCORES = tuple(Need("estimate", method) for method in INTERVAL_METHODS)
MEANS = Need("estimate", "anderson")
BANDS = Need("estimate", "dkw")
PUBLISHED = Need("kept", "published")
RECORD = Need("kept", "record")
RUN_COMPARED = Need("compare", "run")
RECORD_COMPARED = Need("compare", "record")
TRUST_SUBJECTS = {
    "payoff_limits": "Payoffs and scores",
    "metric_intervals": "Metrics",
    "difference_intervals": "Differences",
    "multiple_comparisons": "Several algorithms",
    "improvement_intervals": "P(X > Y)",
    "profile_bands": "Profiles",
    "curve_bands": "Learning curves",
    "shared_run_test": "Dependent tasks",
    "tuning": "Hyperparameters",
    "sequential_level": "Sequential comparison",
    "group_sequential": "Looks at groups of runs",
    "sequential_success_rates": "Success rates, sequential",
    "evaluation_scores": "Means over items",
    "planning_band": "Planning",
}
"""Titles of the subjects of simulation studies."""


def answers_of(names: Iterable[str]) -> dict[str, Need]:
    """Return a `Need` for the result of each question, by the name of the question."""
    return {name: Need("answer", name) for name in names}


def shown_by(question: str, function: str = "chart") -> str:
    """Return "module:function" for a question's chart, its table, or another function in the same module."""
    model = questions()[question]
    main = {"chart": model.chart, "table": model.page_table}.get(function, "")
    return main or f"{(model.chart or model.page_table).partition(':')[0]}:{function}"


def answered(function: str, need: Need, note: str = NOT_AT_HAND, **keywords: Any) -> Drawing:
    """Return the catalogue entry of a chart of a question's result.

    If it is the main chart of the question, the finding becomes its title.
    """
    signature = signature_of(function)
    (argument, *_) = (*signature.required, *signature.optional)
    finding = next((model.finding for model in questions().values() if model.chart == function), "")
    return Drawing("figure", function, {argument: need}, keywords=keywords, note=note, finding=finding)


ANALYSES = table("surefoot.charts.study_tables:analyses_table", {}, "Origin of the numbers of each analysis")


def reproduction(labels: Mapping[str, str], names: Mapping[str, str] | None = None) -> Drawing:
    """Return the catalogue entry of the table of published numbers and ours; `labels` and `names` provide titles."""
    return table(
        "surefoot.charts.published_numbers:table_reproduction",
        {"run": RUN_COMPARED, "record": RECORD_COMPARED, "published": PUBLISHED},
        "Published numbers and claims next to ours",
        labels=dict(labels),
        item_names=dict(names or {}),
    )


TABLE_KINDS = table(
    "surefoot.charts.published_numbers:table_kinds",
    {"published": PUBLISHED, "run": RUN_COMPARED, "record": RECORD_COMPARED},
    "Published numbers of each kind, and their verdicts",
)


def any_study() -> dict[str, Drawing]:
    """Return the catalogue entries that apply to any study, by name."""
    return {
        "weights": figure(
            shown_by("evaluation_game_scores", "weights_chart"),
            {"table": Need("first", "evaluation_game_scores", "weights")},
        ),
        "table_runs": table(
            "surefoot.charts.study_tables:table_runs",
            {"runs": RUNS},
            "Number of runs of each algorithm in each environment",
        ),
        "table_coverage": table(
            shown_by("coverage", "table"),
            {"studies": Need("every", "coverage")},
            "Failure rates of intervals, and pairs that they separate",
        ),
    }
