"""What the table of means remarks on."""

import pandas as pd
import pytest

from surefoot.charts.aggregates import task_means_caption


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
