"""Figure 8: the IQM and the optimality gap as areas under and above a performance profile."""

from collections.abc import Mapping
from statistics import NormalDist
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.result_tables import Tables

_PALE = 0.3  # texts on it are read on white and on dark paper
_POINTS = 121


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
