"""Charts as a phone shows them: they fit, and have the marks, the names and the tooltips of the wide ones."""

import re
from collections import Counter

import pytest
from support.chart_families import FAMILIES, OF_ONE_SIZE, SIZES, specification
from support.drawn_panels import has_panels, misplaced_marks

from surefoot.charts.draw import pictures
from surefoot.charts.narrow import WIDTH, narrow_picture

EVERY = [*((family, SIZES[0]) for family in FAMILIES), *((family, 3) for family in OF_ONE_SIZE)]


def narrowed(chart):
    """The wide picture of a chart, the narrow one, and the chart that it is drawn from."""
    tried = []

    def draw(stacked):
        tried.append(stacked)
        return pictures(stacked, "narrow")

    wide, in_page = pictures(chart, "wide")
    return wide, in_page, narrow_picture(chart, wide, draw), tried[-1] if tried else chart


def width_of(picture):
    return float(re.search(r'<svg[^>]*? width="([\d.]+)"', picture)[1])


def texts_of(picture):
    found = re.findall(r"<text[^>]*>(.*?)</text>", picture, re.DOTALL)
    texts = {" ".join(re.sub(r"<[^>]*>", " ", text).split()) for text in found}
    return {text for text in texts if not re.fullmatch("[\N{MINUS SIGN}0-9.,%kM]+", text)}


@pytest.mark.parametrize(("family", "count"), EVERY)
def test_a_narrow_chart_fits_and_has_all_marks_and_names(family, count):
    chart = specification(family, count)
    wide, in_page, narrow, stacked = narrowed(chart)
    if not narrow:
        assert width_of(wide) <= WIDTH
        return
    assert width_of(narrow) <= WIDTH
    tooltips = [Counter(re.findall(r'data-tooltip="([^"]*)"', picture)) for picture in (in_page, narrow)]
    assert tooltips[0] == tooltips[1]
    words = " ".join(texts_of(narrow))
    missing = {text for text in texts_of(in_page) if not all(word in words for word in text.rstrip("…").split())}
    assert not missing
    if has_panels(stacked):
        assert misplaced_marks(stacked) == []


def test_a_chart_that_fits_is_drawn_once():
    chart = specification("multiple_comparisons", 3)
    assert narrow_picture(chart, '<svg version="1.1" width="350" height="9">', lambda stacked: 1 / 0) == ""
