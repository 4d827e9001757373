"""The catalogue of this paper: what its pages show, and what its comparison gets."""

from support.paper_catalogues import check_comparisons, drawings_of_pages

from surefoot.papers.adkins2024 import catalogue


def test_the_pages_of_the_paper_show_every_drawing():
    assert drawings_of_pages("adkins2024", "adkins2024.qmd") == set(catalogue.DRAWINGS["adkins2024"])


def test_each_comparison_gets_the_tables_that_it_needs():
    check_comparisons(catalogue)
