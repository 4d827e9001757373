"""What the table of means remarks on."""

import pandas as pd
import pytest

from surefoot.charts.aggregates import beyond_scores, task_means_caption


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("x", -41.0, 827.0, 0.0, 700.0), ("x", 10.0, 20.0, 11.0, 19.0)], "1 interval reaches below 0"),
        ([("x", -41.0, 827.0, -3.0, 700.0), ("y", 10.0, 20.0, 11.0, 19.0)], ""),
        ([("x", -41.0, 827.0, 2.0, 700.0), ("x", 10.0, 20.0, -11.0, 19.0)], ""),
        ([("x", -0.1, 0.4, 0.0, 0.3), ("x", 0.7, 1.2, 0.8, 1.0)], "2 intervals reach below 0 and above 1"),
        ([("x", 0.7, 1.2, 0.8, 1.1)], ""),
        ([("x", float("nan"), float("nan"), 0.8, 0.8)], ""),
    ],
)
def test_intervals_beyond_all_scores_are_remarked_on(rows, said):
    found = beyond_scores(pd.DataFrame(rows, columns=["environment", "low", "high", "least", "greatest"]))
    assert found.startswith(said) and bool(found) == bool(said)
    assert not found or found.endswith(", where no run scored: Student's interval knows no bounds of scores.")


@pytest.mark.parametrize(
    ("runs", "high", "said"),
    [
        (4, 1.5, "With 4 runs, an interval is right only if scores are nearly normal"),
        (40, 1.0, "1 interval that has no width"),
        (40, 1.5, ""),
    ],
)
def test_the_table_of_a_page_has_the_remarks_of_the_terminal(runs, high, said):
    row = {"environment": ["x"], "runs": [runs], "low": [1.0], "high": [high], "least": [0.5], "greatest": [2.0]}
    caption = task_means_caption(pd.DataFrame(row))
    assert said in caption and bool(said) == bool(caption)
