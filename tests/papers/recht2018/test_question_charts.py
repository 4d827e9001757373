"""Charts and tables of Recht 2018, made of the recorded profiles."""

import json

import pytest
from support.recorded_comparisons import tables_of

from surefoot.charts.drawing import NOT_AT_HAND
from surefoot.charts.names import FREEDOM_FORMULAS
from surefoot.papers.recht2018 import question_charts

PANELS = [FREEDOM_FORMULAS["notebook"], FREEDOM_FORMULAS["welch"]]


@pytest.fixture(scope="module")
def tables():
    return tables_of("recht2018")


def rows_of(chart):
    (rows,) = chart.to_dict()["datasets"].values()
    return rows


def test_published_numbers_are_those_of_the_published_formula(tables):
    """By Welch's own formula, the right ends of all four curves are lower; claims are in the table alone."""
    answers = {name: table for name, table in tables.items() if name != "published"}
    numbers = question_charts.figure_published_numbers(tables["published"], answers)
    published, welch = (numbers[numbers["formula"] == formula] for formula in ("notebook", "welch"))
    assert set(published["verdict"]) == {"reproduced"} and len(published) == len(tables["published"])
    assert set(welch["item"][welch["verdict"] == "differs"].str.rpartition("/")[2]) == {"last"}
    assert (welch["ours"] <= published["ours"].to_numpy()).all()
    rows = rows_of(question_charts.figure_published(tables["published"], answers))
    assert len(rows) == (~numbers["claim"]).sum()
    assert {row["panel"] for row in rows} == set(PANELS)


def test_without_answers_there_is_a_note(tables):
    assert question_charts.figure_published_numbers(tables["published"], {}).empty
    assert NOT_AT_HAND in question_charts.figure_published(tables["published"], {}).to_dict()["description"]


def test_welch_profiles_have_a_panel_for_each_formula(tables):
    chart = question_charts.welch_profile_chart(tables["figure_r1"])
    assert chart.to_dict()["facet"]["sort"] == PANELS
    drawn = {(row["panel"], row["curve"], f"{row['threshold']:.5g}"): row["estimate"] for row in rows_of(chart)}
    for row in tables["figure_r1"].itertuples():
        key = FREEDOM_FORMULAS[row.degrees_of_freedom], row.method, f"{row.threshold:.5g}"
        assert drawn[key] == pytest.approx(row.fraction, abs=1e-5)


def test_rank_profiles_name_the_methods_by_their_titles(tables):
    names = list(dict.fromkeys(tables["figure_runs"]["method"]))
    chart = question_charts.rank_profile_chart(tables["figure_runs"], titles={names[0]: "First of all"})
    text = json.dumps(chart.to_dict())
    assert "First of all" in text and names[0] not in text
    assert all(name in text for name in names[1:])
    assert f"Performance profiles of {len(names)} algorithms" in text


def test_differences_of_each_level_are_those_of_both_methods(tables):
    """A lower level finds fewer."""
    wide = question_charts.welch_differences_table(tables["differences"])
    assert wide["differ"].tolist() == (wide["Blob-PROST 200M"] + wide["DQN 200M"]).tolist()
    assert wide.loc[wide["level"] == 0.05, "differ"].tolist() == [48, 37]
    for _, rows in wide.groupby("formula", sort=False):
        assert rows["level"].tolist() == [0.05, 0.01, 0.001]
        assert rows["differ"].is_monotonic_decreasing
    assert question_charts.welch_differences_table().empty
