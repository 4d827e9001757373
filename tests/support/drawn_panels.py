"""Read the marks of a drawn chart, and compare their panels and positions with the data of the chart.

Vega draws the headings of a grid of panels separately from the panels, so a valid chart may still show marks under the
heading of another panel (vega/vega-lite issue 9702). Here each mark is labelled with its row of data, the chart is
drawn by the same converter as figures, and the labels are read from the scene graph.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import vl_convert

ROW = "row of data"
"""Column with the number of each row of data."""
NEAR = 1.5
"""Largest distance in pixels between a mark and its position, since marks and ticks are rounded to half pixels."""
_SI = {"": 1.0, "n": 1e-9, "µ": 1e-6, "m": 1e-3, "k": 1e3, "M": 1e6, "G": 1e9, "B": 1e9}


@dataclass
class Unit:
    """A mark of the specification: the name of its data, and its encoding, including inherited channels."""

    data: str | None
    encoding: dict[str, Any]
    filtered: bool


@dataclass
class Mark:
    """A drawn mark: its unit, its row of data, and its position within the panel."""

    unit: int
    row: str
    x: float
    y: float
    width: float
    height: float


@dataclass
class Panel:
    """A drawn panel: the headings above and next to it, its ticks (position, text) by axis, and its marks."""

    headings: list[str] = field(default_factory=list)
    ticks: dict[str, list[tuple[float, str]]] = field(default_factory=dict)
    marks: list[Mark] = field(default_factory=list)


def misplaced_marks(specification: Mapping[str, Any]) -> list[str]:
    """Describe each mark that is drawn in the wrong panel or at the wrong position, and each row that no mark shows.

    Parameters
    ----------
    specification : Vega-Lite of a chart with panels, as Altair writes it

    Returns
    -------
    One sentence per error; empty for a chart without panels.
    """
    labelled, rows, units = _labelled(specification)
    faults = []
    shown: set[str] = set()
    for facet, scene_panels in _drawn_facets(labelled):
        fields = [facet[channel]["field"] for channel in ("row", "column", "facet") if channel in facet]
        fields = fields or [facet["field"]]
        for panel in scene_panels:
            for mark in panel.marks:
                row = rows.get(mark.row)
                if row is None:
                    faults.append(f"a mark of {units[mark.unit].data} shows no single row of data")
                    continue
                shown.add(mark.row)
                if not set(fields) <= row.keys():
                    continue  # data that all panels show, such as a reference line
                expected = sorted(_text(row[name]) for name in fields)
                # Headings are wrapped, even within a long word.
                if sorted(map(_unbroken, panel.headings)) != sorted(map(_unbroken, expected)):
                    faults.append(f"row {row} stands below {panel.headings}, not {expected}")
                faults += _beside_its_value(mark, row, units[mark.unit].encoding, panel)
    return faults + _not_shown(rows, units, shown) if _facets(labelled) else []


def has_panels(specification: Mapping[str, Any]) -> bool:
    """Return True if a part of the chart is repeated for the values of a column."""
    return bool(_facets(specification))


def _facets(part: Any) -> list[dict[str, Any]]:
    """Return the `facet` of each part of a specification that has panels."""
    if isinstance(part, list):
        return [facet for each in part for facet in _facets(each)]
    if not isinstance(part, dict):
        return []
    own = [part["facet"]] if "facet" in part and "spec" in part else []
    return own + [facet for key, each in part.items() if key not in ("datasets", "config") for facet in _facets(each)]


def _labelled(specification: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, dict[str, Any]], list[Unit]]:
    """Return the specification with marks labelled by unit and row of data, the rows by number, and the units."""
    labelled = json.loads(json.dumps(specification))
    datasets = labelled.setdefault("datasets", {})
    units: list[Unit] = []

    def visit(part: dict[str, Any], data: str | None, encoding: dict[str, Any], filtered: bool) -> None:
        if "data" in part:
            data = part["data"].get("name")
            if data is None:
                data = f"inline {len(datasets)}"
                datasets[data] = part["data"]["values"]
                part["data"] = {"name": data}
        filtered = filtered or bool(part.get("transform"))
        encoding = encoding | part.get("encoding", {})
        for key in ("layer", "hconcat", "vconcat", "concat"):
            for inner in part.get(key, []):
                visit(inner, data, encoding, filtered)
        if "spec" in part:
            visit(part["spec"], data, encoding, filtered)
        if "mark" in part:
            kind = part["mark"] if isinstance(part["mark"], dict) else {"type": part["mark"]}
            part["mark"] = kind | {"aria": True}
            unit = f"'{len(units)}|' + datum['{ROW}']"
            label = {"calculate": unit, "as": f"label {len(units)}"}
            part["transform"] = [*part.get("transform", []), label]
            part["encoding"] = part.get("encoding", {}) | {
                "description": {"field": f"label {len(units)}", "type": "nominal"}
            }
            units.append(Unit(data, encoding, filtered))

    visit(labelled, None, {}, False)
    rows = {}
    for name, table in datasets.items():
        for place, row in enumerate(table):
            rows[f"{name}:{place}"] = dict(row)
            row[ROW] = f"{name}:{place}"
    return labelled, rows, units


def _drawn_facets(specification: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], list[Panel]]]:
    """Yield the `facet` of each part with panels, and the drawn panels."""
    scene = vl_convert.vegalite_to_scenegraph(dict(specification))["scenegraph"]
    groups = [part for part in _groups(scene) if any(_is_cell(mark) for mark in part["items"])]
    facets = _facets(specification)
    assert len(groups) == len(facets), "as many groups of panels are drawn as the chart has"
    for facet, group in zip(facets, groups, strict=True):
        yield facet, list(_panels(group))


def _is_cell(mark: Mapping[str, Any]) -> bool:
    return mark.get("marktype") == "group" and mark.get("name", "").endswith("cell") and "role" in mark


def _groups(mark: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield all groups within a mark, outer groups first."""
    for item in mark.get("items", []):
        if "items" in item:
            yield item
            for inner in item["items"]:
                yield from _groups(inner)


