"""Charts for narrow windows."""

import re

import altair as alt
import pandas as pd
import pytest
import vl_convert

from surefoot.charts import theme
from surefoot.charts.diagrams import Arrow, Box, diagram
from surefoot.charts.phone import WIDTH, for_phone

ROWS = pd.DataFrame(
    [
        {"title": title, "panel": panel, "row": row, "value": len(title) + place}
        for title in ("Sarsa", "an algorithm with a long name")
        for place, panel in enumerate(("first", "second", "third"))
        for row in ("upper", "lower")
    ]
)


def width_of(chart):
    return float(re.search(r'width="([\d.]+)"', vl_convert.vegalite_to_svg(chart))[1])


def unit():
    chart = (
        alt.Chart(ROWS).mark_point().encode(x=alt.X("value:Q", title="a value whose name is quite long"), y="title:N")
    )
    return chart.encode(color="title:N").properties(width=300, height=60)


CHARTS = {
    "unit": lambda: unit().properties(width=700),
    "wrapped": lambda: unit().facet(facet="panel:N", columns=3),
    "columns": lambda: unit().facet(column=alt.Facet("panel:N", sort=["third", "first", "second"])),
    "rows and columns": lambda: unit().facet(column="panel:N", row=alt.Facet("row:N", sort=["upper", "lower"])),
    "beside each other": lambda: alt.hconcat(unit(), unit()),
    "encoded": lambda: unit().encode(column="panel:N"),
}


@pytest.mark.parametrize("name", CHARTS)
def test_any_chart_is_as_wide_as_a_phone_and_keeps_its_marks(name):
    wide = theme.finish(CHARTS[name](), "x").to_dict()
    narrow = for_phone(wide, width_of)
    assert width_of(wide) > 450 and abs(width_of(narrow) - WIDTH) <= 12
    pictures = [vl_convert.vegalite_to_svg(chart) for chart in (wide, narrow)]
    marks, same = (len(re.findall('aria-roledescription="point"', picture)) for picture in pictures)
    assert marks == same > 0
    assert float(re.search(r'height="([\d.]+)"', pictures[1])[1]) >= float(
        re.search(r'height="([\d.]+)"', pictures[0])[1]
    )


def test_rows_and_columns_become_one_column_in_their_order():
    narrow = for_phone(theme.finish(CHARTS["rows and columns"](), "x").to_dict(), width_of)
    titles = re.findall(">((?:upper|lower), [a-z]+)<", vl_convert.vegalite_to_svg(narrow))
    assert titles == [f"{row}, {panel}" for row in ("upper", "lower") for panel in ("first", "second", "third")]


def test_text_beside_a_panel_stays_as_far_from_it():
    points = alt.Chart(ROWS).mark_point().encode(x="value:Q", y="title:N")
    beside = alt.Chart(ROWS).mark_text().encode(x=alt.value(450), y="title:N", text="title:N")
    narrow = for_phone(theme.finish(alt.layer(points, beside).properties(width=400), "x").to_dict(), width_of)
    assert narrow["layer"][1]["encoding"]["x"]["value"] == narrow["width"] + 50


def test_a_diagram_has_no_other_picture():
    chart = diagram([Box(0, 0, 90, 40, "one"), Box(200, 0, 90, 40, "two")], [Arrow([(90, 20), (200, 20)])], 60)
    assert for_phone(theme.finish(chart, "x").to_dict(), width_of) is None


def test_the_last_of_several_columns_of_texts_goes_where_a_panel_would_be_too_narrow():
    rows = pd.DataFrame({"title": ["a"], "value": [1.0]})
    points = alt.Chart(rows).mark_point().encode(x="value:Q", y="title:N")
    beside = [alt.Chart(rows).mark_text(text="w" * 15).encode(x=alt.value(at), y="title:N") for at in (450, 560)]
    chart = theme.finish(alt.layer(points, *beside).properties(width=400), "x").to_dict()
    narrow = for_phone(chart, width_of)
    assert [layer["encoding"]["x"].get("value", 0) > 0 for layer in narrow["layer"]] == [False, True]
