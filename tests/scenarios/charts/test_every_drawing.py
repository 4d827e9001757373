"""Every drawing on stand-in tables, awkward ones too: valid charts of bounded size whose numbers are the tables'."""

import json

import pandas as pd
import pytest
import vl_convert
from support.drawings import drawn, is_drawable, with_comparisons
from support.drawn_studies import ENTRIES, PLACES, STUDIES, whole
from support.stand_in_tables import settings, stand_in_tables

from surefoot.charts.drawing_catalogue import CATALOGUE
from surefoot.charts.selection import METHOD_TITLES
from surefoot.statistics.intervals.interval_catalogue import leading
from surefoot.statistics.reproduction.items import of_quantity

SMALLER = ("paper", "one_environment")
"""The paper's study, and what overlays can make of it; the drawings of any study are drawn of all the others too."""
OF_STUDIES = [
    pytest.param(study, *entry, id=f"{study}-{'-'.join(entry)}")
    for study in STUDIES
    for entry in ENTRIES
    if entry[0] != "jordan2020" or study in SMALLER
]
"""Each drawing with each of the studies that it may be of."""


@pytest.fixture(scope="module", params=STUDIES)
def tables(request) -> dict[str, pd.DataFrame]:
    return whole(request.param)


@pytest.fixture(scope="module")
def small_tables() -> dict[str, pd.DataFrame]:
    tables = stand_in_tables(["sarsa", "q"], PLACES, 1)
    return with_comparisons("jordan2020", tables)


@pytest.mark.parametrize(("tables", "group", "name"), OF_STUDIES, indirect=["tables"])
def test_charts_are_valid_and_bounded_and_tables_have_rows(group, name, tables):
    chart, numbers = drawn(group, name, tables, settings())
    assert numbers.columns.is_unique
    if chart is None:
        shown = name != "table_seeds"  # there is no record of other seeds
        if name == "table_joint":  # joint tests need two z values
            _, compared = drawn(group, "reproduction", tables, settings())
            shown = of_quantity(compared, "mean")["z"].notna().sum() > 1
        if name == "table_summary":  # of few trials there are no z values
            _, compared = drawn(group, "reproduction", tables, settings())
            shown = compared["z"].notna().any()
        assert (len(numbers) > 0) == shown
        return
    specification = chart.to_dict()  # validates
    assert sum(map(len, specification["datasets"].values())) <= 5000
    assert specification["description"]
    assert "container" not in json.dumps({key: value for key, value in specification.items() if key != "datasets"})
    picture = vl_convert.vegalite_to_svg(specification)
    assert "<svg" in picture and "NaN" not in picture


@pytest.mark.parametrize(("group", "name"), ENTRIES)
def test_a_study_may_ask_for_no_interval_at_all(group, name, small_tables):
    points = {key: table for key, table in small_tables.items() if not key.startswith("estimate/")}
    points = with_comparisons("jordan2020", points)
    entry = CATALOGUE[group][name]
    if not is_drawable(entry, points) and not entry.note:
        assert name in ("table_coverage", "distributions")
        return
    chart, numbers = drawn(group, name, points, settings())
    if chart is not None:
        assert "<svg" in vl_convert.vegalite_to_svg(chart.to_dict())
    assert len(numbers.columns)


def test_numbers_of_the_scores_are_those_of_the_estimates(tables):
    columns = [
        "method",
        "algorithm",
        "estimate",
        "low",
        "high",
        "rank",
        "rank_low",
        "rank_high",
        "confidence_level",
        "runs",
    ]
    asked = [method for method in METHOD_TITLES if f"estimate/{method}" in tables]
    given = {key: table for key, table in tables.items() if key != "record_intervals"}
    _, numbers = drawn("study", "scores", given, settings())
    ordered = list(dict.fromkeys(numbers["method"]))
    assert ordered[0] == leading(asked) and set(ordered) == set(asked)
    expected = pd.concat([tables[f"estimate/{method}"] for method in ordered], ignore_index=True)
    pd.testing.assert_frame_equal(numbers[columns], expected[columns], check_dtype=False)
    _, quoted = drawn("jordan2020", "figure_5", given, settings())
    expected = expected[expected["method"] == leading(asked)].sort_values("rank", kind="stable", ignore_index=True)
    pd.testing.assert_frame_equal(quoted[columns], expected[columns], check_dtype=False)


def test_drawn_means_and_weights_are_those_of_the_tables(tables):
    _, means = drawn("study", "means", tables, settings())
    shared = [column for column in tables["estimate/anderson"] if column in means]
    assert {"algorithm", "environment", "estimate", "low", "high", "rank", "rank_low", "rank_high"} <= set(shared)
    pd.testing.assert_frame_equal(means[shared], tables["estimate/anderson"][shared])
    _, bands = drawn("study", "distributions", tables, settings())
    pd.testing.assert_frame_equal(bands, tables["estimate/dkw"][list(bands.columns)])
    _, weights = drawn("study", "weights", tables, settings())
    expected = tables["aggregate/evaluation_game_scores_weights"]
    pd.testing.assert_frame_equal(weights[list(expected.columns)], expected)


def test_the_table_of_runs_counts_them(tables):
    _, numbers = drawn("study", "table_runs", tables, settings())
    assert numbers.drop(columns="environment").to_numpy().sum() == len(tables["collect/runs"])
    first = tables["collect/runs"].iloc[0]
    count = (
        (tables["collect/runs"][["algorithm", "environment"]] == first[["algorithm", "environment"]]).all(axis=1)
    ).sum()
    assert numbers.iloc[0, 1] == count
