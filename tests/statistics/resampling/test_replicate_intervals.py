"""Intervals of replicates that do not exist are refused."""

import numpy as np
import pytest

from surefoot.statistics.resampling.replicate_intervals import interval


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
