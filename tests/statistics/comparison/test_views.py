"""Three views of one run table: against plain computations, and what must hold of any table."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from surefoot.statistics.comparison.views import COLUMNS, bootstrapped_views


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


def test_values_by_plain_computation(runs):
    """The IQM is SciPy's trimmed mean of all scaled runs; improvement counts pairs of runs, ties half."""
    found = by_view(runs)
    groups = runs.groupby("environment")["score"]
    scaled = runs.assign(
        score=(runs["score"] - groups.transform("min")) / (groups.transform("max") - groups.transform("min"))
    )
    even = scaled.groupby(["algorithm", "environment"]).head(20)  # equal weights of the environments
    plain = by_view(even.assign(score=even["score"]))
    for name, rows in even.groupby("algorithm"):
        lowest = even.groupby("environment")["score"].transform("min")
        span = even.groupby("environment")["score"].transform("max") - lowest
        again = ((even["score"] - lowest) / span)[rows.index]
        assert plain.loc[("iqm", name), "value"] == pytest.approx(stats.trim_mean(again, 0.25))
    scores = {pair: rows["score"].to_numpy() for pair, rows in runs.groupby(["algorithm", "environment"])}
    for x in "abc":
        parts = []
        for y in set("abc") - {x}:
            for place in ("small", "large"):
                mine, other = scores[x, place][:, None], scores[y, place][None, :]
                parts.append((mine > other).mean() + 0.5 * (mine == other).mean())
        assert found.loc[("probability_of_improvement", x), "value"] == pytest.approx(np.mean(parts))


def test_intervals_hold_the_value_and_ranks_follow_it(runs):
    found = by_view(runs)
    assert ((found["low"] < found["value"]) & (found["value"] < found["high"])).all()
    assert found.xs("iqm")["rank"].to_dict() == {"a": 3, "b": 1, "c": 2}
    assert found.xs("probability_of_improvement")["value"].mean() == pytest.approx(0.5)
    assert found["runs"].tolist() == [20, 20, 20, 20, 20, 20]


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
