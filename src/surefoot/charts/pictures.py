"""A chart as a picture: a file of its own (SVG), and the part of a page that shows it (HTML).

It is drawn by Vega once, when it is made. In a page it is as wide as there is room, and every colour has a value for
light and one for dark pages, between which the page's CSS property `color-scheme` decides. The file has the light
ones, on white paper. What Vega knows of each mark it is asked to write into the picture, as the mark's description;
from there it is taken into a list of its own, so that the picture stays small and a page needs no Vega to answer a
pointer.
"""

import colorsys
import copy
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from surefoot.build.files import packed
from surefoot.charts import theme
from surefoot.rounding import figures

VegaLite = dict[str, Any]

_FONT_SETTINGS = Path(__file__).with_name("fonts.conf")
_PAPER = re.compile(r'<rect width="[\d.]+" height="[\d.]+" fill="white" ?/>')
_WITHOUT_EFFECT = re.compile(r' (?:aria-hidden="true"|pointer-events="none"|opacity="1")|<path d=""[^>]*/>')
_PLACES = re.compile(r'(?<= )(?:d|transform)="[^"]*"')
_FRACTION = re.compile(r"-?\d*\.\d{2,}(?:e-?\d+)?")
_COLOUR = re.compile(r'(?<= )(fill|stroke)="(white|black|#[0-9a-f]{6}|#[0-9a-f]{3}|rgb\([\d, ]+\))"')
_NAMED = {"white": "#ffffff", "black": "#000000"}


def use_converter_fonts() -> None:
    """Let the converter measure texts in the fonts that it brings along, whatever fonts this machine has.

    Otherwise the bytes of a picture would depend on the machine, and the converter would open a font's file again for
    each text. It reads this variable of fontconfig once, when it draws for the first time (on Linux; elsewhere it finds
    the machine's fonts all the same).
    """
    os.environ["FONTCONFIG_FILE"] = str(_FONT_SETTINGS)


def pictures(vega_lite: VegaLite, name: str) -> tuple[str, str]:
    """Draw a chart.

    Parameters
    ----------
    vega_lite : the chart, with its data
    name : of the figure, which parts of the picture are numbered after

    Returns
    -------
    The picture as a file, and as a fragment of HTML: an SVG and a script element, gzipped and base64, with the values
    behind its marks (`surefoot.charts.pictures.MarkValues`).
    """
    import vl_convert  # which drawings of tables do without

    vega = vl_convert.vegalite_to_vega(vega_lite, config={"aria": False})
    root, values = read_descriptions(with_own_ids(vl_convert.vega_to_svg(describe_marks(vega)), name))
    if values.names and not vega_lite.get("usermeta", {}).get(theme.CLASSES):
        root.set("data-names", "|".join(values.names))
    picture = ElementTree.tostring(root, encoding="unicode").replace(" />", "/>")
    picture = _PLACES.sub(lambda place: _FRACTION.sub(_to_a_tenth, place[0]), picture)
    picture = _WITHOUT_EFFECT.sub("", picture)
    picture = picture.replace(f' font-family="{theme.FONT}"', "").replace("<svg", f'<svg font-family="{theme.FONT}"', 1)
    script = packed(json.dumps(values._asdict(), separators=(",", ":"), ensure_ascii=False))
    in_page = in_both_colours(_PAPER.sub("", picture, count=1))
    file = picture.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    return file, f'{in_page}\n<script type="application/gzip">{script}</script>'


def in_both_colours(picture: str) -> str:
    """The SVG with a colour for dark pages beside each of its colours."""

    def both(paint: re.Match[str]) -> str:
        colour = _hexadecimal(paint[2])
        return f'{paint[1]}="light-dark({colour},{on_dark(colour)})"'

    return _COLOUR.sub(both, picture)


def on_dark(colour: str) -> str:
    """The colour "#rrggbb" that stands for another on dark pages.

    The theme's colours have one that was chosen for them. Any other keeps its hue, and what stands out from white paper
    stands out from black: its lightness is reversed.
    """
    if colour in theme.DARK:
        return theme.DARK[colour]
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    hue, lightness, saturation = colorsys.rgb_to_hls(red, green, blue)
    reversed_colour = colorsys.hls_to_rgb(hue, 0.1 + 0.8 * (1 - lightness), saturation)
    return "#" + "".join(f"{round(255 * part):02x}" for part in reversed_colour)


