"""Intervals and accelerations that do not exist."""

import numpy as np
import pytest

from surefoot.statistics.resampling.replicate_intervals import interval
from surefoot.statistics.resampling.stratified_bootstrap import row_acceleration, stratified_acceleration


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"method": "BCa"}, '"BCa" is not known. Hint: one of percentile'),
        ({"method": "bc", "estimate": 9.0}, "bc is not available: all replicates are below"),
        ({"method": "bc", "estimate": 0.0}, "bc is not available: no replicates are below"),
        ({"method": "bca", "acceleration": 9.0}, "acceleration 9 is too great"),
    ],
)
def test_intervals_that_do_not_exist_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        interval(**({"replicates": np.arange(9.0), "estimate": 4.5} | arguments))


def test_a_single_run_has_no_acceleration():
    with pytest.raises(ValueError, match="bca: one run of a task"):
        row_acceleration(np.ones((1, 3)), ["iqm"])
    with pytest.raises(ValueError, match="bca_stratified: one run"):
        stratified_acceleration(np.ones((1, 3)), ["iqm"])
    with pytest.raises(ValueError, match="2 to 3 runs"):
        row_acceleration([np.ones(2), np.ones(3)], ["iqm"])
