"""Verdicts: each has a difference beyond which a row differs."""

import numpy as np
import pandas as pd
import pytest

from surefoot.statistics.reproduction.comparison import judge


def verdict(**row):
    usual = {"item": "mean/e/a", "published": 0.0, "standard_error": 1.0, "tolerance": 4.0}
    return judge(pd.DataFrame([usual | row])).iloc[0]


def test_a_reason_explains_no_more_than_it_allows():
    reason = {"reason": "the greatest of ten", "allowed": 6.0}
    assert verdict(ours=5.9, **reason)["verdict"] == "explained"
    assert verdict(ours=-5.9, **reason)["verdict"] == "explained"
    beyond = verdict(ours=6.1, **reason)
    assert (beyond["verdict"], beyond["reason"], beyond["allowed"]) == ("differs", "", 6.0)
    # -1000 beside 0.21 is the case of a reason that was once believed whatever the difference.
    assert verdict(published=0.21, ours=-1000.0, **reason)["verdict"] == "differs"


def test_a_reason_may_work_in_one_direction_alone():
    reason = {"reason": "the greatest of ten", "allowed": 6.0, "side": "lower"}
    assert verdict(ours=-5.0, **reason)["verdict"] == "explained"
    assert verdict(ours=5.0, **reason)["verdict"] == "differs"


@pytest.mark.parametrize("allowed", [None, np.nan, np.inf, -1.0])
def test_a_reason_without_a_limit_is_refused(allowed):
    with pytest.raises(ValueError, match=r"'why not' has no limit. Hint: give in `allowed`"):
        verdict(ours=0.0, reason="why not", allowed=allowed)


def test_an_unknown_side_is_refused():
    with pytest.raises(ValueError, match=r"side 'left'. Hint: .*'lower', 'higher'"):
        verdict(ours=0.0, side="left")


def test_what_could_not_have_been_noticed_is_not_reproduced():
    """The detectable difference of a tolerance of 4 at a standard error of 1 is 4 + 1.2816."""
    row = verdict(ours=0.0, matters=5.2)
    assert row["detectable"] == pytest.approx(4 + 1.2815515655446004)
    assert row["verdict"] == "limited"
    assert verdict(ours=0.0, matters=5.3)["verdict"] == "reproduced"
    # What was noticed needs no more power.
    assert verdict(ours=5.0, matters=5.2)["verdict"] == "differs"


def test_an_undecided_claim_is_limited_only_without_power():
    claim = {"published": 1.0, "ours": 0.0, "tolerance": 0.0, "standard_error": np.nan, "undecided": True}
    assert verdict(**claim, detectable=0.5, matters=0.3)["verdict"] == "limited"
    # The intervals were narrow enough to show the claim, and did not: that contradicts it.
    assert verdict(**claim, detectable=0.2, matters=0.3)["verdict"] == "differs"
    assert verdict(**claim | {"undecided": False}, detectable=0.5, matters=0.3)["verdict"] == "differs"
    assert verdict(**claim | {"ours": 1.0, "undecided": False}, detectable=0.5, matters=0.3)["verdict"] == "reproduced"
    assert verdict(**claim | {"ours": 1.0}, detectable=0.5, matters=0.3)["verdict"] == "limited"
