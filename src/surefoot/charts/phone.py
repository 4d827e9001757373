"""Charts for narrow windows: one column of panels, the legend below, nothing wider than a phone shows.

What a question or a paper draws is made narrow here, whatever it is, so that nobody draws a chart twice: panels that
stand beside each other are put below each other, and all get the width that is left beside their labels.
"""

import copy
import math
import re
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

from surefoot.charts.long_names import fit_names
from surefoot.charts.phone_diagrams import diagram_for_phone
from surefoot.charts.theme import in_lines

VegaLite = dict[str, Any]

WIDTH = 350  # pixels of the picture
LEAST = 96  # pixels of a panel
_ROOM = 140  # pixels of a panel, for which columns of texts beside it go below each other, and long labels are cut
_LABELS = (176, 124)  # pixels, the longest label beside an axis: where the panel has room beside it, and else
_UPRIGHT = 36  # pixels of a column, for which its slanting name would lie upon its neighbour's
_LINES = 7  # pixels that texts below each other lie above and below the middle of their row
_TALLER = 1.3  # a row with two of them, and
_TALLEST = 1.65  # one of two parts, each with two of them
_LETTER = 6.6  # pixels, on average, of a letter in a label
_SYMBOL = 36  # pixels of what stands around a name in a legend
_LEGENDS = ("color", "fill", "stroke", "shape", "strokeDash", "opacity")
_MANY = 6  # panels, from which they stand two and two where their labels are short or shared
_BESIDE, _NUMBERS = 40, 42  # pixels between two of them, and where a second one has numbers beside it
_LINE = 16  # pixels of a line of a heading or of a title
_TICKS = 24  # pixels below a panel, of ticks and their labels
_AROUND = 4  # pixels around a text in a cell
_LEAST_CELL = 12  # pixels of a column of a table in colours
_GUESS = 60.0  # pixels beside the panels
_CLOSE = 2  # pixels by which a picture may miss the width
_TRIES = 3
_TURN = -45  # degrees by which names below a panel are turned where they would touch each other
_TURNED = 36  # pixels that names take below a panel once they are turned, more than before


def for_phone(vega_lite: VegaLite, width_of: Callable[[VegaLite], float], width: float = math.inf) -> VegaLite | None:
    """The chart as it is drawn for narrow windows; None where there is no narrower one.

    Parameters
    ----------
    vega_lite : the chart, with its data
    width_of : how wide the picture of a chart is, in pixels
    width : of the picture of this chart, if it is known, which spares most charts a second try
    """
    if _is_diagram(vega_lite):
        return diagram_for_phone(vega_lite, WIDTH)
    beside = _beside_its_panels(vega_lite, width)
    if _may_stand_two_and_two(vega_lite) and (made := _fitted(vega_lite, width_of, beside, _LABELS[1], LEAST, 2)):
        return made
    if made := _fitted(vega_lite, width_of, beside, _LABELS[0], _ROOM):
        return made
    below = _with_columns_below(vega_lite)
    if below and (made := _fitted(below, width_of, beside, _LABELS[0], _ROOM)):
        return made
    return _fitted(below or vega_lite, width_of, beside, _LABELS[1], -math.inf)


def _beside_its_panels(chart: VegaLite, width: float) -> float:
    """About how many pixels of a picture's width are beside its panels; a guess where that cannot be told."""
    panel, columns, between = chart.get("width"), 1, 0.0
    if "field" in chart.get("facet", {}) and isinstance(chart.get("columns"), int):
        panel, columns = chart["spec"].get("width"), chart["columns"]
        gap = chart.get("spacing", chart.get("config", {}).get("facet", {}).get("spacing", 0))
        between = gap.get("column", 0) if isinstance(gap, dict) else gap
    if not isinstance(panel, int | float):
        return _GUESS
    beside = width - columns * panel - (columns - 1) * between
    return beside if 0 <= beside <= WIDTH - LEAST else _GUESS


