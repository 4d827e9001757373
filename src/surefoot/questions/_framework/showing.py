"""Display of a result: its chart, its finding, and a table of metrics with one line per algorithm.

Modules that determine numbers do not import this module; otherwise, all numbers would be recomputed after a change of a
chart.
"""

import base64
import inspect
from collections.abc import Callable, Mapping, Sequence
from html import escape
from numbers import Real
from typing import TYPE_CHECKING, Any

import pandas as pd

from surefoot.errors import HintedError, nearest, shortened, shown
from surefoot.questions._framework.question_registry import name_in_programs, questions
from surefoot.registry import function_named
from surefoot.rounding import written
from surefoot.statistics.metrics.metric_catalogue import reported_metric
from surefoot.workflow.project import HINT, lacking

if TYPE_CHECKING:
    import altair as alt

    from surefoot.questions._framework.results import Asked, Result

_NAME = 40
"""Maximum number of characters of the name of an algorithm in a line."""


def line_an_algorithm(table: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Tabulate one metric, the IQM if present, with one line per algorithm and the intervals of the first method.

    Parameters
    ----------
    table : result of `aggregate_metrics`

    Returns
    -------
    lines : columns scores, algorithm, the name of the metric, interval, method, runs, tasks, remark (number of a
        footnote)
    footnotes : list of str
    """
    metric = reported_metric(table["metric"].unique())
    rows_of_metric = table[(table["metric"] == metric) & (table["method"] == table["method"].iloc[0])]
    limits = [[written(limit, ".3f") for limit in rows_of_metric[end]] for end in ("low", "high")]
    remarks = [remark for remark in rows_of_metric["remark"].unique() if remark]
    numbers = {remark: f"({number})" for number, remark in enumerate(remarks, 1)}
    rows = rows_of_metric.assign(
        algorithm=[shortened(name, _NAME) for name in rows_of_metric["algorithm"]],
        interval=[" to ".join(ends) for ends in zip(*limits, strict=True)],
        remark=[numbers.get(remark, "") for remark in rows_of_metric["remark"]],
    )
    rows[metric] = [written(value, ".3f") for value in rows_of_metric["estimate"]]
    sentences = [f"{number} {remark}" for remark, number in numbers.items()]
    if others := [name for name in table["metric"].unique() if name != metric]:
        sentences.append(f"table() also has {', '.join(others)}.")
    return rows[["scores", "algorithm", metric, "interval", "method", "runs", "tasks", "remark"]], sentences


_OTHER_STYLES = {
    **dict.fromkeys(("color", "palette", "colormap", "cmap", "color_scheme"), "colors="),
    **dict.fromkeys(("figsize", "size"), "width=300, height=200"),
    **dict.fromkeys(("fontsize", "font"), "font_size="),
    **dict.fromkeys(("labels", "names", "legend"), 'titles={"a": "A"}'),
    **dict.fromkeys(("sort", "algorithms", "hue_order"), "order="),
    **dict.fromkeys(("title", "name"), 'chart().properties(title="...")'),
    **dict.fromkeys(("xlabel", "x_label", "xlim"), 'chart().encode(x=altair.X("estimate", title="..."))'),
}
"""What to write instead of names of other libraries."""
_SIZES = ("width", "height", "font_size")
_TYPES: dict[str, tuple[Any, str]] = {
    **dict.fromkeys(_SIZES, (Real, "a number of pixels, such as 200 for a width, or 12 for a font")),
    "colors": ((Mapping, list, tuple), 'a dict or a list, such as {"a": "red"} or ["red", "blue"]'),
    "order": ((list, tuple), 'a list, such as ["a", "b"]'),
    "titles": (Mapping, 'a dict, such as {"a": "A"}'),
}


def check_style(style: Mapping[str, Any]) -> None:
    """Check the arguments of `Result.chart`.

    Raises
    ------
    TypeError
        If an argument is unknown.
    HintedError
        If a value has a wrong type, or a size is not positive.
    """
    for name, value in style.items():
        if name not in _TYPES:
            hint = _OTHER_STYLES.get(name) or nearest(name, list(_TYPES))
            raise TypeError(f'chart: unknown argument "{name}". Hint: {hint}')
        kind, meant = _TYPES[name]
        is_size = isinstance(value, Real) and not isinstance(value, bool) and float(value) > 0
        if value is not None and not (is_size if name in _SIZES else isinstance(value, kind)):
            raise HintedError(f"chart: {name}", f"{shown(value)} is not allowed", f"use {meant}")


def _check_names(algorithms: Sequence[str], style: Mapping[str, Any]) -> None:
    """Raise a HintedError if an argument of `chart` names algorithms, but none of the result.

    A dict of colours or titles may also name algorithms of other results.
    """
    for argument in ("colors", "order", "titles"):
        given = style.get(argument)
        names = list(given or ()) if argument == "order" or isinstance(given, Mapping) else []
        if names and algorithms and not set(map(str, names)) & set(algorithms):
            what = f"the result has no algorithm {shown(names[0])}"
            raise HintedError(f"chart: {argument}", what, nearest(str(names[0]), algorithms))


_DRAWING = ("altair", "vl_convert")
"""Modules that charts need in addition to the dependencies of the library."""


def chart_of(result: "Result", **style: Any) -> "alt.TopLevelMixin":
    """Return the main chart of a result, with the names of the algorithms as titles.

    Parameters
    ----------
    style : see `surefoot.charts.styling.Style`

    Raises
    ------
    ValueError
        If the question has no chart.
    """
    question, given = _asked(result, "chart", "it has no chart")
    from surefoot.charts.styling import Style, restyled
    from surefoot.charts.theme import chart_by

    wanted = Style(**style)
    draw = function_named(questions()[question].chart)
    others = _tables_of(draw)[1:]
    more = {name: table for name, table in result.tables().items() if name in others}
    keywords = keywords_of(draw, {**given, "titles": wanted.titles})
    algorithms = [str(name) for name in result.table().get("algorithm", pd.Series(dtype=object)).unique() if name]
    _check_names(algorithms, style)
    chart: alt.TopLevelMixin = restyled(chart_by(draw, result.table(), **more, **keywords), algorithms, wanted)
    return chart


def finding_of(result: "Result") -> str:
    """Return the finding of a result as a sentence, or one sentence for each of several sets of runs.

    Raises
    ------
    ValueError
        If the question has no finding.
    """
    question, given = _asked(result, "finding", "it has no finding")
    function = questions()[question].finding
    return finding(function, result.table(), keywords_of(function_named(function), given))


def markup_of(result: "Result") -> str:
    """Return the finding and the chart of a result as HTML.

    The chart is an SVG image, which does not need scripts. If there is no chart, a sentence says so.
    """
    if missing := lacking(_DRAWING):
        what = f"Charts need packages that are not installed ({', '.join(missing)})"
        return f"<p>{what}: <code>{escape(HINT)}</code></p>"
    import vl_convert

    model = questions()[result.asked.question] if result.asked else None
    if model is None:
        return ""
    sentence = f"<p>{escape(finding_of(result))}</p>" if model.finding else ""
    if not model.chart:
        return f"{sentence}<p>{name_in_programs(model)} has no chart.</p>"
    vega_lite = chart_of(result).to_dict()
    picture = base64.b64encode(vl_convert.vegalite_to_svg(vega_lite).encode()).decode()
    return f'{sentence}<img alt="{escape(vega_lite["description"])}" src="data:image/svg+xml;base64,{picture}">'


def _asked(result: "Result", shown_by: str, reason: str) -> "Asked":
    """Return the question and the settings of a result, or raise an error if it has no chart or finding.

    Parameters
    ----------
    shown_by : "chart" or "finding"
    reason : error message if the question has none
    """
    if result.asked is None:
        raise HintedError(
            "result", "the question is unknown", "use a result of a function such as surefoot.performance_profiles"
        )
    model = questions()[result.asked.question]
    if not getattr(model, shown_by):
        raise HintedError(name_in_programs(model), reason, "`table` returns the numbers")
    if missing := lacking(_DRAWING):
        what = f"charts and findings need packages that are not installed ({', '.join(missing)})"
        raise HintedError(name_in_programs(model), what, HINT)
    return result.asked


def _tables_of(function: Callable[..., Any]) -> list[str]:
    """Return the names of the tables that a function takes, which are its positional parameters."""
    found = inspect.signature(function).parameters.values()
    return [parameter.name for parameter in found if parameter.kind is not parameter.KEYWORD_ONLY]


def keywords_of(function: Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that are keyword-only parameters of a function and are not None."""
    found = inspect.signature(function).parameters.values()
    names = [parameter.name for parameter in found if parameter.kind is parameter.KEYWORD_ONLY]
    return {name: given[name] for name in names if given.get(name) is not None}


def finding(function: str, table: pd.DataFrame, keywords: Mapping[str, Any]) -> str:
    """Call a function that returns findings, once for each set of runs in a result, and join the sentences.

    Parameters
    ----------
    function : "module:function" that returns the finding for one set of runs
    table : table of the result
    keywords : keyword arguments of the function
    """
    sentence = function_named(function)
    if "scores" not in table or table["scores"].nunique() == 1:
        return str(sentence(table, **keywords))
    return " ".join(f"{name}: {sentence(rows, **keywords)}" for name, rows in table.groupby("scores", sort=False))


def contents(*, asked: Sequence[Sequence[str]]) -> pd.DataFrame:
    """Tabulate the questions of a study.

    Parameters
    ----------
    asked : name in the study, kind, summary, and figure or table of each question (empty if the page shows it in
        another section)

    Returns
    -------
    columns question, kind, about, drawing
    """
    return pd.DataFrame(asked, columns=["question", "kind", "about", "drawing"])


def finding_table(table: pd.DataFrame, *, function: str, keywords: Mapping[str, Any]) -> pd.DataFrame:
    """Return a table whose column finding states what the result shows."""
    return pd.DataFrame({"finding": [finding(function, table, keywords)]})
