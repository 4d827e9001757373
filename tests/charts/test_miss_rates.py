"""The picture of the home page: failure rates of two intervals, pooled over drawn kinds of studies."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from surefoot.charts.miss_rates import misses
from surefoot.statistics.coverage.kind_quantiles import pooled_rate

RECORD = Path(__file__).parents[2] / "reports" / "records" / "trust" / "drawn_kinds.csv"


def test_rates_are_those_of_all_data_sets_of_the_record():
    record = pd.read_csv(RECORD)
    chart, table = misses({"trust/drawn_kinds": record}, {})
    rows = record[(record["target"] == "iqm") & (record["method"] == "percentile") & (record["runs"] == 3)]
    drawn = table.set_index(["method", "runs"]).loc["percentile", 3]
    assert drawn["datasets"] == rows["datasets"].sum()
    assert drawn["failure_rate"] == pytest.approx(rows["failures"].sum() / rows["datasets"].sum())
    assert f"{100 * drawn['failure_rate']:.0f} % of studies" in chart.to_dict()["usermeta"]["finding"]


def test_limits_of_a_pooled_rate_allow_for_kinds_with_rates_of_their_own():
    """Of 1,000 sets of 40 kinds with beta distributed rates, 95 % limits miss the mean rate in 3 to 7 % (three standard
    errors); binomial limits of all 4,000 data sets would miss it in more than 20 %."""
    rng, missed, missed_by_binomial = np.random.default_rng(1), 0, 0
    datasets = np.full(40, 100)
    for _ in range(1_000):
        failures = rng.binomial(datasets, rng.beta(2.0, 8.0, 40))
        rate, low, high = pooled_rate(failures, datasets)
        missed += not low <= 0.2 <= high
        missed_by_binomial += abs(rate - 0.2) > 1.96 * np.sqrt(rate * (1 - rate) / datasets.sum())
    assert 30 <= missed <= 70 and missed_by_binomial > 200
