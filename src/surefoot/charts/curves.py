"""Charts of curves, with one colour per algorithm, and their axes."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd
from scipy.optimize import isotonic_regression

from surefoot.charts import theme
from surefoot.charts.forms import best_of_many, dashed_rule, panels_of, with_count
from surefoot.rounding import written

POINTS = 500
"""Approximate maximum number of points drawn per curve, more than most panels have pixels."""
MOST_ROWS = 4_500
"""Approximate maximum number of points of all curves in a chart, less than half a megabyte."""


def thinned(curves: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Reduce curves to about `POINTS` points each, or fewer if there are many curves.

    Each curve is divided into equal segments. The first, lowest and highest point of each segment are kept, so that
    peaks remain visible, and the last point of the curve.

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
    ends &= ~curves.assign(stretch=stretch).duplicated([*by, "stretch", "estimate"])  # of equal values the first
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


_GAP = 70  # pixels between panels, with the labels of the axes
_FEW = 7  # curves that are all in colours
_LINE = 15  # pixels of a line of text
_TICK = 9  # pixels from the end of a curve to the middle of the tick before its name
_MOVED = 20  # pixels that a name may stand above or below the end of its curve
_PLACES = 60  # along panels side by side, at which a pointer shows the values of the curves
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

    Up to six curves are coloured. If there are more, only the leaders are coloured, and the others are grey without
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
    best_first : algorithms, best first; only the best of many are drawn, and the first two, the leaders, are thicker
    by : criterion for the best, stated if not all are drawn
    reference : position of a dashed line
    """
    among = among or sorted(titles)
    ranked = list(dict.fromkeys(best_first))
    algorithms = len(titles)
    leaders = ranked[:2]
    drawn_of_all = best_of_many([*ranked, *titles])
    titles = {name: title for name, title in titles.items() if name in drawn_of_all or not ranked}
    shown = data[data["algorithm"].isin(titles)].reset_index(drop=True)
    along: Any = x.to_dict()
    upwards: Any = y.to_dict()
    panels = panels_of(data)
    across = math.ceil(len(panels) / math.ceil(len(panels) / columns)) if panels else 1
    shown = shown.assign(curve=shown["algorithm"].map(titles))
    percent = "%" in str(upwards.get("axis", {}).get("format", ""))
    title = str(along.get("title") or along["field"])
    shown = shown.join(_values_along(shown, along["field"], title, _PLACES // across, step, percent))
    drawn = [key for key in _DRAWN if key in shown]
    shown = thinned(shown, [key for key in ("algorithm", "panel", "run") if key in shown])
    leading = shown["algorithm"].isin(leaders)
    many = len(titles) > _FEW
    if many and leaders:
        shown.loc[~leading, [key for key in drawn if key != "estimate"]] = np.nan
    # The later of two curves lies above the other.
    shown = shown.loc[leading.sort_values(kind="stable").index].drop(columns="algorithm")
    width = (theme.WIDTH - _GAP * across) // across
    grey = many and leaders
    names = list(titles.values())
    titled = [titles[name] for name in leaders]
    for named in [names, titled] if grey else [names] if 1 < len(names) <= _FEW else []:
        # In the last panel of each row.
        parts = [shown[shown["panel"] == panel] for panel in {*panels[across - 1 :: across], *panels[-1:]}] or [shown]
        heights = [
            _heights_of_names(
                part[part["curve"].isin(named)],
                along["field"],
                _ends_of_axis(part if "y" in independent else shown, drawn, upwards),
                height,
            )
            for part in parts
        ]
        if all(len(placed) for placed in heights):
            shown = shown.join(pd.concat(heights))
            width -= (2 * _TICK + theme.LETTER * max(map(len, named))) // across
            break
    styles = theme.styles(among)
    dashes = alt.Scale(domain=names, range=[list(styles[name].dash) for name in titles])
    legend = theme.curve_legend(titled if grey else names) if len(names) > 1 and "name_at" not in shown else None
    colours = theme.colour_scale(titles, among, leaders if grey else None)
    colour = alt.Color("curve:N", scale=colours, legend=legend, sort=names)
    base = curve = alt.Chart().encode(x=x, color=colour)
    shape: Literal["step-after", "linear"] = "step-after" if step else "linear"
    # With the scale of the curves, or it would reach down to 0.
    scale = {"scale": upwards["scale"]} if "scale" in upwards else {}
    layers = [] if reference is None else [dashed_rule(y=alt.YDatum(reference, **scale))]
    if "run" in shown:
        curve = base.transform_filter("datum.run == ''")
    for low, high, strength in (("band_low", "band_high", 0.09), ("low", "high", 0.18)):
        if low in shown and shown[low].notna().any():
            band = curve.mark_area(interpolate=shape, opacity=strength)
            layers.append(band.encode(y=alt.Y(f"{low}:Q", title=upwards.get("title")), y2=f"{high}:Q"))
    if "run" in shown:
        single = base.transform_filter("datum.run != ''").mark_line(strokeWidth=0.8, opacity=0.3, clip=True)
        layers.append(single.encode(y=y, detail="run:N"))
    widths = [2.6 if name in leaders else 1.4 if leaders else 1.8 for name in titles]
    # Without its type, Vega-Lite takes a scale of thicknesses for one of positions between the first two.
    thickness = alt.Scale(type="ordinal", domain=names, range=widths)
    line = curve.mark_line(interpolate=shape, clip=True).encode(
        y=y,
        strokeDash=alt.StrokeDash("curve:N", scale=dashes, legend=None),
        strokeWidth=alt.StrokeWidth("curve:N", scale=thickness, legend=None),
    )
    layers.append(line)
    if "name_at" in shown:
        name = base.transform_filter("isValid(datum.name_at)").encode(y=alt.Y("name_at:Q", title=upwards.get("title")))
        # Names in ink, since pale colours of curves are hard to read; a tick has the colour.
        layers.append(name.mark_point(shape="stroke", size=100, strokeWidth=3, opacity=1, xOffset=_TICK))
        text = name.mark_text(align="left", dx=2 * _TICK, fontSize=theme.TEXT)
        layers.append(text.encode(text="curve:N", color=alt.value(theme.INK)))
    place = alt.Chart().transform_filter("isValid(datum.tooltip)").mark_rule(opacity=0, aria=True)
    layers.append(place.encode(x=x, **theme.TOOLTIP))
    chart = alt.layer(*layers, data=theme.chart_data(shown)).properties(width=width, height=height)
    whole = theme.in_panels(chart, panels, columns, width, independent) if panels else chart
    return with_count(whole, len(titles), algorithms, by)


def _ends_of_axis(shown: pd.DataFrame, drawn: Sequence[str], y: Mapping[str, Any]) -> tuple[float, float]:
    """Return the limits of the vertical axis with encoding `y` and these columns."""
    scale = y.get("scale", {})
    if "domain" in scale:
        return scale["domain"][0], scale["domain"][1]
    low = float(shown[list(drawn)].min(axis=None))
    high = float(shown[list(drawn)].max(axis=None))
    return (min(low, 0.0), max(high, 0.0)) if scale.get("zero", True) else (low, high)


def _heights_of_names(curves: pd.DataFrame, x: str, axis: tuple[float, float], height: int) -> pd.Series:
    """Return the heights at which the names of curves fit, as `name_at` in the last row of each curve.

    The result is empty if the ends are too close together or not at the same place along the x axis.

    Parameters
    ----------
    curves : columns curve, estimate, and the column named by `x`, for a single panel
    axis : limits of the vertical axis, which is `height` pixels long
    """
    low, high = axis
    pixel = (high - low) / height or 1.0
    of_algorithms = curves[curves["run"] == ""] if "run" in curves else curves
    ends = of_algorithms.drop_duplicates("curve", keep="last").sort_values("estimate", kind="stable")
    least = _LINE * pixel * np.arange(len(ends))
    apart = isotonic_regression(ends["estimate"].to_numpy() - least).x + least
    apart += max(0.0, low - apart[0]) - max(0.0, apart[-1] - high)
    along = curves[x].max() - curves[x].min()
    across = ends[x].max() - ends[x].min()
    if across > 0.1 * along or np.abs(apart - ends["estimate"]).max() > _MOVED * pixel:
        ends = ends[:0]
        apart = apart[:0]
    return pd.Series(apart, ends.index, name="name_at", dtype=float)


def _values_along(curves: pd.DataFrame, x: str, title: str, places: int, step: bool, percent: bool) -> pd.Series:
    """Return tooltip texts at about `places` positions along each panel, including its end.

    Each text lists the values of the curves with their intervals, highest first, and is assigned to the first row of
    `curves` at its position. Values between points are not interpolated; step functions keep their value until the next
    step.
    """
    of_algorithms = curves[curves["run"] == ""] if "run" in curves else curves
    columns = [key for key in _DRAWN if key in of_algorithms]
    tooltips = {}
    for heading, panel in of_algorithms.groupby("panel") if "panel" in of_algorithms else [("", of_algorithms)]:
        rows = panel.drop_duplicates(x).reset_index().set_index(x)["index"]
        wide = panel.pivot_table(index=x, columns="curve", values=columns, aggfunc="last")
        wide = wide.ffill() if step else wide
        for place, row in wide.iloc[:: -math.ceil(len(wide) / places)].iterrows():
            lines = [*([str(heading)] if heading else []), f"{title}: {written(float(place), 'figures')}"]
            for name in row["estimate"].dropna().sort_values(ascending=False, kind="stable").index:
                numbers = [row.get((key, name), np.nan) for key in columns[:3]]
                texts = [
                    f"{written(100 * one, 'figures')} %" if percent else written(one, "figures")
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
    """Draw the fraction of games with a p-value of at least a threshold, one curve per method.

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
