"""How often 95 % intervals miss the truth, pooled over kinds of data: the interval of most papers beside ours."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.theme import headline, of_classes
from surefoot.result_tables import Tables
from surefoot.statistics.coverage.kind_quantiles import pooled_rate

USUAL, RECOMMENDED = "Percentile bootstrap, as in most papers", "Student's interval, Surefoot's default"
_METHODS = {"percentile": USUAL, "student": RECOMMENDED}
_COLOURS = {USUAL: "#d7500f", RECOMMENDED: "#00308f"}
_HEIGHT = 230  # pixels


def pooled_misses(numbers: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Columns method, runs, kinds, datasets, failure_rate, low, high: over all drawn kinds with so many runs of a task.

    numbers : as `statistics.coverage.trust.drawn_kinds` makes them
    """
    asked = numbers[(numbers["target"] == metric) & numbers["method"].isin(_METHODS)]
    rows = []
    for (method, runs), kinds in asked.groupby(["method", "runs"]):
        limits = pooled_rate(kinds["failures"].to_numpy(), kinds["datasets"].to_numpy())
        rows.append((method, runs, len(kinds), kinds["datasets"].sum(), *limits))
    return pd.DataFrame(rows, columns=["method", "runs", "kinds", "datasets", "failure_rate", "low", "high"])


def misses(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """How often both intervals of the IQM miss, by the number of runs, beside the promised rate."""
    table = pooled_misses(tables["trust/drawn_kinds"], "iqm")
    percent = (100 * table["failure_rate"]).map("{:.0f} %".format)
    data = table.assign(interval=table["method"].map(_METHODS), label=percent)
    runs = alt.X("runs:O", title="runs of each task", axis=alt.Axis(labelAngle=0), scale=alt.Scale(padding=0.35))
    colour = alt.Color("interval:N", scale=alt.Scale(domain=list(_COLOURS), range=list(_COLOURS.values())), legend=None)
    rate = alt.Y("failure_rate:Q", title="studies whose interval misses the truth", axis=alt.Axis(format="%"))
    tooltip = [alt.Tooltip(field) for field in ("interval:N", "runs:O", "kinds:Q", "datasets:Q")]
    tooltip += [alt.Tooltip(f"{key}:Q", format=".1%") for key in ("failure_rate", "low", "high")]
    base = alt.Chart(data).encode(runs, color=colour, tooltip=tooltip)
    above, below = (base.transform_filter(alt.datum["interval"] == name) for name in _COLOURS)
    promise = alt.Chart(pd.DataFrame({"rate": [0.05], "label": ["promised: 5 %"]}))
    names = data[data["runs"] == data["runs"].min()]
    chart = alt.layer(
        promise.mark_rule(color=theme.NEUTRAL, strokeDash=[4, 3]).encode(y="rate:Q"),
        promise.mark_text(align="left", dy=10, dx=4, color=theme.NEUTRAL, fontSize=theme.TEXT).encode(
            x=alt.value(0), y="rate:Q", text="label:N"
        ),
        base.mark_rule().encode(y="low:Q", y2="high:Q"),
        base.mark_line(strokeWidth=3).encode(y=rate),
        base.mark_point(filled=True, size=90, opacity=1).encode(y=rate),
        above.mark_text(dx=10, dy=-10, align="left", fontSize=theme.TEXT).encode(y=rate, text="label:N"),
        below.mark_text(dx=10, dy=14, align="left", fontSize=theme.TEXT).encode(y=rate, text="label:N"),
        alt.Chart(names)
        .mark_text(dx=52, dy=-10, align="left", fontSize=theme.TEXT, fontWeight="bold")
        .encode(runs, y=rate, text="interval:N", color=colour),
    ).properties(width=theme.WIDTH, height=_HEIGHT)
    worst = data[data["runs"] == data["runs"].min()].set_index("method")
    finding = (
        f"With {worst['runs'].iloc[0]} runs, the usual 95 % interval misses the truth in "
        f"{worst['label']['percentile']} of studies, Student's in {worst['label']['student']}"
    )
    return theme.finish(of_classes(headline(chart, finding)), f"{finding}. Failure rates by the number of runs."), table
