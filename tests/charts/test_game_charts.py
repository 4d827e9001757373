"""Charts of the evaluation game."""

import vl_convert
from support.drawings import drawn
from support.stand_in_tables import settings, stand_in_tables

from surefoot.charts.game_charts import evaluation_game_scores_numbers


def test_no_chart_goes_beyond_the_scores():
    tables = stand_in_tables(["a", "b"], ["x"])
    tables["estimate/pbp_t"] = tables["estimate/pbp_t"].assign(low=[-3.0, 9.0], high=[0.5, 10.0])
    specification = drawn("study", "scores", tables, settings())[0].to_dict()
    rows = [row for data in specification["datasets"].values() for row in data if row.get("panel") == "PBP-t"]
    assert [(row["low"], row["high"]) for row in rows] == [(0.0, 0.5), (1.0, 1.0)]


def test_equal_scores_have_no_interval_and_no_confidence():
    tables = stand_in_tables(["a", "b"], ["x", "y"])
    means_table = tables["estimate/anderson"]
    flat = means_table["environment"] == "y"
    tables["estimate/anderson"] = means_table.assign(
        low=means_table["low"].mask(flat, means_table["estimate"]),
        high=means_table["high"].mask(flat, means_table["estimate"]),
    )
    chart, numbers = drawn("study", "means", tables, settings())
    limits = numbers.loc[numbers["environment"] == "y", ["low", "high", "rank_low", "rank_high", "confidence_level"]]
    assert limits.isna().all(axis=None)
    assert numbers.loc[numbers["environment"] == "x"].notna().all(axis=None)
    assert "NaN" not in vl_convert.vegalite_to_svg(chart.to_dict())


def test_two_names_with_one_title_stay_apart():
    tables = stand_in_tables(["a", "b"], ["x"])
    points = tables["aggregate/evaluation_game_scores"]
    numbers = evaluation_game_scores_numbers(points, tables["estimate/pbp"], titles={"a": "DQN", "b": "DQN"})
    assert set(numbers["title"]) == {"DQN (a)", "DQN (b)"}
