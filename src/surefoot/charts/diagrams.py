"""Diagrams of boxes and arrows, in pixels from the upper left corner."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import altair as alt
import pandas as pd

from surefoot.charts import theme


class Box(NamedTuple):
    """A rectangle with a text in its middle, or, if it is a `frame`, a dashed one with a title at its upper left."""

    left: float
    top: float
    width: float
    height: float
    text: str
    kind: str = "step"  # "step", "input", "result" or "frame"


class Arrow(NamedTuple):
    """A line through points (x, y) with a head at the last one, and a label beside the middle of a straight part."""

    points: Sequence[tuple[float, float]]
    label: str = ""
    at: tuple[float, float] | None = None  # where the label is centred


LABEL_STYLE = "label of an arrow"
"""Of the marks, by which a narrow diagram knows what has to be written beside the arrows that lead down."""
_FILLS = {"step": "#eef2f7", "input": "#ffffff", "result": theme.INK, "frame": "#ffffff"}
_STROKES = {"step": "#7f93a8", "input": theme.INK, "result": theme.INK, "frame": "#9a9a9a"}
_PLACE: dict[str, Any] = {"axis": None, "title": None}
_LINE = 14  # pixels of a line of text


def diagram(boxes: Sequence[Box], arrows: Sequence[Arrow], height: float) -> alt.LayerChart | alt.FacetChart:
    """The chart of a diagram, as wide as the page."""
    x, y = (
        alt.Scale(domain=[0, theme.WIDTH], nice=False, zero=False),
        alt.Scale(domain=[height, 0], nice=False, zero=False),
    )
    frames = [box for box in boxes if box.kind == "frame"]
    others = [box for box in boxes if box.kind != "frame"]
    lines = _lines(arrows)
    layers = [_rectangles(frames, x, y, dash=[5, 4])] if frames else []
    layers += [
        lines.encode(
            x=alt.X("x:Q", scale=x, **_PLACE), y=alt.Y("y:Q", scale=y, **_PLACE), detail="arrow:N", order="order:Q"
        )
    ]
    layers += [_heads(arrows, x, y), _rectangles(others, x, y)]
    layers += [_texts(frames, x, y, title=True)] if frames else []
    layers += [_texts(others, x, y), _labels(arrows, x, y)]
    return alt.layer(*layers).properties(width=theme.WIDTH, height=height)


def _rectangles(boxes: Sequence[Box], x: alt.Scale, y: alt.Scale, dash: Sequence[int] = (1, 0)) -> alt.Chart:
    rows = pd.DataFrame(
        {
            "left": [box.left for box in boxes],
            "right": [box.left + box.width for box in boxes],
            "top": [box.top for box in boxes],
            "bottom": [box.top + box.height for box in boxes],
            "fill": [_FILLS[box.kind] for box in boxes],
            "stroke": [_STROKES[box.kind] for box in boxes],
        }
    )
    return (
        alt.Chart(rows)
        .mark_rect(cornerRadius=4, strokeWidth=1.2, strokeDash=list(dash))
        .encode(
            x=alt.X("left:Q", scale=x, **_PLACE),
            x2="right:Q",
            y=alt.Y("top:Q", scale=y, **_PLACE),
            y2="bottom:Q",
            # Without a scale: kinds of boxes are no names that could be chosen in all charts of a page.
            fill=alt.Fill("fill:N", scale=None),
            stroke=alt.Stroke("stroke:N", scale=None),
        )
    )


def _lines(arrows: Sequence[Arrow]) -> alt.Chart:
    rows = [
        {"arrow": number, "order": place, "x": px, "y": py}
        for number, arrow in enumerate(arrows)
        for place, (px, py) in enumerate(arrow.points)
    ]
    return alt.Chart(pd.DataFrame(rows)).mark_line(color=theme.NEUTRAL, strokeWidth=1.5)


def _heads(arrows: Sequence[Arrow], x: alt.Scale, y: alt.Scale) -> alt.Chart:
    rows = []
    for arrow in arrows:
        (x1, y1), (x2, y2) = arrow.points[-2:]
        length = math.hypot(x2 - x1, y2 - y1)
        # The head's middle lies a bit before the end, so that its tip does not run into the box.
        rows.append(
            {
                "x": x2 - 5 * (x2 - x1) / length,
                "y": y2 - 5 * (y2 - y1) / length,
                "angle": math.degrees(math.atan2(x2 - x1, y1 - y2)) % 360,
            }
        )
    return (
        alt.Chart(pd.DataFrame(rows))
        .mark_point(shape="triangle-up", filled=True, size=75, color=theme.NEUTRAL, opacity=1)
        .encode(
            x=alt.X("x:Q", scale=x, **_PLACE),
            y=alt.Y("y:Q", scale=y, **_PLACE),
            angle=alt.Angle("angle:Q", scale=alt.Scale(domain=[0, 360], range=[0, 360])),
        )
    )


def _texts(boxes: Sequence[Box], x: alt.Scale, y: alt.Scale, title: bool = False) -> alt.Chart:
    middle = 0 if title else 0.5
    rows = pd.DataFrame(
        {
            "x": [box.left + middle * box.width for box in boxes],
            "y": [box.top + middle * box.height for box in boxes],
            "text": [box.text for box in boxes],
            "colour": ["white" if box.kind == "result" else theme.INK for box in boxes],
        }
    )
    # What moves a text from its place are pixels of the mark, which stay what they are where the diagram is turned.
    style: dict[str, Any] = (
        {"align": "left", "fontWeight": "bold", "dx": 8, "dy": 14}
        if title
        else {"align": "center", "fontWeight": "normal", "dy": raised("text", _LINE)}
    )
    return (
        alt.Chart(rows)
        .mark_text(baseline="middle", fontSize=theme.TEXT, lineBreak="\n", lineHeight=_LINE, **style)
        .encode(
            x=alt.X("x:Q", scale=x, **_PLACE),
            y=alt.Y("y:Q", scale=y, **_PLACE),
            text="text:N",
            color=alt.Color("colour:N", scale=None),
        )
    )


def raised(field: str, line: float) -> dict[str, str]:
    """Half of the height of all lines but one, upwards: texts of several lines stand around their place."""
    return {"expr": f"-{line / 2:g} * (length(split(datum.{field}, '\\n')) - 1)"}


def _labels(arrows: Sequence[Arrow], x: alt.Scale, y: alt.Scale) -> alt.Chart:
    labelled = [(arrow.label, arrow.at) for arrow in arrows if arrow.label and arrow.at is not None]
    rows = pd.DataFrame(
        {
            "x": [at[0] for _, at in labelled],
            "y": [at[1] for _, at in labelled],
            "text": [label for label, _ in labelled],
        }
    )
    return (
        alt.Chart(rows)
        .mark_text(
            baseline="middle",
            fontSize=theme.TEXT,
            lineBreak="\n",
            lineHeight=13,
            color=theme.NEUTRAL,
            style=LABEL_STYLE,
        )
        .encode(x=alt.X("x:Q", scale=x, **_PLACE), y=alt.Y("y:Q", scale=y, **_PLACE), text="text:N")
    )
