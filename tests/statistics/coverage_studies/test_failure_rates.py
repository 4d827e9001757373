"""Failure rates and what they say of a nominal level."""

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from surefoot.statistics.coverage.failure_rates import FAILS, HOLDS, OPEN, with_failure_rates


def _counts(failures, datasets, nominal=0.05):
    return pd.DataFrame({"failures": failures, "datasets": datasets, "nominal": nominal})


def test_limits_are_those_of_clopper_and_pearson():
    failures = [0, 1, 7, 100, 199, 200]
    rates = with_failure_rates(_counts(failures, [200] * 6))
    exact = [binomtest(k, 200).proportion_ci(0.95, method="exact") for k in failures]
    np.testing.assert_allclose(rates["failure_rate_low"], [limits.low for limits in exact], atol=1e-12)
    np.testing.assert_allclose(rates["failure_rate_high"], [limits.high for limits in exact], atol=1e-12)
    np.testing.assert_array_equal(rates["failure_rate"], np.array(failures) / 200)


def test_outcome_says_what_the_count_can_tell():
    rates = with_failure_rates(_counts([0, 0, 10, 30], [1000, 50, 200, 200]))
    assert rates["outcome"].tolist() == [HOLDS, OPEN, OPEN, FAILS]
