"""Forms that many charts share."""

import numpy as np
import pytest
from support.chart_families import ASKED
from support.study_answers import function_of

from surefoot.charts.forms import BEST

MANY = 40
NOISE = np.random.default_rng(1).random((MANY, 3, 2))
SCORES = {f"a{place:02d}": noise / 1000 + place / MANY for place, noise in enumerate(NOISE)}


def rows(chart):
    return [row for values in chart.to_dict()["datasets"].values() for row in values]


@pytest.mark.parametrize(
    "question",
    [
        "aggregate_metrics",
        "performance_profiles",
        "probability_of_improvement",
        "rank_probabilities",
        "pairwise_differences",
        "multiple_comparisons",
    ],
)
def test_only_the_best_of_many_algorithms_are_drawn(question):
    chart = function_of(question)(SCORES, **ASKED[question][1]).chart()
    assert chart.to_dict()["title"]["text"].startswith(f"The best {BEST} of {MANY} algorithms, by ")
    names = {
        str(row.get(key)).partition("\u2002")[0] for row in rows(chart) for key in ("title", "curve", "row", "column")
    }
    assert {name for name in names if name.startswith("a")} == set(list(SCORES)[-BEST:])
