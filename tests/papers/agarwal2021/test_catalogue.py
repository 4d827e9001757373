"""The catalogue of this paper: what its pages show, what its comparison gets, and labels of published numbers."""

from support.paper_catalogues import check_comparisons, check_labels, drawings_of_pages

from surefoot.papers.agarwal2021 import catalogue


def test_the_pages_of_the_paper_show_every_drawing():
    assert drawings_of_pages("agarwal2021", "agarwal2021.qmd", "agarwal2021_appendix.qmd") == set(
        catalogue.DRAWINGS["agarwal2021"]
    )


def test_each_comparison_gets_the_tables_that_it_needs():
    check_comparisons(catalogue)


def test_every_published_number_has_a_label_of_its_own():
    check_labels("agarwal2021", catalogue)
