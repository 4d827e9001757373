"""Figures 8 and 11a, which no question draws."""

from collections.abc import Mapping
from statistics import NormalDist
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.interval_panels import interval_panels
from surefoot.charts.names import SCORES
from surefoot.charts.selection import numbers_of_analysis
from surefoot.result_tables import Tables

_PALE = 0.3  # texts on it are read on white and on dark paper
_POINTS = 121


_DM_CONTROL = ("SAC+AE", "SLAC", "Dreamer", "CURL", "RAD", "DrQ", "PISAC", "SUNRISE", "CURL-D2RL")

_PUBLISHED = {f"dm_control_published_{steps}": f"dm_control_{steps}" for steps in ("100k", "500k")}
"""The scores of the runs by those that are known from published means and deviations."""


def figure_11a(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
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
    chart = interval_panels(data, settings, list(SCORES.values())[6:8])
    description = "Mean scores of nine algorithms on DM Control with 95 % intervals"
    return origin.finish(chart, description, tables, settings, "figure_11a"), numbers


def figure_8(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """A profile F(t) = min(1, 1.2 (1 - Phi((t - 0.5)/0.5))) with the areas that are the IQM and the optimality gap."""
    normal = NormalDist(0.5, 0.5)
    scores = [2.0 * place / (_POINTS - 1) for place in range(_POINTS)]
    heights = [min(1.0, 1.2 * (1.0 - normal.cdf(t))) for t in scores]
    numbers = pd.DataFrame({"t": scores, "profile": heights})
    numbers = numbers.assign(
        iqm_low=numbers["profile"].clip(upper=0.25), iqm_high=numbers["profile"].clip(0.25, 0.75), gap_low=heights
    )
    base = alt.Chart(numbers).encode(x=alt.X("t:Q", title="normalized score t", scale=alt.Scale(nice=False)))
    iqm = base.transform_filter("datum.profile > 0.25").transform_calculate(bottom="0.25")
    iqm = iqm.mark_area(color="#3a78e0", opacity=_PALE).encode(
        y=alt.Y("iqm_high:Q", title="fraction of runs with score > t", scale=alt.Scale(domain=[0, 1])), y2="bottom:Q"
    )
    gap = base.transform_filter("datum.t <= 1").transform_calculate(top="1")
    gap = gap.mark_area(color="#f9a03f", opacity=_PALE).encode(y="gap_low:Q", y2="top:Q")
    line = base.mark_line(color=theme.INK, strokeWidth=2).encode(y="profile:Q")
    texts = pd.DataFrame({"t": [0.28, 0.68], "y": [0.5, 0.84], "text": ["IQM / 2", "optimality gap"]})
    labels = alt.Chart(texts).mark_text(fontSize=theme.TEXT, color=theme.INK).encode(x="t:Q", y="y:Q", text="text:N")
    chart = alt.layer(iqm, gap, line, labels).properties(width=theme.WIDTH - 120, height=260)
    description = "A performance profile with the areas that are half the interquartile mean and the optimality gap"
    return theme.finish(chart, description), numbers[["t", "profile"]]
