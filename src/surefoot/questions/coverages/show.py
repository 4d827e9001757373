"""How coverage and width of intervals of metrics are shown."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin
from surefoot.charts.axes import run_numbers_axis
from surefoot.charts.curves import curve_chart
from surefoot.charts.headline import of_classes
from surefoot.charts.names import METHODS, METRICS, named
from surefoot.charts.selection import numbers_of_analysis
from surefoot.result_tables import Tables

_PANELS = {False: "without replacement", True: "with replacement"}


def chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Coverage of nominal intervals of each metric by each method, by number of runs; `settings` may have `metrics`."""
    return _curves(tables, settings, "value", f"coverage ({settings['confidence']:g} is right)", zero=False)


def width_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Mean width of nominal intervals of each method, by number of runs."""
    return _curves(tables, settings, "width", "mean width", zero=True)


def _curves(
    tables: Mapping[str, pd.DataFrame], settings: Mapping[str, Any], column: str, axis_title: str, zero: bool
) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    asked = numbers["level"].sub(settings["confidence"]).abs() < 1e-9
    if "metrics" in settings:
        asked &= numbers["metric"].isin(settings["metrics"])
    numbers = numbers[asked].reset_index(drop=True)
    titles = {name: METHODS[name] for name in dict.fromkeys(numbers["method"])}
    several = numbers["replacement"].nunique() > 1
    drawn = numbers["replacement"].map(_PANELS)
    panel = named(METRICS, numbers["metric"]) + (", " + drawn if several else "")
    error = numbers[f"{column}_error"]
    limits = {"low": numbers[column] - 2 * error, "high": numbers[column] + 2 * error}
    data = numbers[["size"]].assign(algorithm=numbers["method"], value=numbers[column], panel=panel, **limits)
    y = alt.Y("value:Q", title=axis_title, scale=alt.Scale(zero=zero))
    chart = curve_chart(
        data, titles, run_numbers_axis(numbers["size"]), y, sorted(set(panel), key=list(panel).index), 3, height=190
    )
    description = (
        f"{axis_title.capitalize()} of nominal {100 * settings['confidence']:g} % bootstrap intervals by number of runs"
    )
    chart = of_classes(chart)
    return origin.finish(chart, description, tables, settings, analysis), numbers


def level_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Coverage of percentile intervals of several nominal levels: which level to ask for."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    own = numbers[(numbers["method"] == "percentile") & numbers["replacement"].astype(bool)].reset_index(drop=True)
    titles = {f"{level:g}": f"nominal {100 * level:g} %" for level in sorted(set(own["level"]))}
    limits = {"low": own["value"] - 2 * own["value_error"], "high": own["value"] + 2 * own["value_error"]}
    data = own[["size", "value"]].assign(algorithm=own["level"].map("{:g}".format), **limits)
    data = data.assign(panel=named(METRICS, own["metric"]))
    y = alt.Y("value:Q", title="coverage", scale=alt.Scale(zero=False))
    chart = curve_chart(
        data, titles, run_numbers_axis(own["size"]), y, list(dict.fromkeys(data["panel"])), 3, height=190
    )
    chart = of_classes(chart)
    return origin.finish(chart, "Coverage of percentile intervals by nominal level", tables, settings, analysis), own
