"""Three views of one run table: against plain computations, and what must hold of any table."""

import numpy as np
import pandas as pd
import pytest

from surefoot.statistics.comparison.plays import COLUMNS, bootstrapped_views


@pytest.fixture
def runs():
    """Three algorithms in two environments of other scales, with unequal numbers of runs; "b" is best."""
    random = np.random.default_rng(5)
    parts = []
    for name, shift, counts in (("a", 0.0, (20, 30)), ("b", 1.0, (25, 20)), ("c", 0.2, (20, 20))):
        for place, scale, count in (("small", 1.0, counts[0]), ("large", 50.0, counts[1])):
            scores = scale * (shift + random.normal(size=count))
            parts.append(pd.DataFrame({"algorithm": name, "environment": place, "run": range(count), "score": scores}))
    return pd.concat(parts, ignore_index=True)


def by_view(runs, **others):
    return bootstrapped_views(runs, **{"replicates": 400, **others}).set_index(["view", "algorithm"])


def test_the_scale_of_an_environment_and_the_order_of_rows_are_without_effect(runs):
    found = by_view(runs)
    scaled = runs.assign(score=runs["score"].where(runs["environment"] == "small", 7.0 - 3.0 + 1e-3 * runs["score"]))
    pd.testing.assert_frame_equal(by_view(scaled), found)
    assert by_view(runs, seed=1)["low"].ne(found["low"]).all()


def test_an_environment_of_equal_scores_tells_nothing(runs):
    flat = runs[runs["environment"] == "small"].assign(environment="flat", score=3.0)
    found = by_view(pd.concat([runs, flat]))
    before = by_view(runs).xs("probability_of_improvement")["value"]
    after = found.xs("probability_of_improvement")["value"]
    np.testing.assert_allclose(after, (2.0 * before + 0.5) / 3.0)


def test_one_algorithm_has_no_other_to_be_compared_with(runs):
    found = bootstrapped_views(runs[runs["algorithm"] == "a"])
    assert found.empty
    assert list(found) == COLUMNS
