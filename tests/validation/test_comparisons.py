"""How often comparisons of algorithms and of models err, and what they find."""

import pytest
from scipy import stats

from surefoot.validation.comparisons import evaluation_scores, multiple_comparisons

DATASETS = 40


def cell_of(study, name):
    (cell,) = [cell for cell in study.cells if cell["name"] == name]
    return cell


def test_comparisons_hold_their_level_and_find_more():
    """Of three algorithms with 5 runs of 5 tasks: 12 rates of at most 5 % each exceed the quantile of 40 data sets
    once in 800 seeds. A distance of three standard errors of a difference is found in more than half of them."""
    cell = cell_of(multiple_comparisons, "3 alike, 5 runs of 5")
    found = multiple_comparisons.cover(cell, DATASETS, 150, 1)
    assert (found["failures"] <= stats.binom.ppf(1.0 - 1e-4, DATASETS, 0.05)).all()
    assert found["recommended"].all() and len(found) == 12
    differ = ~found["data"].str.endswith(", equal")
    assert found.loc[~differ, "power"].isna().all()
    best = differ & (found["method"] == "best")
    assert (found.loc[best, "power"] > found.loc[best, "power_bonferroni"]).all()
    assert found.loc[differ, "power"].between(0.5, 1.0).all()


@pytest.mark.parametrize(
    ("name", "errs"),
    [
        ("0.97, 20 single items, 1 samples", ["standard errors"]),
        ("0.97, 5 clusters of four, 1 samples", ["standard errors"]),
        ("0.5, 200 single items, 1 samples", []),
    ],
)
def test_limits_of_few_items_hold_unlike_plain_ones(name, errs):
    """A rate of at most 5 % exceeds the quantile of 120 data sets once in 10,000 times, one of six in 1,600 seeds."""
    found = evaluation_scores.cover(cell_of(evaluation_scores, name), 120, 0, 1).set_index("method")
    allowed = stats.binom.ppf(1.0 - 1e-4, 120, 0.05)
    assert found.index[found["failures"] > allowed].tolist() == [method for method in found.index if method in errs]
    assert (found.loc[["clustered", "paired"], "failures"] <= allowed).all()
    if errs:
        assert found.loc["clustered", "width"] > found.loc["standard errors", "width"]
        assert found.loc["paired", "width"] > found.loc["paired t", "width"]
