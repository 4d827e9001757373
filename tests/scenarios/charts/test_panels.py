"""Each mark of every chart with panels is drawn below the headings, and beside the ticks, of its row of data."""

import functools

import altair as alt
import pandas as pd
import pytest
from support.chart_families import FAMILIES, OF_ONE_SIZE, specification
from support.drawings import drawn, is_drawable, made, with_comparisons
from support.drawn_panels import has_panels, misplaced_marks
from support.drawn_studies import ENTRIES as OF_TRIALS
from support.drawn_studies import whole
from support.recorded_studies import STUDIES, drawings
from support.stand_in_plays import settings as settings_of_plays
from support.stand_in_plays import tables_of_plays
from support.stand_in_tables import settings

from surefoot.charts.drawing_catalogue import CATALOGUE

TIMES = [
    {"agent": agent, "place": place, "hour": hour, "score": hour + 10.0}
    for agent, place, hour in (
        ("a", "x", 1.0),
        ("b", "y", 2.0),
        ("c", "x", 3.0),
        ("c", "y", 4.0),
    )
]


@functools.cache
def plays():
    return with_comparisons("castronovo2016", tables_of_plays(), settings_of_plays())


def charts_of(study: str) -> dict:
    """The Vega-Lite of all charts of a study that have panels, by name."""
    found = {}
    if study in STUDIES:
        found = {name: chart for name, (chart, *_) in drawings(study).items()}
    elif study == "castronovo2016":
        entries = {name: entry for name, entry in CATALOGUE[study].items() if is_drawable(entry, plays())}
        found = {name: made(entry, plays(), settings_of_plays())[0] for name, entry in entries.items()}
    else:
        of_study = [name for group, name in OF_TRIALS if group == study]
        found = {name: drawn(study, name, whole("paper"), settings())[0] for name in of_study}
    charts = {name: chart for name, chart in found.items() if chart is not None}
    charts = {name: chart if isinstance(chart, dict) else chart.to_dict() for name, chart in charts.items()}
    return {name: chart for name, chart in charts.items() if has_panels(chart)}


@pytest.mark.parametrize("study", [*STUDIES, "castronovo2016", "jordan2020", "study"])
def test_marks_stand_in_their_panels(study):
    charts = charts_of(study)
    assert len(charts) >= 3
    faults = {name: misplaced_marks(chart)[:3] for name, chart in charts.items()}
    assert {name: some for name, some in faults.items() if some} == {}


@pytest.mark.parametrize("family", [*FAMILIES, *OF_ONE_SIZE])
def test_marks_of_any_question_stand_in_their_panels(family):
    assert misplaced_marks(specification(family, 3)) == []


def points(**encoding) -> alt.Chart:
    encoding = {"x": alt.X("hour:Q"), "y": alt.Y("score:Q")} | encoding
    return alt.Chart(pd.DataFrame(TIMES)).mark_point().encode(**encoding)


def grid(chart: alt.Chart) -> dict:
    sort = {"row": alt.Row("place:N", sort=["x", "y"]), "column": alt.Column("agent:N", sort=["a", "b", "c"])}
    return chart.facet(**sort).to_dict()


def test_sparse_grid_is_found_out():
    """Vega-Lite issue 9702: with orders of its own, a grid of which two cells are empty shifts the others."""
    faults = misplaced_marks(grid(points()))
    assert len(faults) == 2
    assert all("stands below" in fault for fault in faults)


def test_full_grid_and_wrapped_panels_pass():
    others = [{"agent": agent, "place": place, "hour": 2.5, "score": 9.0} for agent, place in (("a", "y"), ("b", "x"))]
    full = points().properties(data=pd.DataFrame([*TIMES, *others]))
    assert misplaced_marks(grid(full)) == []
    assert misplaced_marks(points().facet("agent:N", columns=2).to_dict()) == []
    assert misplaced_marks(points().to_dict()) == []
    assert not has_panels(points().to_dict())


def test_wrong_ticks_are_found_out():
    numbers = alt.X("hour:Q", axis=alt.Axis(labelExpr="format(datum.value + 10, '.1f')"))
    assert len(misplaced_marks(points(x=numbers).facet("agent:N").to_dict())) == len(TIMES)
    names = alt.Y("agent:N", axis=alt.Axis(labelExpr="{a: 'c', b: 'b', c: 'a'}[datum.label]"))
    assert len(misplaced_marks(points(y=names).facet("place:N").to_dict())) == 3
