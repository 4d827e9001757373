"""Chart of differences between published and our values, in standard errors, beside the standard normal."""

import math
from collections.abc import Iterable

import altair as alt
import numpy as np
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.selection import rounded
from surefoot.statistics.reproduction.comparison import normal_scores

_BIN = 0.5
_NORMAL_WIDTH = 1 / math.sqrt(2 * math.pi)


def z_chart(comparison: pd.DataFrame, limit: float, among: Iterable[str] = ()) -> alt.VConcatChart:
    """Above, how many differences lie where, and their quantiles, beside the standard normal; below, each of them.

    Parameters
    ----------
    comparison : columns algorithm, title, environment_title, z, published, ours, standard_error, verdict; one row a
        published number
    limit : |z| up to which a number counts as reproduced
    among : all algorithms of the study, whose colours go together
    """
    columns = ["title", "environment_title", "z", "published", "ours", "standard_error", "verdict"]
    data = rounded(comparison[columns])
    names = dict(zip(comparison["algorithm"], comparison["title"], strict=True))
    legend = alt.Legend(orient="bottom", columns=theme.legend_columns(names.values()))
    scales = theme.scales(names, sorted({*names, *among}))
    farthest = max(limit + _BIN, math.ceil(data["z"].abs().max()))
    step = max(_BIN, math.ceil(farthest / 10) * _BIN)  # some 40 bars, however far off a number is
    scale = alt.Scale(domain=[-farthest, farthest])
    panels = list(dict.fromkeys(data["environment_title"]))
    width = theme.WIDTH - 190
    whole = list(range(-math.floor(farthest), math.floor(farthest) + 1)) if farthest <= 12 else None
    axis = alt.Axis(values=whole, format="d") if whole else alt.Axis(values=_ticks(farthest), format="~s")
    x = alt.X("z:Q", scale=scale, title="difference from the published number, in standard errors", axis=axis)
    points = (
        alt.Chart(data)
        .mark_point(filled=True, size=60, opacity=0.9)
        .encode(
            x=x,
            y=alt.Y(
                "environment_title:N", sort=panels, title=None, axis=alt.Axis(grid=True, tickBand="extent", ticks=False)
            ),
            yOffset=alt.YOffset("title:N", sort=list(names.values())),
            color=alt.Color("title:N", scale=scales.colour, title=None, legend=legend),
            shape=alt.Shape("title:N", scale=scales.shape, title=None),
            tooltip=_tooltip(),
        )
    )
    rows = 34 if len(panels) <= 8 else 26
    return alt.vconcat(
        alt.hconcat(
            alt.layer(_counts(data, scale, step, axis), _expected(step * len(data), scale)).properties(
                width=width - 240, height=150
            ),
            _quantiles(data, scale).properties(width=180, height=150),
            spacing=40,
        ),
        alt.layer(_limits(limit, scale), points).properties(width=width, height=rows * len(panels)),
        spacing=14,
    )


def _counts(data: pd.DataFrame, scale: alt.Scale, step: float, axis: alt.Axis) -> alt.Chart:
    return (
        alt.Chart(data)
        .mark_bar(color=theme.PALE)
        .encode(
            x=alt.X("z:Q", bin=alt.Bin(step=step), scale=scale, title="difference in standard errors", axis=axis),
            y=alt.Y("count():Q", title="published numbers"),
        )
    )


def _ticks(farthest: float) -> list[float]:
    """Five ticks between the ends, with one significant digit."""
    spacing = float(f"{farthest / 3:.1g}")
    return [number * spacing for number in range(-2, 3)]


def _expected(area: float, scale: alt.Scale) -> alt.Chart:
    """What the standard normal lets one expect in a bar; `area` is that of all bars."""
    z = np.arange(-40, 41) / 10
    curve = pd.DataFrame({"z": z, "expected": (area * _NORMAL_WIDTH * np.exp(-(z**2) / 2)).round(4)})
    base = alt.Chart(curve).encode(x=alt.X("z:Q", scale=scale), y="expected:Q")
    name = base.transform_filter(alt.datum.z == 1.2).mark_text(text="standard normal", align="left", dx=6, dy=-4)
    return base.mark_line(color=theme.INK, strokeWidth=1.5, clip=True) + name


def _quantiles(data: pd.DataFrame, scale: alt.Scale) -> alt.LayerChart:
    """Sorted differences over what the standard normal lets one expect of them."""
    ordered = data.sort_values("z", kind="stable").assign(expected=normal_scores(len(data)).round(4))
    normal = alt.Scale(domain=[-3, 3])
    diagonal = alt.Chart(pd.DataFrame({"z": [-3, 3]})).mark_line(color=theme.INK, strokeWidth=1, clip=True)
    points = alt.Chart(ordered).mark_point(filled=True, size=18, color=theme.NEUTRAL, opacity=0.8)
    title = "expected from the standard normal"
    return diagonal.encode(x=alt.X("z:Q", title=title, scale=normal), y=alt.Y("z:Q", scale=scale)) + points.encode(
        x=alt.X("expected:Q", title=title, scale=normal),
        y=alt.Y("z:Q", title="difference", scale=scale),
        tooltip=_tooltip(),
    )


def _limits(limit: float, scale: alt.Scale) -> alt.Chart:
    rules = pd.DataFrame({"z": [-limit, 0, limit]})
    return alt.Chart(rules).mark_rule(color=theme.NEUTRAL, strokeDash=[4, 3]).encode(x=alt.X("z:Q", scale=scale))


def _tooltip() -> list[alt.Tooltip]:
    return [
        alt.Tooltip("title:N", title="algorithm"),
        alt.Tooltip("environment_title:N", title="environment"),
        alt.Tooltip("published:Q", title="published mean"),
        alt.Tooltip("ours:Q", title="our mean"),
        alt.Tooltip("standard_error:Q", title="standard error of the difference"),
        alt.Tooltip("z:Q", title="difference in standard errors", format=".2f"),
        alt.Tooltip("verdict:N", title="verdict"),
    ]
