"""Charts for narrow windows."""

import re

import altair as alt
import pandas as pd
import pytest
import vl_convert

from surefoot.charts import theme
from surefoot.charts.diagrams import Arrow, Box, diagram
from surefoot.charts.phone import WIDTH, for_phone
from surefoot.papers.castronovo2016.diagrams import figure_distribution

ROWS = pd.DataFrame(
    [
        {"title": title, "panel": panel, "row": row, "value": len(title) + place}
        for title in ("Sarsa", "an algorithm with a long name")
        for place, panel in enumerate(("first", "second", "third"))
        for row in ("upper", "lower")
    ]
)


def width_of(chart):
    return float(re.search(r'width="([\d.]+)"', vl_convert.vegalite_to_svg(chart))[1])


def unit():
    chart = (
        alt.Chart(ROWS).mark_point().encode(x=alt.X("value:Q", title="a value whose name is quite long"), y="title:N")
    )
    return chart.encode(color="title:N").properties(width=300, height=60)


CHARTS = {
    "unit": lambda: unit().properties(width=700),
    "wrapped": lambda: unit().facet(facet="panel:N", columns=3),
    "columns": lambda: unit().facet(column=alt.Facet("panel:N", sort=["third", "first", "second"])),
    "rows and columns": lambda: unit().facet(column="panel:N", row=alt.Facet("row:N", sort=["upper", "lower"])),
    "beside each other": lambda: alt.hconcat(unit(), unit()),
    "encoded": lambda: unit().encode(column="panel:N"),
}


@pytest.mark.parametrize("name", CHARTS)
def test_any_chart_is_as_wide_as_a_phone_and_keeps_its_marks(name):
    wide = theme.finish(CHARTS[name](), "x").to_dict()
    narrow = for_phone(wide, width_of)
    assert width_of(wide) > 450 and abs(width_of(narrow) - WIDTH) <= 12
    pictures = [vl_convert.vegalite_to_svg(chart) for chart in (wide, narrow)]
    marks, same = (len(re.findall('aria-roledescription="point"', picture)) for picture in pictures)
    assert marks == same > 0
    assert float(re.search(r'height="([\d.]+)"', pictures[1])[1]) >= float(
        re.search(r'height="([\d.]+)"', pictures[0])[1]
    )


def test_rows_and_columns_become_one_column_in_their_order():
    narrow = for_phone(theme.finish(CHARTS["rows and columns"](), "x").to_dict(), width_of)
    titles = re.findall(">((?:upper|lower), [a-z]+)<", vl_convert.vegalite_to_svg(narrow))
    assert titles == [f"{row}, {panel}" for row in ("upper", "lower") for panel in ("first", "second", "third")]


def test_text_beside_a_panel_stays_as_far_from_it():
    points = alt.Chart(ROWS).mark_point().encode(x="value:Q", y="title:N")
    beside = alt.Chart(ROWS).mark_text().encode(x=alt.value(450), y="title:N", text="title:N")
    narrow = for_phone(theme.finish(alt.layer(points, beside).properties(width=400), "x").to_dict(), width_of)
    assert narrow["layer"][1]["encoding"]["x"]["value"] == narrow["width"] + 50


def test_a_diagram_leads_down_and_its_texts_stay_within_their_boxes():
    said = ["one", "the definition draws\nthe hyperparameters", "three"]
    boxes = [Box(240 * number, 70, 180, 60, text) for number, text in enumerate(said)]
    arrows = [Arrow([(180, 100), (240, 100)], "again, N times", (210, 88)), Arrow([(420, 100), (480, 100)])]
    narrow = for_phone(theme.finish(diagram(boxes, arrows, 200), "x").to_dict(), width_of)
    assert abs(width_of(narrow) - WIDTH) <= 2
    picture = vl_convert.vegalite_to_svg(narrow)
    drawn = re.findall(r'aria-roledescription="rect mark" d="M([\d.]+),([\d.]+)', picture)
    lefts, tops = ([float(one) for one in ends] for ends in zip(*drawn, strict=True))
    assert len(set(lefts)) == 1 and tops == sorted(set(tops)) and len(tops) == 3
    lines = [re.sub("<[^>]*>", "\n", found).strip() for found in re.findall("<text[^>]*>(.*?)</text>", picture)]
    assert [" ".join(line.split()) for line in lines[:3]] == [text.replace("\n", " ") for text in said]
    across = 60 * (WIDTH - 12) / 200  # what was the height of a box
    assert all(6.6 * len(line) <= across + 20 for text in lines[:3] for line in text.split("\n"))


def test_states_and_arrows_without_boxes_stand_closer_together():
    chart = figure_distribution({}, {"distribution": "grid"})[0].to_dict()
    narrow = for_phone(chart, width_of)
    assert abs(width_of(narrow) - WIDTH) <= 2
    pictures = [vl_convert.vegalite_to_svg(one) for one in (chart, narrow)]
    states = [re.findall(r">(\d+)</text>", picture) for picture in pictures]
    assert states[0] == states[1] and states[0].count("24") == 1


def test_rows_of_columns_keep_the_headings_of_the_first_row():
    """Below each other they are all that tells two panels with the same axes apart."""
    panels = [[unit().properties(title=name if row == 0 else "") for name in ("left", "right")] for row in range(2)]
    chart = theme.finish(alt.vconcat(*(alt.hconcat(*row) for row in panels)), "x").to_dict()
    picture = vl_convert.vegalite_to_svg(for_phone(chart, width_of))
    assert re.findall(">(left|right)<", picture) == ["left", "right"] * 2


