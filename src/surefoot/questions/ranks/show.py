"""How the distributions of ranks are shown."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.many import best_of_many, with_count
from surefoot.charts.names import SCORES, colour_order, named, shown
from surefoot.charts.selection import numbers_of_analysis, rounded
from surefoot.charts.sentences import joined, percent
from surefoot.result_tables import Tables
from surefoot.rounding import written

_OTHERS = "all others"
_TASKS = {"": "mean over tasks"}


def chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The probability of each rank of each algorithm, averaged over tasks: stacked bars, a panel a set of scores."""
    return _chart(tables, settings, by_task=False)


def chart_by_task(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The probability of each rank of each algorithm on each task."""
    return _chart(tables, settings, by_task=True)


def _chart(
    tables: Mapping[str, pd.DataFrame], settings: Mapping[str, Any], by_task: bool
) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    own = numbers[(numbers["environment"] != "") == by_task]
    titles = shown(own["algorithm"], settings)
    places = settings["environment_titles"]
    tasks = own["environment"].map(lambda name: _TASKS.get(name, places.get(name, name.replace("_", " "))))
    names = {"title": own["algorithm"].map(titles), "panel": tasks, "row": named(SCORES, own["scores"])}
    mean_ranks = (own["rank"] * own["value"]).groupby(own["algorithm"], sort=False).sum().sort_values(kind="stable")
    best = best_of_many(mean_ranks.index)
    others = ~own["algorithm"].isin(best)
    data = own[["rank", "value"]].assign(**names)
    total = len(titles)
    if others.any():
        titles = {name: title for name, title in titles.items() if name in best} | {"": _OTHERS}
        data["title"] = data["title"].mask(others, _OTHERS)
        data = data.groupby(["title", "panel", "row", "rank"], sort=False, as_index=False)["value"].sum()
    data = rounded(data)
    data["place"] = data["title"].map({title: place for place, title in enumerate(titles.values())})
    few = {name: title for name, title in titles.items() if name}
    colour = theme.scales(few, colour_order(own["algorithm"])).colour
    axis = alt.Axis(labelAngle=0)
    if others.any():
        axis = alt.Axis(labelAngle=0, labelOverlap="greedy")
        colour = alt.Scale(domain=[*colour.domain, _OTHERS], range=[*colour.range, theme.PALE])
    legend = alt.Legend(orient="top", title=None, columns=theme.legend_columns(titles.values()))
    bars = (
        alt.Chart(data)
        .mark_bar(stroke=theme.PAPER, strokeWidth=0.2 if others.any() else 1)  # some neighbours are equally light
        .encode(
            x=alt.X("rank:O", title="rank", axis=axis),
            y=alt.Y(
                "value:Q", title="probability", stack="zero", axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1])
            ),
            color=alt.Color("title:N", scale=colour, legend=legend, sort=list(titles.values())),
            order=alt.Order("place:Q"),
            tooltip=[
                alt.Tooltip("title:N", title="algorithm"),
                alt.Tooltip("rank:O"),
                alt.Tooltip("value:Q", title="probability", format=".3f"),
            ],
        )
        .properties(width=88 if by_task else theme.WIDTH - 60 if others.any() else 250, height=130 if by_task else 230)
    )
    rows = list(dict.fromkeys(data["row"]))
    if by_task:
        panels = list(dict.fromkeys(data["panel"]))
        column = alt.Facet("panel:N", title=None, sort=panels, header=theme.heading(88))
        row = alt.Facet("row:N", title=None, sort=rows, header=theme.heading(130))
        chart = bars.facet(column=column, row=row)
    else:
        chart = bars.facet(column=alt.Facet("row:N", title=None, sort=rows)) if len(rows) > 1 else bars
    chart = with_count(chart, len(best), total, "mean rank")
    description = f"Distribution of the rank of {', '.join(titles.values())}"
    return origin.finish(chart, description, tables, settings, analysis), numbers


def finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Whose run comes first most often, and whose next: among the runs at hand, since there is no interval."""
    first = table[(table["environment"] == "") & (table["rank"] == 1)]
    first = first.sort_values("value", ascending=False, kind="stable")
    titles = shown(first["algorithm"], settings)
    told = [
        (titles[name], percent(float(written(value, ".2f"))))
        for name, value in zip(first["algorithm"], first["value"], strict=True)
    ]
    (best, share), *others = told
    alike = [name for name, other in told if other == share]
    if len(alike) > 1:
        return f"With one run of each algorithm, {joined(alike)} come first about equally often ({share})."
    text = f"With one run of each algorithm, {best} comes first with probability {share}"
    return f"{text}, {others[0][0]} with {others[0][1]}." if others else f"{text}."
