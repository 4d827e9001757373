"""How coverage of intervals of the means of single tasks is shown."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.selection import numbers_of_analysis, rounded
from surefoot.result_tables import Tables


def chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Coverage of intervals of the mean of each task, by number of runs."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    base = alt.Chart(rounded(numbers[["environment", "size", "value"]]))
    points = base.mark_point(filled=True, opacity=0.6, size=50, color="#3a78e0").encode(
        x=alt.X("size:O", title="number of runs", axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("environment:N"),
        y=alt.Y("value:Q", title="coverage", scale=alt.Scale(zero=False)),
        tooltip=["environment:N", "size:Q", alt.Tooltip("value:Q", format=".3f")],
    )
    rule = alt.Chart().mark_rule(color=theme.NEUTRAL, strokeDash=[4, 3]).encode(y=alt.datum(settings["confidence"]))
    chart = alt.layer(points, rule, data=base.data).properties(width=theme.WIDTH - 80, height=280)
    description = settings.get("description", "Coverage of nominal intervals of the mean of each task")
    return origin.finish(chart, description, tables, settings, analysis), numbers
