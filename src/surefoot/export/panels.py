"""The panels of a chart: fewer side by side, lower ones, or some at a time where a chart is taller than a page."""

import copy
from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Any

Spec = dict[str, Any]
LEAST_ROW = 11.0
"""Pixels of a row of a chart whose rows are named: below, names would hide each other."""
LOWEST = 90.0
"""Pixels of a panel whose heights are numbers."""


def objects_of(node: Any) -> Iterator[Spec]:
    """All objects of a specification, except those in its data."""
    if isinstance(node, dict):
        yield node
        for key, value in node.items():
            if key not in ("datasets", "data"):
                yield from objects_of(value)
    elif isinstance(node, list):
        for value in node:
            yield from objects_of(value)


def values_of(field: object, chart: Mapping[str, Any]) -> list[Any]:
    """The values of a field in all data of a chart, each once, in their order there."""
    tables = [*chart.get("datasets", {}).values(), (chart.get("data") or {}).get("values", [])]
    values = dict.fromkeys(row.get(field) for rows in tables for row in rows if isinstance(row, dict))
    values.pop(None, None)
    return list(values)


def arrangements(spec: Spec) -> Iterator[Spec]:
    """The chart as it is, and then with ever fewer panels side by side."""
    yield spec
    if any("hconcat" in part for part in objects_of(spec)):
        yield _stacked(spec)
    facet = spec.get("facet")
    if not isinstance(facet, dict):
        return
    if set(facet) == {"row", "column"}:
        for columns in range(number_of_panels(spec, facet["column"]) - 1, 0, -1):
            yield _rows_apart(spec, columns)
        return
    if set(facet) == {"column"}:
        field, most = facet["column"], number_of_panels(spec, facet["column"])
    elif "field" in facet:
        field, most = facet, spec.get("columns", 1)
    else:
        return
    for columns in range(most - 1, 0, -1):
        yield spec | {"facet": field, "columns": columns}


def _stacked(spec: Spec) -> Spec:
    """The chart with all of its views below each other, and as wide as each other."""
    views: list[Spec] = []
    for view in spec.get("hconcat") or spec.get("vconcat") or []:
        inner = _stacked(view)
        views += inner["vconcat"] if {"vconcat"} <= set(inner) <= {"vconcat", "spacing"} else [inner]
    if not views:
        return spec
    widths = [view["width"] for view in views if isinstance(view.get("width"), int | float)]
    views = [view | {"width": max(widths)} if isinstance(view.get("width"), int | float) else view for view in views]
    return {key: value for key, value in spec.items() if key not in ("hconcat", "vconcat")} | {"vconcat": views}


def _rows_apart(spec: Spec, columns: int) -> Spec:
    """A grid of panels as one wrapped row of panels below the other, each with the title of its row."""
    facet, row = spec["facet"], spec["facet"]["row"]
    names = row["sort"] if isinstance(row.get("sort"), list) else values_of(row["field"], spec)
    header = spec["config"]["header"]
    rows = [
        {
            "title": {
                "text": str(name),
                "anchor": "start",
                "fontSize": header["titleFontSize"],
                "fontWeight": "normal",
            },
            "transform": [{"filter": {"field": row["field"], "equal": name}}],
            "facet": facet["column"],
            "columns": columns,
            "spec": spec["spec"],
            **({"resolve": spec["resolve"]} if "resolve" in spec else {}),
        }
        for name in names
    ]
    return {key: value for key, value in spec.items() if key not in ("facet", "spec", "resolve")} | {"vconcat": rows}


def number_of_panels(spec: Spec, field: Mapping[str, Any]) -> int:
    """How many panels a chart has for the values of a field."""
    return max(1, len(values_of(field.get("field"), spec)))


def with_lower_panels(chart: Mapping[str, Any], factor: float) -> Spec | None:
    """The chart with all panels lower by a factor; None where they could not be read any more.

    Parameters
    ----------
    chart : Vega-Lite
    """
    lower = copy.deepcopy(dict(chart))
    views = [part for part in objects_of(lower) if "mark" in part or "layer" in part]
    views = [view for view in views if "height" in view]
    for view in views:
        height = view["height"]
        if isinstance(height, dict):
            view["height"] = {"step": height.get("step", 0) * factor}
            if view["height"]["step"] < LEAST_ROW:
                return None
            continue
        view["height"] = height * factor
        rows = _named_rows(view, lower)
        if view["height"] < (LEAST_ROW * rows if rows else LOWEST):
            return None
    return lower if views else None


def parts_of(chart: Mapping[str, Any], count: int) -> list[Spec]:
    """The chart in so many parts of about as many panels each, or in fewer where it has not so many; one part where it
    has no panels to divide."""
    facet = chart.get("facet")
    if isinstance(facet, dict):
        field = facet if "field" in facet else facet.get("row") or facet.get("column")
        if not isinstance(field, dict):
            return [dict(chart)]
        names = _names_of(field, chart)
        return [_of_panels(chart, field, chosen) for chosen in _divided(names, count)] or [dict(chart)]
    views = chart.get("vconcat")
    if isinstance(views, list) and len(views) > 1:
        return [dict(chart) | {"vconcat": chosen} for chosen in _divided(views, count)]
    if isinstance(views, list) or isinstance(chart.get("hconcat"), list):
        key = "vconcat" if isinstance(views, list) else "hconcat"
        return [dict(chart) | {key: chosen} for chosen in _divided(chart[key], count)]
    return [dict(chart)]


def _of_panels(chart: Mapping[str, Any], field: Mapping[str, Any], names: Sequence[Any]) -> Spec:
    """The chart with the panels of some values of a field, its transforms after this choice."""
    chosen = {"filter": {"field": field["field"], "oneOf": list(names)}}
    part = copy.deepcopy(dict(chart)) | {"transform": [chosen, *chart.get("transform", [])]}
    for each in objects_of(part.get("facet", {})):
        if each.get("field") == field["field"] and isinstance(each.get("sort"), list):
            each["sort"] = [name for name in each["sort"] if name in names]
    return part


def _divided(things: Sequence[Any], count: int) -> list[list[Any]]:
    size = ceil(len(things) / count) if things else 1
    return [list(things[start : start + size]) for start in range(0, len(things), size)]


def _names_of(field: Mapping[str, Any], chart: Mapping[str, Any]) -> list[Any]:
    """The values of a field, in the order in which panels have them."""
    values = values_of(field["field"], chart)
    order = field.get("sort")
    first = [name for name in order if name in values] if isinstance(order, list) else []
    rest = [name for name in values if name not in first]
    is_sorted = not isinstance(order, list) and not (order is None and "sort" in field)
    return [*first, *(sorted(rest, key=str) if is_sorted else rest)]


def _named_rows(view: Spec, chart: Spec) -> int:
    """How many rows with names a view has; 0 where heights are numbers."""
    rows = 0
    for part in objects_of(view):
        y = (part.get("encoding") or {}).get("y")
        if isinstance(y, dict) and y.get("type") in ("nominal", "ordinal") and "field" in y:
            rows = max(rows, len(_names_of(y, chart)))
    return rows
