"""Figures and tables of Jordan et al. 2020: published numbers beside ours, and what the records add."""

import numpy as np
import pandas as pd
import pytest
import vl_convert
from scipy.stats import norm
from support.drawings import compared, drawn, with_comparisons
from support.stand_in_tables import POINTS, printed_deviations, published_tables, recorded_intervals, records, settings

from surefoot.papers.jordan2020.evidence import yardsticks
from surefoot.simulation.simulation_registry import ENVIRONMENTS
from surefoot.statistics.reproduction.items import item_text
from surefoot.statistics.reproduction.published_comparison import COLUMNS, items, of_more_runs


@pytest.fixture(scope="module")
def paper() -> dict[str, pd.DataFrame]:
    return published_tables()


def test_published_values_reproduce_themselves(paper):
    table = compared("jordan2020", paper).set_index("item")
    rows = table[table.index.str.startswith(("mean/", "game_score/"))]
    assert len(rows) == 165 + 11
    testable = rows.index.map(yardsticks(paper["published"]).set_axis(paper["published"]["item"])) >= rows["detectable"]
    assert testable.sum() > 100
    assert (rows["verdict"] == np.where(testable, "reproduced", "undecided")).all()
    assert (rows["z"].dropna() == 0).all()
    assert list(table.index[:165]) == list(items(paper[POINTS].query("aggregate == 'mean'"))["item"])
    assert ["item", *table.columns] == list(COLUMNS)
    assert table["detectable"].notna().all()


def test_a_mean_beyond_holms_limit_differs_unless_rounded(paper):
    mean = item_text("mean", "chain_10_deterministic", "sarsa_parl2")

    def one(shift):
        points = paper[POINTS].copy()
        row = (points["algorithm"] == "sarsa_parl2") & (points["environment"] == "chain_10_deterministic")
        points.loc[row, "estimate"] += shift
        return compared("jordan2020", paper | {POINTS: points}).set_index("item").loc[mean]

    error = one(0.0)["standard_error"]
    spread = printed_deviations(paper["published"])[mean]
    assert error == pytest.approx(np.hypot(spread * np.sqrt(1 / 250 + 1 / 10_000), 0.05 / np.sqrt(3)))
    judged = compared("jordan2020", paper).dropna(subset="standard_error")
    other = ((judged["ours"] - judged["published"]).abs() > judged["tolerance"]).sum()
    limit = norm.isf(0.05 / (2 * (len(judged) - other)))  # of the step after the other numbers that differ
    assert one((limit - 0.01) * error)["verdict"] == "reproduced"
    assert one((limit + 0.01) * error)["verdict"] == "differs"


def test_means_are_those_of_more_trials(paper):
    """The record's, or this run's where there is no record; bars of two joint standard errors."""
    tables = with_comparisons("jordan2020", paper | records(paper))
    _, numbers = drawn("jordan2020", "figure_means", tables, settings())
    shown = numbers.set_index(["environment", "algorithm"]).loc[("acrobot", "ppo")]
    recorded = tables["record"].set_index("item").loc["mean/acrobot/ppo"]
    assert (shown["estimate"], shown["runs"]) == (recorded["ours"], 10_000)
    error = tables["compare/record"].set_index("item").loc["mean/acrobot/ppo", "standard_error"]
    assert shown["high"] - shown["low"] == pytest.approx(4 * error)
    _, numbers = drawn("jordan2020", "figure_means", with_comparisons("jordan2020", paper), settings())
    assert (numbers["runs"] == 250).all() and len(numbers) == 165


def test_recorded_scores_of_more_runs_are_shown(paper):
    intervals = recorded_intervals(paper)
    own = paper["aggregate/evaluation_game_scores"]["runs"].min()
    _, numbers = drawn("jordan2020", "figure_5", paper | {"record_intervals": intervals}, settings())
    assert set(numbers["source"]) == {"large run"} and (numbers["method"] == "pbp").all()
    for other in (
        intervals.assign(environments="acrobot"),
        intervals[intervals["algorithm"] != "ppo"],
        intervals.assign(runs=own),
    ):
        tables = paper | {"record_intervals": other}
        assert set(drawn("jordan2020", "figure_5", tables, settings())[1]["source"]) == {"this run"}


