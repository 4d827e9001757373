"""The catalogue of this paper: what its pages show, what its comparison gets, and labels of published numbers."""

from support.paper_catalogues import check_comparisons, check_labels, drawings_of_pages

from surefoot.charts.drawing import any_study
from surefoot.papers.jordan2020 import catalogue


def test_the_pages_of_the_paper_show_every_drawing():
    shown = drawings_of_pages("jordan2020", "jordan2020.qmd", "jordan2020_appendix.qmd")
    assert catalogue.DRAWINGS["jordan2020"].keys() - shown == any_study().keys()  # which pages of other studies show
    assert shown < catalogue.DRAWINGS["jordan2020"].keys()


def test_each_comparison_gets_the_tables_that_it_needs():
    check_comparisons(catalogue)


def test_every_published_number_has_a_label_of_its_own():
    check_labels("jordan2020", catalogue)
