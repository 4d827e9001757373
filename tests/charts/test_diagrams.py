"""Diagrams: what their boxes and arrows are coloured by is no name that a page offers to highlight."""

import pytest

from surefoot.charts.pictures import pictures
from surefoot.papers.castronovo2016.diagrams import figure_distribution
from surefoot.papers.jordan2020.diagrams import figure_1, figure_2

DIAGRAMS = [
    *((figure, {}, "#ffffff") for figure in (figure_1, figure_2)),
    *((figure_distribution, {"distribution": name}, "#d7500f") for name in ("gc", "gdl", "grid")),
]


@pytest.mark.parametrize(("diagram", "settings", "colour"), DIAGRAMS)
def test_a_diagram_has_colours_but_no_names(diagram, settings, colour):
    picture, in_page = pictures(diagram({}, settings)[0].to_dict(), "figure")
    assert f'"{colour}"' in picture
    assert "data-names" not in in_page
