"""How errors of trimmed means are shown."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin
from surefoot.charts.curves import curve_chart
from surefoot.charts.names import colour_order, shown
from surefoot.charts.selection import numbers_of_analysis
from surefoot.charts.sentences import joined
from surefoot.result_tables import Tables


def chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Mean squared error of trimmed means by the fraction cut, relative to that of the IQM where that is among them."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    titles = shown(numbers["algorithm"], settings)
    of_iqm = numbers[numbers["fraction"].sub(0.25).abs() < 1e-9].set_index(["algorithm", "resampled"])["value"]
    keys = pd.MultiIndex.from_frame(numbers[["algorithm", "resampled"]])
    panels = {"whole_runs": "whole runs (as published)", "runs": "runs of each task on their own"}
    relative = len(of_iqm) > 0
    errors = numbers["value"].to_numpy() / (of_iqm.reindex(keys).to_numpy() if relative else 1)
    data = numbers[["algorithm", "fraction"]].assign(value=errors, panel=numbers["resampled"].map(panels))
    x = alt.X("fraction:Q", title="fraction cut from each end (0.25 is the IQM)")
    title = "mean squared error / that of the IQM" if relative else "mean squared error"
    y = alt.Y("value:Q", title=title, scale=alt.Scale(zero=False))
    chart = curve_chart(data, titles, x, y, list(panels.values()), among=colour_order(titles))
    description = (
        f"Mean squared errors of trimmed means of {joined([str(size) for size in numbers['size'].unique()])} runs"
    )
    return origin.finish(chart, description, tables, settings, analysis), numbers
