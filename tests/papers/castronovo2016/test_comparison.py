"""Our scores of Bayesian agents against published ones and records, by hand."""

import numpy as np
import pandas as pd
import pytest
from support.drawings import compared, drawn, with_comparisons
from support.paths import ROOT, SHARED
from support.stand_in_plays import agents_of, published, recorded_rows, settings, tables_of_plays

from surefoot.bayesian.bayesian_registry import AGENTS
from surefoot.papers.castronovo2016.comparison import best_sentence, comparison, record_comparison, yardsticks
from surefoot.papers.castronovo2016.score_comparisons import compared_scores
from surefoot.statistics.reproduction.items import of_quantity
from surefoot.statistics.reproduction.published_comparison import critical_value, expected_greatest

GOLDEN = SHARED / "golden" / "castronovo2016_scores.csv"
RECORD = ROOT / "reports" / "records" / "castronovo2016.csv"


@pytest.fixture(scope="module")
def tables():
    return tables_of_plays()


def judged(agents, printed, **changes):
    return comparison(agents, printed, **{"discount": 0.95, "horizon": 250} | changes)


def shown_scores(tables):
    return compared_scores(published(), tables["compare/run"], tables["compare/record"])


def test_published_scores_are_those_of_the_paper():
    if not GOLDEN.is_file():
        pytest.skip(f"the reference table {GOLDEN} is not here: it is not part of the repository")
    golden = pd.read_csv(GOLDEN)
    ours = published()[published()["item"].str.startswith("mean/")].reset_index(drop=True)
    assert len(ours) == 48
    assert (ours["published"] == golden["mean"]).all()
    environments = golden["case"] + "/" + golden["experiment"].str.lower()
    assert (ours["item"].str.extract(r"^mean/([^/]+/[^/]+)/")[0] == environments).all()
    np.testing.assert_allclose(1.96 * ours["standard_error"].fillna(0), golden["half_width"], atol=2e-4)
    numbers = golden["parameters"].fillna("").str.findall(r"=([\d.e-]+)").map(lambda found: sorted(map(float, found)))
    named = ours["item"].str.findall(r"=([\d.e-]+)(?=[,)])").map(lambda found: sorted(map(float, found)))
    formulas = golden["agent"] == "OPPS-DS"
    assert numbers[~formulas].tolist() == named[~formulas].tolist()


def test_every_published_agent_is_known():
    scores = published()["item"][~published()["item"].str.startswith("claim/")]
    names = scores.str.extract(r"/(?P<algorithm>[^/(]+)\((?P<parameters>.*)\)$")
    for row in names.itertuples():
        given = {part.partition("=")[0] for part in row.parameters.split(", ") if part}
        assert given == set(AGENTS[row.algorithm].parameters)


def test_comparison_by_hand(tables):
    """A difference of a bit less and a bit more than the tolerance, upwards and downwards; 500 MDPs on either side."""
    agents = tables["aggregate/agents"]
    row = agents[(agents["algorithm"] == "e_greedy") & (agents["environment"] == "accurate/grid")].iloc[[0]]
    item = "mean/accurate/grid/e_greedy(epsilon=0)"
    known = published().set_index("item").loc[item]
    joint = np.hypot(np.sqrt(2.0) * known["standard_error"], 0.005 / np.sqrt(3))
    # The greatest of 11 means lies 1.6 of its own standard errors above them, no more.
    limit = critical_value(1)
    farthest = limit + expected_greatest(11) * known["standard_error"] / joint
    verdicts = {limit - 0.1: "reproduced", limit + 0.1: "differs"}
    verdicts |= {-limit + 0.1: "reproduced", -limit - 0.1: "explained"}
    verdicts |= {-farthest + 0.01: "explained", -farthest - 0.01: "differs"}
    for shift, verdict in verdicts.items():
        # Whatever the spread of ours, it decides nothing.
        for error in (0.2, 50.0):
            ours = row.assign(
                estimate=known["published"] + shift * joint, standard_error=error, parameters="epsilon=0", runs=500
            )
            printed = published()[published()["item"].str.startswith("mean/")]
            found = judged(ours, printed).set_index("item")
            assert found.loc[item, "verdict"] == verdict
            assert found.loc[item, "z"] == pytest.approx(shift)
            assert found.loc[item, "detectable"] == pytest.approx((limit + 1.2816) * joint, rel=1e-4)


