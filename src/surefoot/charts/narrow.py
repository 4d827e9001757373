"""Charts for phones: panels one below the other, and names of rows above their marks."""

import copy
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from surefoot.charts import theme

WIDTH = 350
"""Width in pixels of a chart on a narrow phone."""
_ROW = 40  # pixels of a row with its name above it
_DOWN = 8  # pixels from the middle of such a row down to its marks
_UP = -11  # pixels from the middle of such a row up to its name (negative)
_LEAST = 110  # smallest width of a panel, in pixels
_AROUND = 24  # horizontal space around a panel, in pixels
_TICK = 80  # pixels between ticks
_WIDE = re.compile(r'<svg[^>]*? width="([\d.]+)"')

Chart = dict[str, Any]
Pictures = tuple[str, str]


def narrow_picture(chart: Mapping[str, Any], wide: str, draw: Callable[[Chart], Pictures]) -> str:
    """Return the picture of a chart for narrow pages, or an empty string if the wide picture fits on them.

    Parameters
    ----------
    chart : the chart in Vega-Lite
    wide : the picture of the chart for wide pages
    draw : function that renders a chart and returns an SVG file and an SVG element for a page
    """
    if _width_of(wide) <= WIDTH:
        return ""
    stacked = _stacked(chart)
    while True:
        picture, in_page = draw(stacked)
        width = stacked.get("spec", stacked)["width"]
        excess = _width_of(picture) - WIDTH
        if excess <= 0 or width <= _LEAST:
            return in_page
        _shrink(stacked, max(_LEAST, int(width - excess)))


def _width_of(picture: str) -> float:
    found = _WIDE.search(picture)
    return float(found[1]) if found else 0.0


def _stacked(chart: Mapping[str, Any]) -> Chart:
    """Return a copy of the chart with its panels stacked vertically, and the name of each row above its marks."""
    stacked: Chart = copy.deepcopy(dict(chart))
    if "facet" in stacked:
        stacked["columns"] = 1
    view = stacked.get("spec", stacked)
    layers = list(_layers(view))
    rows = [layer for layer in layers if _type_of(layer, "y") == "nominal"]
    is_grid = any(_type_of(layer, "x") == "nominal" for layer in rows)
    if rows and not is_grid:
        view["height"] = _ROW * len(rows[0]["encoding"]["y"]["sort"])
        for layer in layers:
            _name_above(layer, view["width"])
    for layer in layers:
        _wrap_legends(layer)
    legends = stacked.setdefault("config", {}).setdefault("legend", {})
    legends["layout"] = {"top": {"direction": "vertical"}, "bottom": {"direction": "vertical"}}
    title = stacked.get("title")
    if isinstance(title, dict) and isinstance(title.get("text"), str):
        title["text"] = textwrap.wrap(title["text"], WIDTH // theme.LETTER)
    _shrink(stacked, min(view["width"], WIDTH - _AROUND) if is_grid else WIDTH - _AROUND)
    return stacked


def _layers(view: Chart) -> Iterator[Chart]:
    """Yield the layers of a view, or the view itself."""
    for layer in view.get("layer", [view]):
        if "layer" in layer and layer is not view:
            yield from _layers(layer)
        else:
            yield layer


def _encoding(layer: Chart, channel: str) -> dict[str, Any]:
    found = layer.get("encoding", {}).get(channel)
    return found if isinstance(found, dict) else {}


def _type_of(layer: Chart, channel: str) -> str:
    return str(_encoding(layer, channel).get("type", ""))


def _name_above(layer: Chart, width: float) -> None:
    """Move the names of rows, and any text to the right of the panel, above the marks.

    width : width of the panel
    """
    if not isinstance(layer["mark"], dict):
        layer["mark"] = {"type": layer["mark"]}
    x = _encoding(layer, "x")
    is_beside = layer["mark"]["type"] == "text" and x.get("value", 0) > width
    if is_beside:
        x["beside"] = x["value"] - width
    if _type_of(layer, "y") != "nominal":
        return
    layer["mark"]["yOffset"] = _UP if is_beside else _DOWN
    y = _encoding(layer, "y")
    if y.get("axis", {}) is not None:
        place = {"labelAlign": "left", "labelPadding": 0, "labelOffset": _UP, "tickSize": 0, "zindex": 1}
        y["axis"] = {**y.get("axis", {}), **place, "labelLimit": WIDTH - _AROUND}


def _wrap_legends(layer: Chart) -> None:
    """Give each legend as many columns as fit."""
    for channel in ("color", "shape", "strokeDash"):
        encoding = _encoding(layer, channel)
        if legend := encoding.get("legend"):
            names = legend.get("values") or (encoding.get("scale") or {}).get("domain") or [""]
            legend["columns"] = max(1, WIDTH // (theme.SYMBOL + theme.LETTER * max(len(str(name)) for name in names)))


def _shrink(stacked: Chart, width: float) -> None:
    """Set the width of the panels, wrap titles to it, and reduce the number of ticks to those that fit."""
    view = stacked.get("spec", stacked)
    view["width"] = width
    most = max((_encoding(layer, "x").get("beside", 0) for layer in _layers(view)), default=0)
    for layer in _layers(view):
        x = _encoding(layer, "x")
        if "beside" in x:
            x["value"] = width - (most - x["beside"])
        if isinstance(x.get("title"), str):
            x["title"] = textwrap.wrap(x["title"], max(12, int(width // theme.LETTER)))
        if "tickCount" in (x.get("axis") or {}):
            x["axis"]["tickCount"] = max(2, int(width // _TICK))
