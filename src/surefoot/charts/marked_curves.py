"""Curves with marks, one colour, dash and shape an algorithm, and a legend above."""

from collections.abc import Mapping

import altair as alt
import pandas as pd

from surefoot.charts import theme


def marked_curves(
    base: alt.Chart, data: pd.DataFrame, names: Mapping[str, str], line_width: float, mark_size: float
) -> alt.LayerChart | alt.FacetChart:
    """A line and marks for each algorithm, with a legend above; `base` has the axes and tooltips."""
    scales = theme.scales(names)
    legend = alt.Legend(
        orient="top", columns=theme.legend_columns(names.values()), title=None, symbolSize=80, symbolStrokeWidth=0
    )
    base = base.encode(color=alt.Color("title:N", scale=scales.colour, title=None, legend=legend))
    lines = base.mark_line(strokeWidth=line_width).encode(
        strokeDash=alt.StrokeDash("title:N", scale=scales.dash, legend=None)
    )
    marks = base.mark_point(filled=True, size=mark_size).encode(
        shape=alt.Shape("title:N", scale=scales.shape, title=None, legend=legend)
    )
    return alt.layer(lines, marks, data=data)