def test_no_published_score_is_reached_by_a_fault(tables):
    """Each published score against -1000, with the spread that such scores would have, on few MDPs and on many, and
    with a half-copied variant that is right, so that memory would explain everything without its limit."""
    for runs in (10, 500):
        agents = tables["aggregate/agents"]
        faulty = agents.assign(estimate=-1000.0, standard_error=300.0, runs=runs)
        right = agents[(agents["algorithm"] == "sboss") & (agents["variant"] == "as_published")].assign(
            variant="half_copied", standard_error=0.01, runs=500
        )
        given = {"aggregate/agents": pd.concat([faulty, right], ignore_index=True), "published": published()}
        found = compared("castronovo2016", given, settings())
        assert len(found) >= 48
        assert set(found["verdict"]) == {"differs"}


def test_few_mdps_leave_a_score_undecided_and_say_whose():
    """30 MDPs of GDL, whose published scores span 2.79 to 3.11: by hand, 0.0357 sqrt(1 + 500/30) = 0.150 standard
    errors, and so (Random has two printed scores) a detectable difference of 0.53, which is beyond the whole range, and
    so beyond their standard deviation. With 400 MDPs it is 0.19: within the range, but beyond the standard
    deviation."""
    row = ("accurate/gdl", "random", "", "", 2.75, 0.14, 30)
    found = compared(
        "castronovo2016", {"aggregate/agents": agents_of(row), "published": published()}, settings()
    ).set_index("item")
    found = found.loc["mean/accurate/gdl/random()"]
    assert found["verdict"] == "undecided"
    assert found["detectable"] == pytest.approx(3.523 * 0.0357 * np.sqrt(1 + 500 / 30), rel=1e-3)
    assert found["detectable"] > 3.11 - 2.79
    many = compared(
        "castronovo2016", {"aggregate/agents": agents_of((*row[:-1], 400)), "published": published()}, settings()
    )
    many = many.set_index("item").loc["mean/accurate/gdl/random()"]
    assert 0.15 < many["detectable"] < 0.32 and many["verdict"] == "undecided"
    scores = published().set_index("item")["published"]
    spread = np.std(scores[scores.index.str.startswith("mean/accurate/gdl/")].tolist(), ddof=1)
    assert yardsticks(published())["mean/accurate/gdl/random()"] == pytest.approx(spread)
    # The paper's own 500 MDPs leave 3.52 x 0.0357 = 0.126 open, less than the standard deviation of its scores, 0.147.
    assert found["undecided_by"] == many["undecided_by"] == "our runs"


@pytest.mark.parametrize(
    ("ours", "half_copied", "verdict"),
    [
        (0.50, 0.166, "explained"),
        (0.53, 0.166, "differs"),
        (0.9, 0.166, "differs"),
        (0.50, 0.3, "differs"),
        (0.50, 0.45, "differs"),
        (0.50, None, "differs"),
        (0.3, 0.16, "reproduced"),
        (0.05, 0.06, "differs"),
        (0.05, 0.46, "explained"),
        (1.5, 0.3, "differs"),
    ],
)
def test_memory_that_was_never_filled_explains_what_it_can_move(ours, half_copied, verdict):
    """The published 0.29 +- 0.036 of 500 MDPs and ours, by hand: the tolerance is 0.10, so with zeros at 0.166 ours
    may be up to 0.29 + 0.124 + 0.10 = 0.514; zeros on the same side as ours, or on the published score, explain
    nothing; and nothing explains more than the range of the published scores, 1.09."""
    row = {"environment": "inaccurate/grid", "algorithm": "sboss", "parameters": "delta=0.1, epsilon=0.001"}
    row |= {"standard_error": 0.03, "runs": 500}
    scores = {"as_published": ours, "half_copied": half_copied, "corrected": 5.0}
    agents = pd.DataFrame(
        row | {"variant": variant, "estimate": value} for variant, value in scores.items() if value is not None
    )
    found = compared(
        "castronovo2016",
        {"aggregate/agents": agents, "published": published().assign(reason="", choices=1)},
        settings(),
    )
    assert found["verdict"].tolist() == [verdict]
    assert ("undefined memory" in found["reason"].item()) == (verdict == "explained")
    if verdict == "explained":
        assert found["allowed"].item() == pytest.approx(found["tolerance"].item() + abs(0.29 - half_copied))


def test_memory_explains_nothing_of_an_agent_that_fills_its_own():
    """BEB reads no unfilled memory, so a variant of that name explains nothing of it."""
    row = {"environment": "accurate/gc", "algorithm": "beb", "parameters": "beta=2.5", "runs": 500}
    scores = {"as_published": 30.0, "half_copied": 70.0}
    agents = pd.DataFrame(
        row | {"variant": name, "estimate": value, "standard_error": 0.03} for name, value in scores.items()
    )
    tables = {"aggregate/agents": agents, "published": published().assign(reason="", choices=1)}
    other = compared("castronovo2016", tables, settings()).iloc[0]
    assert other["verdict"] == "differs" and other["reason"] == "" and np.isnan(other["allowed"])