def _panels(group: Mapping[str, Any]) -> Iterator[Panel]:
    """Yield the panels of a group, with the headings and axes that are aligned with them."""
    beside = [(mark.get("role", ""), item) for mark in group["items"] for item in mark.get("items", [])]
    outside = [(role, item) for role, item in beside if role.endswith(("-header", "-footer"))]
    cells = [cell for mark in group["items"] if _is_cell(mark) for cell in mark["items"]]
    for cell in cells:
        panel = Panel()
        _read(cell, panel, 0.0, 0.0)
        for role, item in outside:
            along = "y" if role.startswith("row") else "x"
            if abs(item.get(along, 0.0) - cell.get(along, 0.0)) < 1.0:
                _read(item, panel, 0.0, 0.0)
        yield panel


def _read(group: Mapping[str, Any], panel: Panel, x: float, y: float) -> None:
    """Add the headings, ticks and labelled marks of a group, at position (x, y) in pixels, to a panel."""
    for mark in group.get("items", []):
        role = mark.get("role", "")
        for item in mark.get("items", []):
            at_x = x + item.get("x", 0.0)
            at_y = y + item.get("y", 0.0)
            if role == "axis-label":
                continue
            if role == "title":
                panel.headings += _texts(item)
            elif role == "axis":
                axis = "x" if item["orient"] in ("top", "bottom") else "y"
                labels = [part for part in item["items"] if part.get("role") == "axis-label"]
                ticks = [(one.get(axis, 0.0), _text(one["text"])) for part in labels for one in part["items"]]
                panel.ticks[axis] = panel.ticks.get(axis, []) + ticks
            elif "items" in item:
                _read(item, panel, at_x, at_y)
            elif re.fullmatch(r"\d+\|.*", item.get("description", "")):
                unit, _, row = item["description"].partition("|")
                reach = _reach(item, "width", "x"), _reach(item, "height", "y")
                panel.marks.append(Mark(int(unit), row, at_x, at_y, *reach))


