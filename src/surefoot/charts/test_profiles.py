"""The profiles: how many games each method wins or cannot be told from the winner of."""

from collections.abc import Mapping

import altair as alt
import pandas as pd

from surefoot.charts import origin
from surefoot.charts.curves import curve_chart
from surefoot.charts.selection import numbers_of_analysis

Tables = Mapping[str, pd.DataFrame]
FORMULAS = {"notebook": "as published (degrees of freedom of the notebook)", "welch": "Welch-Satterthwaite"}
_PANELS = {"notebook": "as published", "welch": "Welch-Satterthwaite"}
_X = "-log10(tau)"
_Y = "fraction of games with p-value ≥ tau"


def welch_figure(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The profile of `settings["analysis"]` by Welch's test, with either degrees of freedom."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    data = numbers.assign(panel=numbers["degrees_of_freedom"].map(_PANELS))
    chart = _chart(data, list(_PANELS.values()))
    methods = ", ".join(numbers["method"].unique())
    description = f"Performance profiles of {methods} by Welch's test, with two formulas of the degrees of freedom"
    return origin.finish(chart, description, tables, settings, analysis), numbers


def rank_figure(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The profile of `settings["analysis"]` from runs by a rank test."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    known = settings["algorithm_titles"]
    chart = _chart(numbers, [], {name: known.get(name, name) for name in dict.fromkeys(numbers["method"])})
    description = f"Performance profiles of {numbers['method'].nunique()} algorithms from their runs, by a rank test"
    return origin.finish(chart, description, tables, settings, analysis), numbers


def table_differences(tables: Tables, settings: Mapping) -> tuple[None, pd.DataFrame]:
    """On how many games the two methods differ at usual levels, by either formula: columns formula, level, differ,
    and a column for each method that is better."""
    numbers = numbers_of_analysis(tables, "differences")
    if numbers is None:
        return None, pd.DataFrame(columns=["formula", "level", "differ"])
    numbers = numbers.assign(method=numbers["method"].replace("", "differ"))
    wide = numbers.pivot(index=["degrees_of_freedom", "level"], columns="method", values="count").reset_index()
    wide.insert(0, "formula", wide.pop("degrees_of_freedom").map(FORMULAS))
    return None, wide.sort_values(["formula", "level"], ascending=[True, False], ignore_index=True)


def _chart(data, panels, titles=None):
    titles = titles or {name: name for name in data["method"].unique()}
    data = data.assign(algorithm=data["method"], value=data["fraction"])
    columns = ["algorithm", "threshold", "value", *(["panel"] if panels else [])]
    x = alt.X("threshold:Q", title=_X, scale=alt.Scale(nice=False))
    y = alt.Y("value:Q", title=_Y, scale=alt.Scale(domain=[0, 1]))
    return curve_chart(data[columns], titles, x, y, panels, height=280)
