"""A picture's bytes do not depend on what the same process drew before it."""

import re

import altair as alt
import pandas as pd
import vl_convert

from surefoot.charts.page_pictures import with_own_ids


def test_ids_are_the_pictures_own():
    data = pd.DataFrame({"x": [1, 2], "y": [3, 4]})
    chart = alt.Chart(data).mark_line(clip=True).encode(x="x", y="y").to_dict()
    drawn = [vl_convert.vegalite_to_svg(chart) for _ in range(2)]
    assert drawn[0] != drawn[1]  # the reason for all this
    first, second = (with_own_ids(picture, "a") for picture in drawn)
    assert first == second
    ids, used = re.findall(r'id="([^"]+)"', first), re.findall(r"url\(#([^)]+)\)", first)
    assert ids and set(used) <= set(ids)
    assert set(ids).isdisjoint(re.findall(r'id="([^"]+)"', with_own_ids(drawn[0], "b")))
