"""`_quarto.yml`: one file for Quarto and for the embedded renderer."""

import pytest
from small_site import PROJECT

from surefoot.reporting.errors import PageError
from surefoot.reporting.site import page_address, read_site, without_dead_links


def test_site_is_read(site):
    project = PROJECT.replace("        text: Page\n", "") + "format:\n  html:\n    toc: true\n    theme: cosmo\n"
    (site.reports / "_quarto.yml").write_text(project.replace("    left:", "    right:\n      - page.qmd\n    left:"))
    site.write("---\ntitle: The page\n---\n")
    found = read_site(site.reports)
    assert found.title == "Tracks"
    assert found.navigation == [("Home", "index.html"), ("The page", "page.html"), ("The page", "page.html")]
    assert (found.footer, found.toc, found.echo) == ("Made of `tables`.", True, False)


def test_quartos_defaults_hold(site):
    (site.reports / "_quarto.yml").write_text("website:\n  title: x\n  page-footer:\n    left: a\n    right: b\n")
    found = read_site(site.reports)
    assert (found.navigation, found.toc, found.echo) == ([], False, True)
    assert found.footer == "a \N{MIDDLE DOT} b"


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("navbar:", "navbarr:", 5, 'unknown key "navbarr". Hint: did you mean "navbar"'),
        ("  title: Tracks", "  titel: Tracks", 4, 'unknown key "titel"'),
        ("href: page.qmd", "href: pages.qmd", 9, 'there is no page "pages.qmd". Hint: did you mean "page.qmd"'),
        ("text: Page", "icon: github", 5, "a link of the navigation bar is text and href"),
        ('page-footer: "Made of `tables`."', "page-footer: [1]", 11, "the footer is a text"),
        ("execute:\n  echo: false", "execute: false", 12, "execute must be a mapping"),
    ],
)
def test_errors_name_the_line(site, old, new, line, what):
    assert old in PROJECT
    (site.reports / "_quarto.yml").write_text(PROJECT.replace(old, new))
    with pytest.raises(PageError) as error:
        read_site(site.reports)
    assert f"_quarto.yml:{line}: " in str(error.value)
    assert what in str(error.value)


def test_missing_project_file_is_an_error(site):
    (site.reports / "_quarto.yml").unlink()
    with pytest.raises(PageError, match=r"_quarto.yml:1: there is no such file"):
        read_site(site.reports)


@pytest.mark.parametrize(
    ("target", "address"),
    [
        ("page.qmd", "page.html"),
        ("page.qmd#sec-a", "page.html#sec-a"),
        ("none.qmd", None),
        ("../reports/page.qmd", None),
    ],
)
def test_addresses_of_pages(site, target, address):
    assert page_address(site.reports, target) == address


def test_addresses_from_the_documentation(site):
    docs = site.reports.parent / "docs"
    docs.mkdir()
    (docs / "costs.md").write_text("# Costs\n")
    assert page_address(docs, "costs.md#part") == "docs-costs.html#part"
    assert page_address(docs, "../reports/page.qmd#sec-a") == "page.html#sec-a"
    assert page_address(docs, "../other/page.qmd") is None and page_address(docs, "none.md") is None


def test_links_to_pages_that_a_site_does_not_have_are_their_texts(site):
    (site.reports / "trust.qmd").touch()
    links = [
        '<a href="trust.html#sec-a" class="x">How <em>far</em></a>',
        '<a href="trust.html">it</a>',
        '<a href="docs-index.html">documentation</a>',
        '<a href="https://trust.html">else</a>',
    ]
    there = [("Home", "index.html"), ("Studies", [("Page", "page.html")])]
    texts = ["How <em>far</em>", "it", *links[2:]]
    assert without_dead_links("; ".join(links), site.reports, there) == "; ".join(texts)
    assert without_dead_links(links[0], site.reports, [*there, ("Trust", "trust.html")]) == links[0]
