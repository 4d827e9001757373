"""Drawings of stand-in plays: valid charts of a whole study, of one agent, and without Bayesian agents."""

import pytest
import vl_convert
from support.drawings import is_drawable, made, with_comparisons
from support.paths import ROOT
from support.stand_in_plays import published, settings, tables_of_plays, views

from surefoot.charts.drawing_catalogue import CATALOGUE
from surefoot.charts.study_tables import agents_table
from surefoot.runs.result_tables import read_table
from surefoot.statistics.comparison.paired_plays import agent_table, time_bounds

OURS = [
    (name, entry)
    for name, entry in CATALOGUE["castronovo2016"].items()
    if entry.function.startswith("surefoot.papers.castronovo2016")
]

SELECTION = read_table(ROOT / "reports" / "records" / "castronovo2016_selection.csv")


@pytest.fixture(scope="module")
def tables():
    return with_comparisons("castronovo2016", tables_of_plays() | {"record_selection": SELECTION}, settings())


@pytest.fixture(scope="module")
def tables_of_one_agent(tables):
    plays = tables["collect/plays"]
    few = plays[(plays["algorithm"] == "random") & (plays["environment"] == "accurate/gc")]
    some = {
        "collect/plays": few,
        "aggregate/agents": agent_table(few),
        "aggregate/time_bounds": time_bounds(few),
        "published": published(),
        "record_selection": SELECTION,
    }
    return with_comparisons("castronovo2016", some | views(["random"]), settings())


@pytest.mark.parametrize(("name", "entry"), OURS)
def test_drawings_are_valid_of_a_whole_study_and_of_one_agent(name, entry, tables, tables_of_one_agent):
    for given in (tables_of_one_agent, tables):
        chart, numbers = made(entry, given, settings())
        assert numbers.columns.is_unique
        assert (chart is None) == (entry.kind == "table")
        if chart is not None:
            specification = chart.to_dict()
            assert specification["description"]
            picture = vl_convert.vegalite_to_svg(specification)
            assert "<svg" in picture and "NaN" not in picture
    assert len(numbers) or name in ("table_1", "table_summary")  # these stand-ins vary no parameter, nor have spread


def test_a_study_without_bayesian_agents_has_no_row_of_them(tables):
    assert not is_drawable(CATALOGUE["castronovo2016"]["table_agents"], {})
    assert len(agents_table(tables["aggregate/agents"])) == len(tables["aggregate/agents"])
