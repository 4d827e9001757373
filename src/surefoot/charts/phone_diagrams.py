"""Diagrams for narrow windows: what leads to the right leads down, and what has no direction stands closer together."""

import copy
import textwrap
from typing import Any

from surefoot.charts.diagrams import LABEL_STYLE, raised

VegaLite = dict[str, Any]

_CLOSER = 0.66  # a box of two or three lines is as high as that part of its width
_AROUND = 12  # pixels of padding
_LONGEST = 18  # letters of a line in a turned box
_TURN = {"x": "y", "y": "x", "x2": "y2", "y2": "x2"}


def diagram_for_phone(vega_lite: VegaLite, width: float) -> VegaLite:
    """The diagram as wide as a phone: turned so that its boxes stand below each other, or, where it has none, narrower,
    with everything else as large as it was."""
    chart = copy.deepcopy(vega_lite)
    before = chart["width"]
    panel = width - _AROUND
    if any("x2" in layer["encoding"] for layer in chart["layer"]):
        chart["height"] = _CLOSER * before
        for layer in chart["layer"]:
            _turn(layer, chart.get("datasets", {}))
    else:
        chart["height"] = max(min(chart["height"], 0.8 * panel), chart["height"] * panel / before)
    chart["width"] = panel
    return chart


def _turn(layer: VegaLite, datasets: dict[str, Any]) -> None:
    """Rows for columns. An arrow to the right points down, and what stood above it stands at its left."""
    turned = {_TURN.get(channel, channel): given for channel, given in layer["encoding"].items()}
    for channel in ("x", "y"):
        if "scale" in turned[channel]:
            turned[channel]["scale"]["domain"].reverse()
    if "angle" in turned:
        turned["angle"]["scale"]["range"] = [270, -90]
    layer["encoding"] = turned
    if "text" not in turned or layer["mark"].get("fontWeight") == "bold":
        return
    # A word a line beside an arrow, where there is less room than above it.
    beside = layer["mark"].get("style") == LABEL_STYLE
    rows, name = datasets[layer["data"]["name"]], f"{layer['data']['name']} in lines"
    datasets[name] = [row | {"text": _in_lines(row["text"], beside)} for row in rows]
    layer["data"] = {"name": name}
    if beside:
        layer["mark"]["dy"] = raised("text", layer["mark"]["lineHeight"])


def _in_lines(text: str, beside: bool) -> str:
    """The text in lines that fit into a turned box, which is narrower and higher than it was."""
    if beside:
        return text.replace(" ", "\n")
    fits = max(map(len, text.split("\n"))) <= _LONGEST
    return text if fits else "\n".join(textwrap.wrap(text.replace("\n", " "), _LONGEST))
