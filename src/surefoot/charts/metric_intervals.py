"""Aggregate metrics with their intervals: figures 9, 11a, A.22, A.25 and A.30 to A.32, and those of simulated runs."""

from collections.abc import Mapping, Sequence

import altair as alt
import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.names import METHODS, METRICS, SCORES, colour_order, named, shown
from surefoot.charts.selection import numbers_of_analysis, rounded

Tables = Mapping[str, pd.DataFrame]
_ROW = 20  # pixels an algorithm
_DM_CONTROL = ("SAC+AE", "SLAC", "Dreamer", "CURL", "RAD", "DrQ", "PISAC", "SUNRISE", "CURL-D2RL")


def aggregate_figure(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The metrics of `settings["analysis"]` with percentile intervals: a panel a metric, a row a set of scores."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    data = numbers[numbers["method"] == "percentile"]
    data = data.assign(panel=named(METRICS, data["metric"]), row=named(SCORES, data["scores"]))
    chart = _interval_chart(data, settings, list(dict.fromkeys(data["panel"])))
    description = f"{', '.join(dict.fromkeys(data['panel']))} of each algorithm with 95 % intervals"
    return origin.finish(chart, description, tables, settings, analysis), numbers


_PUBLISHED = {f"dm_control_published_{steps}": f"dm_control_{steps}" for steps in ("100k", "500k")}
"""The scores of the runs by those that are known from published means and deviations."""


def figure_11a(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Mean scores on DM Control, of nine algorithms in the order of their claims, with intervals."""
    runs, published = numbers_of_analysis(tables, "figure_a31"), numbers_of_analysis(tables, "figure_11a")
    if runs is None or published is None:
        return origin.nothing(settings)
    means = runs[(runs["metric"] == "mean") & (runs["method"] == "percentile")].assign(method="bootstrap")
    published = published.assign(scores=published["scores"].map(_PUBLISHED))
    columns = ["scores", "algorithm", "method", "value", "low", "high", "runs", "tasks"]
    numbers = pd.concat([means[columns], published[columns]], ignore_index=True)
    order = {name: place for place, name in enumerate(_DM_CONTROL)}
    numbers = numbers.sort_values("algorithm", key=lambda names: names.map(order), kind="stable", ignore_index=True)
    data = numbers[numbers["method"] != "independent_tasks"]
    data = data.assign(panel=data["scores"].map(SCORES), row="")
    chart = _interval_chart(data, settings, list(SCORES.values())[6:8])
    description = "Mean scores of nine algorithms on DM Control with 95 % intervals"
    return origin.finish(chart, description, tables, settings, "figure_11a"), numbers


def table_methods(tables: Tables, settings: Mapping) -> tuple[None, pd.DataFrame]:
    """Every kind of bootstrap interval of each metric: columns algorithm, title, metric_title, value, and low and high
    of each method."""
    numbers = numbers_of_analysis(tables, settings["analysis"])
    if numbers is None:
        return None, pd.DataFrame(columns=["algorithm", "title", "metric_title", "value"])
    wide = numbers.pivot(index=["algorithm", "metric", "value"], columns="method", values=["low", "high"])
    wide = wide.set_axis([f"{method}_{end}" for end, method in wide.columns], axis=1).reset_index()
    order = {name: place for place, name in enumerate(dict.fromkeys(numbers["algorithm"]))}
    metrics = {name: place for place, name in enumerate(dict.fromkeys(numbers["metric"]))}
    wide = wide.sort_values(
        ["metric", "algorithm"], key=lambda names: names.map(metrics | order), kind="stable", ignore_index=True
    )
    wide.insert(1, "title", wide["algorithm"].map(shown(order, settings)))
    wide.insert(3, "metric_title", named(METRICS, wide["metric"]))
    return None, wide[["algorithm", "title", "metric_title", "value", *_ends(wide)]]


def _ends(wide: pd.DataFrame) -> list[str]:
    return [f"{method}_{end}" for method in METHODS for end in ("low", "high") if f"{method}_low" in wide]


def _interval_chart(data: pd.DataFrame, settings: Mapping, panels: Sequence[str]) -> alt.TopLevelMixin:
    """Bands from low to high with a tick at the value; every metric has an axis of its own."""
    titles = shown(data["algorithm"], settings)
    rows = list(dict.fromkeys(data["row"]))
    data = rounded(data).assign(title=data["algorithm"].map(titles))
    data = data[["title", "panel", "row", "value", "low", "high", "runs"]]
    scales = theme.scales(titles, colour_order(titles))
    base = alt.Chart().encode(
        y=alt.Y("title:N", sort=list(titles.values()), title=None, axis=alt.Axis(ticks=False, domain=False)),
        color=alt.Color("title:N", scale=scales.colour, legend=None),
        tooltip=[
            alt.Tooltip("title:N", title="algorithm"),
            *(alt.Tooltip(f"{name}:Q", format=".3f") for name in ("value", "low", "high")),
            alt.Tooltip("runs:Q", title="runs of each task"),
        ],
    )
    x = alt.X("low:Q", title=None, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=4))
    bands = base.mark_bar(height=12, opacity=0.55).encode(x=x, x2="high:Q")
    points = base.mark_tick(thickness=2.5, size=15, opacity=1).encode(x=alt.X("value:Q", title=None))
    width = max(110, (theme.WIDTH - 120) // len(panels) - 22)
    layered = alt.layer(bands, points, data=data).properties(width=width, height=_ROW * len(titles))
    facets = {"column": alt.Facet("panel:N", title=None, sort=list(panels), header=alt.Header(labelLimit=width + 20))}
    if len(rows) > 1:
        facets["row"] = alt.Facet("row:N", title=None, sort=rows)
    return layered.facet(**facets).resolve_scale(x="independent")
