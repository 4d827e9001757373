"""What charts with a row an algorithm have in common: names beside the rows, colours, and axes of a panel's own."""

from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt

from surefoot.charts import theme

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


def published_rings(rows: alt.Chart, x: dict[str, Any], size: float) -> alt.Chart:
    """Rings at the column `published`, of so many square pixels; `x` as `value_axis` makes it."""
    rings = rows.mark_point(size=size, strokeWidth=1, opacity=1, color=theme.INK)
    return rings.encode(x=alt.X("published:Q", **x), color=alt.value(theme.INK))
