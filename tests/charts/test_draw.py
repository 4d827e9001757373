"""Pictures: they scale, their texts are legible, and their ids depend on nothing else."""

import re
from xml.etree import ElementTree

import altair as alt
import pandas as pd
import pytest
import vl_convert
from support.chart_families import specification

from surefoot.charts.draw import numbers_of, pictures, with_own_ids
from surefoot.charts.exploit_charts import tuning_chart
from surefoot.charts.profile_charts import performance_profiles_chart
from surefoot.charts.theme import chart_by
from surefoot.errors import HintedError


@pytest.fixture(params=["performance_profiles", "rank_probabilities"])
def drawn(request):
    """(the file, the SVG in a page) of a chart of curves, and of cells."""
    file, fragment = pictures(specification(request.param, 3), "name")
    return ElementTree.fromstring(file), ElementTree.fromstring(fragment)


def test_a_picture_scales_and_its_texts_are_legible(drawn):
    for root in drawn:
        tag = "{http://www.w3.org/2000/svg}text" if root.tag.startswith("{") else "text"
        assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
        sizes = [float(text.get("font-size").removesuffix("px")) for text in root.iter(tag)]
        assert sizes and min(sizes) >= 11


def test_ids_do_not_depend_on_what_was_drawn_before():
    chart = specification("performance_profiles", 3)
    first, second = (vl_convert.vegalite_to_svg(chart) for _ in range(2))
    assert first != second, "the reason for all this"
    assert with_own_ids(first, "a") == with_own_ids(second, "a")
    ids, used = (re.findall(pattern, with_own_ids(first, "a")) for pattern in (r'id="([^"]+)"', r"url\(#([^)]+)\)"))
    assert ids and set(used) <= set(ids)
    assert set(ids).isdisjoint(re.findall(r'id="([^"]+)"', with_own_ids(first, "b")))


def test_numbers_are_the_first_table_or_those_of_a_function():
    table = pd.DataFrame({"algorithm": ["a"]})
    assert numbers_of(performance_profiles_chart, {"table": table}, {"step": True}) is table
    named = numbers_of(tuning_chart, {"table": table}, {"titles": {"a": "A"}, "environment_titles": None})
    assert named.to_dict("list") == {"algorithm": ["a"], "title": ["A"]} and list(table) == ["algorithm"]


def test_a_function_that_also_returns_numbers_is_refused():
    def both(table):
        return alt.Chart(table), table

    told = (
        r"both: it returns a tuple instead of an Altair chart\. Hint: return the chart alone; the table that it takes"
    )
    with pytest.raises(HintedError, match=told):
        chart_by(both, pd.DataFrame())