def _fitted(
    vega_lite: VegaLite,
    width_of: Callable[[VegaLite], float],
    beside: float,
    longest_label: float,
    least: float,
    columns: int = 1,
) -> VegaLite | None:
    """The narrow chart; None as soon as a picture tells that panels would be narrower than `least`.

    beside : pixels that are first tried to be left beside its panels
    """
    panel = max((WIDTH - beside) / columns, least, LEAST)
    made = _narrow(vega_lite, panel, longest_label, columns)
    for _ in range(_TRIES):
        over = width_of(made) - WIDTH
        if abs(over) <= _CLOSE or (over > 0 and panel == LEAST):
            break
        panel -= over / columns
        if panel < least:
            return None
        panel = max(LEAST, panel)
        made = _narrow(vega_lite, panel, longest_label, columns)
    return made


def _may_stand_two_and_two(chart: VegaLite) -> bool:
    """Whether panels are many, and a second column of them needs no names beside it."""
    facet = chart.get("facet", {})
    if _cells_of(chart) * _LEAST_CELL > LEAST:
        return False
    by = [facet[name]["field"] for name in ("row", "column") if name in facet] or [facet.get("field")]
    if by == [None] or ("field" in facet and chart.get("columns", 1) < 2):
        return False
    if chart.get("resolve", {}).get("scale", {}).get("y") == "independent" and not _are_numbers(chart["spec"]):
        return False
    return len({tuple(row.get(field) for field in by) for row in chart["datasets"][chart["data"]["name"]]}) >= _MANY


def _cells_of(chart: VegaLite) -> int:
    """How many columns of names a panel has beside each other."""
    across = [
        encoding["x"] for encoding in _encodings(chart) if encoding.get("x", {}).get("type") in ("nominal", "ordinal")
    ]
    return max((len(x["sort"]) for x in across if isinstance(x.get("sort"), list)), default=0)


def _spacing(chart: VegaLite, panel: float) -> VegaLite:
    """Between panels two and two: what stands below each, and the lines of its heading."""
    own_numbers = chart.get("resolve", {}).get("scale", {}).get("y") == "independent"
    lines = max(
        (len(textwrap.wrap(name, round(panel / _LETTER))) for name in chart["facet"].get("sort") or ""), default=1
    )
    titles = [encoding["x"].get("title") for encoding in _encodings(chart["spec"]) if "x" in encoding]
    below = max(
        (len(textwrap.wrap(title, round(panel / _LETTER))) for title in titles if isinstance(title, str)), default=0
    )
    row = _TICKS + _LINE * (lines + below) + (_LINE if below else 0) + _LINE
    return {"column": _NUMBERS if own_numbers else _BESIDE, "row": row}


def _are_numbers(panel: VegaLite) -> bool:
    """Whether the vertical axes of a panel have numbers beside them."""
    return all(y.get("type") == "quantitative" for y in _vertical(panel) if "field" in y)


def _with_columns_below(vega_lite: VegaLite) -> VegaLite | None:
    """With the second of two columns of texts beside the panel below the first, row by row, and its heading below the
    other; None without two columns."""
    width = vega_lite.get("width")
    if not isinstance(width, int | float):
        return None
    places = sorted({place for layer in vega_lite.get("layer", ()) if (place := _text_at(layer)) > width})
    if len(places) != 2:
        return None
    chart = copy.deepcopy(vega_lite)
    texts = [layer for layer in chart["layer"] if _text_at(layer) in places]
    longest = max(max(map(len, _texts(layer, chart))) for layer in texts if "field" in layer["encoding"].get("y", {}))
    for layer in texts:
        first = _text_at(layer) == places[0]
        above = layer["encoding"].get("y", {})
        if "value" in above:
            above["value"] -= 2 * _LINES if first else 0
        else:
            mark = layer["mark"] if isinstance(layer["mark"], dict) else {"type": layer["mark"]}
            layer["mark"] = mark | {"dy": -_LINES if first else _LINES}
        layer["encoding"]["x"]["value"] = max(places[0], width + _LETTER * (longest + 1))
    if isinstance(chart.get("height"), int | float):
        chart["height"] *= _TALLEST if any("yOffset" in layer["encoding"] for layer in texts) else _TALLER
    return chart


