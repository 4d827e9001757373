"""Comparisons that are looked at after every run: their names, and what their charts share."""

import altair as alt
import pandas as pd

from surefoot.charts import theme

LOOKS = {"betting": "confidence sequence", "percentile": "ordinary interval, looked at after every run"}


def with_rule(chart: alt.LayerChart | alt.FacetChart, height: float) -> alt.LayerChart | alt.FacetChart:
    """The chart with a dashed line across it at a height of its axis."""
    rule = alt.Chart(pd.DataFrame({"height": [round(height, 6)]})).mark_rule(color=theme.NEUTRAL, strokeDash=[4, 3])
    return alt.layer(rule.encode(y=alt.Y("height:Q")), chart)


def not_compared(text: str | None = None) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """In place of a chart of a comparison that is not asked for."""
    text = text or "No comparison was asked for: the question sequential_comparison compares two algorithms."
    return theme.finish(theme.message(text), text), pd.DataFrame(columns=["note"])
