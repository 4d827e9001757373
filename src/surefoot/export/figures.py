"""A chart as it stands in a paper: as wide as the venue's text or column, with letters of the venue's size.

The chart is drawn in pixels as on a page, where ticks have letters of 11 pixels, and the picture is then brought to
points as a whole: lines, marks and distances keep their proportions to the letters. What is changed is the width of
the panels, until the whole picture has the venue's width; where panels become too narrow, fewer stand side by side.
"""

import copy
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import vl_convert

from surefoot.charts.theme import FINDING
from surefoot.errors import HintedError
from surefoot.export.panels import (
    Spec,
    arrangements,
    number_of_panels,
    objects_of,
    parts_of,
    values_of,
    with_lower_panels,
)
from surefoot.export.venues import POINTS_AN_INCH, VENUES, Venue

TICK = 11.0
"""Pixels of the letters of ticks in the charts of pages."""
NARROWEST = 64.0
"""Pixels of a panel: below, ticks have no room for their numbers."""
NARROW = 480.0
"""Pixels of a picture: below, a legend stands under the chart and not beside it."""
_NEAR = 0.004
_NEARLY = 0.97
"""The part of the width that is enough where no width of panels has it: a label more at an end of an axis makes the
picture jump."""
_ATTEMPTS = 12
_LETTER = 0.55
"""The width of a letter in units of its size, about."""
_SIZE = re.compile(r'<svg([^>]*?) width="([\d.]+)" height="([\d.]+)"')

_FROM_A_RECORD = re.compile(r" \(from the record of [^()]*\)")
"""What descriptions of recorded answers end with, which the end of a caption says of all."""

_POINTS_A_LETTER, _POINTS_A_LINE = 4.6, 12.0
"""The size of letters and lines in a caption, about."""
MOST_PARTS = 6
"""Parts into which a chart is divided that is too tall for a page."""


class Figure(NamedTuple):
    """A picture of a paper: SVG and PDF, and what its caption says."""

    svg: str
    pdf: bytes
    caption: str


def figure(vega_lite: Mapping[str, Any], place: Venue, font: str) -> Figure:
    """The picture of a chart in a venue.

    Parameters
    ----------
    vega_lite : the specification of the chart, as results/draw has it
    font : a family that the converter has (`fonts.font_of_figures`)

    Raises
    ------
    HintedError
        where the panels would be too narrow to be read
    """
    spec = copy.deepcopy(dict(vega_lite))
    described = _FROM_A_RECORD.sub("", str(spec.get("description", ""))).rstrip(".")
    description = " ".join(filter(None, (described, *_taken_titles(spec)))).strip()
    finding = str(spec.get("usermeta", {}).get(FINDING, "")).rstrip(".")
    caption = description if description.startswith(finding) else f"{finding}. {description}"
    scale = place.tick_size / TICK
    wanted = place.points / scale
    _set_letters(spec, font, place.label_size / scale)
    _arrange_legends(spec, wanted)
    for arranged in arrangements(spec):
        picture = _drawn_as_wide(arranged, wanted)
        if picture is not None:
            svg = _in_points(picture, place.points)
            return Figure(svg, vl_convert.svg_to_pdf(svg), caption)
    names = [name for name, other in VENUES.items() if other == place]
    hint = f"take {place.wider}" if place.wider else "draw fewer panels"
    raise HintedError(names[0] if names else "", "its panels would be too narrow to be read", hint)


