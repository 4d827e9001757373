"""Figures for papers: as wide as the venue's text or column, with fonts of the venue's size.

The chart is drawn in pixels, with tick labels of 11 pixels, and then scaled to points as a whole, so that lines, marks
and distances keep their proportions to the text. The width of the panels is adjusted until the whole picture has the
venue's width; if panels become too narrow, fewer of them are placed side by side.
"""

import copy
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import vl_convert

from surefoot.charts.theme import FINDING
from surefoot.errors import HintedError, InputError
from surefoot.reporting.export.venues import Venue

LIKE_TIMES = (
    "Times New Roman",
    "TeX Gyre Termes",
    "Liberation Serif",
    "Nimbus Roman",
    "Tinos",
    "STIX Two Text",
    "FreeSerif",
)
"""Font families with the proportions of Times; the first installed one is used."""
ALWAYS_INSTALLED = "Liberation Sans"
"""Font family that comes with the converter, with the proportions of Arial."""
SMALLEST = 7.0
"""Smallest font size in points; smaller text is hard to read in print, whatever a venue's captions use."""
TICK = 11.0
"""Font size in pixels of tick labels, before the chart is scaled."""
NARROWEST = 64.0
"""Smallest width of a panel in pixels; narrower panels have no space for tick labels."""
_NAME = 150.0
"""Approximate width in pixels of a name in a legend."""
_NEAR = 0.01
"""Largest relative deviation of a figure's width, and so of its font size, from the venue's value."""
_ATTEMPTS = 8
_SIZE = re.compile(r'<svg([^>]*?) width="([\d.]+)" height="([\d.]+)"')
Spec = dict[str, Any]


class Figure(NamedTuple):
    """A figure of a paper as SVG and PDF, and its caption."""

    svg: str
    pdf: bytes
    caption: str


def figure(vega_lite: Mapping[str, Any], place: Venue, font: str) -> Figure:
    """Return the figure of a chart for a venue.

    Parameters
    ----------
    vega_lite : Vega-Lite specification of the chart, as in results/draw
    place : the venue
    font : font family that the converter has (see `font_of_figures`)

    Raises
    ------
    HintedError
        if the panels would be too narrow to be read
    """
    spec = copy.deepcopy(dict(vega_lite))
    caption = str(spec.get("description", "")).rstrip(".")
    finding = str(spec.get("usermeta", {}).get(FINDING, "")).rstrip(".")
    if not caption.startswith(finding):
        caption = f"{finding}. {caption}"
    # Ticks and legends are two points smaller than the titles of axes.
    scale = max(place.label_size - 2.0, SMALLEST) / TICK
    points = 72.0 * place.width
    wanted = points / scale
    _set_letters(spec, font, place.label_size / scale, max(1, int(wanted // _NAME)))
    for arranged in _arrangements(spec):
        picture = _drawn_as_wide(arranged, wanted)
        if picture is not None:
            width, height = size(picture)
            in_points = f'width="{points:g}" height="{height * points / width:.2f}"'
            svg = _SIZE.sub(rf"<svg\1 {in_points}", picture, count=1)
            return Figure(svg, vl_convert.svg_to_pdf(svg), caption)
    hint = f"take {place.wider}" if place.wider else "draw fewer panels"
    raise HintedError("", "its panels would be too narrow to read", hint)


def size(svg: str) -> tuple[float, float]:
    """Return (width, height) of an SVG image from the converter."""
    _, width, height = _SIZE.findall(svg)[0]
    return float(width), float(height)


def _objects(node: Any) -> Iterator[Spec]:
    """Yield all objects of a specification, except those in its data."""
    if isinstance(node, dict):
        yield node
        for key, value in node.items():
            if key not in ("datasets", "data"):
                yield from _objects(value)
    elif isinstance(node, list):
        for value in node:
            yield from _objects(value)


def _set_letters(spec: Spec, font: str, label: float, names_in_a_row: int) -> None:
    """Set the font, the font sizes, and the largest number of names in a row of a legend."""
    sizes = {"fontSize": TICK, "labelFontSize": TICK, "titleFontSize": label, "font": font}
    config = spec.setdefault("config", {})
    for key in ("axis", "legend", "header"):
        config.setdefault(key, {}).update({"labelFontSize": TICK, "titleFontSize": label})
    for part in _objects(spec):
        part.update({key: value for key, value in sizes.items() if key in part})
        if isinstance(part.get("legend"), dict):
            columns = min(names_in_a_row, part["legend"].get("columns") or names_in_a_row)
            part["legend"] |= {"orient": "bottom", "columns": columns}
    config |= {"font": font, "padding": 1}


def _arrangements(spec: Spec) -> Iterator[Spec]:
    """Yield the chart unchanged, and then with ever fewer panels side by side."""
    yield spec
    if "field" in spec.get("facet", {}):
        for fewer in range(spec.get("columns", 1) - 1, 0, -1):
            yield spec | {"columns": fewer}


def _drawn_as_wide(spec: Spec, wanted: float) -> str | None:
    """Return the SVG of the chart with panels that give it the width `wanted`; None if they would be too narrow."""
    drawn = copy.deepcopy(spec)
    widths = list(_widths(drawn))
    factor = 1.0
    before = (0.0, 0.0)
    for _ in range(_ATTEMPTS):
        for place, key, at, width in widths:
            place[key] = at + width * factor
        if any(width * factor < NARROWEST for *_, width in widths):
            return None
        picture = vl_convert.vegalite_to_svg(drawn)
        width_now = size(picture)[0]
        if abs(width_now - wanted) <= _NEAR * wanted:
            return picture
        # The rest of the picture keeps its width, so the total width is nearly linear in the factor.
        slope = (width_now - before[1]) / (factor - before[0])
        before = (factor, width_now)
        factor = factor + (wanted - width_now) / max(slope, 1.0)
    return picture


def _widths(spec: Spec) -> Iterator[tuple[Spec, str, float, float]]:
    """Yield each width that depends on the panels, as (object, key, fixed pixels, variable pixels)."""
    for part in _objects(spec):
        width = part.get("width")
        if ("mark" in part or "layer" in part) and isinstance(width, int | float):
            yield part, "width", 0.0, float(width)
            # Text to the right of the panel, such as a column of numbers.
            for inner in _objects(part):
                x = (inner.get("encoding") or {}).get("x")
                if isinstance(x, dict) and isinstance(x.get("value"), int | float) and x["value"] > width:
                    yield x, "value", x["value"] - width, float(width)


def font_of_figures(family: str | None = None) -> str:
    """Return the font family of figures.

    The converter silently omits text in a font that it does not have, so the font is tested first.

    Parameters
    ----------
    family : font family that must be installed; by default the first installed of `LIKE_TIMES`, or `ALWAYS_INSTALLED`

    Raises
    ------
    InputError
        if the family is not installed
    """
    installed = [name for name in (*LIKE_TIMES, ALWAYS_INSTALLED) if is_installed(name)]
    if family is None:
        return installed[0]
    if not is_installed(family):
        what = f'the font "{family}" is not installed'
        hint = f"install it, or use {', '.join(installed)}"
        raise InputError("command line: --font", what, hint)
    return family


def is_installed(family: str) -> bool:
    """Return True if the converter has a font family: the PDF of a letter then contains a font."""
    quoted = re.sub(r'[&"<]', "", family)
    letter = f'<text x="2" y="12" font-size="10" font-family="{quoted}">a</text>'
    picture = f'<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">{letter}</svg>'
    return b"/FontFile" in vl_convert.svg_to_pdf(picture)
