"""A chart that is taller than a page: with lower panels, or in parts of some panels each."""

import copy
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

from surefoot.export.chart_objects import Spec, objects_of, values_of

LEAST_ROW = 11.0
"""Pixels of a row of a chart whose rows are named: below, names would hide each other."""
LOWEST = 90.0
"""Pixels of a panel whose heights are numbers."""


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
    found = values_of(field["field"], chart)
    order = field.get("sort")
    known = [name for name in order if name in found] if isinstance(order, list) else []
    rest = [name for name in found if name not in known]
    is_sorted = not isinstance(order, list) and not (order is None and "sort" in field)
    return [*known, *(sorted(rest, key=str) if is_sorted else rest)]


def _named_rows(view: Spec, chart: Spec) -> int:
    """How many rows with names a view has; 0 where heights are numbers."""
    rows = 0
    for part in objects_of(view):
        y = (part.get("encoding") or {}).get("y")
        if isinstance(y, dict) and y.get("type") in ("nominal", "ordinal") and "field" in y:
            rows = max(rows, len(_names_of(y, chart)))
    return rows
