"""Published numbers and claims of the studies that are drawn from records: each row is judged or listed, can fail, and
no reason explains more than its limit. No fault reaches a published number."""

import math

import pytest
from support.recorded_comparisons import compared_by, tables_of, verdicts

from surefoot.papers.agarwal2021 import comparison as agarwal2021
from surefoot.papers.recht2018 import comparison as recht2018
from surefoot.statistics.reproduction.published_comparison import critical_value
from surefoot.statistics.reproduction.verdicts import verdict_counts

STUDIES = {"agarwal2021": agarwal2021, "recht2018": recht2018}


@pytest.fixture(scope="module", params=STUDIES)
def study(request):
    return STUDIES[request.param], tables_of(request.param)


def test_the_record_of_each_study_has_every_published_number(study):
    module, tables = study
    compared = compared_by(module, tables)
    assert compared["item"].tolist() == tables["published"]["item"].tolist()
    assert compared["detectable"].notna().all()
    assert verdict_counts(compared["verdict"])["differs"] == 0
    assert (compared["reason"] != "").equals(compared["verdict"].isin(("explained", "contradicted")))


@pytest.mark.parametrize("left", [0, 1, 7])
def test_only_published_numbers_are_compared_and_each_once(left, study):
    module, tables = study
    kept = [name for name in sorted(tables) if name != "published"][:left]
    compared = compared_by(module, {name: tables[name] for name in (*kept, "published")})
    assert set(compared["item"]) <= set(tables["published"]["item"]) and compared["item"].is_unique


def test_few_subsamples_do_not_decide_what_rests_on_them(agarwal_tables):
    few = {}
    for name, table in agarwal_tables.items():
        errors = [column for column in ("estimate_error", "width_error", "mean_error") if column in table]
        few[name] = table.assign(**{column: 100.0 * table[column] for column in errors})
    many, found = verdicts(agarwal_tables), verdicts(few)
    undecided = found.index[(found == "undecided") & (many != "undecided")]
    assert {"claim/iqm_narrower_at_10", "claim/too_narrow_at_3", "bias/median/SPR"} <= set(undecided)
    assert set(found[found.index.str.startswith("excess_error_percent/")]) == {"undecided"}
    detectable = compared_by(agarwal2021, few).set_index("item")["detectable"]
    few_sets = 100.0 * agarwal_tables["coverage"]["estimate_error"].max()
    assert detectable["claim/too_narrow_at_3"] <= (critical_value(25) + 1.2816) * few_sets
    # What no subsample is in stays as it was.
    assert (found[many.index.str.match("(median|mean|rank_percent|improvement)/")] == "reproduced").all()


def test_the_published_range_bounds_another_hundred_runs(agarwal_tables):
    """By hand: 5 runs of the published range (0.01, 0.21) have a standard error of 0.2 / 3.92 = 0.0510, means of two
    sets of 100 runs differ by 0.0510 sqrt(2 5 / 100) = 0.0161. Any of four ends exceeds 2.498 times that in 5 %."""
    reasons = agarwal2021.known_reasons(agarwal_tables["published"], agarwal_tables["figure_a18"])
    allowed = reasons.set_index("item")["allowed"]
    assert allowed["difference_of_5/DrQ(eps)/DER/low"] == pytest.approx(0.005 + 2.4977 * 0.016134, abs=5e-5)
    assert allowed["bias_percent_of_improvement/SPR"] == pytest.approx(0.5 + 36 / 16)
    assert allowed["lift_percent_possible/median/100"] == 12.0
    worse = agarwal_tables | {"figure_a15": agarwal_tables["figure_a15"].assign(high=9.0, low=-9.0)}
    same = compared_by(agarwal2021, worse).set_index("item")["allowed"]
    ends = allowed.index[allowed.index.str.startswith("difference_of_5/")]
    assert same[ends].tolist() == allowed[ends].tolist()
    assert verdicts(worse)["difference_of_5/SPR/DrQ(eps)/high"] == "differs"


def test_no_number_is_reached_by_a_fault(agarwal_tables):
    """-1000 against 0.21 differs, and so against all others, whatever reason a row has."""
    found = agarwal2021.our_items(agarwal_tables["published"], agarwal_tables).assign(ours=-1000.0, undecided=math.nan)
    compared = agarwal2021.judged(agarwal_tables["published"], found, agarwal_tables).set_index("item")
    assert len(compared) == 76
    assert compared.loc["difference_of_5/DrQ(eps)/DER/high", "published"] == 0.21
    claims = compared.index.str.startswith("claim/")
    assert set(compared["verdict"][~claims]) == {"differs"} and set(compared["verdict"][claims]) == {"contradicted"}


@pytest.mark.parametrize("share", [0.5, 2.0])
def test_each_number_can_fail(share, agarwal_tables):
    """All numbers that are not 0, twice as large or half: only those whose reason or tolerance reaches so far agree."""
    found = agarwal2021.our_items(agarwal_tables["published"], agarwal_tables)
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
