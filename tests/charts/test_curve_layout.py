"""Curves: fewer points than were measured, and sentences without bands."""

import numpy as np
import pandas as pd
import pytest

import surefoot
from surefoot.charts.curve_layout import POINTS, thinned


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


def test_nothing_is_said_to_be_separated_or_not_without_bands():
    rng = np.random.default_rng(0)
    answer = surefoot.curve_differences({name: rng.normal(size=(3, 1, 9)).cumsum(-1) for name in "ab"}, n_resamples=50)
    assert answer.table()["low"].isna().all()
    assert "is not separated" not in answer.finding() and "not drawn" in answer.finding()
