"""Comparison with published numbers: the joint standard error, tolerances, and verdicts."""

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from surefoot.statistics.reproduction.comparison import (
    compare,
    judge,
    of_more_runs,
    recorded_deviations,
)


def one(published, ours):
    """The single row of a comparison of one number, from dictionaries of columns."""
    return compare(pd.DataFrame([{"item": "mean/e/a"} | published]), pd.DataFrame([{"item": "mean/e/a"} | ours])).iloc[
        0
    ]


def test_the_joint_standard_error_takes_our_spread_for_both_sides():
    row = one({"published": 10.0, "runs": 10_000}, {"ours": 10.5, "standard_error": 0.2, "runs": 2_500})
    assert row["standard_error"] == pytest.approx(10.0 * np.sqrt(1 / 10_000 + 1 / 2_500))
    assert row["z"] == pytest.approx(0.5 / row["standard_error"])
    assert row["tolerance"] == pytest.approx(4 * row["standard_error"])
    assert (row["verdict"], row["reason"]) == ("reproduced", "")


@pytest.mark.parametrize(
    ("published", "tolerance", "verdict", "limit"),
    [(1.0, 0.25, "reproduced", ""), (1.0, 0.26, "limited", "the paper"), (0.0, 0.26, "reproduced", "")],
)
def test_a_tolerance_of_more_than_a_quarter_reproduces_nothing(published, tolerance, verdict, limit):
    ours = {"ours": published + 0.2, "standard_error": np.nan, "runs": np.nan}
    row = one({"published": published, "tolerance": tolerance}, ours)
    assert (row["verdict"], row["limited_by"]) == (verdict, limit)
    assert one({"published": published, "tolerance": tolerance}, ours | {"ours": 2.0})["verdict"] == "differs"


def test_what_limits_is_the_side_that_more_runs_of_ours_cannot_mend():
    """A spread of 30: 100 runs leave 4 x 3.0 = 12 open beside a published 20; the paper's 10,000 leave 1.2, its 100
    leave 12 for any number of ours."""
    ours = {"ours": 20.0, "standard_error": 3.0, "runs": 100}
    for runs, limit in ((10_000, "our runs"), (100, "the paper")):
        row = one({"published": 20.0, "runs": runs, "standard_deviation": 30.0}, ours)
        assert (row["verdict"], row["limited_by"]) == ("limited", limit)


def test_of_two_comparisons_the_one_with_more_runs_counts():
    run = pd.DataFrame({"item": list("abc"), "ours": 1.0, "runs": [20.0, 500.0, np.nan]})
    record = pd.DataFrame({"item": list("ab"), "ours": 2.0, "runs": [500.0, 500.0]})
    assert of_more_runs(run, record).set_index("item")["ours"].to_dict() == {"a": 2.0, "b": 2.0, "c": 1.0}
    assert of_more_runs(run, record.head(0)).equals(run)


def test_a_recorded_spread_takes_the_place_of_ours_and_small_runs_leave_z_empty():
    ours = {"ours": 2.0, "standard_error": 1.0, "runs": 100}
    assert np.isnan(one({"published": 1.0, "runs": 10_000}, ours)["z"])
    row = one({"published": 1.0, "runs": 10_000, "standard_deviation": 30.0}, ours)
    assert row["standard_error"] == pytest.approx(30 * np.sqrt(1 / 10_000 + 1 / 100))
    assert row["tolerance"] == pytest.approx(4 * row["standard_error"])
    assert np.isnan(row["z"])
    row = one({"published": 1.0, "runs": 10_000, "standard_deviation": 30.0}, ours | {"runs": 400})
    assert row["z"] == pytest.approx(1 / (30 * np.sqrt(1 / 10_000 + 1 / 400)))