def test_scores_are_drawn_in_standard_errors(paper):
    tables = with_comparisons("jordan2020", paper | records(paper))
    judged = of_more_runs(tables["compare/run"], tables["compare/record"])
    judged = judged.assign(z=np.linspace(-3, 3, len(judged))).set_index("item", drop=False)
    chart, numbers = drawn("jordan2020", "figure_5", tables | {"compare/record": judged}, settings())
    assert list(numbers["z"]) == [judged["z"][item_text("game_score", name)] for name in numbers["algorithm"]]
    specification = chart.to_dict()
    rows = specification["datasets"][specification["data"]["name"]]
    assert [row["high"] - row["low"] for row in rows] == pytest.approx([4.0] * 11, abs=1e-3)
    assert [row["estimate"] for row in rows] == pytest.approx(numbers["z"], abs=1e-3)
    picture = vl_convert.vegalite_to_svg(specification)
    assert [f"{printed:.3f}" in picture for printed in numbers["published"]] == [True] * 11


def test_table_2_has_rings_and_no_line_where_none_misses(paper):
    coverage = records(paper)["record_coverage"]
    rates = [name for name in coverage if name.startswith("failure_rate")]
    coverage.loc[coverage["method"] == "pbp", rates] = 0.0
    chart, numbers = drawn("jordan2020", "figure_coverage", paper | {"record_coverage": coverage}, settings())
    assert (numbers.loc[numbers["method"] == "pbp", "failure_rate"] == 0).all()
    rows = max(chart.to_dict()["datasets"].values(), key=len)
    lines = {panel: {row["curve"] for row in rows if row["panel"] == panel} for panel in {row["panel"] for row in rows}}
    assert {panel for panel, curves in lines.items() if "PBP" not in curves} == {
        name for name in lines if "miss" in name
    }
    printed = paper["published"].set_index("item")["published"]
    rings = {
        (row["panel"], row["curve"], row["size"]): row["published"] for row in rows if row["published"] is not None
    }
    assert rings["pairs separated", "PBP", 100] == printed["coverage/pbp/100/significance"]
    assert rings["misses the score of another data set", "PBP-t", 10] == printed["coverage/pbp_t/10/failure_rate"]
    assert len(rings) == 3 * 3 + 2 * 3
    assert any("corrected, 100 trials, pairs separated: " in row["tooltip"] for row in rows)


def test_published_scores_are_beside_the_quoted_interval(paper):
    quoted = paper["estimate/pbp"].assign(method="pbp_matchings")
    quoted = quoted.assign(rank_low=quoted["rank"] + 20, rank_high=quoted["rank"] + 10)
    tables = paper | {"estimate/pbp_matchings": quoted}
    chart, numbers = drawn("jordan2020", "figure_5", tables, settings())
    assert "<svg" in vl_convert.vegalite_to_svg(chart.to_dict())
    assert (numbers["method"] == "pbp_matchings").all() and (numbers["rank_low"] == numbers["rank"] + 20).all()
    printed = paper["published"].set_index("item")["published"]
    assert (numbers["published"] == [printed[item_text("game_score", name)] for name in numbers["algorithm"]]).all()
    assert numbers["published_rank_low"].max() <= 11
    assert drawn("jordan2020", "table_methods", tables, settings())[1]["title"].iloc[0] == "matching-based PBP"


def test_points_of_figure_3_are_drawn_on_recorded_curves(paper):
    _, numbers = drawn("jordan2020", "figure_3", paper, settings())
    printed = numbers[numbers["quantity"] == "published"].set_index(["algorithm", "score"])["probability"]
    assert printed["sarsa_parl2", 400] == 0.4360 and len(printed) == 12
    bands = paper["estimate/dkw"]
    record = bands[bands["environment"] == "cart_pole"].assign(probability=0.5)
    _, recorded = drawn(
        "jordan2020", "figure_3", paper | {"record_distributions": record.assign(method="dkw")}, settings()
    )
    assert set(recorded.loc[recorded["quantity"] == "band", "probability"]) == {0.5}


def test_table_5_is_the_printed_one(paper):
    _, table = drawn("jordan2020", "table_5", paper, settings())
    assert list(table["environment"]) == list(ENVIRONMENTS)
    assert (table["episodes"] == table["published"]).all()
