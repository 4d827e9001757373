"""The objects of a Vega-Lite chart and the values in its data."""

from collections.abc import Iterator, Mapping
from typing import Any

Spec = dict[str, Any]


def objects_of(node: Any) -> Iterator[Spec]:
    """All objects of a specification, its data apart."""
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
    found = dict.fromkeys(row.get(field) for rows in tables for row in rows if isinstance(row, dict))
    found.pop(None, None)
    return list(found)
