"""Charts of curves, one colour an algorithm, with their axes; and which are drawn where there are too many."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar

import altair as alt
import numpy as np
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.selection import rounded
from surefoot.charts.theme import of_classes

Chart = TypeVar("Chart", bound=alt.TopLevelMixin)

ALL = 30
"""So many algorithms are all drawn."""
BEST = 20
"""How many are drawn of more than that: the best."""
POINTS = 500
"""About how many points of a curve are drawn: more than most panels have pixels across."""


def best_of_many(best_first: Iterable[str]) -> list[str]:
    """The algorithms to draw, of all in order, the best first: all, or the `BEST` first of more than `ALL`."""
    names = list(dict.fromkeys(best_first))
    return names if len(names) <= ALL else names[:BEST]


def with_count(chart: Chart, drawn: int, algorithms: int, by: str) -> Chart:
    """The chart with a title that says how many algorithms it shows, if these are not all.

    by : what they are the best by
    """
    if drawn == algorithms:
        return chart
    text = f"The best {drawn} of {algorithms:,} algorithms, by {by}"
    return chart.properties(title=alt.TitleParams(text, fontWeight="normal", color=theme.NEUTRAL))


def thinned(curves: pd.DataFrame, by: Sequence[str], x: str, values: Sequence[str]) -> pd.DataFrame:
    """Curves of more than `POINTS` points with fewer: of each of as many equal stretches the ends and the points where
    one of the values is lowest or highest, so that no peak is lost.

    Parameters
    ----------
    curves : a row a point
    by : columns that tell curves from each other
    x : the column that a curve is drawn along
    values : columns that are drawn

    Source: Jugel, Jerzak, Hackenbroich and Markl, "M4: A visualization-oriented time series data aggregation", PVLDB
    7(10), 2014.
    """
    sizes = curves.groupby(list(by), sort=False, dropna=False)[x].transform("size") if len(curves) > POINTS else None
    if sizes is None or sizes.max() <= POINTS:
        return curves
    stretches = POINTS // (2 + 2 * len(values))
    kept = []
    for _, rows in curves.groupby(list(by), sort=False, dropna=False):
        if len(rows) <= POINTS:
            kept.append(rows.index.to_numpy())
            continue
        curve = rows.sort_values(x, kind="stable")
        stretch = np.arange(len(curve)) * stretches // len(curve)
        parts = curve[list(values)].reset_index(drop=True).groupby(stretch)
        places = {0, len(curve) - 1} | set(np.flatnonzero(np.diff(stretch))) | set(np.flatnonzero(np.diff(stretch)) + 1)
        for extremes in (parts.idxmin(), parts.idxmax()):
            places |= {int(place) for place in extremes.to_numpy().ravel() if place == place}
        kept.append(curve.index.to_numpy()[sorted(places)])
    return curves.loc[np.sort(np.concatenate(kept))]


STEP = "step"
"""What they are counted in where it is neither frames nor percents."""


def steps_column(table: pd.DataFrame) -> str:
    """The column of a table of curves that says when along the training a value was taken."""
    return "frames" if "frames" in table else "step"


def steps_title(column: str, settings: Mapping[str, Any]) -> str:
    """What the steps of this column are counted in."""
    if column == "frames":
        return "million frames"
    percents = any(source.get("along") == "percent" for source in settings["sources"].values())
    return "percent of the steps" if percents else STEP


def at_step(value: float, column: str, settings: Mapping[str, Any]) -> str:
    """A step, as a sentence names it after "at" or "from"."""
    unit = steps_title(column, settings)
    return f"step {value:,.0f}" if unit == STEP else f"{value:,.6g} {unit}"


def run_numbers_axis(numbers: pd.Series, title: str = "number of runs") -> alt.X:
    """Logarithmic, with a tick at each number of runs that was tried; numbers between them say nothing of the curves.

    numbers : the column of the numbers, by its name
    """
    tried = sorted({float(number) for number in numbers})
    return alt.X(f"{numbers.name}:Q", title=title, scale=alt.Scale(type="log", nice=False), axis=alt.Axis(values=tried))


def steps_axis(column: str, title: str = STEP) -> alt.X:
    """Steps in thousands or millions ("200k", "1M"), which leave room for the last one; other units as they are."""
    axis = alt.Axis(format="~s", tickCount=5) if title == STEP else alt.Axis(tickCount=5)
    return alt.X(f"{column}:Q", title=title, axis=axis)


_GAP = 70  # pixels between panels, with the labels of the axes
_OUTLINE = 0.9  # opacity
_DRAWN = ("value", "low", "high", "band_low", "band_high")


def curve_chart(
    data: pd.DataFrame,
    titles: Mapping[str, str],
    x: alt.X,
    y: alt.Y,
    panels: Sequence[str] | None = None,
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
    panels : in order; those of the column panel as they come without it, and one without a name if there are none
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
    if panels is None:
        panels = list(dict.fromkeys(data["panel"])) if "panel" in data else []
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


def marked_curves(
    base: alt.Chart, data: pd.DataFrame, names: Mapping[str, str], line_width: float, mark_size: float
) -> alt.LayerChart | alt.FacetChart:
    """A line and marks for each algorithm, with a legend above; `base` has the axes and tooltips."""
    scales = theme.scales(names)
    legend = alt.Legend(
        orient="top", columns=theme.legend_columns(names.values()), title=None, symbolSize=80, symbolStrokeWidth=0
    )
    base = base.encode(color=alt.Color("title:N", scale=scales.colour, title=None, legend=legend))
    lines = base.mark_line(strokeWidth=line_width).encode(
        strokeDash=alt.StrokeDash("title:N", scale=scales.dash, legend=None)
    )
    marks = base.mark_point(filled=True, size=mark_size).encode(
        shape=alt.Shape("title:N", scale=scales.shape, title=None, legend=legend)
    )
    return alt.layer(lines, marks, data=data)


_P_VALUES = "\N{MINUS SIGN}log10(τ)"
_GAMES = "fraction of games with p-value ≥ τ"


def p_value_profile(
    data: pd.DataFrame,
    panels: Sequence[str],
    titles: Mapping[str, str] | None = None,
    among: Sequence[str] | None = None,
) -> alt.TopLevelMixin:
    """Curves of the fraction of games with a p-value of at least a threshold, one a method.

    Parameters
    ----------
    data : columns method, threshold, fraction, and panel where there are panels
    panels : in order; none for a single chart
    titles : of the methods; their names without it
    among : all methods that have colours, in order, where not all of them are shown
    """
    titles = titles or {name: name for name in data["method"].unique()}
    data = data.assign(algorithm=data["method"], value=data["fraction"])
    columns = ["algorithm", "threshold", "value", *(["panel"] if panels else [])]
    x = alt.X("threshold:Q", title=_P_VALUES, scale=alt.Scale(nice=False))
    y = alt.Y("value:Q", title=_GAMES, scale=alt.Scale(domain=[0, 1]))
    return of_classes(curve_chart(data[columns], titles, x, y, panels, height=280, among=among))
