"""Charts of curves, one colour an algorithm, with their axes."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd
from scipy.optimize import isotonic_regression

from surefoot.charts import theme
from surefoot.charts.forms import best_of_many, dashed_rule, with_count
from surefoot.charts.names import colour_order
from surefoot.charts.theme import of_classes

POINTS = 500
"""About how many points of a curve are drawn: more than most panels have pixels across."""
MOST_ROWS = 6_000
"""About how many points all curves of a chart have together, which is half a megabyte."""


def thinned(curves: pd.DataFrame, by: Sequence[str], x: str, values: Sequence[str]) -> pd.DataFrame:
    """Curves of more than `POINTS` points with fewer, and of many curves with fewer still: of each of as many equal
    stretches the ends and the points where one of the values is lowest or highest, so that no peak is lost.

    Parameters
    ----------
    curves : a row a point
    by : columns that tell curves from each other
    x : the column that a curve is drawn along
    values : columns that are drawn

    Source: Jugel, Jerzak, Hackenbroich and Markl, "M4: A visualization-oriented time series data aggregation", PVLDB
    7(10), 2014.
    """
    sizes = curves.groupby(list(by), sort=False, dropna=False).size()
    most = min(POINTS, MOST_ROWS // max(len(sizes), 1))
    if not len(sizes) or sizes.max() <= most:
        return curves
    stretches = max(most // (2 + 2 * len(values)), 2)
    kept = []
    for _, rows in curves.groupby(list(by), sort=False, dropna=False):
        if len(rows) <= most:
            kept.append(rows.index.to_numpy())
            continue
        curve = rows.sort_values(x, kind="stable")
        stretch = np.arange(len(curve)) * stretches // len(curve)
        places = {0, len(curve) - 1} | set(np.flatnonzero(np.diff(stretch))) | set(np.flatnonzero(np.diff(stretch)) + 1)
        for column in values:
            known = curve[column].reset_index(drop=True).dropna()  # a band may not be drawn, or only in part
            parts = known.groupby(stretch[known.index])
            places |= {*parts.idxmin(), *parts.idxmax()}
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
_FEW = 6  # curves that are all in colours
_LINE = 15  # pixels of a line of text
_MOVED = 12  # pixels that a name may stand above or below the end of its curve
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
    independent: Collection[str] = (),
    among: Sequence[str] | None = None,
    best_first: Iterable[str] = (),
    by: str = "",
    outlined: bool = False,
    points: bool = False,
    reference: float | None = None,
) -> alt.LayerChart | alt.FacetChart:
    """Curves with their bands, where they have any, and their names beside them.

    Up to six curves are in colours. Of more, those of the leaders are, and the others grey and without bands. A legend
    names them where there is no leader, and where a name that has to stand beside its curve has no room there.

    Parameters
    ----------
    data : columns algorithm, value, the x column, and where there are any low and high, band_low and band_high (of the
        whole curve at once, a paler band), panel, and run (the name of a single run, which is drawn faintly; "" of an
        algorithm's own curve)
    titles : {algorithm: title}
    x, y : encodings; y is of the column `value`
    panels : in order; those of the column panel as they come without it, and one without a name if there are none
    columns, height : panels a row, and the height of each in pixels
    step : whether the curves are steps, as of distribution functions
    independent : scales ("x", "y") that each panel has of its own
    among : all algorithms that have colours, in order, where these are more than have titles
    best_first : the algorithms, the best first: of many, the best are drawn; the first two, the leaders, are thicker
    by : what they are the best by, where not all are drawn
    outlined : whether the band of band_low and band_high is a dotted outline, where it may lie inside the other
    points : whether the points of the curves are marked, and tell their values
    reference : where a dashed line stands
    """
    among = among or colour_order(titles)
    ranked = list(dict.fromkeys(best_first))
    algorithms, leaders, drawn_of_all = len(titles), ranked[:2], best_of_many([*ranked, *titles])
    titles = {name: title for name, title in titles.items() if name in drawn_of_all or not ranked}
    shown = data[data["algorithm"].isin(titles)].reset_index(drop=True)
    along, upwards = _encoded(x), _encoded(y)
    drawn = [key for key in _DRAWN if key in shown]
    if along["type"] == "quantitative":
        shown = thinned(shown, [key for key in ("algorithm", "panel", "run") if key in shown], along["field"], drawn)
    leading, many = shown["algorithm"].isin(leaders), len(titles) > _FEW
    if many and leaders:
        shown.loc[~leading, [key for key in drawn if key != "value"]] = np.nan
    # The later of two curves lies above the other.
    shown = shown.loc[leading.sort_values(kind="stable").index]
    shown = shown.assign(curve=shown["algorithm"].map(titles)).drop(columns="algorithm")
    if panels is None:
        panels = list(dict.fromkeys(data["panel"])) if "panel" in data else []
    across = math.ceil(len(panels) / math.ceil(len(panels) / columns)) if panels else 1
    width = (theme.WIDTH - _GAP * across) // across
    named = {title for name, title in titles.items() if not many or name in leaders}
    if leaders and len(titles) * _LINE <= height:
        named = {*titles.values()}
    if len(titles) > 1 and named:
        last = {*panels[across - 1 :: across], *panels[-1:]}
        beside = [part for _, part in shown[shown["panel"].isin(last)].groupby("panel")] if panels else [shown]
        first = {titles[name] for name in leaders} if many and leaders else named
        heights = []
        for part in beside:
            low, high = _reach(part if "y" in independent else shown, drawn, upwards)
            own = part[part["curve"].isin(named)]
            own = own[own["run"] == ""] if "run" in own else own
            heights.append(_heights_of_names(own, first, along["field"], low, high, height))
        if all(len(found) for found in heights):
            shown = shown.join(pd.concat(heights))
            width -= theme.LETTER * max(map(len, named)) // across
    names, title = list(titles.values()), upwards.get("title")
    scales = theme.scales(titles, among, leaders if many and leaders else None)
    legend = theme.curve_legend(names) if len(names) > 1 and "name_at" not in shown else None
    colour = alt.Color("curve:N", scale=scales.colour, legend=legend, sort=names)
    base = curve = alt.Chart().encode(x=x, color=colour)
    shape: Literal["step-after", "linear"] = "step-after" if step else "linear"
    layers = [] if reference is None else [dashed_rule(y=alt.datum(reference))]
    layers += _bands(base, shown, shape, title, outlined)
    if "run" in shown:
        single = base.transform_filter("datum.run != ''").mark_line(strokeWidth=0.8, opacity=0.3, clip=True)
        layers.append(single.encode(y=y, detail="run:N"))
        curve = base.transform_filter("datum.run == ''")
    widths = [2.6 if name in leaders else 1.4 if leaders else 1.8 for name in titles]
    # Without its type, Vega-Lite takes a scale of thicknesses for one of positions between the first two.
    thickness = alt.Scale(type="ordinal", domain=names, range=widths)
    line = curve.mark_line(interpolate=shape, clip=True).encode(
        y=y,
        strokeDash=alt.StrokeDash("curve:N", scale=scales.dash, legend=None),
        strokeWidth=alt.StrokeWidth("curve:N", scale=thickness, legend=None),
    )
    layers.append(line)
    if points:
        tooltip = {"curve": "curve", along["field"]: str(along.get("title")), "value": str(title)}
        tooltip |= {key: key for key in ("low", "high") if key in shown}
        marks = curve.mark_point(filled=True, size=45, opacity=1)
        layers.append(marks.encode(y=y, tooltip=theme.tooltip(**tooltip)))
    if "name_at" in shown:
        layers += _names(base, title, colour, [titles[name] for name in leaders] if many else [])
    chart = alt.layer(*layers, data=theme.chart_data(shown)).properties(width=width, height=height)
    whole = theme.in_panels(chart, panels, columns, width, independent) if panels else chart
    return with_count(whole, len(titles), algorithms, by)


def _bands(
    base: alt.Chart, shown: pd.DataFrame, shape: Literal["step-after", "linear"], title: str | None, outlined: bool
) -> list[alt.Chart]:
    """The paler band of whole curves, or its outline, and the darker one of single points, as far as there are any."""
    layers = []
    for low, high, strength in (("band_low", "band_high", 0.09), ("low", "high", 0.18)):
        if low in shown and shown[low].notna().any():
            look: dict[str, Any] = {"opacity": strength}
            if outlined and low == "band_low":
                look = {"filled": False, "strokeWidth": 1.2, "strokeDash": [1, 3], "opacity": 0.9}
            band = base.mark_area(interpolate=shape, **look)
            layers.append(band.encode(y=alt.Y(f"{low}:Q", title=title), y2=f"{high}:Q"))
    return layers


def _names(base: alt.Chart, title: str | None, colour: alt.Color, leaders: Sequence[str]) -> list[alt.Chart]:
    """Names beside their curves, readable where they cross others; those that are not of leaders, if any, are grey."""
    text = base.transform_filter("isValid(datum.name_at)").encode(y=alt.Y("name_at:Q", title=title), text="curve:N")
    look: dict[str, Any] = {"align": "left", "dx": 6, "fontSize": theme.TEXT}
    paint: Any = colour
    if leaders:
        leading = alt.FieldOneOfPredicate(field="curve", oneOf=list(leaders))
        paint = alt.condition(leading, colour, alt.value(theme.NEUTRAL))
    behind = text.mark_text(stroke=theme.PAPER, strokeWidth=3, **look).encode(color=alt.value(theme.PAPER))
    return [behind, text.mark_text(**look).encode(color=paint)]


def _encoded(channel: alt.X | alt.Y) -> dict[str, Any]:
    plain: Any = channel.to_dict()
    return dict(plain)


def _reach(shown: pd.DataFrame, drawn: Sequence[str], y: Mapping[str, Any]) -> tuple[float, float]:
    """The ends of the vertical axis with the encoding `y`, along which these columns are drawn."""
    axis = y.get("scale", {})
    if "domain" in axis:
        return axis["domain"][0], axis["domain"][1]
    low, high = (float(end) for end in (shown[list(drawn)].min(axis=None), shown[list(drawn)].max(axis=None)))
    return (min(low, 0.0), max(high, 0.0)) if axis.get("zero", True) else (low, high)


def _heights_of_names(
    curves: pd.DataFrame, first: Collection[str], x: str, low: float, high: float, height: int
) -> pd.Series:
    """Where the names of curves stand: `name_at`, a value of the vertical axis, at one point of each.

    They stand at the ends of the curves, moved apart; where the ends lie too close together for that, each stands where
    its curve is farthest from all others, a line of text away from them and from the other names. One without such a
    place is left out, and all are if it is of those that come first.

    Parameters
    ----------
    curves : columns curve, value, and the one named by `x`, of one panel
    first : the curves whose names take their places before others, and that cannot do without
    low, high, height : the ends of the vertical axis, and its pixels
    """
    pixel = (high - low) / height or 1.0
    ends = curves.drop_duplicates("curve", keep="last").sort_values("value", kind="stable")
    least = _LINE * pixel * np.arange(len(ends))
    apart = isotonic_regression(ends["value"].to_numpy() - least).x + least
    apart += max(0.0, low - apart[0]) - max(0.0, apart[-1] - high)
    if np.abs(apart - ends["value"]).max() <= _MOVED * pixel:
        return pd.Series(apart, ends.index, name="name_at")
    numeric = pd.api.types.is_numeric_dtype(curves[x])
    wide = curves.pivot_table(index=x, columns="curve", values="value", sort=numeric)
    wide = wide.interpolate(limit_direction="both")
    heights = pd.Series(dtype=float, name="name_at")
    for name in sorted(wide, key=lambda name: name not in first):
        rows = curves[curves["curve"] == name]
        distance = rows[x].map(wide.drop(columns=name).sub(wide[name], axis=0).abs().min(axis=1))
        taken = np.abs(np.subtract.outer(rows["value"].to_numpy(), heights.to_numpy())) < _LINE * pixel
        free = distance[(distance >= _LINE * pixel) & ~taken.any(axis=1)]
        if len(free):
            heights[free.idxmax()] = rows.loc[free.idxmax(), "value"]
        elif name in first:
            return heights[:0]
    return heights


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