def test_a_rounded_number_has_the_standard_deviation_of_a_uniform_error():
    """The spread of a uniform error of half a unit, from 200,000 draws (1 % of it is 8 standard errors of theirs)."""
    error = np.random.default_rng(1).uniform(-0.05, 0.05, 200_000)
    ours = {"ours": 1.06, "standard_error": 0.001, "runs": 10_000}
    row = one({"published": 1.0, "runs": 10_000, "rounding": 0.05}, ours)
    assert row["standard_error"] == pytest.approx(np.hypot(error.std(), 0.001 * np.sqrt(2)), rel=0.01)
    assert row["verdict"] == "reproduced"
    assert one({"published": 1.0, "runs": 10_000}, ours)["verdict"] == "differs"


def test_the_recorded_spread_is_the_one_that_made_the_record():
    published = pd.DataFrame({"item": list("abc"), "published": 1.0, "runs": 10_000, "rounding": 0.05})
    large = pd.DataFrame({"item": list("abc"), "ours": 1.0, "standard_error": [0.3, 0.2, 0.1], "runs": [2_000, 200, 9]})
    record = compare(published, large).merge(large[["item", "runs"]].rename(columns={"runs": "trials"}), on="item")
    ours = pd.DataFrame({"item": list("abc"), "runs": [1_999, 200, 5]})
    deviations = recorded_deviations(record.iloc[[2, 1, 0]], published, ours)["standard_deviation"]
    assert deviations[0] == pytest.approx(0.3 * np.sqrt(2_000))
    assert np.isnan(deviations[1])
    assert deviations[2] == pytest.approx(0.1 * np.sqrt(9))
    assert recorded_deviations(record.iloc[:0], published, ours)["standard_deviation"].isna().all()


def test_exact_numbers_have_a_tolerance_and_no_standard_error():
    ours = {"ours": 0.25, "standard_error": np.nan, "runs": np.nan}
    row = one({"published": 0.2501, "tolerance": 0.001}, ours)
    assert np.isnan(row["standard_error"]) and np.isnan(row["z"])
    assert row["verdict"] == "reproduced"
    with pytest.raises(ValueError, match="mean/e/a: no tolerance"):
        one({"published": 0.2501}, ours)


def test_few_runs_without_a_known_spread_notice_what_student_t_does():
    """Three runs: t with 2 degrees of freedom exceeds 125.6 as often as the normal exceeds 4 (scipy.stats.t.isf)."""
    error = 2.0 * np.sqrt(1 + 3 / 10_000)
    critical = scipy.stats.t.isf(scipy.stats.norm.sf(4.0), 2)
    for distance, verdict in ((0.0, "limited"), (251.1, "limited"), (251.7, "differs")):
        ours = {"ours": distance, "standard_error": 2.0, "runs": 3}
        row = one({"published": 0.0, "runs": 10_000, "matters": 250.0}, ours)
        assert row["verdict"] == verdict and row["standard_error"] == pytest.approx(error)
        assert row["tolerance"] == pytest.approx(critical * error, rel=1e-6)
        assert row["reason"] == ""
    known = one({"published": 0.0, "runs": 10_000, "standard_deviation": 2.0}, ours | {"ours": 8.1})
    assert known["verdict"] == "differs"


def test_ambiguous_or_disjoint_items_are_refused():
    table = pd.DataFrame({"item": ["a", "a"], "published": 1.0, "runs": 10})
    ours = pd.DataFrame({"item": ["b"], "ours": 1.0, "standard_error": 1.0, "runs": 300})
    with pytest.raises(ValueError, match="a twice"):
        compare(table, ours)
    with pytest.raises(ValueError, match="published items look like a, ours like b"):
        compare(table.iloc[:1], ours)


def verdict(**row):
    usual = {"item": "mean/e/a", "published": 0.0, "standard_error": 1.0, "tolerance": 4.0}
    return judge(pd.DataFrame([usual | row])).iloc[0]


def test_a_reason_explains_no_more_than_it_allows():
    reason = {"reason": "the greatest of ten", "allowed": 6.0}
    assert verdict(ours=5.9, **reason)["verdict"] == "explained"
    assert verdict(ours=-5.9, **reason)["verdict"] == "explained"
    assert verdict(ours=-3.9, **reason)["verdict"] == verdict(ours=3.9)["verdict"] == "reproduced"
    assert verdict(ours=4.1)["verdict"] == verdict(ours=-4.1)["verdict"] == "differs"
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
