"""Numbers are written as the charts write them, which Vega does here with its own code."""

import math
import re

import pytest
import vl_convert

from surefoot.rounding import written

VALUES = [0.5625, -0.5625, 0.0625, 0.1875, 2.675, 0.0005, 1234.5, 0.125, 1 / 3, 0.9995, 12345678.5, 0.0]


@pytest.mark.parametrize("form", [".3f", ".2f", ",.0f", ".1%"])
def test_texts_are_those_of_the_charts(form):
    chart = {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "data": {"values": [{"value": value, "row": row} for row, value in enumerate(VALUES)]},
        "mark": "text",
        "encoding": {
            "y": {"field": "row", "type": "ordinal", "axis": None},
            "text": {"field": "value", "type": "quantitative", "format": form},
        },
    }
    shown = re.findall(r"<text[^>]*>([^<]*)</text>", vl_convert.vegalite_to_svg(chart))
    assert [text.replace("\N{MINUS SIGN}", "-") for text in shown] == [written(value, form) for value in VALUES]


def test_other_values_and_formats_are_those_of_python():
    assert written(0.5625, ".3f") == "0.563"
    assert [written(0.5, ""), written(2, ".1f"), written("a", ">3"), written(1e-7, ".3g")] == [
        "0.5",
        "2.0",
        "  a",
        "1e-07",
    ]
    assert [written(math.inf, ".1f"), written(math.nan, ".1f")] == ["inf", "nan"]
