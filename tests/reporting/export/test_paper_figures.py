"""Charts at the widths of venues: as wide as they say, with letters that can be read, in a font that is embedded."""

import re
import xml.etree.ElementTree as ET

import altair as alt
import pandas as pd
import pytest
from support.pdf_files import fonts, page_size

from surefoot.charts import theme
from surefoot.charts.theme import headline
from surefoot.errors import HintedError
from surefoot.reporting.export.paper_figures import ALWAYS_INSTALLED, LIKE_TIMES, figure, font_of_figures
from surefoot.reporting.export.venues import VENUES

WIDTHS = {"neurips": 5.5, "icml_column": 3.25}
"""Inches, as the venues' style files have them."""
NAMES = ["Sarsa(λ)", "an algorithm with a long name", "PPO", "SAC"]


def rows():
    points = [(name, panel, x, x * (place + 1)) for place, name in enumerate(NAMES) for panel in "abcd" for x in (0, 1)]
    return pd.DataFrame(points, columns=["algorithm", "panel", "x", "y"])


def curves():
    legend = alt.Legend(columns=5, orient="top", title=None)
    return alt.Chart(rows()).mark_line().encode(x="x:Q", y="y:Q", color=alt.Color("algorithm:N", legend=legend))


def single():
    return curves().properties(width=610, height=200)


def wrapped():
    return curves().properties(width=270, height=120).facet("panel:N", columns=2)


def four_columns():
    return curves().properties(width=118, height=60).facet("panel:N", columns=4)


def made(chart, name, font=ALWAYS_INSTALLED):
    return figure(theme.finish(chart(), "What it shows").to_dict(), VENUES[name], font)


@pytest.mark.parametrize("chart", [single, wrapped, four_columns])
@pytest.mark.parametrize("name", WIDTHS)
def test_a_picture_has_the_venues_width_and_7_to_9_points(chart, name):
    found = made(chart, name)
    root = ET.fromstring(found.svg)
    assert float(root.get("width")) == pytest.approx(72 * WIDTHS[name], rel=0.01)
    assert page_size(found.pdf) == pytest.approx((float(root.get("width")), float(root.get("height"))), rel=0.01)
    left, top, width, height = map(float, root.get("viewBox").split())
    points = float(root.get("width")) / width
    sizes = {float(size) * points for size in re.findall(r'font-size="([\d.]+)px"', ET.tostring(root, "unicode"))}
    assert sizes and min(sizes) >= 7 * 0.99 and max(sizes) <= 9 * 1.01
    assert max(sizes) == pytest.approx({"neurips": 9, "icml_column": 8}[name], rel=0.01)
    texts = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert not any(text and text.endswith("…") for text in texts)
    assert (left, top) == (0, 0) and height > 0


def test_a_caption_begins_with_the_finding():
    chart = headline(theme.finish(wrapped(), "Lines"), "A wins.").to_dict()
    assert figure(chart, VENUES["neurips"], ALWAYS_INSTALLED).caption == "A wins. Lines"
    again = figure(chart | {"description": "A wins. Lines"}, VENUES["neurips"], ALWAYS_INSTALLED)
    assert again.caption == "A wins. Lines"


@pytest.mark.parametrize("asked", [ALWAYS_INSTALLED, None])
def test_fonts_are_embedded(asked):
    font = font_of_figures(asked)
    assert font in (*LIKE_TIMES, ALWAYS_INSTALLED)
    found = fonts(made(single, "neurips", font).pdf)
    assert found and all(found.values())
    assert all(name.startswith(font.replace(" ", "")) for name in found)


def test_an_unknown_font_is_refused():
    assert fonts(made(single, "neurips", "No Such Family").pdf) == {}
    with pytest.raises(HintedError, match=r'"No Such Family" is not installed\. Hint: install it'):
        font_of_figures("No Such Family")


def test_panels_stand_below_each_other_where_there_is_no_room():
    wide, narrow = (page_size(made(four_columns, name).pdf)[1] for name in ("icml_page", "icml_column"))
    assert narrow > 1.7 * wide


def test_panels_too_wide_for_a_venue_name_a_wider_one():
    table = pd.DataFrame(
        {"x": [0, 1], "y": ["a name that leaves no room for anything else, as it is as long as a line", "b"]}
    )
    axis = alt.Axis(labelLimit=1000)
    grid = alt.Chart(table).mark_tick().encode(x="x:Q", y=alt.Y("y:N", axis=axis)).properties(width=300, height=60)
    with pytest.raises(HintedError, match=r"its panels would be too narrow.*take icml_page"):
        figure(theme.finish(grid, "").to_dict(), VENUES["icml_column"], ALWAYS_INSTALLED)
