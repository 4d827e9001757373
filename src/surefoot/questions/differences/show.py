"""How differences of algorithms by number of runs are shown."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin
from surefoot.charts.axes import run_numbers_axis
from surefoot.charts.curves import curve_chart
from surefoot.charts.headline import of_classes
from surefoot.charts.names import METRICS, named
from surefoot.charts.selection import numbers_of_analysis
from surefoot.result_tables import Tables


def chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Range of the difference of two algorithms, by number of runs."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    names = numbers["x"] + " \N{MINUS SIGN} " + numbers["y"]
    titles = {name: name for name in dict.fromkeys(names)}
    data = numbers[["size", "value", "low", "high"]].assign(algorithm=names, panel=named(METRICS, numbers["metric"]))
    y = alt.Y("value:Q", title="difference of scores")
    chart = curve_chart(data, titles, run_numbers_axis(numbers["size"]), y, list(dict.fromkeys(data["panel"])))
    chart = of_classes(chart)
    return origin.finish(chart, "95 % ranges of differences by number of runs", tables, settings, analysis), numbers