def test_rows_and_columns_of_many_panels_stand_two_and_two():
    rows = pd.DataFrame(
        [
            {"panel": f"task {task}", "row": row, "value": task, "title": "Ada"}
            for task in range(4)
            for row in ("one", "two")
        ]
    )
    chart = alt.Chart(rows).mark_point().encode(x="value:Q", y="title:N").properties(width=90, height=60)
    narrow = for_phone(theme.finish(chart.facet(column="panel:N", row="row:N"), "x").to_dict(), width_of)
    assert narrow["columns"] == 2 and abs(width_of(narrow) - WIDTH) <= 12
    assert set(re.findall(r">((?:one|two), task \d)<", vl_convert.vegalite_to_svg(narrow))) == {
        f"{row}, task {task}" for row in ("one", "two") for task in range(4)
    }


def test_two_columns_of_texts_stand_below_each_other_where_a_panel_would_be_too_narrow():
    rows = pd.DataFrame({"title": ["a", "b"], "value": [1.0, 2.0]})
    rows = rows.assign(score=["0.467", "0.459"], rank="1 (11, 1)")
    layers = [alt.Chart(rows).mark_point().encode(x="value:Q", y="title:N")]
    for at, name, head in ((450, "score", "score"), (620, "rank", "rank (worst, best)")):
        texts = alt.Chart(rows).mark_text(align="right").encode(x=alt.value(at), y="title:N", text=f"{name}:N")
        heading = alt.Chart(pd.DataFrame({"text": [head]})).mark_text(align="right")
        layers += [texts, heading.encode(x=alt.value(at), y=alt.value(-8), text="text:N")]
    wide = theme.finish(alt.layer(*layers).properties(width=400, height=60), "x").to_dict()
    narrow = for_phone(wide, width_of)
    _, score, score_head, rank, rank_head = narrow["layer"]
    assert len({layer["encoding"]["x"]["value"] for layer in (score, score_head, rank, rank_head)}) == 1
    assert score["mark"]["dy"] == -rank["mark"]["dy"] < 0
    assert score_head["encoding"]["y"]["value"] < rank_head["encoding"]["y"]["value"]
    assert narrow["height"] > 60 and narrow["width"] >= 200  # the panel has the room of the other column
    picture = vl_convert.vegalite_to_svg(narrow)
    assert picture.count(">1 (11, 1)<") == 2 and ">rank (worst, best)<" in picture and ">0.459<" in picture


@pytest.mark.parametrize(("beside", "whole"), [(0, True), (150, False)])
def test_a_name_is_cut_only_where_the_panel_has_no_room_beside_it(beside, whole):
    name = "Gridworld 10 Deterministic"
    rows = pd.DataFrame({"title": ["a", name], "value": [1.0, 2.0]})
    chart = alt.Chart(rows).mark_point().encode(x="value:Q", y="title:N").properties(width=400)
    if beside:
        texts = alt.Chart(rows).mark_text(text="w" * 12).encode(x=alt.value(400 + beside), y="title:N")
        chart = alt.layer(chart, texts).properties(width=400)
    narrow = for_phone(theme.finish(chart, "x").to_dict(), width_of)
    assert (f">{name}<" in vl_convert.vegalite_to_svg(narrow)) == whole


@pytest.mark.parametrize(("columns", "texts", "shown"), [(8, "11", True), (8, "0.125", False), (4, "0.125", True)])
def test_numbers_of_cells_stay_where_they_have_room_and_names_of_narrow_columns_stand_upright(columns, texts, shown):
    names = [f"a normalization, number {number}" for number in range(columns)]
    rows = pd.DataFrame({"name": names, "title": "PPO", "rank": texts})
    axis = alt.Axis(orient="top", labelAngle=-25)
    base = alt.Chart(rows).encode(x=alt.X("name:N", axis=axis), y="title:N")
    layers = alt.layer(base.mark_rect(), base.mark_text().encode(text="rank:N")).properties(width=500)
    narrow = for_phone(theme.finish(layers, "x").to_dict(), width_of)
    assert (f">{texts}<" in vl_convert.vegalite_to_svg(narrow)) == shown
    upright = narrow["layer"][0]["encoding"]["x"]["axis"]["labelAngle"] == -90
    assert upright == (narrow["width"] / columns < 36)


def test_a_heading_is_broken_only_where_the_narrow_panel_needs_it():
    facet = alt.Facet("panel:N", title=None, sort=["Optimality gap"], header=theme.heading(60))
    rows = pd.DataFrame({"panel": ["Optimality gap"], "value": [1.0]})
    chart = alt.Chart().mark_point().encode(x="value:Q").properties(width=60, data=rows).facet(facet, columns=1)
    wide = theme.finish(chart, "x").to_dict()
    narrow = for_phone(wide, width_of)
    broken, whole = (">Optimality gap<" in vl_convert.vegalite_to_svg(drawn) for drawn in (wide, narrow))
    assert (broken, whole) == (False, True)


@pytest.mark.parametrize(("shown", "columns"), [("Ada", 2), ("an algorithm with quite a long name", 1)])
def test_many_panels_stand_two_and_two_where_names_leave_room(shown, columns):
    panels = [f"Environment {number}" for number in range(10)]
    rows = pd.DataFrame([{"title": shown, "panel": panel, "value": place} for place, panel in enumerate(panels)])
    chart = alt.Chart(rows).mark_point().encode(x="value:Q", y="title:N").properties(width=200, height=60)
    wide = theme.finish(chart.facet(facet=alt.Facet("panel:N", sort=panels), columns=3), "x").to_dict()
    narrow = for_phone(wide, width_of)
    assert narrow["columns"] == columns
    assert abs(width_of(narrow) - WIDTH) <= 12
    few = wide | {"datasets": {name: found[:3] for name, found in wide["datasets"].items()}}
    assert for_phone(few, width_of)["columns"] == 1
