"""Published numbers and claims of the studies that are drawn from records: each row is judged or listed, can fail, and
no reason explains more than its limit."""

import pytest
from support.recorded_comparisons import compared_by, tables_of, verdicts

from surefoot.papers.agarwal2021 import comparison as agarwal2021
from surefoot.papers.recht2018 import comparison as recht2018
from surefoot.statistics.reproduction.comparison import critical_value
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