def _texts(title: Mapping[str, Any]) -> list[str]:
    """Return the texts of a heading."""
    marks = [mark for mark in title["items"] if mark.get("role", "").startswith("title-")]
    return [_text(item["text"]) for mark in marks for item in mark["items"]]


def _text(value: Any) -> str:
    """Join a text, which may have several lines, into one line."""
    lines = value if isinstance(value, list) else [value]
    return " ".join(" ".join(map(str, lines)).split())


def _unbroken(text: str) -> str:
    return "".join(text.split())


def _reach(item: Mapping[str, Any], size: str, axis: str) -> float:
    """Return the size of a mark along an axis, in pixels."""
    start = item.get(axis) or 0.0
    end = item.get(f"{axis}2")
    return float(item.get(size) or (0.0 if end is None else end - start))


def _beside_its_value(mark: Mark, row: Mapping[str, Any], encoding: Mapping[str, Any], panel: Panel) -> Iterator[str]:
    """Describe each axis on which the position of a mark does not match its value, according to the ticks."""
    for axis in ("x", "y"):
        channel = encoding.get(axis, {})
        ticks = panel.ticks.get(axis, [])
        name = channel.get("field")
        if name not in row or row[name] is None or not ticks:
            continue
        start = mark.x if axis == "x" else mark.y
        end = start + (mark.width if axis == "x" else mark.height)
        if channel["type"] == "quantitative":
            value = float(row[name])
            known = [(place, number) for place, text in ticks if (number := _number(text)) is not None]
            if not any(_agrees(place, value, known) for place in (start, end, (start + end) / 2)):
                yield f"{name} = {value} of {row} is drawn at {start:.1f} to {end:.1f}, between the ticks {known}"
        else:
            nearest = min(ticks, key=lambda tick: abs(tick[0] - (start + end) / 2))
            if nearest[1] != _text(row[name]):
                yield f"{name} of {row} is drawn beside {nearest[1]}"


def _number(text: str) -> float | None:
    """Parse an axis label such as "1.5", "20 %", "10 µs" or "200M"; return None for other texts."""
    found = re.fullmatch(r"([+-]?[\d.,]+(?:e[+-]?\d+)?) ?([nµmkMGB]?)(?:s|[ ]?%)?", text.replace("\N{MINUS SIGN}", "-"))
    if found is None:
        return None
    share = 0.01 if text.endswith("%") else 1.0
    return float(found[1].replace(",", "")) * _SI[found[2]] * share


def _agrees(place: float, value: float, ticks: list[tuple[float, float]]) -> bool:
    """Return True if a value is between the values of the ticks around its position, whatever the scale of the axis."""
    if len({number for _, number in ticks}) < 2:
        return True
    rising = sorted(ticks)
    if rising[0][1] > rising[-1][1]:
        value = -value
        rising = [(at, -number) for at, number in rising]
    low = max((number for at, number in rising if at <= place - NEAR), default=-math.inf)
    high = min((number for at, number in rising if at >= place + NEAR), default=math.inf)
    slack = 1e-4 * max(abs(number) for _, number in rising)
    return low - slack <= value <= high + slack


def _not_shown(rows: Mapping[str, dict[str, Any]], units: list[Unit], shown: set[str]) -> list[str]:
    """Describe the rows of data that a unit without filters should show, but no mark shows."""
    faults = []
    for name, row in rows.items():
        data = name.rpartition(":")[0]
        if name in shown or not row:
            continue
        for unit in units:
            fields = [unit.encoding[axis].get("field") for axis in ("x", "y") if axis in unit.encoding]
            if (
                unit.data == data
                and not unit.filtered
                and all(key is None or row.get(key) is not None for key in fields)
            ):
                faults.append(f"no mark shows {row}")
                break
    return faults