def with_own_ids(picture: str, name: str) -> str:
    """The SVG with the ids of its parts numbered from 1, after its name: the converter numbers them on from one picture
    to the next, so that its bytes would depend on what was drawn before."""
    ids = dict.fromkeys(re.findall(r'\bid="([^"]+)"', picture))
    numbered = {old: f"{name}-{number}" for number, old in enumerate(ids, 1)}
    picture = re.sub(r'\bid="([^"]+)"', lambda part: f'id="{numbered[part[1]]}"', picture)
    return re.sub(r"url\(#([^)]+)\)", lambda part: f"url(#{numbered.get(part[1], part[1])})", picture)


def _to_a_tenth(number: re.Match[str]) -> str:
    return f"{round(float(number[0]), 1) + 0.0:g}"


def _hexadecimal(colour: str) -> str:
    colour = _NAMED.get(colour, colour)
    if colour.startswith("rgb"):
        return "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", colour))
    return colour if len(colour) == 7 else "#" + "".join(2 * digit for digit in colour[1:])


Vega = dict[str, Any]

_MARK, _PART, _TITLE, _PANEL = "\u241e", "\u241f", "\u241d", "\u241c"
"""They begin what is said of a mark, its parts, the value after a title, and what is said of a panel."""
_CURVES = ("line", "area")
_CONTINUOUS = ("linear", "log", "pow", "sqrt", "symlog")
_NOTHING = ("", "null", "undefined", "NaN", "nan")
_PUBLISHED = "published"
"""The name of what has a colour and is of no single algorithm."""
_TITLED = re.compile(r'(?:^|, )("(?:[^"\\]|\\.)*"): ')
_DECIMAL = re.compile(r"-?\d*\.\d+(e[-+]?\d+)?")  # no whole number, which may be a name


class MarkValues(NamedTuple):
    """What there is to tell of a picture.

    names : algorithms, or whatever else has colours of its own
    marks : of each element in a group of class "m", in the order of the document: the place of its name among `names`
        (None without one), its kind ("c" a curve or its band, "m" any other), and lines such as "score: 0.5"
    panels : of each group of class "f": for "x" and "y" the type of the scale, its domain, its range in pixels, its
        title, and whether its values are shown as percents
    """

    names: list[str]
    marks: list[list[Any]]
    panels: list[dict[str, Any]]


def describe_marks(vega: Vega) -> Vega:
    """A copy of a Vega specification whose marks describe themselves."""
    vega = copy.deepcopy(vega)
    scales = {scale["name"]: scale for group in _groups(vega) for scale in group.get("scales", ())}
    titles: dict[str, tuple[str, bool]] = {}
    for group in _groups(vega):
        for axis in group.get("axes", ()):
            title = axis.get("title")
            if isinstance(title, str) and title:
                titles[axis["scale"]] = (title, "%" in str(axis.get("format", "")))
    _describe(vega, scales, titles)
    return vega


def _groups(group: Vega) -> Iterator[Vega]:
    yield group
    for mark in group.get("marks", ()):
        if mark["type"] == "group":
            yield from _groups(mark)


def _describe(
    group: Vega, scales: Mapping[str, Vega], titles: Mapping[str, tuple[str, bool]]
) -> tuple[str, str, str] | None:
    """Describe the marks of a group; the scales and the field of the values of its curves, if it has any."""
    panel = None
    for mark in group.get("marks", ()):
        if mark["type"] == "group":
            found = _describe(mark, scales, titles)
            if str(mark.get("name", "")).endswith("pathgroup"):
                panel = panel or found
            elif found:
                mark["marks"].append(_panel_mark(found, scales, titles))
            continue
        update = mark.get("encode", {}).get("update", {})
        x, y = (_position(update.get(channel), scales) for channel in "xy")
        if mark["type"] == "line" and x and y:
            panel = panel or (x[0], y[0], x[1])
        description = _description(mark["type"], update, scales)
        if description:
            update["description"] = {"signal": description}
            mark["aria"] = True
        else:
            update.pop("description", None)
    if panel and "$schema" in group:
        group["marks"].append(_panel_mark(panel, scales, titles))
        return None
    return panel


def _position(channel: Any, scales: Mapping[str, Vega]) -> tuple[str, str] | None:
    """The continuous scale and the field of a position."""
    if isinstance(channel, dict) and isinstance(channel.get("field"), str):
        scale = scales.get(channel.get("scale", ""), {})
        if scale.get("type") in _CONTINUOUS:
            return channel["scale"], channel["field"]
    return None


