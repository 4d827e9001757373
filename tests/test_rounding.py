"""Numbers are written as the charts write them, which Vega does here with its own code."""

import math
import re

import pytest
import vl_convert

from surefoot.rounding import column_format, duration, with_interval, written

VALUES = [0.5625, -0.5625, 0.0625, 0.1875, 2.675, 0.0005, 1234.5, 0.125, 1 / 3, 0.9995, 12345678.5, 0.0]


@pytest.mark.parametrize("form", [".3f", ".2f", ",.0f", ".1%"])
def test_texts_are_those_of_the_charts(form):
    chart = {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "data": {"values": [{"estimate": value, "row": row} for row, value in enumerate(VALUES)]},
        "mark": "text",
        "encoding": {
            "y": {"field": "row", "type": "ordinal", "axis": None},
            "text": {"field": "estimate", "type": "quantitative", "format": form},
        },
    }
    shown = re.findall(r"<text[^>]*>([^<]*)</text>", vl_convert.vegalite_to_svg(chart))
    assert shown == [written(value, form) for value in VALUES]


def test_other_values_and_formats_are_those_of_python():
    assert written(0.5625, ".3f") == "0.563"
    assert [written(0.5, ""), written(2, ".1f"), written("a", ">3"), written(1e-7, ".3g")] == [
        "0.5",
        "2.0",
        "  a",
        "1e-07",
    ]
    assert [written(math.inf, ".1f"), written(math.nan, ".1f")] == ["inf", "nan"]


@pytest.mark.parametrize(
    "number", [0.18936086395020874, 2 / 3, 1e-4 / 7, 1234.5678, 98765.4, -0.125, 3.1e-9, 5e20, 0.99996]
)
def test_figures_are_rounded_to_four_significant_digits(number):
    shown = written(number, "figures").replace(",", "").replace("\N{MINUS SIGN}", "-")
    if abs(number) >= 1000 and "e" not in shown:
        assert float(shown) == round(number)
    else:
        assert float(shown) == float(f"{number:.4g}")
    assert len(shown.lstrip("-0.").replace(".", "").partition("e")[0]) <= 6


@pytest.mark.parametrize(
    ("numbers", "form"),
    [
        ([0.61234, 0.5, 0.25], ",.3f"),
        ([1.0, 2.5], ",.1f"),
        ([3.0, 1000.0], ",.0f"),
        ([1234.56, 17.25], ",.0f"),
        ([52.123, 0.5], ",.2f"),
        ([8823.2, 0.61], "figures"),
        ([0.3, 0.0002], "figures"),
        ([], ",.0f"),
    ],
)
def test_numbers_of_a_column_are_aligned_unless_one_vanishes(numbers, form):
    assert column_format(numbers) == form
    assert all(float(written(number, form).replace(",", "")) != 0 for number in numbers)


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        *[(1.2e-8, "12 ns"), (9.96e-7, "996 ns"), (9.999e-7, "1.0 µs"), (3.44e-3, "3.4 ms"), (1, "1.0 s")],
        *[(95, "95 s"), (250, "4.2 min"), (34200, "9.5 h"), (0, "0 s"), (-0.002, "\N{MINUS SIGN}2.0 ms")],
    ],
)
def test_a_time_has_the_unit_that_it_is_read_in(seconds, shown):
    assert duration(seconds) == written(seconds, "seconds") == shown
    number, unit = shown.split()
    size = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600}[unit]
    assert float(number.replace("\N{MINUS SIGN}", "-")) * size == pytest.approx(seconds, rel=0.06)


def test_an_interval_is_written_with_digits_that_say_something():
    # A half width of some tens: whole numbers, with the comma of thousands.
    assert with_interval(2507.31, 2040.2, 2974.4) == "2,507 (2,040 to 2,974)"
    assert with_interval(0.51234, 0.50111, 0.52357) == "0.512 (0.501 to 0.524)"
    assert with_interval(1234.5678, None, None) == with_interval(1234.5678, math.nan, math.nan) == "1,235"
    assert with_interval(1.0, 1.0, 1.0) == "1.000 (1.000 to 1.000)"
