"""Charts of many algorithms and of long curves: no limit on rows, the best are drawn, and what is drawn is said."""

import altair as alt
import numpy as np
import pandas as pd
import pytest
from asking import function_of
from families import ASKED

from surefoot.charts import theme
from surefoot.charts.curves import POINTS, thinned
from surefoot.charts.forms import BEST

MANY = 40
NOISE = np.random.default_rng(1).random((MANY, 3, 2))
SCORES = {f"a{place:02d}": noise / 1000 + place / MANY for place, noise in enumerate(NOISE)}


def rows(chart):
    return [row for values in chart.to_dict()["datasets"].values() for row in values]


@pytest.mark.parametrize(
    "question", ["aggregates", "profiles", "improvement", "ranks", "pairwise_differences", "multiple_comparisons"]
)
def test_of_many_algorithms_the_best_are_drawn_and_the_chart_says_so(question):
    chart = function_of(question)(SCORES, **ASKED[question][1]).chart()
    assert chart.to_dict()["title"]["text"].startswith(f"The best {BEST} of {MANY} algorithms, by ")
    names = {
        str(row.get(key)).partition("\u2002")[0] for row in rows(chart) for key in ("title", "curve", "row", "column")
    }
    assert {name for name in names if name.startswith("a")} == set(list(SCORES)[-BEST:])


def test_charts_hold_any_number_of_rows_without_a_setting_of_the_process():
    points = pd.DataFrame({"x": np.arange(6000), "y": 1})
    chart = alt.Chart(theme.chart_data(points)).mark_point().encode(x="x:Q", y="y:Q")
    assert len(rows(theme.finish(alt.vconcat(alt.layer(chart, chart.mark_line()), chart), "points"))) == 6000
    with pytest.raises(alt.MaxRowsError):
        alt.Chart(points).mark_point().to_dict()


@pytest.mark.parametrize("height", [0.0, 1.0])
def test_a_long_curve_is_drawn_with_fewer_points_and_keeps_its_ends_and_every_peak(height):
    steps = np.arange(20_000.0)
    values = height * np.sin(steps / 3000)
    values[[7, 12_345, 19_990]] = 5.0, -7.0, 9.0
    long = pd.DataFrame({"algorithm": "a", "step": steps, "value": values})
    short = pd.DataFrame({"algorithm": "b", "step": [1.0, 2.0], "value": 0.0})
    kept = thinned(pd.concat([long, short], ignore_index=True).assign(tooltip=None), ["algorithm"])
    steps = kept.loc[kept["algorithm"] == "a", "step"]
    assert POINTS / 4 < len(steps) <= POINTS + 3 and {0, 7, 12_345, 19_990, 19_999} <= set(steps)
    assert (kept["algorithm"] == "b").sum() == 2