def figures(vega_lite: Mapping[str, Any], place: Venue, font: str, ending: str = "") -> list[Figure]:
    """The picture of a chart, or the pictures of its parts where one is taller than a page with its caption.

    A chart that is too tall is made with lower panels first, where these stay readable; what is still too tall is
    divided between its panels.

    Parameters
    ----------
    ending : sentences for the end of the caption (`methods.caption_ending`)

    Raises
    ------
    HintedError
        where the panels would be too narrow to be read, or a single panel too tall
    """
    whole = _with_ending(figure(vega_lite, place, font), ending)
    if _fits(whole, place):
        return [whole]
    too_tall = size_in_points(whole.svg)[1] / _room(whole, place)
    for factor in (0.97 / too_tall, 0.9 / too_tall):
        lower = with_lower_panels(vega_lite, factor)
        picture = lower and _with_ending(figure(lower, place, font), ending)
        if picture and _fits(picture, place):
            return [picture]
    for count in range(2, MOST_PARTS + 1):
        parts = parts_of(vega_lite, count)
        endings = [f"{ending} Part {number} of {len(parts)}.".strip() for number in range(1, len(parts) + 1)]
        pictures = [_with_ending(figure(part, place, font), text) for part, text in zip(parts, endings, strict=True)]
        if len(parts) > 1 and all(_fits(picture, place) for picture in pictures):
            return pictures
    raise HintedError("", "it is taller than a page and cannot be divided", "draw fewer rows")


def _with_ending(picture: Figure, ending: str) -> Figure:
    return picture._replace(caption=f"{picture.caption.rstrip('.')}. {ending.rstrip('.')}") if ending else picture


def _room(picture: Figure, place: Venue) -> float:
    """Points of a page's height beside a caption, whose lines are counted generously."""
    lines = 1 + len(picture.caption) // int(place.points / _POINTS_A_LETTER)
    return place.text_height * POINTS_AN_INCH - _POINTS_A_LINE * (lines + 2)


def _fits(picture: Figure, place: Venue) -> bool:
    return size_in_points(picture.svg)[1] <= _room(picture, place)


def size_in_points(svg: str) -> tuple[float, float]:
    """(width, height) of a picture that `figure` made."""
    match = _SIZE.search(svg)
    if match is None:
        raise HintedError("", "the picture does not say its size", "one of this module")
    return float(match[2]), float(match[3])


def _taken_titles(spec: Spec) -> Iterator[str]:
    """Take the title of the whole chart away, which is the caption's to say."""
    title = spec.pop("title", None)
    text = title.get("text", "") if isinstance(title, dict) else title or ""
    lines = text if isinstance(text, list) else [text]
    for line in lines:
        if line:
            yield f"({line[:1].upper()}{line[1:].rstrip('.')})"


def _set_letters(spec: Spec, font: str, label: float) -> None:
    for part in objects_of(spec):
        for key, size in (("fontSize", TICK), ("labelFontSize", TICK), ("titleFontSize", label), ("font", font)):
            if key in part:
                part[key] = size
    config = spec.setdefault("config", {})
    config["font"] = font
    config["padding"] = 1
    axis, legend, header = (config.setdefault(key, {}) for key in ("axis", "legend", "header"))
    axis |= {"labelFontSize": TICK, "titleFontSize": label, "labelOverlap": True}
    legend |= {"labelFontSize": TICK, "titleFontSize": TICK}
    header |= {"labelFontSize": TICK, "titleFontSize": label}
    for place in _named_places(spec):
        # Numbers may be left out of an axis, names may not.
        place["axis"] = place.get("axis", {}) | {"labelOverlap": False}


def _named_places(spec: Spec) -> Iterator[Spec]:
    """The positions that have names on their axis."""
    for part in objects_of(spec):
        encoding = part.get("encoding")
        for channel in ("x", "y"):
            place = encoding.get(channel) if isinstance(encoding, dict) else None
            if isinstance(place, dict) and place.get("type") == "nominal" and place.get("axis", {}) is not None:
                yield place