def test_the_record_is_judged_by_todays_rule():
    record = pd.read_csv(RECORD, dtype={"reason": str, "code": str, "configuration": str})
    today = record_comparison(published(), record)
    assert today["item"].tolist() == record["item"].tolist()
    assert today["verdict"].tolist() == record["verdict"].tolist()
    assert today["reason"].tolist() == record["reason"].fillna("").tolist()
    for name in ("ours", "standard_error", "tolerance", "detectable", "allowed"):
        np.testing.assert_allclose(today[name].astype(float), record[name].astype(float), rtol=1e-12)
    # Where ours is made to lie off, no verdict that was stored stays.
    moved = record_comparison(published(), record.assign(ours=-1000.0))
    assert set(of_quantity(moved, "claim")["verdict"]) == {"contradicted"}
    assert set(of_quantity(moved, "mean", "library")["verdict"]) == {"differs"}


def test_the_greatest_of_several_normals():
    """Tabulated means of the greatest of 10 and of 100 (Harter 1961)."""
    assert [expected_greatest(count) for count in (10, 100)] == pytest.approx([1.53875, 2.50759], rel=0.02)


def test_scores_of_run_or_record_with_more_mdps_are_shown(tables):
    """The record has 500 MDPs of Random on GC, this run 20 of everything."""
    given = with_comparisons("castronovo2016", tables | {"record": recorded_rows()}, settings())
    shown = shown_scores(given)
    assert shown["item"].tolist() == [item for item in published()["item"] if item in set(shown["item"])]
    first = shown.set_index("item").loc["mean/accurate/gc/random()"]
    assert (first["ours"], first["runs"], first["verdict"]) == (31.5, 500, "reproduced")
    assert first["z"] == pytest.approx((31.5 - 31.12) / np.hypot(0.4592 * np.sqrt(2), 0.005 / np.sqrt(3)))
    assert set(shown["runs"].iloc[1:]) == {20}
    both = tables | {"aggregate/agents": tables["aggregate/agents"].assign(runs=501), "record": recorded_rows()}
    assert set(shown_scores(with_comparisons("castronovo2016", both, settings()))["runs"]) == {501}


def test_selection_explains_a_score_and_a_fault_does_not(tables):
    agents = tables["aggregate/agents"].copy()
    low = (agents["algorithm"] == "random") & (agents["environment"] == "accurate/gc")
    agents.loc[low, "estimate"] = -30.0
    # By hand: a tolerance of 2.30, and the greatest of ten means lies 1.28 above them.
    record = recorded_rows(item="mean/accurate/gc/beb(beta=2.5)", ours=41.72 - 3.0, verdict="differs")
    given = {"aggregate/agents": agents, "published": published(), "record": record}
    _, table = drawn(
        "castronovo2016", "reproduction", with_comparisons("castronovo2016", given, settings()), settings()
    )
    found = table.set_index("label")[["verdict", "reason"]].to_dict("index")
    assert found["Random, GC, accurate case"] == {"verdict": "differs", "reason": ""}
    explained = {"verdict": "explained", "reason": "the greatest of ten means"}
    assert found["BEB(beta=2.5), GC, accurate case"] == explained


@pytest.mark.parametrize("changes", [{"horizon": 60}, {"discount": 0.9}])
def test_scores_of_another_task_are_held_against_nothing(changes, tables):
    given = settings(**changes)
    assert len(compared("castronovo2016", tables, settings()))
    assert compared("castronovo2016", tables, given).empty
    both = with_comparisons("castronovo2016", tables | {"record": recorded_rows()}, given)
    assert shown_scores(both)["item"].tolist() == ["mean/accurate/gc/random()"]  # the record's


def test_an_exact_published_score_has_no_spread_to_lend():
    exact = ("accurate/grid", "soft_max", "tau=0.05", "as_published")
    for score, verdict in ((0.0, "reproduced"), (0.01, "differs")):
        rows = agents_of((*exact, score, 0.4, 30))
        alone = judged(rows, published()).iloc[0]
        assert (alone["verdict"], alone["tolerance"]) == (verdict, 0.005)


def test_the_tied_are_named_together():
    assert best_sentence(["a", "b", "c"], [True, False, False], "score") == "a has the best score"
    assert best_sentence(["a", "b", "c"], [True, False, True], "score") == "a and c are tied for the best score"
