"""The algorithms that sentences name as the best are those that `multiple_comparisons` finds tied with the best."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from surefoot import aggregates, multiple_comparisons
from surefoot.charts.best import best_of_each, best_sentence, tied_with_best


@pytest.mark.parametrize("seed", range(4))
def test_tied_as_in_multiple_comparisons(seed):
    draw = np.random.default_rng(seed)
    scores = {f"a{place}": draw.normal(0.5 + 0.03 * place, 0.1, (6, 5)) for place in range(5)}
    compared = multiple_comparisons(scores, metric="iqm").table().set_index("algorithm")["tied_with_best"]
    table = aggregates(scores, metrics=["iqm"]).table()
    assert dict(zip(table["algorithm"], tied_with_best(table), strict=True)) == compared.to_dict()


def test_two_means_by_welch():
    """Of two algorithms the worse is tied if the 95 % interval of the difference includes 0."""
    row = {"tasks": 1, "runs": 10, "standard_deviation": 1.0, "environment": "x"}
    critical = stats.t.ppf(0.975, 2 * 11 - 2) * np.sqrt(2 / 10)
    for behind, expected in ((0.999 * critical, ["a", "b"]), (1.001 * critical, ["a"])):
        means = pd.DataFrame([row | {"algorithm": "b", "mean": -behind}, row | {"algorithm": "a", "mean": 0.0}])
        reach = stats.t.ppf(0.975, 9) / np.sqrt(10)
        means = means.assign(low=means["mean"] - reach, high=means["mean"] + reach)
        assert best_of_each(means)["algorithm"].tolist() == expected


def test_errors_of_resamples_are_widened():
    """With 3 runs of 4 tasks, a bootstrap's error is too small by the square root of 2/3, with 8 degrees of freedom."""
    critical = stats.t.ppf(0.975, 2 * 10 - 2) * np.sqrt(2 * 1.5)
    for behind, expected in ((0.999 * critical, True), (1.001 * critical, False)):
        table = pd.DataFrame({"value": [0.0, -behind], "standard_error": 1.0, "runs": 3, "tasks": 4})
        table = table.assign(low=table["value"] - 2.0, high=table["value"] + 2.0, method="percentile")
        assert tied_with_best(table).tolist() == [True, expected]
        assert tied_with_best(table, lower_is_better=True).tolist() == [expected, True]


def test_the_tied_are_named_together():
    assert best_sentence(["a", "b", "c"], [True, False, False], "IQM") == "a has the best IQM"
    assert best_sentence(["a", "b", "c"], [True, False, True], "IQM") == "a and c are tied for the best IQM"
