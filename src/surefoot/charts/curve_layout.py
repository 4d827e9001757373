"""Charts of curves, with one colour per algorithm, and their axes."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from scipy.optimize import isotonic_regression

from surefoot.charts import theme
from surefoot.charts.forms import best_of_many, dashed_rule, panels_of, with_count
from surefoot.rounding import written

POINTS = 500
"""Approximate maximum number of points per curve; most panels have fewer pixels than this."""
MOST_ROWS = 4_500
"""Approximate maximum number of points of all curves in a chart; they take less than half a megabyte."""


def thinned(curves: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Reduce curves to about `POINTS` points each, or fewer if there are many curves.

    Each curve is divided into equal segments. The first, lowest and highest points of each segment are kept, as is the
    last point of the curve, so that peaks remain visible.

    Parameters
    ----------
    curves : one row per point, in order within each curve, with the columns estimate and tooltip; points with a tooltip
        are kept
    by : columns that identify a curve
    """
    groups = curves.groupby(list(by), sort=False, dropna=False)
    most = min(POINTS, MOST_ROWS // max(groups.ngroups, 1))
    place = groups.cumcount()
    size = groups[by[0]].transform("size")
    stretch = place // np.maximum(3 * size // most, 1)
    values = curves.groupby([*by, stretch], sort=False, dropna=False)["estimate"]
    ends = (curves["estimate"] == values.transform("min")) | (curves["estimate"] == values.transform("max"))
    ends &= ~curves.assign(stretch=stretch).duplicated([*by, "stretch", "estimate"])  # the first of equal values
    kept = (
        ends | (place == size - 1) | (stretch != stretch.groupby(groups.ngroup()).shift()) | curves["tooltip"].notna()
    )
    return curves[kept | (size <= most)]


STEP = "step"
"""Unit of steps that are neither frames nor percentages."""


def steps_title(column: str, steps_in_percent: bool) -> str:
    """Return the unit of the steps in a column."""
    if column == "frames":
        return "million frames"
    return "percent of the steps" if steps_in_percent else STEP


def at_step(value: float, column: str, steps_in_percent: bool) -> str:
    """Format a step for use in a sentence after "at" or "from"."""
    unit = steps_title(column, steps_in_percent)
    return f"step {value:,.0f}" if unit == STEP else f"{value:,.6g} {unit}"


def run_numbers_axis(numbers: pd.Series, title: str = "number of runs") -> alt.X:
    """Return a logarithmic axis with one tick for each number of runs.

    numbers : numbers of runs; the name of the series is the field of the encoding
    """
    tried = sorted({float(number) for number in numbers})
    return alt.X(f"{numbers.name}:Q", title=title, scale=alt.Scale(type="log", nice=False), axis=alt.Axis(values=tried))


def steps_axis(column: str, title: str = STEP) -> alt.X:
    """Return an axis with steps in thousands or millions ("200k", "1M"); other units are not abbreviated."""
    axis = alt.Axis(format="~s", tickCount=5) if title == STEP else alt.Axis(tickCount=5)
    return alt.X(f"{column}:Q", title=title, axis=axis)


_GAP = 70  # distance between panels in pixels, including axis labels
_FEW = 7  # largest number of curves in a chart in which all are coloured
_LINE = 15  # pixels of a line of text
_TICK = 9  # pixels from the end of a curve to the middle of the tick before its name
_MOVED = 20  # largest vertical distance in pixels between a name and the end of its curve
_PLACES = 60  # number of positions along a row of panels that have a tooltip
_DRAWN = ("estimate", "low", "high", "band_low", "band_high")


def curve_chart(
    data: pd.DataFrame,
    titles: Mapping[str, str],
    x: alt.X,
    y: alt.Y,
    columns: int = 2,
    height: int = 260,
    step: bool = False,
    independent: Collection[str] = (),
    among: Sequence[str] | None = None,
    best_first: Iterable[str] = (),
    by: str = "",
    reference: float | None = None,
) -> alt.LayerChart | alt.FacetChart:
    """Draw curves with their bands, if any, and label them at their ends.

    Up to seven curves are coloured. If there are more, only the leaders are coloured, and the others are grey without
    bands. A legend replaces the labels if they do not fit.

    Parameters
    ----------
    data : columns algorithm, estimate, and the x column; optionally low and high, band_low and band_high (a paler,
        simultaneous band for the whole curve), panel, and run (name of a single run, drawn faintly; "" for the curve of
        the algorithm); panels appear in the order of the rows
    titles : {algorithm: title}
    x, y : encodings; y encodes the column `estimate`
    columns, height : panels per row, and the height of a panel in pixels
    step : draw step functions, such as distribution functions
    independent : scales ("x", "y") that are not shared between panels
    among : all algorithms with a colour, in order, if there are more than in `titles`
    best_first : algorithms, best first; if there are many, only the best are drawn. The lines of the first two, the
        leaders, are thicker
    by : criterion for the best, stated if not all algorithms are drawn
    reference : position of a dashed line
    """
    among = among or sorted(titles)
    ranked = list(dict.fromkeys(best_first))
    algorithms = len(titles)
    leaders = ranked[:2]
    drawn_of_all = best_of_many([*ranked, *titles])
    titles = {name: title for name, title in titles.items() if name in drawn_of_all or not ranked}
    names = list(titles.values())
    are_grey = len(titles) > _FEW and bool(leaders)
    titled = [titles[name] for name in leaders] if are_grey else names
    panels = panels_of(data)
    rows = math.ceil(max(len(panels), 1) / columns)
    across = math.ceil(max(len(panels), 1) / rows)
    shown = data[data["algorithm"].isin(titles)].reset_index(drop=True)
    shown = shown.assign(curve=shown["algorithm"].map(titles))
    shown = shown.join(_values_along(shown, x, y, _PLACES // across, step))
    shown = _drawn_points(shown, leaders, are_grey)
    width = (theme.WIDTH - _GAP * across) // across
    candidates = [names, titled] if are_grey else [names] if 1 < len(names) <= _FEW else []
    ends_of_rows = {*panels[across - 1 :: across], *panels[-1:]}
    shown, room = _with_names_at_ends(shown, candidates, ends_of_rows, x, y, height, "y" in independent)
    width -= room // across
    legend = theme.curve_legend(titled) if len(names) > 1 and "name_at" not in shown else None
    colours = theme.colour_scale(titles, among, leaders if are_grey else None)
    base = alt.Chart().encode(x=x, color=alt.Color("curve:N", scale=colours, legend=legend, sort=names))
    curve = base.transform_filter("datum.run == ''") if "run" in shown else base
    layers = [] if reference is None else [_rule(reference, y)]
    layers += _bands(curve, shown, y, step)
    if "run" in shown:
        single = base.transform_filter("datum.run != ''").mark_line(strokeWidth=0.8, opacity=0.3, clip=True)
        layers.append(single.encode(y=y, detail="run:N"))
    line = curve.mark_line(interpolate="step-after" if step else "linear", clip=True)
    layers.append(line.encode(y=y, **_dashes_and_widths(titles, among, leaders)))
    if "name_at" in shown:
        layers += _names_at_ends(base, y)
    place = alt.Chart().transform_filter("isValid(datum.tooltip)").mark_rule(opacity=0, aria=True)
    layers.append(place.encode(x=x, **theme.TOOLTIP))
    chart = alt.layer(*layers, data=theme.chart_data(shown)).properties(width=width, height=height)
    whole = theme.in_panels(chart, panels, columns, width, independent) if panels else chart
    return with_count(whole, len(titles), algorithms, by)


def _drawn_points(shown: pd.DataFrame, leaders: Sequence[str], are_grey: bool) -> pd.DataFrame:
    """Return the points to draw, with the points of the leaders last.

    Parameters
    ----------
    are_grey : True if the curves of all other algorithms are grey, without bands
    """
    points = thinned(shown, [key for key in ("algorithm", "panel", "run") if key in shown])
    leading = points["algorithm"].isin(leaders)
    if are_grey:
        points.loc[~leading, [key for key in _DRAWN if key in points and key != "estimate"]] = np.nan
    # Later curves are drawn on top of earlier ones.
    return points.loc[leading.sort_values(kind="stable").index].drop(columns="algorithm")


def _setting(encoding: alt.X | alt.Y, key: str) -> Any:
    """Return the value of a key in the specification of an encoding, or None if the key is missing."""
    settings: Any = encoding.to_dict()
    return settings.get(key)


def _rule(reference: float, y: alt.Y) -> alt.Chart:
    """Return a dashed line with the scale of the curves; without the scale, the vertical axis would include 0."""
    return dashed_rule(y=alt.YDatum(reference, scale=_setting(y, "scale") or alt.Undefined))


def _bands(curve: alt.Chart, shown: pd.DataFrame, y: alt.Y, step: bool) -> list[alt.Chart]:
    """Return the bands of the curves, the paler ones first."""
    bands = []
    for low, high, strength in (("band_low", "band_high", 0.09), ("low", "high", 0.18)):
        if low in shown and shown[low].notna().any():
            band = curve.mark_area(interpolate="step-after" if step else "linear", opacity=strength)
            bands.append(band.encode(y=alt.Y(f"{low}:Q", title=_setting(y, "title")), y2=f"{high}:Q"))
    return bands


def _dashes_and_widths(titles: Mapping[str, str], among: Sequence[str], leaders: Sequence[str]) -> dict[str, Any]:
    """Return the encodings of line dash and line width; the lines of the leading algorithms are thicker."""
    names = list(titles.values())
    styles = theme.styles(among)
    dashes = alt.Scale(domain=names, range=[list(styles[name].dash) for name in titles])
    widths = [2.6 if name in leaders else 1.4 if leaders else 1.8 for name in titles]
    # Without the type, Vega-Lite would interpolate between the first two thicknesses.
    thickness = alt.Scale(type="ordinal", domain=names, range=widths)
    return {
        "strokeDash": alt.StrokeDash("curve:N", scale=dashes, legend=None),
        "strokeWidth": alt.StrokeWidth("curve:N", scale=thickness, legend=None),
    }


def _names_at_ends(base: alt.Chart, y: alt.Y) -> list[alt.Chart]:
    """Return layers with the name of each curve at its end: a coloured tick and dark text.

    Text in the colour of the curve would be hard to read if the colour is pale.
    """
    name = base.transform_filter("isValid(datum.name_at)").encode(y=alt.Y("name_at:Q", title=_setting(y, "title")))
    text = name.mark_text(align="left", dx=2 * _TICK, fontSize=theme.TEXT)
    return [
        name.mark_point(shape="stroke", size=100, strokeWidth=3, opacity=1, xOffset=_TICK),
        text.encode(text="curve:N", color=alt.value(theme.INK)),
    ]


def _ends_of_axis(shown: pd.DataFrame, y: alt.Y) -> tuple[float, float]:
    """Return the limits of the vertical axis with encoding `y`."""
    scale = _setting(y, "scale") or {}
    if "domain" in scale:
        return scale["domain"][0], scale["domain"][1]
    drawn = [key for key in _DRAWN if key in shown]
    low = float(shown[drawn].min(axis=None))
    high = float(shown[drawn].max(axis=None))
    return (min(low, 0.0), max(high, 0.0)) if scale.get("zero", True) else (low, high)


def _with_names_at_ends(
    shown: pd.DataFrame,
    candidates: Iterable[Sequence[str]],
    panels: Collection[str],
    x: alt.X,
    y: alt.Y,
    height: int,
    has_own_axes: bool,
) -> tuple[pd.DataFrame, int]:
    """Return the points with a column `name_at` (heights of names), and the width of the names in pixels.

    If no names fit, the points are unchanged and the width is 0.

    Parameters
    ----------
    candidates : lists of names; the first list that fits is used
    panels : panels in which names are shown; empty if the chart has no panels
    has_own_axes : each panel has its own vertical axis
    """
    parts = [shown[shown["panel"] == panel] for panel in panels] or [shown]
    axes = [_ends_of_axis(part if has_own_axes else shown, y) for part in parts]
    for named in candidates:
        heights = [
            _heights_of_names(part[part["curve"].isin(named)], x, axis, height)
            for part, axis in zip(parts, axes, strict=True)
        ]
        if all(len(placed) for placed in heights):
            return shown.join(pd.concat(heights)), 2 * _TICK + theme.LETTER * max(map(len, named))
    return shown, 0


def _heights_of_names(curves: pd.DataFrame, x: alt.X, axis: tuple[float, float], height: int) -> pd.Series:
    """Return the height of each name at the end of its curve, as a series `name_at` indexed by the curve's last row.

    The result is empty if the ends are too close together, or at different positions along the x axis.

    Parameters
    ----------
    curves : columns curve, estimate, and the one that `x` encodes, for a single panel
    axis : limits of the vertical axis, which is `height` pixels long
    """
    low, high = axis
    pixel = (high - low) / height or 1.0
    of_algorithms = curves[curves["run"] == ""] if "run" in curves else curves
    ends = of_algorithms.drop_duplicates("curve", keep="last").sort_values("estimate", kind="stable")
    least = _LINE * pixel * np.arange(len(ends))
    apart = isotonic_regression(ends["estimate"].to_numpy() - least).x + least
    apart += max(0.0, low - apart[0]) - max(0.0, apart[-1] - high)
    field = _setting(x, "field")
    along = curves[field].max() - curves[field].min()
    across = ends[field].max() - ends[field].min()
    if across > 0.1 * along or np.abs(apart - ends["estimate"]).max() > _MOVED * pixel:
        ends = ends[:0]
        apart = apart[:0]
    return pd.Series(apart, ends.index, name="name_at", dtype=float)


def _values_along(curves: pd.DataFrame, x: alt.X, y: alt.Y, places: int, step: bool) -> pd.Series:
    """Return tooltip texts at about `places` positions along each panel, including its end.

    Each text lists the values of the curves with their intervals, highest first, and is assigned to the first row of
    `curves` at its position. Values between points are not interpolated; step functions keep their value until the next
    step.
    """
    field = _setting(x, "field")
    title = str(_setting(x, "title") or field)
    is_percent = "%" in str((_setting(y, "axis") or {}).get("format", ""))
    of_algorithms = curves[curves["run"] == ""] if "run" in curves else curves
    columns = [key for key in _DRAWN if key in of_algorithms]
    tooltips = {}
    for heading, panel in of_algorithms.groupby("panel") if "panel" in of_algorithms else [("", of_algorithms)]:
        rows = panel.drop_duplicates(field).reset_index().set_index(field)["index"]
        wide = panel.pivot_table(index=field, columns="curve", values=columns, aggfunc="last")
        wide = wide.ffill() if step else wide
        for place, row in wide.iloc[:: -math.ceil(len(wide) / places)].iterrows():
            lines = [*([str(heading)] if heading else []), f"{title}: {written(float(place), 'figures')}"]
            for name in row["estimate"].dropna().sort_values(ascending=False, kind="stable").index:
                numbers = [row.get((key, name), np.nan) for key in columns[:3]]
                texts = [
                    f"{written(100 * one, 'figures')} %" if is_percent else written(one, "figures")
                    for one in numbers
                    if one == one
                ]
                lines.append(f"{name}: {texts[0]}" + (f" ({texts[1]} to {texts[2]})" if len(texts) > 2 else ""))
            tooltips[rows[place]] = "; ".join(lines)
    return pd.Series(tooltips, name="tooltip", dtype="string")


_P_VALUES = "\N{MINUS SIGN}log10(τ)"
_GAMES = "fraction of games with p-value ≥ τ"


def p_value_profile(
    data: pd.DataFrame, titles: Mapping[str, str] | None = None, among: Sequence[str] | None = None
) -> alt.TopLevelMixin:
    """Draw the fraction of games whose p-value is at least a threshold, one curve per method.

    Parameters
    ----------
    data : columns method, threshold, fraction, and optionally panel
    titles : titles of the methods, by default their names
    among : all methods with a colour, in order, if not all of them are shown
    """
    titles = titles or {name: name for name in data["method"].unique()}
    data = data.assign(algorithm=data["method"], estimate=data["fraction"])
    columns = ["algorithm", "threshold", "estimate", *(["panel"] if "panel" in data else [])]
    x = alt.X("threshold:Q", title=_P_VALUES, scale=alt.Scale(nice=False))
    y = alt.Y("estimate:Q", title=_GAMES, scale=alt.Scale(domain=[0, 1]))
    return curve_chart(data[columns], titles, x, y, height=280, among=among)
