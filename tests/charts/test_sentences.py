"""Sentences say what the tables say, whatever the tables say."""

import numpy as np
import pandas as pd
import pytest
import vl_convert
from stand_in import published_names, settings, sharper, stand_in_tables

from surefoot.charts.catalogue import CATALOGUE
from surefoot.charts.game import game_scores_chart as scores_chart
from surefoot.charts.game import means_chart
from surefoot.charts.selection import METHOD_TITLES
from surefoot.charts.sentences import estimate, run_items, score_items, separated_pairs
from surefoot.papers.jordan2020.figures import table_methods
from surefoot.questions.study_sentences import verdict as study_verdict
from surefoot.statistics.intervals.catalogue import INTERVAL_METHODS


def intervals(*rows: tuple[str, float, float, float], method: str = "pbp") -> pd.DataFrame:
    table = pd.DataFrame(rows, columns=["algorithm", "value", "low", "high"])
    rank = table["value"].rank(method="min", ascending=False).astype(int)
    return table.assign(method=method, rank=rank, confidence=0.95, runs=30, replicates=np.nan)


def said(table: pd.DataFrame, name: str) -> str:
    texts = {row["item"]: row["text"] for row in score_items(table, settings())}
    return texts[name]


def test_the_best_is_named_by_title_and_of_equal_scores_all():
    table = intervals(("sarsa_parl2", 0.9, 0.8, 1.0), ("b", 0.2, 0.1, 0.3))
    assert said(table, "best") == "Sarsa-Parl2 has the highest aggregate score, 0.900 (0.800 to 1.000)."
    tied = intervals(("a", 0.5, 0.4, 0.6), ("b", 0.5, 0.4, 0.6))
    assert said(tied, "best").startswith("a and b share the highest aggregate score, 0.500")


def test_touching_intervals_are_not_separated():
    assert separated_pairs(intervals(("a", 0.5, 0.4, 0.6), ("b", 0.3, 0.2, 0.4))) == 0
    assert separated_pairs(intervals(("a", 0.5, 0.41, 0.6), ("b", 0.3, 0.2, 0.4), ("c", 0.1, 0.0, 0.1))) == 3


def test_no_chart_goes_beyond_the_scores():
    tables = stand_in_tables(["a", "b"], ["x"])
    tables["estimate/pbp_t"] = tables["estimate/pbp_t"].assign(low=[-3.0, 9.0], high=[0.5, 10.0])
    specification = scores_chart(tables, settings())[0].to_dict()
    rows = [row for data in specification["datasets"].values() for row in data if row.get("panel") == "PBP-t"]
    assert [(row["low"], row["high"]) for row in rows] == [(0.0, 0.5), (1.0, 1.0)]


def test_runs_under_two_names_are_counted_once():
    tables = stand_in_tables(["sarsa", "sarsa_s"], ["x", "y"], 7)
    items = {row["item"]: row for row in run_items(tables["collect/runs"])}
    assert items["runs"]["text"] == "7 runs"
    assert items["runs_total"]["value"] == 14
    tables = stand_in_tables(["a", "b"], ["x", "y"], {("a", "x"): 1, ("a", "y"): 3, ("b", "x"): 1200, ("b", "y"): 2})
    items = {row["item"]: row["text"] for row in run_items(tables["collect/runs"])}
    assert (items["runs"], items["runs_total"]) == ("1 to 1,200 runs", "1,206 runs")


def test_prose_rounds_a_score_as_tables_do():
    """0.5625 is a tie."""
    assert estimate(0.5625, 0.0625, 0.1875) == "0.563 (0.063 to 0.188)"


def captions(tables: dict, **changes: object) -> dict[str, str]:
    return study_verdict(tables, settings(**changes))[1].set_index("item")["text"].to_dict()


def only(tables: dict, *methods: str) -> dict:
    """The tables of a study that asks for these methods alone."""
    wanted = {f"estimate/{method}" for method in methods}
    return {name: table for name, table in tables.items() if not name.startswith("estimate/") or name in wanted}


def test_equal_scores_have_no_interval_and_no_confidence():
    tables = stand_in_tables(["a", "b"], ["x", "y"])
    means_table = tables["estimate/anderson"]
    flat = means_table["environment"] == "y"
    tables["estimate/anderson"] = means_table.assign(
        low=means_table["low"].mask(flat, means_table["value"]),
        high=means_table["high"].mask(flat, means_table["value"]),
    )
    chart, numbers = means_chart(tables, settings())
    limits = numbers.loc[numbers["environment"] == "y", ["low", "high", "rank_low", "rank_high", "confidence"]]
    assert limits.isna().all(axis=None)
    assert numbers.loc[numbers["environment"] == "x"].notna().all(axis=None)
    assert "NaN" not in vl_convert.vegalite_to_svg(chart.to_dict())


@pytest.mark.parametrize("method", INTERVAL_METHODS)
def test_a_study_that_asks_for_one_method_alone_has_its_intervals_told(method):
    """Whatever the method: what the plan hands to the pages' drawings holds its table, and they speak of it."""
    tables = stand_in_tables(["sarsa_parl2", "q_parl2"], ["acrobot"])
    tables = only(tables | sharper(tables), method)
    for page, drawn in CATALOGUE.items():
        for name in ("verdict", "scores", "answer", "figure_5", "table_ranks", "figure_methods"):
            if name in drawn and "aggregate/game_scores" in drawn[name].needs:
                assert f"estimate/{method}" in drawn[name].optional, (page, name)
    said = study_verdict(tables, settings())[1].set_index("item")["text"]
    assert not said.str.contains("asks for no intervals|Without intervals").any()
    assert METHOD_TITLES[method] in said["lead"] and METHOD_TITLES[method] in said["score_caption"]
    assert METHOD_TITLES[method] == table_methods(tables, settings())[1]["title"].iloc[0]


def test_pages_lead_with_the_recommended_interval():
    """The study's page and the paper's claim quote the recommended method, also where PBP says something else."""
    tables = stand_in_tables(*published_names(), 3)
    tables |= sharper(tables)
    apart = {"sarsa_parl2": 0.9, "q_parl2": 0.8}
    recommended = tables["estimate/pbp_matchings"]
    value = recommended["algorithm"].map(apart).fillna(0.1)
    tables["estimate/pbp_matchings"] = recommended.assign(
        value=value, low=value - 0.01, high=value + 0.01, rank=value.rank(ascending=False, method="min").astype(int)
    )
    said = study_verdict(tables, settings())[1].set_index("item")["text"]
    assert said["lead"] == "The interval of Sarsa-Parl2 (matching-based PBP) lies above those of 10 of 10 others."
    first = table_methods(tables, settings())[1].iloc[0]
    assert first["method"] == "pbp_matchings" and first["claim_above"] == first["claim_pairs"]


def test_methods_out_of_their_range_carry_a_remark_in_figure_and_caption():
    tables = stand_in_tables(["a", "b"], ["x"], 30)
    tables |= sharper(tables)
    caption = captions(tables, variant="corrected")["score_caption"]
    assert "fewer than 100 runs (here 30)" in caption.partition("PBP-t: ")[2]
    assert "matching-based PBP: " not in caption and " PBP: " not in caption
    remark = scores_chart(tables, settings(variant="corrected"))[1].groupby("method")["remark"].first()
    assert "fewer than 100 runs (here 30)" in remark["pbp_t"]
    assert (remark[["pbp_matchings", "pbp"]] == "").all()
    assert "PBP: without a guarantee as published" in captions(tables)["score_caption"]
