"""What a script can tell of a picture: the values behind each mark, whose it is, and the scales of panels with curves.

A chart is drawn by Vega, once, when it is made. What Vega knows of each mark it is asked to write into the picture, as
the mark's description; from there it is taken into a list of its own, so that the picture stays small and a page needs
no Vega to answer a pointer.
"""

import copy
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from xml.etree import ElementTree

Vega = dict[str, Any]

_MARK, _PART, _TITLE, _PANEL = "\u241e", "\u241f", "\u241d", "\u241c"
"""They begin what is said of a mark, its parts, the value after a title, and what is said of a panel."""
CLASSES = "classes"
"""In `usermeta` of a chart whose colours are of classes and not of algorithms: none is highlighted in other charts."""
_CURVES = ("line", "area")
_CONTINUOUS = ("linear", "log", "pow", "sqrt", "symlog")
_NOTHING = ("", "null", "undefined", "NaN", "nan")
_PUBLISHED = "published"
"""The name of what has a colour and is of no single algorithm."""
_DIGITS = 4
_FEWER = 2  # digits of numbers below a thousandth


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
    """A letter that nobody sees, whose description are the scales of the group that it stands in."""
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
    text = signal.strip()[1:-1]
    start, depth, quote, at = 0, 0, "", 0
    pieces = []
    while at < len(text):
        letter = text[at]
        if quote:
            at += letter == "\\"
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif letter == "," and not depth:
            pieces.append(text[start:at])
            start = at + 1
        at += 1
    for piece in (*pieces, text[start:]):
        title, end = json.JSONDecoder().raw_decode(piece.strip())
        yield title, piece.strip()[end:].lstrip(" :")


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
    """A number as people write it, with four significant digits and two below a thousandth; other texts as they are."""
    plain = text.replace("\u2212", "-")
    if (
        not re.fullmatch(r"-?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", plain)
        or len(plain.lstrip("-0.").replace(".", "")) <= _DIGITS
    ):
        return text
    number = float(plain)
    if number.is_integer():
        return text
    if abs(number) >= 1000:
        written = f"{number:,.0f}"
    elif abs(number) >= 0.001:
        written = f"{float(f'{number:.{_DIGITS}g}'):g}"
    else:
        written = f"{number:.{_FEWER}g}"
    return written.replace("-", "\u2212", 1) if number < 0 else written
