"""A picture is drawn once, scales, and tells the values of its marks."""

import re
from xml.etree import ElementTree

import altair as alt
import pandas as pd
import pytest
import vl_convert

from surefoot.charts import theme
from surefoot.charts.draw import pictures, with_own_ids

NAMES = {"a": "Alpha", "b": "Beta", "c": "Gamma"}
CELLS = pd.DataFrame(
    [(one, other, place / 9) for place, one in enumerate(NAMES) for other in NAMES], columns=list("xyv")
)


def curves():
    data = pd.DataFrame({"x": [0.0, 1.0] * 3, "y": [0.0, 1.0, 0.2, 0.5, 0.3, 1.0], "title": [*NAMES.values()] * 2})
    colour = alt.Color("title:N", scale=theme.colour_scale(NAMES))
    return alt.Chart(data).mark_line(clip=True).encode(x="x:Q", y="y:Q", color=colour)


def heat_map():
    return alt.Chart(CELLS).mark_rect().encode(x="x:N", y="y:N", color="v:Q")


def message():
    return theme.message("There is nothing to be seen")


@pytest.fixture(params=[curves, heat_map, message], ids=lambda make: make.__name__)
def drawn(request):
    """(the file, the SVG in a page) of a chart."""
    file, fragment = pictures(theme.finish(request.param(), "x").to_dict(), "name")
    return ElementTree.fromstring(file), ElementTree.fromstring(fragment)


def test_a_picture_scales_and_its_texts_are_legible(drawn):
    for root in drawn:
        tag = "{http://www.w3.org/2000/svg}text" if root.tag.startswith("{") else "text"
        assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
        sizes = [float(text.get("font-size").removesuffix("px")) for text in root.iter(tag)]
        assert sizes and min(sizes) >= 11


def test_ids_do_not_depend_on_what_was_drawn_before():
    chart = curves().to_dict()
    first, second = (vl_convert.vegalite_to_svg(chart) for _ in range(2))
    assert first != second, "the reason for all this"
    assert with_own_ids(first, "a") == with_own_ids(second, "a")
    ids, used = (re.findall(pattern, with_own_ids(first, "a")) for pattern in (r'id="([^"]+)"', r"url\(#([^)]+)\)"))
    assert ids and set(used) <= set(ids)
    assert set(ids).isdisjoint(re.findall(r'id="([^"]+)"', with_own_ids(first, "b")))


def test_marks_tell_what_they_are_asked_to_and_nothing_that_is_missing():
    names = ["Alpha, the first", 'B "two"; <b>']
    rows = pd.DataFrame({"title": names, "value": [1 / 3, 2e-5], "low": [0.1, None]})
    rows = theme.with_tooltips(rows, {"title": "algorithm", "value": "score", "low": "low"})
    points = alt.Chart(rows).mark_point(aria=True).encode(x="value:Q", y="title:N", **theme.TOOLTIP)
    lines = alt.Chart(rows).mark_line().encode(x="value:Q", y="low:Q")
    _, fragment = pictures(theme.finish(alt.layer(points, lines), "x").to_dict(), "name")
    told = [part.get("data-tooltip") for part in ElementTree.fromstring(fragment).iter() if part.get("data-tooltip")]
    assert told == [f"algorithm: {names[0]}; score: 0.3333; low: 0.1", f"algorithm: {names[1]}; score: 2e-5"]
