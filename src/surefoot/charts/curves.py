"""Charts of curves with bands, one colour an algorithm: profiles, sample efficiency, errors by number of runs."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.many import thinned
from surefoot.charts.selection import rounded

_GAP = 70  # pixels between panels, with the labels of the axes
_OUTLINE = 0.9  # opacity
_DRAWN = ("value", "low", "high", "band_low", "band_high")


def curve_chart(
    data: pd.DataFrame,
    titles: Mapping[str, str],
    x: alt.X,
    y: alt.Y,
    panels: Sequence[str] = (),
    columns: int = 2,
    height: int = 260,
    step: bool = False,
    independent: Sequence[str] = (),
    among: Sequence[str] | None = None,
    width: int | None = None,
    name: str = "chosen_curve",
    outlined: bool = False,
) -> alt.LayerChart | alt.FacetChart:
    """Curves with their bands, where they have any.

    Parameters
    ----------
    data : columns algorithm, value, the x column, and where there are any low and high, band_low and band_high (of the
        whole curve at once, a paler band), and panel
    titles : {algorithm: title} of those that are shown, in the order of the legend
    x, y : encodings; y is of the column `value`
    panels : the panels, in order; one without a name if there are none
    columns, height : panels a row, and the height of each in pixels
    step : whether the curves are steps, as of distribution functions
    independent : scales ("x", "y") that each panel has of its own
    among : all algorithms that have colours, in order, where not all of them are shown
    width : of a panel, in pixels; what the page leaves without it
    name : of the selection by the legend, where several charts stand together
    outlined : whether the band of band_low and band_high is a dotted outline, where it may lie inside the other
    """
    shown = data[data["algorithm"].isin(titles)].reset_index(drop=True)
    encoded = x.to_dict()
    field = str(encoded["field"]) if isinstance(encoded, dict) else ""
    apart = [key for key in ("algorithm", "panel") if key in shown]
    shown = thinned(shown, apart, field, [key for key in _DRAWN if key in shown])
    shown = rounded(shown).assign(curve=shown["algorithm"].map(titles))
    scales = theme.scales(titles, among)
    legend = theme.curve_legend(titles.values())
    chosen = alt.selection_point(name=name, fields=["curve"], bind="legend")
    several = len(titles) > 1
    colour = alt.Color("curve:N", scale=scales.colour, legend=legend if several else None, sort=list(titles.values()))
    base = alt.Chart().encode(x=x, color=colour)
    shape: Literal["step-after", "linear"] = "step-after" if step else "linear"
    described = y.to_dict()
    title = described.get("title") if isinstance(described, dict) else None
    layers = []
    for low, high, strength in (("band_low", "band_high", 0.09), ("low", "high", 0.18)):
        if low in shown and shown[low].notna().any():
            outline = outlined and low == "band_low"
            look: dict[str, Any] = {"filled": False, "strokeWidth": 1.2, "strokeDash": [1, 3]} if outline else {}
            full = _OUTLINE if outline else strength
            band = base.mark_area(interpolate=shape, **look).encode(
                y=alt.Y(f"{low}:Q", title=title),
                y2=f"{high}:Q",
                opacity=alt.condition(chosen, alt.value(full), alt.value(full / 6)),
            )
            layers.append(band)
    dash = alt.StrokeDash("curve:N", scale=scales.dash, legend=None, sort=list(titles.values()))
    line = base.mark_line(strokeWidth=1.8, interpolate=shape, clip=True).encode(
        y=y, strokeDash=dash, opacity=alt.condition(chosen, alt.value(1), alt.value(0.15))
    )
    layers.append(line.add_params(chosen))
    rows = math.ceil(len(panels) / columns)
    across = math.ceil(len(panels) / rows) if panels else 1
    width = width or (theme.WIDTH - _GAP * across) // across
    keep = ["curve", *[name for name in shown if name not in ("algorithm", "curve")]]
    chart = alt.layer(*layers, data=shown[keep]).properties(width=width, height=height)
    if not panels:
        return chart
    chart = chart.facet(facet=alt.Facet("panel:N", title=None, sort=list(panels)), columns=columns)
    if independent:
        scales_apart: dict[str, Any] = dict.fromkeys(independent, "independent")
        chart = chart.resolve_scale(**scales_apart)
    return chart
