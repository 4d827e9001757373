"""Our values of the published numbers and claims: each can fail, and no fault reaches a published one."""

import math

import pytest
from support.recorded_comparisons import verdicts

from surefoot.papers.agarwal2021 import comparison as agarwal2021
from surefoot.papers.agarwal2021.claims import our_items


def test_no_number_is_reached_by_a_fault(agarwal_tables):
    """-1000 against 0.21 differs, and so against all others, whatever reason a row has."""
    found = our_items(agarwal_tables["published"], agarwal_tables).assign(ours=-1000.0, undecided=math.nan)
    compared = agarwal2021.judged(agarwal_tables["published"], found, agarwal_tables).set_index("item")
    assert len(compared) == 76
    assert compared.loc["difference_of_5/DrQ(eps)/DER/high", "published"] == 0.21
    claims = compared.index.str.startswith("claim/")
    assert set(compared["verdict"][~claims]) == {"differs"} and set(compared["verdict"][claims]) == {"contradicted"}


@pytest.mark.parametrize("share", [0.5, 2.0])
def test_each_number_can_fail(share, agarwal_tables):
    """All numbers that are not 0, twice as large or half: only those whose reason or tolerance reaches so far agree."""
    found = our_items(agarwal_tables["published"], agarwal_tables)
    scaled = found.assign(ours=share * found["ours"])
    compared = agarwal2021.judged(agarwal_tables["published"], scaled, agarwal_tables)
    agree = compared[(compared["verdict"] != "differs") & (compared["published"] != 0)]
    assert {item.partition("/")[0] for item in agree["item"]} <= {"difference_of_5", "lift_percent_possible", "claim"}


def test_a_claim_that_its_numbers_contradict(agarwal_tables):
    def told(name, table, item):
        return verdicts(agarwal_tables | {name: table})[item]

    coverage = agarwal_tables["coverage"]
    right = coverage.assign(estimate=coverage["estimate"].mask(coverage["size"] == 3, 0.95))
    assert told("coverage", right, "claim/too_narrow_at_3") == "contradicted"
    basic = coverage.assign(estimate=coverage["estimate"].mask(coverage["method"] == "percentile", 0.8))
    assert told("coverage", basic, "claim/percentile_best_for_iqm_at_10") == "contradicted"
    curves = agarwal_tables["figure_10_left"]
    by_a_hair = curves.assign(low=curves["low"] - 0.1, high=curves["high"] + 0.1)
    assert told("figure_10_left", by_a_hair, "claim/dreamer_crosses_m_iqn") == "contradicted"
    lifts = agarwal_tables["figure_4"].assign(low=-1.0)
    assert told("figure_4", lifts, "runs_needed/median/25") == "differs"
    errors = agarwal_tables["figure_a16"]
    errors = errors.assign(estimate=errors["estimate"].where(errors["fraction"] != 0.45, errors["estimate"] / 2.0))
    assert told("figure_a16", errors, "excess_error_percent/runs/SPR") == "differs"
