"""How a result is shown: its chart and finding, by the functions that its question names, and metrics with intervals as
a line an algorithm.

Nothing that decides a number imports this module, or else a chart that is changed would have all numbers made again.
"""

import base64
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

import pandas as pd

from surefoot.build.project import HINT, lacking
from surefoot.errors import HintedError, shortened
from surefoot.questions.registry import name_in_programs, questions
from surefoot.registry import function_named
from surefoot.rounding import written

if TYPE_CHECKING:
    import altair as alt

    from surefoot.questions.results import Asked, Result

_NAME = 40
"""Letters of an algorithm's name in a line."""


def line_an_algorithm(table: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """The metric to quote, which is the IQM where it was asked for, with the intervals of the first method.

    Parameters
    ----------
    table : of `aggregates`

    Returns
    -------
    columns scores, algorithm, the metric, interval, method, runs, tasks, remark (the number of one of the sentences);
    and the sentences below it
    """
    metric = next((name for name in ("iqm", "exact_iqm") if (table["metric"] == name).any()), table["metric"].iloc[0])
    own = table[(table["metric"] == metric) & (table["method"] == table["method"].iloc[0])]
    limits = [[written(limit, ".3f") for limit in own[end]] for end in ("low", "high")]
    remarks = [remark for remark in own["remark"].unique() if remark]
    numbers = {remark: f"({number})" for number, remark in enumerate(remarks, 1)}
    rows = own.assign(
        algorithm=[shortened(name, _NAME) for name in own["algorithm"]],
        interval=[" to ".join(ends) for ends in zip(*limits, strict=True)],
        remark=[numbers.get(remark, "") for remark in own["remark"]],
    )
    rows[metric] = [written(value, ".3f") for value in own["value"]]
    sentences = [f"{number} {remark}" for remark, number in numbers.items()]
    if others := [name for name in table["metric"].unique() if name != metric]:
        sentences.append(f"table() has {', '.join(others)} too.")
    return rows[["scores", "algorithm", metric, "interval", "method", "runs", "tasks", "remark"]], sentences


_DRAWING = ("altair", "vl_convert")
"""Modules that the library's charts need beyond its own dependencies."""


def chart_of(result: "Result") -> "alt.TopLevelMixin":
    """The main chart of what was answered, with the names of the algorithms as their titles.

    Raises
    ------
    ValueError : the question has no chart
    """
    question, given = _asked(result, "chart", "it has no chart")
    draw = function_named(questions()[question].chart)
    chart: alt.TopLevelMixin = draw(_tables(question, result.tables()), _settings(question, given))[0]
    return chart


def finding_of(result: "Result") -> str:
    """What the table says, in a sentence; in one for each set of runs, where there are several.

    Raises
    ------
    ValueError : the question has no such sentence
    """
    question, given = _asked(result, "finding", "it has no finding in a sentence")
    return finding(questions()[question].finding, result.table(), _settings(question, given))


def markup_of(result: "Result") -> str:
    """The finding and the chart as HTML, the chart as a picture, which needs no scripts; and a sentence where there is
    no chart."""
    if missing := lacking(_DRAWING):
        return f"<p>Charts need what is not installed ({', '.join(missing)}): <code>{escape(HINT)}</code></p>"
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
    """The question and what it was asked with, of a result that has a chart or a finding."""
    if result.asked is None:
        raise HintedError("result", "it does not know what was asked", "ask by a function such as surefoot.profiles")
    model = questions()[result.asked.question]
    if not getattr(model, shown_by):
        raise HintedError(name_in_programs(model), reason, "`table` gives the numbers")
    if missing := lacking(_DRAWING):
        what = f"charts and findings need what is not installed ({', '.join(missing)})"
        raise HintedError(name_in_programs(model), what, HINT)
    return result.asked


def _tables(question: str, answered: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """The answer by the names that drawings of a study know it by."""
    stage = questions()[question].stage
    tables = {f"{stage}/{question}{f'_{name}' if name else ''}": table for name, table in answered.items()}
    return tables | {f"numbers/{question}": answered[""]}


def _settings(question: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What drawings of a study that asks this one question would be told."""
    shared = {key: given.get(key) for key in ("seed", "confidence", "replicates")}
    return shared | {
        "analysis": question,
        "recorded": [],
        "variant": given.get("variant", "corrected"),
        "sources": {},
        "questions": {question: {**given, "kind": question}},
        "algorithm_titles": {},
        "environment_titles": {},
    }


def finding(function: str, answer: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """What an answer says, in a sentence; in one for each set of runs, where there are several.

    function : "module:function", which says it of one set of runs
    """
    sentence = function_named(function)
    if "scores" not in answer or answer["scores"].nunique() == 1:
        return str(sentence(answer, settings))
    return " ".join(f"{name}: {sentence(rows, settings)}" for name, rows in answer.groupby("scores", sort=False))


def contents(tables: Mapping[str, pd.DataFrame], settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """One row for each question that a study asks, in the study's order.

    Returns
    -------
    columns question (its name in the study), kind, about (what it asks), drawing (the name of the figure or table of
    the answer; empty where the page has a place of its own for it)
    """
    columns = ["question", "kind", "about", "drawing"]
    return None, pd.DataFrame(settings["asked"], columns=columns)


def finding_table(tables: Mapping[str, pd.DataFrame], settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Column finding: what the answer that `settings["answer"]` names says."""
    sentence = finding(settings["function"], tables[settings["answer"]], settings)
    return None, pd.DataFrame({"finding": [sentence]})