def _panel_mark(
    panel: tuple[str, str, str], scales: Mapping[str, Vega], titles: Mapping[str, tuple[str, bool]]
) -> Vega:
    """A letter that nobody sees, whose description holds the scales of the group that it stands in."""
    x, y, field = panel
    facts: list[str] = []
    for name, otherwise in ((x, field), (y, "value")):
        title, percent = titles.get(name, (otherwise, False))
        facts.append(json.dumps(_PART.join((scales[name]["type"], title, "%" if percent else ""))))
        quoted = json.dumps(name)
        facts += [f'join(domain({quoted}), ",")', f'join(range({quoted}), ",")']
    signal = json.dumps(_PANEL) + " + " + f" + {json.dumps(_PART)} + ".join(facts)
    return {
        "type": "text",
        "interactive": False,
        "encode": {"update": {"text": {"value": "."}, "opacity": {"value": 0}, "description": {"signal": signal}}},
    }


def _description(kind: str, update: Mapping[str, Any], scales: Mapping[str, Vega]) -> str | None:
    """The expression of what is said of a mark: whose it is and, of one that is no curve, the lines of its tooltip."""
    # What nobody sees only gives a legend its entries, as those of methods, which are of no algorithm.
    key = None if update.get("size") == {"value": 0} else _key(update, scales)
    tooltip = update.get("tooltip", {})
    signal = tooltip.get("signal", "") if isinstance(tooltip, dict) else ""
    lines = list(_entries(signal)) if signal.startswith("{") and kind not in _CURVES else []
    if not key and not lines and kind != "line":
        return None
    start = f"{_MARK}{'c' if kind in _CURVES else 'm'}{_PART}"
    parts = [json.dumps(start), f"({key})" if key else '""']
    for title, value in lines:
        parts += [json.dumps(f"{_PART}{title}{_TITLE}"), f"({value})"]
    return " + ".join(parts)


def _key(update: Mapping[str, Any], scales: Mapping[str, Vega]) -> str | None:
    """The expression of the name that decides a mark's colour or shape."""
    for channel in ("stroke", "fill", "shape"):
        given = update.get(channel)
        for value in given if isinstance(given, list) else [given]:
            if isinstance(value, dict) and isinstance(value.get("field"), str) and value.get("scale") in scales:
                scale = scales[value["scale"]]
                if scale["type"] == "ordinal":
                    return f"datum[{json.dumps(value['field'])}]"
    return None


def _entries(signal: str) -> Iterator[tuple[str, str]]:
    """Titles and expressions of a tooltip such as `{"score": format(datum["score"], ""), "runs": datum["runs"]}`."""
    # A text before a colon is a title: within expressions Vega-Lite writes none.
    _, *parts = _TITLED.split(signal.strip()[1:-1])
    for title, expression in zip(parts[::2], parts[1::2], strict=True):
        yield json.loads(title), expression


def read_descriptions(picture: str) -> tuple[ElementTree.Element, MarkValues]:
    """The picture that `describe_marks` leads to, without the descriptions, and what they say.

    Groups whose elements have something to tell are of class "m", panels of class "f".
    """
    root = ElementTree.fromstring(re.sub(r' xmlns(:\w+)?="[^"]*"', "", picture))
    found = MarkValues([], [], [])
    _collect(root, found)
    return root, found


def _collect(group: ElementTree.Element, found: MarkValues) -> None:
    parents = {child: parent for parent in group.iter() for child in parent}
    for element in list(group.iter()):
        said = element.attrib.pop("aria-label", "")
        for name in ("class", "role", "aria-roledescription"):
            element.attrib.pop(name, None)
        if said.startswith(_PANEL):
            holder = parents[element]
            parent = parents[holder]
            parent.remove(holder)
            parent.set("class", "f")
            found.panels.append(_panel(said[1:].split(_PART)))
        elif said.startswith(_MARK):
            kind, name, *lines = said[1:].split(_PART)
            parents[element].set("class", "m")
            if name in (*_NOTHING, _PUBLISHED):
                place = None
            else:
                if name not in found.names:
                    found.names.append(name)
                place = found.names.index(name)
            found.marks.append([place, kind, "\n".join(_lines(lines))])


def _lines(parts: Iterable[str]) -> Iterator[str]:
    for part in parts:
        title, _, value = part.partition(_TITLE)
        if value not in _NOTHING:
            yield f"{title}: {sensible(value)}"


def _panel(parts: list[str]) -> dict[str, Any]:
    axes = {}
    for name, (kind, title, percent, domain, ends) in (("x", parts[:5]), ("y", parts[5:])):
        numbers = [[float(number) for number in text.split(",")] for text in (domain, ends)]
        axes[name] = {"type": kind, "domain": numbers[0], "range": numbers[1], "title": title, "percent": bool(percent)}
    return axes


def sensible(text: str) -> str:
    """A decimal number as people write it, with four significant digits; other texts as they are."""
    plain = text.replace("\u2212", "-")
    return figures(float(plain)).replace("-", "\u2212", 1) if _DECIMAL.fullmatch(plain) else text
