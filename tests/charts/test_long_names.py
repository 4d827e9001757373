"""Names that are longer than their room stay names: two that differ do so in the picture, too."""

import re

import altair as alt
import pandas as pd
import pytest
import vl_convert

from surefoot.charts import theme
from surefoot.charts.long_names import fit_names
from surefoot.charts.page_pictures import pictures

ALIKE = [
    "proximal_policy_optimization_with_a_learning_rate_of_0.01",
    "proximal_policy_optimization_with_a_learning_rate_of_0.1",
]
WORDS = "a soft actor-critic whose temperature is learnt"


def rows_of(names, height):
    rows = pd.DataFrame({"title": names, "value": range(len(names))})
    chart = alt.Chart(rows).mark_point().encode(x="value:Q", y="title:N").properties(width=300, height=height)
    return theme.finish(chart, "x").to_dict()


def texts(picture):
    return re.findall(r"<(?:text|tspan)[^>]*>([^<]+)<", picture)


@pytest.mark.parametrize("height", [40, 200])
def test_names_that_begin_alike_are_told_apart(height):
    picture, in_page = pictures(rows_of(ALIKE, height), "figure")
    for drawn in (picture, in_page):
        ends = {text[-5:] for text in texts(drawn) if text.startswith("proximal")}
        assert ends == {"_0.01", "f_0.1"}


def test_a_name_of_several_words_has_two_lines_where_its_row_has_room():
    low, high = rows_of([WORDS, "Q"], 40), rows_of([WORDS, "Q"], 80)
    for chart in (low, high):
        fit_names(chart, 170)
    drawn = {name: texts(vl_convert.vegalite_to_svg(chart)) for name, chart in (("low", low), ("high", high))}
    assert " ".join(text for text in drawn["high"] if text in WORDS and len(text) > 4) == WORDS
    assert any("…" in text and text.endswith("learnt") for text in drawn["low"])


def test_rows_grow_where_they_may():
    chart = rows_of([WORDS, "Q"], 40)
    fit_names(chart, 170, taller=True)
    assert chart["height"] == 60


def test_names_that_fit_and_axes_with_a_limit_of_their_own_stay():
    chart = rows_of(["Ada", "Q"], 40)
    before = str(chart)
    fit_names(chart, 170)
    assert str(chart) == before