def _texts(layer: VegaLite, chart: VegaLite) -> list[str]:
    """All that a layer of texts writes."""
    name = (layer.get("data") or chart.get("data") or {}).get("name", "")
    field = layer["encoding"].get("text", {}).get("field", "")
    return [str(row.get(field, "")) for row in chart.get("datasets", {}).get(name, [])] or [""]


def _text_at(layer: VegaLite) -> float:
    """The pixel at which a layer of texts stands; 0 for other layers."""
    mark = layer.get("mark")
    place = layer.get("encoding", {}).get("x", {}).get("value")
    texts = (mark.get("type") if isinstance(mark, dict) else mark) == "text"
    return float(place) if texts and isinstance(place, int | float) else 0.0


def _narrow(vega_lite: VegaLite, panel: float, longest_label: float, columns: int) -> VegaLite:
    chart = copy.deepcopy(vega_lite)
    _stack(chart, panel, chart.get("datasets", {}), columns)
    for encoding in _encodings(chart):
        for channel, given in encoding.items():
            if isinstance(given, dict):
                _fit_guides(channel, given, panel, columns, chart.get("datasets", {}))
    if isinstance(gap := chart.get("spacing"), dict) and any(_is_turned(encoding) for encoding in _encodings(chart)):
        gap["row"] = gap.get("row", 0) + _TURNED
    config = chart.setdefault("config", {})
    config.setdefault("legend", {}).update(orient="bottom", labelLimit=WIDTH - 70, titleLimit=WIDTH)
    config.setdefault("axisY", {})["labelLimit"] = longest_label
    fit_names(chart, longest_label, taller=True)
    title = chart.get("title")
    if isinstance(title, dict) and title.get("text"):
        text = title["text"] if isinstance(title["text"], str) else " ".join(title["text"])
        title["text"] = textwrap.wrap(text, round(WIDTH / _LETTER))
    return chart


def _text_of(title: Any) -> Any:
    return title.get("text") if isinstance(title, dict) else title


def _is_turned(encoding: VegaLite) -> bool:
    axis = encoding.get("x", {}).get("axis")
    return isinstance(axis, dict) and axis.get("labelAngle") in (_TURN, -90)


def _is_diagram(chart: VegaLite) -> bool:
    """Whether nothing in it has an axis."""
    placed = [encoding["x"] for encoding in _encodings(chart) if "x" in encoding]
    return bool(placed) and all("axis" in x and x["axis"] is None and "field" in x for x in placed)


def _stack(chart: VegaLite, panel: float, datasets: dict[str, Any], columns: int = 1) -> None:
    """Panels below each other, or in so many columns, each of a width."""
    if "hconcat" in chart:
        chart["vconcat"] = chart.pop("hconcat")
        if chart.pop("bounds", None) == "flush":
            chart["spacing"] = _TICKS  # and not what labels beside each other need
        first = next((y.get("title") for y in _vertical(chart["vconcat"][0]) if y.get("title")), None)
        for y in (y for child in chart["vconcat"] for y in _vertical(child)):
            if first and "title" in y and not y["title"]:
                y["title"] = first  # which stood beside the first panel alone, as its labels did
            if isinstance(y.get("axis"), dict) and y["axis"].get("labels") is False:
                y["axis"]["labels"] = True
    if "concat" in chart:
        chart["columns"] = 1
    rows = [child["hconcat"] for child in chart.get("vconcat", ()) if "hconcat" in child]
    for row in rows[1:]:
        for child, above in zip(row, rows[0], strict=False):
            if "title" in above and not _text_of(child.get("title")):
                child["title"] = above["title"]
    for child in (*chart.get("vconcat", ()), *chart.get("concat", ())):
        _stack(child, panel, datasets)
    if "facet" in chart and "spec" in chart:
        facet = chart["facet"]
        if "row" in facet or "column" in facet:
            chart["facet"] = _one_facet(chart, facet.get("row"), facet.get("column"), datasets)
        chart["columns"] = columns
        if columns > 1:
            # Where their frames are, and not where their labels end, which may lie below the neighbour.
            chart["bounds"], chart["spacing"] = "flush", _spacing(chart, panel)
        _break_headings(chart["facet"], panel, columns > 1)
        chart.get("resolve", {}).get("axis", {}).pop("y", None)
        chart.setdefault("resolve", {}).setdefault("axis", {})["x"] = "independent"
        chart.pop("align", None)
        if columns == 1 and isinstance(chart["spec"].get("height"), dict) and _cells_of(chart):
            # A table in colours has only the rows and columns that are filled: nothing stands beside it.
            chart["resolve"].setdefault("scale", {}).update(x="independent", y="independent")
        _stack(chart["spec"], panel, datasets)
    elif "mark" in chart or "layer" in chart:
        before = chart.get("width", 300.0)
        chart["width"] = panel
        for unit in _units(chart):
            if "width" in unit:
                unit["width"] = panel
            if not isinstance(before, dict):
                _move(unit, before, panel)
        _without_crowd(chart, panel, datasets)
        encoding = chart.get("encoding", {})
        if "row" in encoding or "column" in encoding:
            one = _one_facet(chart, encoding.pop("row", None), encoding.pop("column", None), datasets)
            encoding["facet"] = one | {"columns": 1}
            _break_headings(encoding["facet"], panel)
        elif "facet" in encoding:
            encoding["facet"]["columns"] = 1


