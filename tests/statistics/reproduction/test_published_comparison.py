"""Comparison with published numbers: the joint standard error, tolerances, and verdicts."""

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from surefoot.statistics.reproduction.published_comparison import (
    AGAINST,
    compare,
    judge,
    of_more_runs,
    recorded_deviations,
)
from surefoot.statistics.reproduction.verdicts import TOO_FEW


def one(published, ours):
    """The single row of a comparison of one number, from dictionaries of columns."""
    return compare(pd.DataFrame([{"item": "mean/e/a"} | published]), pd.DataFrame([{"item": "mean/e/a"} | ours])).iloc[
        0
    ]


def test_the_joint_standard_error_uses_our_spread_twice():
    row = one({"published": 10.0, "runs": 10_000}, {"ours": 10.4, "standard_error": 0.2, "runs": 2_500})
    assert row["standard_error"] == pytest.approx(10.0 * np.sqrt(1 / 10_000 + 1 / 2_500))
    assert row["z"] == pytest.approx(0.4 / row["standard_error"])
    assert row["tolerance"] == pytest.approx(1.959964 * row["standard_error"])
    assert (row["verdict"], row["reason"]) == ("reproduced", "")


def several(z, published=0.0, error=1.0):
    """The comparison of numbers that lie z standard errors from the published ones."""
    z = np.asarray(z, float)
    items = [f"mean/e/{number}" for number in range(z.size)]
    printed = pd.DataFrame({"item": items, "published": published, "standard_error": 0.0, "matters": np.inf})
    ours = pd.DataFrame({"item": items, "ours": published + error * z, "standard_error": error, "runs": 1_000})
    return compare(printed, ours)


def test_holms_procedure_decides_by_hand():
    """p-values of 0.0124, 0.0214 and 0.0574 against 0.05 / 3, 0.05 / 2 and 0.05: two differ, Bonferroni finds one."""
    table = several([1.9, -2.3, 2.5])
    assert table["verdict"].tolist() == ["reproduced", "differs", "differs"]
    assert table["tolerance"].tolist() == pytest.approx([1.959964] * 3)
    none = several([1.9, -2.3, 2.3])
    assert set(none["verdict"]) == {"reproduced"}
    assert none["tolerance"].tolist() == pytest.approx([scipy.stats.norm.isf(0.05 / 6)] * 3)


def test_any_number_is_called_different_in_one_of_twenty_papers():
    """200 papers of 50 numbers that agree: at a level of 5 %, more than 24 with a difference have a chance below 1 in
    25,000. None (chance 1 in 28,000) would show a procedure that finds too little."""
    draw = np.random.default_rng(4)
    found = sum((several(z)["verdict"] == "differs").any() for z in draw.normal(size=(200, 50)))
    assert 1 <= found <= 24


def test_exact_numbers_take_no_part_in_the_procedure():
    items = ["mean/e/a", *(f"count/{number}" for number in range(99))]
    published = pd.DataFrame({"item": items, "published": 0.0, "standard_error": [0.0, *[np.nan] * 99]})
    published["tolerance"] = [np.nan, *[0.5] * 99]
    ours = pd.DataFrame({"item": items, "ours": 0.4, "standard_error": [0.2, *[np.nan] * 99], "runs": np.nan})
    table = compare(published, ours)
    assert table["tolerance"].tolist() == pytest.approx([0.2 * 1.959964, *[0.5] * 99])


def test_monte_carlo_error_adds_to_the_tolerance_of_rounding():
    row = one({"published": 3.0, "tolerance": 0.5, "standard_error": 0.0}, {"ours": 3.6, "standard_error": 0.1})
    assert row["tolerance"] == pytest.approx(0.5 + 0.1 * 1.959964) and row["verdict"] == "reproduced"


@pytest.mark.parametrize("zero", [0.0, 1_000.0, -1_000.0])
def test_relevance_is_relative_to_the_spread_of_algorithms(zero):
    """Printed means of 0, 3 and 6 have a standard deviation of 3: 1 standard error of 0.9 leaves 2.39 + 1.28 x 0.9 open
    (three numbers: 2.394), which is more; one of 0.8 leaves 2.94."""
    items = ["mean/e/a", "mean/e/b", "mean/e/c", "mean/f/a"]
    published = pd.DataFrame({"item": items, "published": [zero, zero + 3.0, zero + 6.0, zero + 1_000.0]})
    published = published.assign(standard_error=0.0)
    for error, verdict in ((0.9, "undecided"), (0.8, "reproduced")):
        ours = pd.DataFrame({"item": items[:3], "ours": published["published"][:3], "standard_error": error})
        table = compare(published, ours.assign(runs=1_000))
        assert set(table["verdict"]) == {verdict} and table["matters"].tolist() == pytest.approx([3.0] * 3)
        assert set(table["undecided_by"]) == {"our runs" if verdict == "undecided" else ""}


def test_a_comparison_names_the_side_that_leaves_it_undecided():
    """A spread of 30: 100 runs could miss 3.24 x 3.0 = 9.7, and 5 matters; the paper's 10,000 alone could miss 0.97,
    its 100 alone 9.7 for any number of ours."""
    ours = {"ours": 20.0, "standard_error": 3.0, "runs": 100}
    for runs, whose in ((10_000, "our runs"), (100, "the paper")):
        row = one({"published": 20.0, "runs": runs, "standard_deviation": 30.0, "matters": 5.0}, ours)
        assert (row["verdict"], row["undecided_by"]) == ("undecided", whose)