def _arrange_legends(spec: Spec, wanted: float) -> None:
    """As many names of a legend in a row as there is room for; below the chart where it is narrow."""
    longest = max((len(name) for part in objects_of(spec) for name in _names(part, spec)), default=8)
    columns = max(1, int(wanted // (longest * TICK * _LETTER + 40)))
    for part in objects_of(spec):
        legend = part.get("legend")
        if isinstance(legend, dict) and part is not spec["config"]:
            if wanted < NARROW:
                legend["orient"] = "bottom"
            if legend.get("orient") in ("top", "bottom"):
                legend["columns"] = min(columns, legend.get("columns") or columns)
    if wanted < NARROW:
        spec["config"]["legend"] |= {"orient": "bottom", "columns": columns}


def _names(part: Spec, spec: Spec) -> list[str]:
    """The names that a legend of this encoding shows: those of its scale, else those in the data."""
    if part.get("type") not in ("nominal", "ordinal") or part.get("legend", {}) is None:
        return []
    scale = part.get("scale")
    domain = scale.get("domain") if isinstance(scale, dict) else None
    values = domain if isinstance(domain, list) else values_of(part.get("field"), spec) if "legend" in part else []
    return [name for name in values if isinstance(name, str)]


def _widths(spec: Spec) -> Iterator[tuple[Spec, float]]:
    """The views of a chart with their widths in pixels; for a width by steps, the step."""
    for part in objects_of(spec):
        width = part.get("width")
        if "mark" not in part and "layer" not in part:
            continue
        if isinstance(width, int | float):
            yield part, float(width)
        elif isinstance(width, dict) and "step" in width:
            yield width, float(width["step"])


def _drawn_as_wide(spec: Spec, wanted: float) -> str | None:
    """The SVG of the chart with panels that make it so wide; None where they would be too narrow."""
    drawn = copy.deepcopy(spec)
    views = list(_widths(drawn))
    if not views:
        raise HintedError("", "no view of the chart has a width", "a chart with a width in pixels")
    beside = [(place, width, place["value"]) for view, width in views for place in _places_beside(view, width)]
    for header in _headers(drawn):
        header["labelLimit"] = wanted / _panels_beside_each_other(drawn) - TICK
    factor, before, nearly = 1.0, (0.0, 0.0), None
    low, high = 0.01, 100.0  # factors that made the picture too narrow, and too wide
    for _ in range(_ATTEMPTS):
        for view, width in views:
            view["step" if "step" in view else "width"] = width * factor
        for place, width, at in beside:
            place["value"] = at + width * (factor - 1.0)
        picture = vl_convert.vegalite_to_svg(drawn)
        width_now = size_in_points(picture)[0]
        narrowest = min((width * factor for view, width in views if "step" not in view), default=NARROWEST)
        if abs(width_now - wanted) <= _NEAR * wanted:
            return picture if narrowest >= NARROWEST else None
        if _NEARLY * wanted <= width_now < wanted and narrowest >= NARROWEST:
            nearly = picture
        if width_now > wanted and narrowest < NARROWEST:
            return nearly  # panels that are narrower still would not do
        low, high = (factor, high) if width_now < wanted else (low, factor)
        # What stands beside the panels keeps its width: nearly all else is a straight line, down to where a legend is
        # wider than the panels.
        slope = (width_now - before[1]) / (factor - before[0]) if before[0] else width_now
        before, factor = (factor, width_now), factor + (wanted - width_now) / slope if slope > 0.0 else 0.0
        if not low < factor < high:
            factor = (low + high) / 2.0
    return nearly


def _places_beside(view: Spec, width: float) -> Iterator[Spec]:
    """What a view writes at a distance in pixels to the right of its panel, such as a column of numbers."""
    for part in objects_of(view):
        place = (part.get("encoding") or {}).get("x")
        if isinstance(place, dict) and isinstance(place.get("value"), int | float) and place["value"] > width:
            yield place


def _panels_beside_each_other(spec: Spec) -> int:
    if "vconcat" in spec:
        return max(map(_panels_beside_each_other, spec["vconcat"]))
    facet = spec.get("facet", {})
    return number_of_panels(spec, facet["column"]) if "column" in facet else int(spec.get("columns", 1))


def _headers(spec: Spec) -> Iterator[Spec]:
    for part in objects_of(spec):
        header = part.get("header")
        if isinstance(header, dict) and isinstance(header.get("labelLimit"), int | float):
            yield header


def _in_points(picture: str, width: float) -> str:
    """The SVG at a width in points, its height in proportion; a picture of the converter has its pixels as viewBox."""
    match = _SIZE.search(picture)
    assert match is not None
    height = float(match[3]) * width / float(match[2])
    return picture.replace(match[0], f'<svg{match[1]} width="{width:g}" height="{height:.2f}"', 1)
