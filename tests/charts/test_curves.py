"""Curves with fewer points than were measured."""

import numpy as np
import pandas as pd
import pytest

from surefoot.charts.curves import POINTS, thinned


@pytest.mark.parametrize("height", [0.0, 1.0])
def test_a_thinned_curve_keeps_its_ends_and_peaks(height):
    steps = np.arange(20_000.0)
    values = height * np.sin(steps / 3000)
    values[[7, 12_345, 19_990]] = 5.0, -7.0, 9.0
    long = pd.DataFrame({"algorithm": "a", "step": steps, "estimate": values})
    short = pd.DataFrame({"algorithm": "b", "step": [1.0, 2.0], "estimate": 0.0})
    kept = thinned(pd.concat([long, short], ignore_index=True).assign(tooltip=None), ["algorithm"])
    steps = kept.loc[kept["algorithm"] == "a", "step"]
    assert POINTS / 4 < len(steps) <= POINTS + 3 and {0, 7, 12_345, 19_990, 19_999} <= set(steps)
    assert (kept["algorithm"] == "b").sum() == 2
