"""How the results of protocols of evaluation are shown."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.names import METRICS, named
from surefoot.charts.selection import numbers_of_analysis, rounded
from surefoot.result_tables import Tables


def chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Median and IQM by each protocol, of the largest number of runs; `settings` may have `axis` and `description`."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    largest = numbers.groupby("protocol")["size"].transform("max")
    own = numbers[(numbers["size"] == largest) & numbers["metric"].isin(["median", "iqm"])]
    data = rounded(own).assign(panel=named(METRICS, own["metric"]))
    y = alt.Y("protocol:N", title=None, sort=_together(own["protocol"]))
    tooltip = [
        alt.Tooltip("protocol:N"),
        *(alt.Tooltip(f"{name}:Q", format=".3f") for name in ("value", "low", "high")),
    ]
    base = alt.Chart().encode(y=y, tooltip=tooltip)
    bars = base.mark_bar(height=16, color="#3a78e0", opacity=0.4).encode(
        x=alt.X("value:Q", title=settings.get("axis", "score"))
    )
    ranges = base.mark_rule(strokeWidth=2, color=theme.INK).encode(x="low:Q", x2="high:Q")
    columns = ["protocol", "panel", "value", "low", "high"]
    chart = alt.layer(bars, ranges, data=data[columns]).properties(width=235, height=130)
    panels = chart.facet(column=alt.Column("panel:N", title=None, sort=["Median", "IQM"]))
    description = settings.get("description", "Median and IQM by each protocol")
    return origin.finish(panels, description, tables, settings, analysis), numbers


def _together(protocols: pd.Series) -> list[str]:
    """The protocols in order of appearance, those of an algorithm below each other."""
    algorithms = {name: name.partition(", ")[0] for name in protocols}
    order = list(algorithms.values())
    return sorted(algorithms, key=lambda name: order.index(algorithms[name]))
