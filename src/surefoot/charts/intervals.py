"""Charts of values with intervals: one row an algorithm, in one panel or in several."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.names import colour_order, shown
from surefoot.charts.selection import METHOD_TITLES, rounded, within_scores
from surefoot.rounding import written
from surefoot.statistics.intervals.catalogue import INTERVAL_METHODS

_APART = 8  # pixels between names and a panel, and between a panel's ends and the values: more than half a mark


def row_axis(**settings: Any) -> alt.Axis:
    """The axis with the names, far enough from the panel that no mark at its edge touches them."""
    return alt.Axis(ticks=False, domain=False, labelPadding=_APART, **settings)


def row_marks(titles: Sequence[str], colours: alt.Scale, tooltip: Iterable[alt.Tooltip | str]) -> alt.Chart:
    """Marks without data, kind or place along the axis: a row a title, in its colour.

    titles : from the top to the bottom
    """
    return alt.Chart().encode(
        y=alt.Y("title:N", sort=list(titles), title=None, axis=row_axis()),
        color=alt.Color("title:N", scale=colours, legend=None),
        tooltip=list(tooltip),
    )


def value_axis(title: str | None, ticks: int) -> dict[str, Any]:
    """Settings of the horizontal axis: about so many ticks, and values apart from both ends."""
    return {"title": title, "scale": alt.Scale(zero=False, padding=_APART), "axis": alt.Axis(tickCount=ticks)}


def interval_bars(rows: alt.Chart, x: dict[str, Any], size: float, opacity: float) -> alt.Chart:
    """From the columns `low` to `high`, so many pixels thick; `x` as `value_axis` makes it."""
    return rows.mark_bar(size=size, opacity=opacity).encode(x=alt.X("low:Q", **x), x2="high:Q")


_BARS = {name: method.bar for name, method in INTERVAL_METHODS.items()}  # pixels and opacity
_ROW = 30  # pixels an algorithm
_OUTLINE = 0.6  # pixels
_SYMBOL, _PIECE = 400, 16  # of the legend: square pixels that symbols are given, and pixels of a piece of a bar
_COLUMNS = 176  # pixels for score and rank at the right
_NAMES = 110  # pixels for the names at the left
PUBLISHED = "published"
_BEYOND = " (wider than the axis)"


def score_chart(intervals: pd.DataFrame, axis_title: str, row: int = _ROW) -> alt.LayerChart | alt.FacetChart:
    """Aggregate scores of algorithms, best first, with nested intervals, and score and rank written beside.

    Parameters
    ----------
    intervals : columns method, algorithm, title, value, low, high, rank, rank_low, rank_high, confidence, runs,
        replicates; the first method is the one whose ranks are written. With a column `source`, the rows of
        `PUBLISHED` are drawn below the others, in grey; they need not be of the same methods.
    axis_title : of the score axis
    row : pixels an algorithm
    """
    intervals = intervals.assign(source=intervals.get("source", "this study"))
    method, *_ = leading = intervals.groupby("source", sort=False)["method"].first().to_list()
    # The thicker, the earlier: bars are drawn in the order of the rows, and a thick one would hide thinner ones.
    intervals = intervals.sort_values("method", key=_thinness, kind="stable", ignore_index=True)
    data = rounded(within_scores(intervals))
    published = data["source"] == PUBLISHED
    names = dict(zip(data["algorithm"], data["title"], strict=True))
    drawn = data.groupby("method")["from"].transform("count") > 0
    data["interval"] = (
        data["method"].map(METHOD_TITLES).mask(~drawn & data["low"].notna(), lambda titles: titles + _BEYOND)
    )
    data["ranks"] = pd.Series(rank_texts(data), data.index).mask(published, PUBLISHED)
    # From the whole number: what the chart holds is rounded already, and rounding it again may differ.
    data["written"] = [written(value, ".3f") for value in intervals["value"]]
    data["shade"] = data["title"].mask(published, PUBLISHED)
    best_first = data[~published & (data["method"] == method)].sort_values("rank", kind="stable")
    rows = alt.Y("title:N", sort=list(best_first["title"]), title=None, axis=row_axis())
    tooltip = [*theme.tooltip(interval="interval"), *_tooltip()]
    base = alt.Chart(data).encode(
        y=rows, color=alt.Color("shade:N", scale=_shades(names), legend=None), tooltip=tooltip
    )
    if published.any():
        base = base.encode(yOffset=alt.YOffset("source:N", sort=list(dict.fromkeys(data["source"]))))
    # One point a row: of the first method, among what was published of the first that it has.
    points = base.transform_filter(_one_of_each(leading))
    layers = [] if data["low"].isna().all() else _bars(base, data, names, axis_title)
    ranks = "rank" if data["rank_low"].isna().all() else "rank (worst, best)"
    layers += [_points(points, axis_title), *_labels(points, ranks)]
    height = row * len(names) * (1.6 if published.any() else 1)
    chart = alt.layer(*layers).properties(width=theme.WIDTH - _COLUMNS - _NAMES, height=height)
    # Or the missing legend of the bars takes away that of their names.
    return chart.resolve_scale(opacity="independent", shape="independent")


def _one_of_each(leading: Sequence[str]) -> Any:
    """The condition for rows of the first method, given those of this study and of what was published, if that is
    there."""
    ours, *published = leading
    if set(published) <= {ours}:
        return alt.datum.method == ours
    theirs = (alt.datum.source == PUBLISHED) & (alt.datum.method == published[0])
    return ((alt.datum.source != PUBLISHED) & (alt.datum.method == ours)) | theirs


def _thinness(methods: pd.Series) -> pd.Series:
    return methods.map({name: -size for name, (size, _) in _BARS.items()})


def mean_chart(intervals: pd.DataFrame, axis_title: str, columns: int) -> alt.FacetChart:
    """Means of algorithms with their intervals, one panel an environment with an axis of its own.

    `intervals` has the columns algorithm, title, environment_title, value, low, high, rank, rank_low, rank_high,
    confidence and runs.
    """
    data = rounded(intervals)
    data["ranks"] = rank_texts(data)
    names = dict(zip(data["algorithm"], data["title"], strict=True))
    scales = theme.scales(names)
    base, x = (
        row_marks(list(names.values()), scales.colour, _tooltip()),
        value_axis(axis_title, 6 if columns < 3 else 3),
    )
    marks = base.mark_point(filled=True, size=45, opacity=1).encode(
        x=alt.X("value:Q", **x),
        shape=alt.Shape("title:N", scale=scales.shape, legend=None),
    )
    layers = [marks] if data["low"].isna().all() else [interval_bars(base, x, 7, 0.4), marks]
    width = (theme.WIDTH - _NAMES - 40 * (columns - 1)) // columns
    panels = list(dict.fromkeys(data["environment_title"]))
    return (
        alt.layer(*layers, data=data)
        .properties(width=width, height=17 * len(names))
        .facet(alt.Facet("environment_title:N", sort=panels, title=None), columns=columns)
        .resolve_scale(x="independent")
    )


def _shades(names: dict[str, str]) -> alt.Scale:
    """Colours of the algorithms, and grey for what was published."""
    colours = theme.scales(names).colour
    return alt.Scale(domain=[*colours.domain, PUBLISHED], range=[*colours.range, theme.NEUTRAL])


def rank_texts(data: pd.DataFrame) -> list[str]:
    """Rank and, where there are limits, its worst and best: "4 (9, 3)"."""
    return [
        f"{rank:.0f}" if pd.isna(low) else f"{rank:.0f} ({low:.0f}, {high:.0f})"
        for rank, low, high in zip(data["rank"], data["rank_low"], data["rank_high"], strict=True)
    ]


def _tooltip() -> list[alt.Tooltip]:
    return theme.tooltip(
        title="algorithm",
        value="value",
        low="low",
        high="high",
        ranks="rank (worst, best)",
        runs="smallest number of runs",
        confidence="confidence",
    )


def _bars(base: alt.Chart, data: pd.DataFrame, names: dict[str, str], axis_title: str) -> list[alt.Chart]:
    """Nested bars, paler and thicker where wider, and their outlines; with a legend where there are several methods, or
    where something is to be said of one."""
    methods = dict(zip(data["method"], data["interval"], strict=True))
    # Without its type, Vega-Lite takes a scale of sizes for one of positions between the first two.
    thinner = 0.6 if data["source"].nunique() > 1 else 1
    sizes = {method: thinner * _BARS[method][0] for method in methods}
    opacities = [_BARS[method][1] for method in methods]
    bars = base.encode(
        x=alt.X("from:Q", title=axis_title, scale=alt.Scale(zero=False)),
        x2="to:Q",
        size=alt.Size("method:N", scale=_ordinal(methods, sizes.values()), legend=None),
    )
    outline = alt.Stroke("shade:N", scale=_shades(names), legend=None)
    layers = [
        bars.mark_bar().encode(opacity=alt.Opacity("method:N", scale=_ordinal(methods, opacities), legend=None)),
        bars.mark_bar(fillOpacity=0, strokeWidth=_OUTLINE).encode(stroke=outline),
    ]
    if len(methods) > 1 or any(title.endswith(_BEYOND) for title in methods.values()):
        layers.append(_legend(list(methods.values()), list(sizes.values()), opacities))
    return layers


def _legend(shown: list[str], sizes: list[float], opacities: list[float]) -> alt.Chart:
    """A legend of bars, each as thick and as pale as it is drawn, which no legend of bars can show: it is that of
    points which nobody sees."""
    # Without outlines, which would keep what is pale from being painted with more on a dark page.
    legend = alt.Legend(orient="top", title=None, symbolSize=_SYMBOL, symbolStrokeWidth=0)
    unseen = alt.Chart(pd.DataFrame({"interval": shown})).mark_point(size=0, filled=True, color=theme.NEUTRAL)
    shapes = [_bar_symbol(size) for size in sizes]
    return unseen.encode(
        x=alt.value(0),
        y=alt.value(0),
        shape=alt.Shape("interval:N", scale=_ordinal(shown, shapes), legend=legend),
        opacity=alt.Opacity("interval:N", scale=_ordinal(shown, opacities), legend=legend),
    )


def _ordinal(names: Iterable[str], drawn: Iterable[float | str]) -> alt.Scale:
    return alt.Scale(type="ordinal", domain=list(names), range=list(drawn))


def _bar_symbol(thickness: float) -> str:
    """A piece of a bar of so many pixels, as the path of a symbol."""
    # Vega draws a path with the unit of half the square root of the symbol's size.
    half, across = (pixels / math.sqrt(_SYMBOL) for pixels in (thickness, _PIECE))
    return f"M{-across:g},{-half:g}H{across:g}V{half:g}H{-across:g}Z"


def _points(base: alt.Chart, axis_title: str) -> alt.Chart:
    marks = base.mark_tick(orient="vertical", thickness=2, size=17, opacity=1)
    return marks.encode(x=alt.X("value:Q", title=axis_title, scale=alt.Scale(zero=False)), color=alt.value(theme.INK))


def _labels(base: alt.Chart, ranks: str) -> list[alt.Chart]:
    """Score and rank as columns of text at the right, with their headings above the first row."""
    right = theme.WIDTH - _COLUMNS - _NAMES
    columns = []
    for heading, at, text in (("score", 52, "written:N"), (ranks, _COLUMNS, "ranks:N")):
        place = alt.value(right + at)
        cells = base.mark_text(align="right", fontSize=theme.TEXT)
        columns.append(cells.encode(x=place, text=text, color=alt.value(theme.INK)))
        head = alt.Chart(pd.DataFrame({"text": [heading]})).mark_text(
            align="right", fontSize=theme.TEXT, color=theme.NEUTRAL
        )
        columns.append(head.encode(x=place, y=alt.value(-8), text="text:N"))
    return columns


_PANEL_ROW = 20  # pixels an algorithm


def interval_panels(data: pd.DataFrame, settings: Mapping[str, Any], panels: Sequence[str]) -> alt.TopLevelMixin:
    """Bands from low to high with a tick at the value; every metric has an axis of its own."""
    titles = shown(data["algorithm"], settings)
    rows = list(dict.fromkeys(data["row"]))
    data = rounded(data).assign(title=data["algorithm"].map(titles))
    data = data[["title", "panel", "row", "value", "low", "high", "runs"]]
    scales = theme.scales(titles, colour_order(titles))
    x = alt.X("low:Q", **value_axis(None, 4))
    _, bands, points = interval_marks(list(titles.values()), scales.colour, x)
    width = max(110, (theme.WIDTH - 120) // len(panels) - 22)
    layered = alt.layer(bands, points, data=data).properties(width=width, height=_PANEL_ROW * len(titles))
    facets: dict[str, Any] = {
        "column": alt.Facet("panel:N", title=None, sort=list(panels), header=theme.heading(width))
    }
    if len(rows) > 1:
        facets["row"] = alt.Facet("row:N", title=None, sort=rows, header=theme.heading(_PANEL_ROW * len(titles)))
    return layered.facet(**facets).resolve_scale(x="independent")


def interval_marks(order: Sequence[str], colour: alt.Scale, x: alt.X) -> tuple[alt.Chart, alt.Chart, alt.Chart]:
    """Marks without data, of rows with title, value, low, high and runs: what they are made of, bands, and ticks.

    order : titles from the top to the bottom; x : the axis, of low
    """
    tooltip = theme.tooltip(title="algorithm", value="value", low="low", high="high", runs="runs of each task")
    base = row_marks(order, colour, tooltip)
    bands = base.mark_bar(height=12, opacity=0.55).encode(x=x, x2="high:Q")
    points = base.mark_tick(thickness=2.5, size=15, opacity=1).encode(x=alt.X("value:Q", title=None))
    return base, bands, points
