"""What a picture can be asked: the values of its marks, whose they are, and the scales of its panels."""

import altair as alt
import numpy as np
import pandas as pd
import pytest
import vl_convert
from hypothesis import given
from hypothesis import strategies as st

from surefoot.charts import theme
from surefoot.charts.pictures import describe_marks, read_descriptions, sensible

NAMES = {"a": "Alpha, the first", "b": 'B "two"; <b>'}


def asked(chart):
    vega = describe_marks(vl_convert.vegalite_to_vega(theme.finish(chart, "x").to_dict()))
    return read_descriptions(vl_convert.vega_to_svg(vega))


def points(**encoding):
    rows = [
        {"title": title, "value": value, "low": low}
        for title, value, low in zip(NAMES.values(), (1 / 3, 2e-5), (0.1, None), strict=True)
    ]
    scale = theme.scales(NAMES).colour
    chart = alt.Chart(pd.DataFrame(rows)).mark_point()
    return chart.encode(x="value:Q", y="title:N", color=alt.Color("title:N", scale=scale), **encoding)


def test_marks_tell_their_tooltips_whose_they_are_and_nothing_that_is_not_there():
    tooltip = [
        alt.Tooltip("title:N", title="algorithm"),
        alt.Tooltip("value:Q"),
        alt.Tooltip("low:Q", title='low, of "a": b'),
        alt.Tooltip("value:Q", title="in all, rounded", format=",.1f"),
    ]
    _, found = asked(points(tooltip=tooltip))
    assert found.names == list(NAMES.values())
    assert found.marks == [
        [0, "m", 'algorithm: Alpha, the first\nvalue: 0.3333\nlow, of "a": b: 0.1\nin all, rounded: 0.3'],
        [1, "m", 'algorithm: B "two"; <b>\nvalue: 2e\u22125\nin all, rounded: 0'],
    ]


def test_what_is_told_is_in_the_order_of_the_elements():
    root, found = asked(points(tooltip="value:Q"))
    elements = [element for group in root.iter() if group.get("class") == "m" for element in group]
    assert len(elements) == len(found.marks) == 2
    assert [element.get("stroke") for element in elements] == [
        style.colour for style in theme.styles(sorted(NAMES)).values()
    ]
    assert not any("aria-label" in element.attrib for element in root.iter())


@pytest.mark.parametrize("kind", ["linear", "log"])
def test_a_panel_of_curves_tells_its_scales(kind):
    """A value that is read off the picture, through the scale that is told, is the one that was drawn."""
    x = np.linspace(1.0, 9.0, 33)
    data = pd.DataFrame({"x": np.tile(x, 2), "y": [*x, *(x / 2)], "curve": ["one"] * 33 + ["two"] * 33, "panel": "p"})
    curve = (
        alt.Chart(data)
        .mark_line()
        .encode(
            x=alt.X("x:Q", title="steps", scale=alt.Scale(type=kind, nice=False, zero=False)),
            y=alt.Y("y:Q", title="score"),
            color="curve:N",
        )
    )
    root, found = asked(curve.facet("panel:N"))
    (panel,) = found.panels
    assert (panel["x"]["type"], panel["x"]["title"], panel["y"]["title"]) == (kind, "steps", "score")
    assert panel["x"]["domain"] == [1.0, 9.0] and panel["x"]["range"][0] == 0.0
    (group,) = [group for group in root.iter() if group.get("class") == "f"]
    lines = [element for marks in group.iter() if marks.get("class") == "m" for element in marks]
    assert [found.names[place] for place, *_ in found.marks] == ["one", "two"]
    start = float(lines[1].get("d")[1:].split(",")[1].split("L")[0])
    (bottom, top), (low, high) = panel["y"]["range"], panel["y"]["domain"]
    assert low + (start - bottom) / (top - bottom) * (high - low) == pytest.approx(0.5, abs=0.03)


@given(st.floats(-1e9, 1e9).filter(lambda number: number == 0 or abs(number) > 1e-9))
def test_numbers_keep_what_people_read_of_them(number):
    text = sensible(repr(number)).replace("\u2212", "-").replace(",", "")
    assert float(text) == pytest.approx(number, rel=0.051 if abs(number) < 0.001 else 5.1e-4)
    assert len(text.lstrip("-")) <= 12
