"""How probabilities of improvement are shown."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.names import colour_order, shown
from surefoot.charts.selection import numbers_of_analysis, rounded
from surefoot.charts.sentences import percent
from surefoot.result_tables import Tables


def pairs_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Probability that x improves on y, of claimed pairs, with intervals."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    titles = shown([*numbers["x"], *numbers["y"]], settings)
    pair = numbers["x"].map(titles) + " over " + numbers["y"].map(titles)
    data = rounded(numbers[["value", "low", "high", "ties"]]).assign(pair=pair)
    chart = _improvements(data, alt.Y("pair:N", sort=list(pair), title=None), alt.value(theme.INK)).properties(
        width=theme.WIDTH - 220, height=26 * len(data)
    )
    level = percent(settings["confidence"])
    description = f"Probability of improvement of claimed pairs of algorithms with {level} intervals"
    return origin.finish(chart, description, tables, settings, analysis), numbers


def chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Probability of improvement of each algorithm on every other: a panel an algorithm, a row one that it may beat."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    titles = shown([*numbers["x"], *numbers["y"]], settings)
    names = {"panel": numbers["x"].map(titles), "title": numbers["y"].map(titles)}
    data = rounded(numbers[["value", "low", "high", "ties"]]).assign(**names)
    scales = theme.scales(titles, colour_order(titles))
    y = alt.Y("title:N", sort=list(titles.values()), title=None)
    colour = alt.Color("title:N", scale=scales.colour, legend=None)
    chart = _improvements(None, y, colour).properties(width=215, height=18 * len(titles), data=data)
    header = alt.Header(labelExpr="(datum.label) + ' beats …'", labelLimit=2 * theme.LABEL)
    panels = chart.facet(facet=alt.Facet("panel:N", title=None, sort=list(titles.values()), header=header), columns=2)
    listed, level = ", ".join(titles.values()), percent(settings["confidence"])
    description = f"Probability that each of {listed} improves on each other, with {level} intervals"
    return origin.finish(panels, description, tables, settings, analysis), numbers


def _improvements(
    data: pd.DataFrame | None, y: alt.Y, colour: alt.Color | Mapping[str, Any]
) -> alt.LayerChart | alt.FacetChart:
    base = (alt.Chart() if data is None else alt.Chart(data)).encode(y=y, color=colour)
    scale = alt.Scale(domain=[0, 1])
    x = alt.X("low:Q", title="probability", scale=scale)
    names = {"value": "probability", "low": "low", "high": "high", "ties": "share of ties"}
    tooltip = [alt.Tooltip(f"{name}:Q", title=title, format=".3f") for name, title in names.items()]
    bands = base.mark_bar(height=9, opacity=0.5).encode(x=x, x2="high:Q", tooltip=tooltip)
    points = base.mark_tick(thickness=2.5, size=12).encode(x=alt.X("value:Q", scale=scale), tooltip=tooltip)
    half = base.mark_rule(color=theme.NEUTRAL, strokeDash=[4, 3]).encode(
        x=alt.datum(0.5), y=alt.value(0), y2=alt.value("height"), color=alt.value(theme.NEUTRAL)
    )
    return alt.layer(bands, points, half)
