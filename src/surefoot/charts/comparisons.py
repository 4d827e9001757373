"""Algorithms against each other: figures 11c, 12 right, A.28, A.29 and A.33, and those of simulated runs."""

from collections.abc import Mapping

import altair as alt
import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.names import SCORES, colour_order, named, shown
from surefoot.charts.selection import numbers_of_analysis, rounded

Tables = Mapping[str, pd.DataFrame]
_TASKS = {"": "mean over tasks"}


def improvement_pairs(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Probability that x improves on y, of claimed pairs, with intervals (figure 12 right)."""
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
    description = "Probability of improvement of claimed pairs of algorithms with 95 % intervals"
    return origin.finish(chart, description, tables, settings, analysis), numbers


def improvement_figure(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
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
    chart = chart.facet(facet=alt.Facet("panel:N", title=None, sort=list(titles.values())), columns=2)
    description = f"Probability that each of {', '.join(titles.values())} improves on each other, with 95 % intervals"
    return origin.finish(chart, description, tables, settings, analysis), numbers


def _improvements(data: pd.DataFrame | None, y: alt.Y, colour) -> alt.LayerChart:
    base = (alt.Chart() if data is None else alt.Chart(data)).encode(y=y, color=colour)
    scale = alt.Scale(domain=[0, 1])
    x = alt.X("low:Q", title="probability of improvement", scale=scale)
    tooltip = [alt.Tooltip(f"{name}:Q", format=".3f") for name in ("value", "low", "high", "ties")]
    bands = base.mark_bar(height=9, opacity=0.5).encode(x=x, x2="high:Q", tooltip=tooltip)
    points = base.mark_tick(thickness=2.5, size=12).encode(x=alt.X("value:Q", scale=scale), tooltip=tooltip)
    half = base.mark_rule(color=theme.NEUTRAL, strokeDash=[4, 3]).encode(
        x=alt.datum(0.5), y=alt.value(0), y2=alt.value("height"), color=alt.value(theme.NEUTRAL)
    )
    return alt.layer(bands, points, half)


def rank_figure(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """How probable each rank of each algorithm is, averaged over tasks: stacked bars, a panel a set of scores."""
    return _rank_figure(tables, settings, by_task=False)


def rank_figure_by_task(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """How probable each rank of each algorithm is on each task (figure A.33)."""
    return _rank_figure(tables, settings, by_task=True)


def _rank_figure(tables, settings, by_task):
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    own = numbers[(numbers["environment"] != "") == by_task]
    titles = shown(own["algorithm"], settings)
    places = settings["environment_titles"]
    tasks = own["environment"].map(lambda name: _TASKS.get(name, places.get(name, name.replace("_", " "))))
    names = {"title": own["algorithm"].map(titles), "panel": tasks, "row": named(SCORES, own["scores"])}
    data = rounded(own[["rank", "value"]]).assign(**names)
    data["place"] = data["title"].map({title: place for place, title in enumerate(titles.values())})
    scales = theme.scales(titles, colour_order(titles))
    legend = alt.Legend(orient="top", title=None, columns=6)
    bars = (
        alt.Chart(data)
        .mark_bar()
        .encode(
            x=alt.X("rank:O", title="rank", axis=alt.Axis(labelAngle=0)),
            y=alt.Y(
                "value:Q", title="probability", stack="zero", axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1])
            ),
            color=alt.Color("title:N", scale=scales.colour, legend=legend, sort=list(titles.values())),
            order=alt.Order("place:Q"),
            tooltip=["title:N", "rank:O", alt.Tooltip("value:Q", format=".3f")],
        )
        .properties(width=88 if by_task else 250, height=130 if by_task else 230)
    )
    rows = list(dict.fromkeys(data["row"]))
    if by_task:
        panels = list(dict.fromkeys(data["panel"]))
        header = alt.Header(labelLimit=100, labelFontSize=10)
        column = alt.Facet("panel:N", title=None, sort=panels, header=header)
        chart = bars.facet(column=column, row=alt.Facet("row:N", title=None, sort=rows))
    else:
        chart = bars.facet(column=alt.Facet("row:N", title=None, sort=rows))
    description = f"Distribution of the rank of {', '.join(titles.values())}"
    return origin.finish(chart, description, tables, settings, analysis), numbers
