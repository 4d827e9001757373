"""Names beside the rows of a chart that are longer than their room: in two lines, or without their middle.

Two names often begin alike ("PPO, learning rate 0.01, …"), so that a name which is cut at its end is no name any more.
What is left out stands where marks tell of themselves.
"""

from collections.abc import Iterator
from typing import Any

VegaLite = dict[str, Any]

_LETTER = 6.6  # pixels, on average
_LINE = 14  # pixels of a line
_TWO_LINES = 30  # pixels of a row that has room for them


def fit_names(chart: VegaLite, longest: float, datasets: dict[str, Any] | None = None, taller: bool = False) -> None:
    """Let no name beside a row be longer than so many pixels, unless the chart has a limit of its own for it.

    Parameters
    ----------
    chart : with its data; changed in place
    longest : pixels
    datasets : of the chart that this one is part of
    taller : whether rows may grow, so that names have two lines
    """
    datasets = chart.get("datasets", datasets or {})
    fits = max(4, int(longest / _LETTER))
    for name in ("vconcat", "hconcat", "concat"):
        for child in chart.get(name, ()):
            fit_names(child, longest, datasets, taller)
    if "spec" in chart:
        panel = {"data": chart.get("data", {})} | chart["spec"]
        fit_names(panel, longest, datasets, taller)
        chart["spec"] |= {"height": panel["height"]} if "height" in panel else {}
    if "mark" not in chart and "layer" not in chart:
        return
    for y, rows in _vertical(chart, chart.get("data", {}), datasets):
        sort = y.get("sort")
        names = {str(row.get(y["field"])) for row in rows} | (set(map(str, sort)) if isinstance(sort, list) else set())
        if max(map(len, names), default=0) <= fits:
            continue
        axis = y.setdefault("axis", {})
        if not isinstance(axis, dict) or "labelExpr" in axis or "labelLimit" in axis:
            continue
        height = chart.get("height")
        each = height["step"] if isinstance(height, dict) else (height or 0) / len(names)
        if taller and 0 < each < _TWO_LINES and any(" " in name for name in names):
            chart["height"] = {"step": _TWO_LINES} if isinstance(height, dict) else _TWO_LINES * len(names)
            each = _TWO_LINES
        axis["labelExpr"] = _fitted(fits, each >= _TWO_LINES)
        axis["labelLimit"] = longest + _LETTER
        if each >= _TWO_LINES:
            axis["labelOffset"] = {"expr": f"{_breaks(fits)} ? {-_LINE / 2} : 0"}


def _fitted(fits: int, in_two_lines: bool) -> str:
    """The expression of Vega for a label of at most so many letters, or of two lines of as many."""
    short = f"truncate(datum.label, {fits}, 'center')"
    if in_two_lines:
        whole = f"truncate(datum.label, {2 * fits - 2}, 'center')"
        short = rf"{_breaks(fits)} ? split(replace({whole}, {_first(fits)}, '$1\n'), '\n') : {short}"
    return f"length(datum.label) <= {fits} ? datum.label : {short}"


def _breaks(fits: int) -> str:
    """The expression for whether a name has two lines."""
    return f"(length(datum.value) > {fits} && test({_first(fits)}, datum.value))"


def _first(fits: int) -> str:
    return f"regexp('^(.{{1,{fits}}}) ')"


def _vertical(chart: VegaLite, data: VegaLite, datasets: dict[str, Any]) -> Iterator[tuple[VegaLite, list[Any]]]:
    """Encodings of names beside the rows of a panel, with the rows of their data."""
    data = chart.get("data") or data
    y = chart.get("encoding", {}).get("y")
    if isinstance(y, dict) and "field" in y and y.get("type") in ("nominal", "ordinal"):
        yield y, datasets.get(data.get("name", ""), data.get("values", []))
    for layer in chart.get("layer", ()):
        yield from _vertical(layer, data, datasets)
