"""Scores of evaluations: standard errors and detectable differences as Miller 2024 has them."""

import numpy as np
import pytest
from support.evaluations import clustered_error, evaluation

import surefoot
from surefoot.errors import HintedError


def test_standard_errors_are_millers_to_1e_12():
    table = evaluation()
    found = surefoot.evaluation_scores(table, use_clusters=True).table().set_index("algorithm")
    for model, own in table.groupby("algorithm"):
        values = own.groupby("environment", sort=False)["score"].mean()
        clusters = [name.split("/")[0] for name in values.index]
        row = found.loc[model]
        assert abs(row["standard_error"] - clustered_error(list(values), clusters)) < 1e-12
        assert (row["items"], row["clusters"], row["samples"]) == (len(values), 12, 3)
        assert row["estimate"] == pytest.approx(values.mean(), abs=1e-15)


@pytest.mark.parametrize(("what", "asked"), [({"attempts": [4]}, "4 attempts"), ({"algorithms": ["z"]}, "z")])
def test_what_cannot_be_asked_is_said(what, asked):
    with pytest.raises(HintedError, match=asked):
        surefoot.evaluation_scores(evaluation(), **what)


def test_attempts_need_successes_and_failures():
    with pytest.raises(HintedError, match=r"a score is 0\.5"):
        surefoot.evaluation_scores({"a": np.full((3, 2), 0.5)}, attempts=[2], skip_checks=True)


def test_the_detectable_difference_is_millers():
    """His example: rates that are uniform over questions, whose variance is 1/12, of models that correlate by 1/3, so
    that omega^2 is 1/9: 969 questions of many samples show 3 points."""
    known = {"rate": 0.5, "consistency": 1 / 3, "correlation": 1 / 3}
    assert surefoot.minimum_detectable_difference(969, samples=10**9, **known) == pytest.approx(0.03, rel=1e-3)
    one = surefoot.minimum_detectable_difference(198, samples=1, **known)
    assert one == pytest.approx((1.959964 + 0.841621) * ((1 / 9 + 2 / 6) / 198) ** 0.5, rel=1e-5)
    with pytest.raises(HintedError, match="consistency"):
        surefoot.minimum_detectable_difference(10, consistency=2)