def _one_facet(chart: VegaLite, row: VegaLite | None, column: VegaLite | None, datasets: dict[str, Any]) -> VegaLite:
    """One field of panels in place of rows and columns of them."""
    if row is None or column is None:
        only = row or column or {}
        only.pop("spacing", None)
        if isinstance(only.get("header"), dict):
            for name in ("labelAngle", "labelAlign", "labelOrient", "orient", "labelAnchor"):
                only["header"].pop(name, None)
        return only
    rows = datasets.get(chart.get("data", {}).get("name"), [])
    pairs = dict.fromkeys((str(one[row["field"]]), str(one[column["field"]])) for one in rows)
    places = [_places(facet.get("sort"), [pair[at] for pair in pairs]) for at, facet in enumerate((row, column))]
    names = sorted(pairs, key=lambda pair: (places[0](pair[0]), places[1](pair[1])))
    several = len({first for first, _ in pairs}) > 1
    text = f"datum[{row['field']!r}] + ', ' + datum[{column['field']!r}]" if several else f"datum[{column['field']!r}]"
    chart.setdefault("transform", []).append({"calculate": text, "as": "panel of a phone"})
    order = [f"{first}, {second}" if several else second for first, second in names]
    return {"field": "panel of a phone", "type": "nominal", "title": None, "sort": order}


def _break_headings(facet: VegaLite, panel: float, anywhere: bool = False) -> None:
    """Headings of panels that are too long in lines: `anywhere` between words, or else in two where a part ends."""
    header = facet.get("header")
    header = facet["header"] = header if isinstance(header, dict) else {}
    room = round(panel / _LETTER)
    said = header.get("labelExpr", "")
    if anywhere:
        # What was drawn for another width breaks its headings at that; others say more than the name.
        text = "datum.label" if "datum.label," in said or "length(datum.label)" in said or not said else f"({said})"
        header["labelPadding"] = _CLOSE
        header["labelExpr"] = in_lines(text, panel)
    elif said:
        header["labelExpr"] = re.sub(r"(?<=length\(datum\.label\) > )\d+|(?<=\{1,)\d+", f"{room}", said)
    else:
        broken = "split(replace(datum.label, /(: |, | over | by )/, '$1' + '\\n'), '\\n')"
        header["labelExpr"] = f"length(datum.label) > {room} ? {broken} : datum.label"
    header["labelLimit"] = WIDTH


