"""Comparison with published numbers: the joint standard error, tolerances and verdicts."""

import numpy as np
import pandas as pd
import pytest

from surefoot.statistics.reproduction import compare, items

COLUMNS = ["item", "published", "ours", "standard_error", "z", "tolerance", "verdict", "reason"]


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
    ("off", "reason", "verdict"),
    [
        (3.99, None, "reproduced"),
        (-3.99, "a reason", "reproduced"),
        (4.01, None, "differs"),
        (-4.01, None, "differs"),
        (4.01, "a reason", "explained"),
    ],
)
def test_four_standard_errors_decide(off, reason, verdict):
    error = 10.0 * np.sqrt(2 / 10_000)
    ours = {"ours": 1 + off * error, "standard_error": 0.1, "runs": 10_000}
    assert one({"published": 1.0, "runs": 10_000, "reason": reason}, ours)["verdict"] == verdict


def test_small_runs_take_the_recorded_spread_or_leave_z_empty():
    ours = {"ours": 2.0, "standard_error": 1.0, "runs": 100}
    assert np.isnan(one({"published": 1.0, "runs": 10_000}, ours)["z"])
    row = one({"published": 1.0, "runs": 10_000, "standard_deviation": 30.0}, ours)
    assert row["standard_error"] == pytest.approx(30 * np.sqrt(1 / 10_000 + 1 / 100))
    assert row["z"] == pytest.approx(1 / row["standard_error"])
    large = ours | {"runs": 400, "standard_error": 0.5}
    assert one({"published": 1.0, "runs": 10_000, "standard_deviation": 30.0}, large)["z"] == pytest.approx(
        1 / (10 * np.sqrt(1 / 10_000 + 1 / 400))
    )


def test_exact_numbers_have_a_tolerance_and_no_standard_error():
    ours = {"ours": 0.25, "standard_error": np.nan, "runs": np.nan}
    row = one({"published": 0.2501, "tolerance": 0.001}, ours)
    assert np.isnan(row["standard_error"]) and np.isnan(row["z"])
    assert row["verdict"] == "reproduced"
    with pytest.raises(ValueError, match="mean/e/a: no tolerance"):
        one({"published": 0.2501}, ours)


def test_constant_runs_must_agree_exactly():
    ours = {"ours": -8.0, "standard_error": 0.0, "runs": 500}
    assert one({"published": -8.0, "runs": 10_000}, ours)["verdict"] == "reproduced"
    row = one({"published": -8.1, "runs": 10_000}, ours)
    assert row["verdict"] == "differs" and np.isnan(row["z"])


def test_rows_follow_the_published_order_and_leave_out_what_we_did_not_run():
    published = pd.DataFrame({"item": ["c", "a", "b"], "published": 1.0, "runs": 10})
    ours = pd.DataFrame({"item": ["a", "c", "d"], "ours": 1.0, "standard_error": 1.0, "runs": 300})
    table = compare(published, ours)
    assert table["item"].tolist() == ["c", "a"]
    assert table.columns.tolist() == COLUMNS


def test_ambiguous_or_disjoint_items_are_refused():
    table = pd.DataFrame({"item": ["a", "a"], "published": 1.0, "runs": 10})
    ours = pd.DataFrame({"item": ["b"], "ours": 1.0, "standard_error": 1.0, "runs": 300})
    with pytest.raises(ValueError, match="a twice"):
        compare(table, ours)
    with pytest.raises(ValueError, match="published items look like a, ours like b"):
        compare(table.iloc[:1], ours)


def test_items_are_named_after_aggregate_environment_and_algorithm():
    aggregated = pd.DataFrame(
        {
            "aggregate": ["game_score", "mean"],
            "algorithm": ["q", "sarsa"],
            "environment": ["", "chain"],
            "value": [0.5, -3.0],
            "standard_error": [np.nan, 0.1],
            "runs": pd.array([pd.NA, 20], dtype="Int64"),
            "rank": [1, 1],
        }
    )
    for read_again in (aggregated, aggregated.replace({"environment": {"": np.nan}})):
        table = items(read_again)
        assert table["item"].tolist() == ["game_score/q", "mean/chain/sarsa"]
        assert table["ours"].tolist() == [0.5, -3.0]
