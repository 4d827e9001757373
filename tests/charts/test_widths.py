"""Charts that fit a page."""

import re

import altair as alt
import pandas as pd
import vl_convert

from surefoot.charts import theme
from surefoot.charts.distributions import lower_edges
from surefoot.charts.page_pictures import pictures
from surefoot.charts.widths import WIDEST

DATA = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": [1.0, 20.0, 300.0], "panel": ["one", "two", "three"]})


def wide(panel):
    chart = alt.Chart(DATA).mark_point().encode(x="x:Q", y="y:Q").properties(width=panel, height=80)
    chart = chart.facet(facet=alt.Facet("panel:N", sort=list(DATA["panel"])), columns=3)
    return theme.finish(chart.resolve_scale(x="independent", y="independent"), "x").to_dict()


def width_of(picture):
    return float(re.search(r'width="([\d.]+)"', picture)[1])


def test_a_chart_that_is_too_wide_gets_narrower_panels_and_letters_of_the_same_size():
    assert width_of(vl_convert.vegalite_to_svg(wide(330))) > 1000
    alone, _ = pictures(wide(330), "name")
    assert 0.85 * WIDEST < width_of(alone) <= WIDEST
    assert f'font-size="{theme.TEXT}px"' in alone


def test_a_chart_that_fits_stays_as_it_is():
    alone, _ = pictures(wide(100), "name")
    assert width_of(alone) == width_of(vl_convert.vegalite_to_svg(wide(100)))


def test_panels_of_a_row_stand_in_line_and_a_gap_has_no_axis():
    """Of two rows of panels with axes of their own, whatever their labels."""
    chart = alt.Chart(DATA).mark_point().encode(x="x:Q", y="y:Q").properties(width=100, height=80)
    chart = chart.facet(facet=alt.Facet("panel:N", sort=list(DATA["panel"])), columns=2)
    picture = vl_convert.vegalite_to_svg(theme.finish(chart.resolve_scale(y="independent"), "x").to_dict())
    places = re.findall(
        r'<g transform="translate\(([-\d.]+),([-\d.]+)\)"><path class="background"[^>]*d="M[\d.,]+h100v80', picture
    )
    assert len(places) == 3
    assert len({y for _, y in places}) == 2 and len({x for x, _ in places}) == 2
    assert picture.count(">x</text>") == 3  # one title of an axis below each panel


def test_one_algorithm_far_below_all_others_does_not_press_them_together():
    scores = {"a": [0.0, 10.0], "b": [1.0, 9.0], "far": [-500.0, 5.0]}
    rows = [{"algorithm": name, "environment": "e", "score": score} for name, both in scores.items() for score in both]
    bands = pd.DataFrame(rows)
    assert lower_edges(bands) == {"e": -1.0}
    assert lower_edges(bands[bands["algorithm"] != "a"]) == {"e": -500.0}  # of two, neither is the odd one
    assert lower_edges(bands.assign(score=bands["score"].clip(lower=-15.0))) == {"e": -15.0}
