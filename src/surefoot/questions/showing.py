"""The chart and the finding of a result, as the `show.py` of its question has them.

Nothing that decides a number imports this module, or else a chart that is changed would have all numbers made again.
"""

import base64
from collections.abc import Mapping
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pandas as pd

from surefoot.build.extras import HINT, lacking
from surefoot.errors import HintedError
from surefoot.questions.findings import finding
from surefoot.questions.folders import functions_that_show
from surefoot.questions.registry import questions

if TYPE_CHECKING:
    import altair as alt

    from surefoot.questions.results import Asked, Result


_DRAWING = ("altair", "vl_convert")
"""Modules that the library's charts need beyond its own dependencies."""


def chart_of(result: "Result") -> "alt.TopLevelMixin":
    """The main chart of what was answered, with the names of the algorithms as their titles.

    Raises
    ------
    ValueError : the question has no chart
    """
    question, given = _asked(result)
    if "chart" not in functions_that_show(question):
        raise HintedError(f"surefoot.{question}", "it has no chart", "`table` gives the numbers")
    _check_drawing(question)
    chart = import_module(f"surefoot.questions.{question}.show").chart
    found: alt.TopLevelMixin = chart(_tables(question, result.tables()), _settings(question, given))[0]
    return found


def finding_of(result: "Result") -> str:
    """What the table says, in a sentence; in one for each set of runs, where there are several.

    Raises
    ------
    ValueError : the question has no such sentence
    """
    question, given = _asked(result)
    if "finding" not in functions_that_show(question):
        raise HintedError(f"surefoot.{question}", "it has no finding in a sentence", "`table` gives the numbers")
    _check_drawing(question)
    return finding(question, result.table(), _settings(question, given))


def markup_of(result: "Result") -> str:
    """The finding and the chart as HTML, the chart as a picture, which needs no scripts; and where there is no chart, a
    sentence that says so."""
    question, _ = _asked(result)
    if missing := lacking(_DRAWING):
        return f"<p>Charts need what is not installed ({', '.join(missing)}): <code>{escape(HINT)}</code></p>"
    said = f"<p>{escape(finding_of(result))}</p>\n" if "finding" in functions_that_show(question) else ""
    if "chart" not in functions_that_show(question):
        return f"{said}<p>surefoot.{question} has no chart.</p>"
    import vl_convert

    vega_lite = chart_of(result).to_dict()
    picture = base64.b64encode(vl_convert.vegalite_to_svg(vega_lite).encode()).decode()
    return f'{said}<img alt="{escape(vega_lite["description"])}" src="data:image/svg+xml;base64,{picture}">'


def _check_drawing(question: str) -> None:
    if missing := lacking(_DRAWING):
        what = f"charts and findings need what is not installed ({', '.join(missing)})"
        raise HintedError(f"surefoot.{question}", what, HINT)


def _asked(result: "Result") -> "Asked":
    if result.asked is None:
        raise HintedError("result", "it does not know what was asked", "ask by a function such as surefoot.profiles")
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
