"""A picture is drawn once, scales, and has colours for light and dark pages."""

import re
from xml.etree import ElementTree

import altair as alt
import pandas as pd
import pytest
import vl_convert

from surefoot.charts import theme
from surefoot.charts.pictures import pictures, with_own_ids

NAMES = {"a": "Alpha", "b": "Beta", "c": "Gamma"}
CELLS = pd.DataFrame(
    [(one, other, place / 9) for place, one in enumerate(NAMES) for other in NAMES], columns=list("xyv")
)


def curves():
    data = pd.DataFrame({"x": [0.0, 1.0] * 3, "y": [0.0, 1.0, 0.2, 0.5, 0.3, 1.0], "title": [*NAMES.values()] * 2})
    colour = alt.Color("title:N", scale=theme.scales(NAMES).colour)
    return alt.Chart(data).mark_line(clip=True).encode(x="x:Q", y="y:Q", color=colour)


def heat_map():
    return alt.Chart(CELLS).mark_rect().encode(x="x:N", y="y:N", color="v:Q")


def message():
    return theme.message("There is nothing to be seen")


@pytest.fixture(params=[curves, heat_map, message], ids=lambda make: make.__name__)
def drawn(request):
    """(the file, the SVG in a page) of a chart."""
    file, fragment = pictures(theme.finish(request.param(), "x").to_dict(), "name")
    return ElementTree.fromstring(file), ElementTree.fromstring(fragment.partition("\n<script")[0])


def paints(root):
    return {element.get(name) for element in root.iter() for name in ("fill", "stroke")} - {None, "none", "transparent"}


def test_in_a_page_every_colour_has_one_for_dark_pages_and_in_a_file_none_has(drawn):
    file, in_page = drawn
    both = [re.fullmatch(r"light-dark\((#[0-9a-f]{6}),(#[0-9a-f]{6})\)|url\(.*\)", paint) for paint in paints(in_page)]
    assert both and all(both)
    assert not any("light-dark" in paint for paint in paints(file))
    assert f"light-dark({theme.INK},{theme.DARK[theme.INK]})" in paints(in_page) or len(both) == 1


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