def _without_crowd(chart: VegaLite, panel: float, datasets: dict[str, Any]) -> None:
    """Without texts in cells that are too narrow for them, which a touch tells; names of columns are turned where they
    would touch each other."""
    for unit in list(_units(chart)):
        x = unit.get("encoding", {}).get("x", {})
        rows = datasets.get((unit.get("data") or chart.get("data") or {}).get("name", ""), [])
        if x.get("type") not in ("nominal", "ordinal"):
            continue
        sort = x.get("sort")
        names = {str(name) for name in sort} if isinstance(sort, list) else {str(row.get(x["field"])) for row in rows}
        if not names:
            continue
        cell = panel / len(names)
        mark = unit.get("mark")
        if (mark.get("type") if isinstance(mark, dict) else mark) == "text":
            written = _values(unit["encoding"].get("text", {}).get("field"), datasets)
            if cell < max(map(len, written), default=4) * _LETTER + _AROUND:
                chart["layer"].remove(unit)
        axis = x.get("axis")
        if isinstance(axis, dict) and "labelExpr" in axis:
            continue  # they stand in lines of their own
        if isinstance(axis, dict) and axis.get("labelAngle") == 0 and max(map(len, names)) * _LETTER > cell:
            axis["labelAngle"] = _TURN
        elif isinstance(axis, dict) and axis.get("orient") == "top" and cell < _UPRIGHT:
            axis["labelAngle"] = -90


def _values(field: Any, datasets: dict[str, Any]) -> set[str]:
    return {str(row[field]) for rows in datasets.values() for row in rows if row.get(field) is not None}


def _vertical(chart: VegaLite) -> Iterator[VegaLite]:
    yield from (encoding["y"] for encoding in _encodings(chart) if isinstance(encoding.get("y"), dict))


def _places(sort: Any, found: list[str]) -> Callable[[str], int]:
    order = [str(one) for one in sort] if isinstance(sort, list) else []
    order += [one for one in dict.fromkeys(found) if one not in order]
    return order.index


def _units(chart: VegaLite) -> Iterator[VegaLite]:
    yield chart
    for layer in chart.get("layer", ()):
        yield from _units(layer)


def _encodings(chart: VegaLite) -> Iterator[VegaLite]:
    if "encoding" in chart:
        yield chart["encoding"]
    for name in ("layer", "vconcat", "hconcat", "concat"):
        for child in chart.get(name, ()):
            yield from _encodings(child)
    if "spec" in chart:
        yield from _encodings(chart["spec"])


def _move(unit: VegaLite, before: float, after: float) -> None:
    """What stands at a pixel: beside the panel it stays as far from it, within it moves along."""
    for channel in ("x", "x2"):
        place = unit.get("encoding", {}).get(channel, {}).get("value")
        if isinstance(place, int | float):
            moved = after + place - before if place >= before else place * after / before
            unit["encoding"][channel]["value"] = moved


def _fit_guides(channel: str, given: VegaLite, panel: float, columns: int, datasets: dict[str, Any]) -> None:
    """The legend below, in as many columns as have room where it starts, below the first panel; titles in lines that
    the panel has room for."""
    room = min(WIDTH - _LABELS[1] / 2, columns * panel)
    if channel in _LEGENDS and "field" in given and given.get("type") in ("nominal", "ordinal"):
        given.setdefault("legend", {})
    legend = given.get("legend")
    if isinstance(legend, dict):
        names = (given.get("scale") or {}).get("domain") or _values(given.get("field"), datasets)
        longest = max((len(str(name)) for name in names), default=0)
        legend |= {"orient": "bottom", "labelLimit": WIDTH - 70}
        legend["columns"] = max(1, int(room // (_SYMBOL + 2 * legend.get("symbolOffset", 0) + _LETTER * longest)))
        if isinstance(legend.get("title"), str):
            legend["title"] = textwrap.wrap(legend["title"], round(min(WIDTH / 1.4, room) / _LETTER))
    axis = given.get("axis")
    if channel in ("x", "y") and isinstance(given.get("title"), str):
        letters = round((panel if channel == "x" else 240) / _LETTER)
        given["title"] = textwrap.wrap(given["title"], letters) or given["title"]
    if channel == "y" and isinstance(axis, dict):
        axis.pop("minExtent", None)
        axis.pop("labelLimit", None)