def test_of_two_comparisons_the_one_with_more_runs_counts():
    run = pd.DataFrame({"item": list("abc"), "ours": 1.0, "runs": [20.0, 500.0, np.nan]})
    record = pd.DataFrame({"item": list("ab"), "ours": 2.0, "runs": [500.0, 500.0]})
    assert of_more_runs(run, record).set_index("item")["ours"].to_dict() == {"a": 2.0, "b": 2.0, "c": 1.0}
    assert of_more_runs(run, record.head(0)).equals(run)


def test_a_recorded_spread_replaces_ours():
    ours = {"ours": 2.0, "standard_error": 1.0, "runs": 100}
    assert np.isnan(one({"published": 1.0, "runs": 10_000}, ours)["z"])
    row = one({"published": 1.0, "runs": 10_000, "standard_deviation": 30.0}, ours)
    assert row["standard_error"] == pytest.approx(30 * np.sqrt(1 / 10_000 + 1 / 100))
    assert row["tolerance"] == pytest.approx(1.959964 * row["standard_error"])
    assert np.isnan(row["z"])
    row = one({"published": 1.0, "runs": 10_000, "standard_deviation": 30.0}, ours | {"runs": 400})
    assert row["z"] == pytest.approx(1 / (30 * np.sqrt(1 / 10_000 + 1 / 400)))


def test_rounding_counts_as_a_uniform_error():
    """The spread of a uniform error of half a unit, from 200,000 draws (1 % of it is 8 standard errors of theirs)."""
    error = np.random.default_rng(1).uniform(-0.05, 0.05, 200_000)
    ours = {"ours": 1.05, "standard_error": 0.001, "runs": 10_000}
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
    with pytest.raises(ValueError, match="no tolerance for mean/e/a"):
        one({"published": 0.2501}, ours)


def test_few_runs_have_the_power_of_a_t_test():
    """Three runs: t with 2 degrees of freedom exceeds 4.30 as often as the normal exceeds 1.96 (scipy.stats.t.isf)."""
    error = 2.0 * np.sqrt(1 + 3 / 10_000)
    critical = scipy.stats.t.isf(0.025, 2)
    for distance, verdict in ((0.0, "undecided"), (8.6, "undecided"), (8.7, "differs")):
        ours = {"ours": distance, "standard_error": 2.0, "runs": 3}
        row = one({"published": 0.0, "runs": 10_000, "matters": 8.0}, ours)
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
    with pytest.raises(ValueError, match=r"'why not' has no valid largest difference. Hint: set `allowed`"):
        verdict(ours=0.0, reason="why not", allowed=allowed)


def test_an_unknown_side_is_refused():
    with pytest.raises(ValueError, match=r"side 'left'. Hint: .*'lower' or 'higher'"):
        verdict(ours=0.0, side="left")


def test_what_could_not_have_been_noticed_is_not_reproduced():
    """The detectable difference of a tolerance of 4 at a standard error of 1 is 4 + 1.2816."""
    row = verdict(ours=0.0, matters=5.2)
    assert row["detectable"] == pytest.approx(4 + 1.2815515655446004)
    assert row["verdict"] == "undecided"
    assert verdict(ours=0.0, matters=5.3)["verdict"] == "reproduced"
    # What was noticed needs no more power.
    assert verdict(ours=5.0, matters=5.2)["verdict"] == "differs"


CLAIM = {"item": "claim/best/a", "published": 1.0, "ours": 0.0, "tolerance": 0.0, "standard_error": np.nan}


@pytest.mark.parametrize(
    ("undecided", "detectable", "why"),
    [
        (True, 0.5, f"{TOO_FEW}: only an effect of at least 0.5 would have been detected, but the paper's is 0.3"),
        # The intervals were narrow enough to show the claim, and did not.
        (True, 0.2, AGAINST),
        (False, 0.5, AGAINST),
    ],
)
def test_a_claim_with_which_our_numbers_disagree_is_contradicted(undecided, detectable, why):
    for published in (1.0, 0.0):
        sides = {"published": published, "ours": 1.0 - published}
        row = verdict(**CLAIM | sides, undecided=undecided, detectable=detectable, matters=0.3)
        assert (row["verdict"], row["reason"]) == ("contradicted", why)
    known = {"reason": "another population", "allowed": 1.0}
    row = verdict(**CLAIM, **known, undecided=undecided, detectable=detectable, matters=0.3)
    assert (row["verdict"], row["reason"]) == ("contradicted", "another population")


def test_a_right_claim_is_undecided_only_without_power():
    claim = CLAIM | {"ours": 1.0}
    assert verdict(**claim, undecided=False, detectable=0.5, matters=0.3)["verdict"] == "reproduced"
    assert verdict(**claim, undecided=True, detectable=0.2, matters=0.3)["verdict"] == "reproduced"
    assert verdict(**claim, undecided=True, detectable=0.5, matters=0.3)["verdict"] == "undecided"
