"""How histograms of the scores of each task are shown."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin
from surefoot.charts.selection import numbers_of_analysis, rounded
from surefoot.result_tables import Tables


def chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Histograms of the scores of one algorithm on each task."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    bars = (
        alt.Chart(rounded(numbers[["environment", "low", "high", "count"]]))
        .mark_bar(color="#3a78e0", opacity=0.75)
        .encode(
            x=alt.X("low:Q", title=None, bin="binned", axis=alt.Axis(tickCount=3)),
            x2="high:Q",
            y=alt.Y("count:Q", title=None, axis=alt.Axis(tickCount=3)),
        )
        .properties(width=112, height=60)
    )
    header = alt.Header()
    chart = bars.facet(facet=alt.Facet("environment:N", title=None, header=header), columns=4)
    chart = chart.resolve_scale(x="independent", y="independent")
    description = settings.get("description", "Histograms of the scores of one algorithm on each task")
    return origin.finish(chart, description, tables, settings, analysis), numbers
