"""Two kinds of charts shared by several families: rows of values with intervals, and tables of coloured cells.

The module also selects the algorithms to draw if there are too many. Curves are in `surefoot.charts.curve_layout`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.names import Titles, titles_of
from surefoot.rounding import written

_NUMBERS = ("estimate", "low", "high", "published")
_APART = 8  # gap in pixels between names and panel, and padding inside the panel; larger than half a mark
_ROW = 22  # height in pixels of a row
_COLUMN = 130  # width in pixels of a text column next to a panel
_CELL, _LINE = 46, 22  # width and height of a table cell, in pixels


ALL = 30
"""Largest number of algorithms in a chart that shows all of them."""
BEST = 20
"""Number of best algorithms that are drawn if there are more than `ALL`."""


def best_of_many(best_first: Iterable[str]) -> list[str]:
    """Return the algorithms to draw: all, or the first `BEST` if there are more than `ALL`."""
    names = list(dict.fromkeys(best_first))
    return names if len(names) <= ALL else names[:BEST]


def with_count(chart: theme.Chart, drawn: int, algorithms: int, by: str) -> theme.Chart:
    """Return the chart with a title that states how many algorithms it shows, unless it shows all.

    by : criterion for the best
    """
    if drawn == algorithms:
        return chart
    text = f"The best {drawn} of {algorithms:,} algorithms, by {by}"
    return chart.properties(title=alt.TitleParams(text, fontWeight="normal", color=theme.NEUTRAL))


def row_axis(**settings: Any) -> alt.Axis:
    """Return an axis for names, with a gap next to the panel so that names and marks do not overlap."""
    return alt.Axis(ticks=False, domain=False, labelPadding=_APART, **settings)


def dashed_rule(**place: Any) -> alt.Chart:
    """Draw a dashed line across a panel at `x` or `y`, a value such as `alt.datum(0.5)`."""
    rule = alt.Chart(alt.InlineData(values=[{}])).mark_rule(color=theme.NEUTRAL, strokeDash=[4, 3])
    return rule.encode(**place)


def panels_of(data: pd.DataFrame) -> list[str]:
    """Return the titles in the column `panel`, in order of appearance; empty without that column."""
    return list(dict.fromkeys(data["panel"])) if "panel" in data else []


def row_chart(
    data: pd.DataFrame,
    order: Sequence[str],
    axis: str | None,
    *,
    columns: int = 1,
    shared: bool = False,
    reference: float | None = None,
    beside: Mapping[str, Iterable[str]] | None = None,
    ring: str = "published",
) -> alt.LayerChart | alt.FacetChart:
    """Draw one row per title: a bar from low to high and a tick at the value.

    Parameters
    ----------
    data : columns title, estimate, and colour; optionally low and high, published (position of a ring), and panel
        (title of the panel; panels appear in the order of the rows)
    order : titles from the top to the bottom
    axis : title of the horizontal axis
    columns : number of panels per row
    shared : share the axis between panels
    reference : position of a dashed line
    beside : {heading: one text per row of data}, shown to the right of a single panel
    ring : meaning of a ring, for tooltips
    """
    beside = beside or {}
    panels = panels_of(data)
    columns = min(columns, len(panels)) or 1
    room = theme.WIDTH - min(theme.LONGEST, theme.LETTER * max(map(len, order), default=0)) - _APART
    room -= _COLUMN * len(beside)
    width = (room - theme.BETWEEN * (columns - 1)) // columns
    # Leave room between the values and both ends of the axis.
    scale = alt.Scale(zero=False, padding=_APART)
    ticks = alt.Axis(tickCount=max(2, width // 70))
    x: dict[str, Any] = {"title": axis, "scale": scale, "axis": ticks}
    rows = alt.Y("title:N", sort=list(order), title=None, axis=row_axis())
    base = alt.Chart().encode(y=rows, color=alt.Color("colour:N", scale=None), **theme.TOOLTIP)
    layers: list[alt.Chart] = []
    if "low" in data and data["low"].notna().any():
        layers.append(base.mark_bar(size=12, opacity=0.45, aria=True).encode(x=alt.X("low:Q", **x), x2="high:Q"))
    layers.append(base.mark_tick(thickness=2.5, size=15, opacity=1, aria=True).encode(x=alt.X("estimate:Q", **x)))
    if "published" in data:
        rings = base.mark_point(size=75, strokeWidth=1.2, opacity=1, aria=True)
        layers.append(rings.encode(x=alt.X("published:Q", **x), color=alt.value(theme.INK)))
    for number, (heading, texts) in enumerate(beside.items(), 1):
        data = data.assign(**{f"text_{number}": list(texts)})
        column = base.encode(x=alt.value(width + number * _COLUMN), color=alt.value(theme.INK), text=f"text_{number}:N")
        layers.append(column.mark_text(align="right", fontSize=theme.TEXT))
        head = column.encode(y=alt.value(-8), text=alt.datum(heading), color=alt.value(theme.NEUTRAL))
        layers.append(head.transform_filter(alt.datum.title == order[0]).mark_text(align="right", fontSize=theme.TEXT))
    if reference is not None:
        layers.append(dashed_rule(x=alt.datum(reference)))
    data = data.assign(tooltip=interval_texts(data, ring))
    chart = alt.layer(*layers, data=theme.chart_data(data)).properties(width=width, height=_ROW * len(order))
    if not panels:
        return chart
    return theme.in_panels(chart, panels, columns, width, () if shared else ("x",))


def interval_texts(data: pd.DataFrame, ring: str = "published") -> list[str]:
    """Return the tooltip of each row: "SPR, IQM: 0.34 (0.30 to 0.38); published 0.33"."""
    texts = []
    for row in data.to_dict("records"):
        names = [str(row[key]).replace("\u2002", " ") for key in ("title", "panel") if key in row]
        numbers = {key: written(row[key], "figures") for key in _NUMBERS if pd.notna(row.get(key))}
        text = f"{', '.join(names)}: {numbers.get('estimate', 'none')}"
        if "low" in numbers and "high" in numbers and row["low"] < row["high"]:
            text += f" ({numbers['low']} to {numbers['high']})"
        texts.append(text + (f"; {ring} {numbers['published']}" if "published" in numbers else ""))
    return texts


def interval_panels(
    data: pd.DataFrame,
    best_first: Sequence[str],
    columns: int,
    by: str = "",
    axis: str | None = None,
    reference: float | None = None,
    *,
    titles: Titles = None,
) -> alt.LayerChart | alt.FacetChart:
    """Draw values of algorithms with intervals, one axis per panel.

    Parameters
    ----------
    data : columns algorithm, panel, estimate, low, high
    best_first : algorithms, best first; if there are many, only the best are drawn
    columns : number of panels per row
    by : criterion for the best, stated if not all algorithms are drawn
    axis, reference : as in `row_chart`
    titles : titles of algorithms by name
    """
    labels = titles_of(best_of_many(best_first), titles)
    colours = theme.colours(labels, sorted(set(data["algorithm"])))
    shown = data[data["algorithm"].isin(labels)].assign(title=lambda rows: rows["algorithm"].map(labels))
    shown = shown[["panel", "title", "estimate", "low", "high"]].assign(colour=shown["title"].map(colours))
    chart = row_chart(shown, [*labels.values()], axis, columns=columns, reference=reference)
    return with_count(chart, len(labels), len(set(best_first)), by)


def heat_table(
    cells: pd.DataFrame,
    rows: Sequence[str],
    columns: Sequence[str],
    spoken: str,
    *,
    heading: str | None = None,
    strong: Sequence[float] | None = None,
) -> alt.LayerChart | alt.FacetChart:
    """Draw a table of cells, darker for greater values.

    Parameters
    ----------
    cells : columns row, column, estimate, written (text of the cell, or ""), and optionally low, high, and panel (title
        of the panel)
    rows, columns : names in the order to draw them
    spoken : description of a cell in its tooltip, such as "{row} over {column}"
    heading : title of the columns
    strong : the values drawn as a white and as a black cell; by default 0 and the greatest value
    """
    panels = panels_of(cells)
    across = max(2, (theme.WIDTH - theme.LABEL) // (len(columns) * _CELL)) if panels else 1
    width = min(theme.WIDTH - theme.LABEL, max(_CELL, max(map(len, columns)) * 3) * len(columns))
    white, black = strong or (0.0, float(cells["estimate"].max()))
    dark = (alt.datum.estimate - white) / ((black - white) or 1.0) > 0.5
    cell = width / len(columns)
    angle = 0 if max(map(len, columns)) * theme.LETTER <= cell else -35 if cell > _LINE else -90
    base = alt.Chart().encode(
        x=alt.X(
            "column:N",
            sort=list(columns),
            title=heading,
            axis=alt.Axis(orient="top", labelAngle=angle, domain=False, ticks=False),
        ),
        y=alt.Y("row:N", sort=list(rows), title=None, axis=row_axis()),
        **theme.TOOLTIP,
    )
    shades = alt.Scale(domain=[white, black], range=["white", theme.INK], clamp=True)
    boxes = base.mark_rect(stroke=theme.PALE, aria=True).encode(
        color=alt.Color("estimate:Q", scale=shades, legend=None)
    )
    texts = base.mark_text(fontSize=theme.TEXT - 1).encode(
        text="written:N", color=alt.condition(dark, alt.value("white"), alt.value(theme.INK))
    )
    layers = [boxes, texts] if cell > _LINE else [boxes]  # narrow cells have no room for text
    titles = [spoken.format(row=row, column=column) for row, column in zip(cells["row"], cells["column"], strict=True)]
    cells = cells.assign(tooltip=interval_texts(cells.assign(title=titles)))
    chart = alt.layer(*layers, data=theme.chart_data(cells, 4)).properties(width=width, height=_LINE * len(rows))
    return theme.in_panels(chart, panels, across, width) if panels else chart
