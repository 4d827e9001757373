"""Values with their intervals: one panel per metric, a row an algorithm, each panel with an axis of its own."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.names import colour_order, shown
from surefoot.charts.panel_rows import row_marks, value_axis
from surefoot.charts.selection import rounded

_ROW = 20  # pixels an algorithm


def interval_panels(data: pd.DataFrame, settings: Mapping[str, Any], panels: Sequence[str]) -> alt.TopLevelMixin:
    """Bands from low to high with a tick at the value; every metric has an axis of its own."""
    titles = shown(data["algorithm"], settings)
    rows = list(dict.fromkeys(data["row"]))
    data = rounded(data).assign(title=data["algorithm"].map(titles))
    data = data[["title", "panel", "row", "value", "low", "high", "runs"]]
    scales = theme.scales(titles, colour_order(titles))
    x = alt.X("low:Q", **value_axis(None, 4))
    _, bands, points = interval_marks(list(titles.values()), scales.colour, x)
    width = max(110, (theme.WIDTH - 120) // len(panels) - 22)
    layered = alt.layer(bands, points, data=data).properties(width=width, height=_ROW * len(titles))
    facets: dict[str, Any] = {
        "column": alt.Facet("panel:N", title=None, sort=list(panels), header=theme.heading(width))
    }
    if len(rows) > 1:
        facets["row"] = alt.Facet("row:N", title=None, sort=rows, header=theme.heading(_ROW * len(titles)))
    return layered.facet(**facets).resolve_scale(x="independent")


def interval_marks(order: Sequence[str], colour: alt.Scale, x: alt.X) -> tuple[alt.Chart, alt.Chart, alt.Chart]:
    """Marks without data, of rows with title, value, low, high and runs: what they are made of, bands, and ticks.

    order : titles from the top to the bottom; x : the axis, of low
    """
    tooltip = [
        alt.Tooltip("title:N", title="algorithm"),
        *(alt.Tooltip(f"{name}:Q", format=".3f") for name in ("value", "low", "high")),
        alt.Tooltip("runs:Q", title="runs of each task"),
    ]
    base = row_marks(order, colour, tooltip)
    bands = base.mark_bar(height=12, opacity=0.55).encode(x=x, x2="high:Q")
    points = base.mark_tick(thickness=2.5, size=15, opacity=1).encode(x=alt.X("value:Q", title=None))
    return base, bands, points
