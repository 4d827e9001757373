"""Pictures keep what is seen."""

import math
import re
from itertools import pairwise

import altair as alt
import numpy as np
import pandas as pd
import vl_convert
from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.charts import theme
from surefoot.charts.page_pictures import pictures
from surefoot.charts.small_pictures import TOLERANCE, compact, simplified

PLACES = st.integers(-3000, 3000).map(lambda tenths: tenths / 10)


def distance(point, start, end):
    """From a point to a segment, by trying 2,001 points of it."""
    shares = np.linspace(0.0, 1.0, 2001)[:, None]
    tried = (1 - shares) * np.array(start) + shares * np.array(end)
    return float(np.hypot(*(tried - np.array(point)).T).min())


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(PLACES, PLACES), min_size=2, max_size=40, unique=True))
def test_no_point_is_farther_from_the_line_than_the_tolerance(points):
    kept = simplified(points)
    assert kept[0] == points[0] and kept[-1] == points[-1]
    place = 0
    for start, end in pairwise(kept):
        first = points.index(start, place)
        last = points.index(end, first + 1)
        longest = math.dist(start, end)
        assert all(distance(p, start, end) <= TOLERANCE + longest / 2000 for p in points[first : last + 1])
        place = last


def test_points_on_a_line_go_and_corners_stay():
    steps = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (2.0, 5.0), (2.0, 9.0), (7.0, 9.0)]
    assert simplified(steps) == [(0.0, 0.0), (2.0, 0.0), (2.0, 9.0), (7.0, 9.0)]
    there_and_back = [(0.0, 0.0), (5.0, 0.0), (1.0, 0.0)]
    assert simplified(there_and_back) == there_and_back


def test_a_picture_keeps_its_texts_and_marks_and_is_smaller():
    x = np.linspace(0.0, 1.0, 300)
    data = pd.DataFrame({"x": x, "y": np.sin(9 * x), "low": np.sin(9 * x) - 0.2, "high": np.floor(9 * x) / 9})
    base = alt.Chart(data).encode(x="x")
    chart = alt.layer(base.mark_area(opacity=0.3).encode(y="low", y2="high"), base.mark_line().encode(y="y"))
    whole = vl_convert.vegalite_to_svg(chart.to_dict())
    small = compact(whole)
    assert len(small) < 0.6 * len(whole)
    assert re.findall("<text[^>]*>([^<]*)<", small) == re.findall("<text[^>]*>([^<]*)<", whole)
    seen = re.findall('<(path|line|rect)[^>]* stroke="([^"]*)"', whole)
    assert re.findall('<(path|line|rect)[^>]* stroke="([^"]*)"', small) == seen and len(seen) > 20
    assert vl_convert.svg_to_png(small)


def test_a_picture_in_a_page_has_no_paper_of_its_own():
    """Or else it is a white box on the ground of a fold."""
    chart = alt.Chart(pd.DataFrame({"x": [1, 2]})).mark_point().encode(x="x:Q")
    alone, in_page = pictures(theme.finish(chart, "x").to_dict(), "figure")
    paper = re.compile(r'<rect width="[\d.]+" height="[\d.]+" fill')
    assert len(paper.findall(alone)) == 1 and not paper.search(in_page)
