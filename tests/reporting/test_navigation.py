"""The links at the head of a page: one list for both renderers, and what a reader does with them."""

import re

import pytest
from elements import Elements
from small_site import PROJECT

from surefoot.reporting.errors import PageError
from surefoot.reporting.navigation import links_of, navigation_html, quarto_navbar
from surefoot.reporting.site import read_site

ENTRIES = [
    ("Home", "index.html"),
    ("Papers", [("Jordan & al.", "jordan2020.html"), ("Recht", "recht2018.html")]),
    ("Methods", "methods.html"),
]


def found_in(html, tmp_path):
    (tmp_path / "page.html").write_text(f"<ul>{html}</ul>")
    return Elements(tmp_path / "page.html")


def test_links_of_menus_stand_in_their_places():
    assert links_of(ENTRIES) == [
        ("Home", "index.html"),
        ("Jordan & al.", "jordan2020.html"),
        ("Recht", "recht2018.html"),
        ("Methods", "methods.html"),
    ]
    # As JSON brings them back.
    assert links_of([["Papers", [["Recht", "recht2018.html"]]]]) == [("Recht", "recht2018.html")]


def test_the_page_itself_and_its_menu_are_marked_and_nothing_else(tmp_path):
    page = found_in(navigation_html(ENTRIES, "recht2018.html"), tmp_path)
    links = {link.text: link.attributes for link in page.by_tag("a")}
    assert [text for text, given in links.items() if "aria-current" in given] == ["Recht"]
    assert links["Recht"]["aria-current"] == "page"
    assert links["Jordan & al."]["href"] == "jordan2020.html"
    (menu,) = page.by_tag("summary")
    assert (menu.text, menu.attributes["class"]) == ("Papers", "current")
    other = found_in(navigation_html(ENTRIES, "methods.html"), tmp_path)
    assert other.by_tag("summary")[0].attributes == {}
    assert [link.text for link in other.by_tag("a") if "aria-current" in link.attributes] == ["Methods"]


@pytest.mark.parametrize(
    ("current", "mark"), [("docs-index.html", "page"), ("docs-costs.html", "true"), ("docs.html", None)]
)
def test_the_pages_of_an_index_are_marked_by_it(tmp_path, current, mark):
    (link,) = found_in(navigation_html([("Documentation", "docs-index.html")], current), tmp_path).by_tag("a")
    assert link.attributes.get("aria-current") == mark


def test_quarto_gets_the_same_entries():
    shown = quarto_navbar(ENTRIES, lambda text: text.replace("&", "and"))
    assert shown[0] == {"text": "Home", "href": "index.html"}
    assert shown[1] == {
        "text": "Papers",
        "menu": [{"text": "Jordan and al.", "href": "jordan2020.html"}, {"text": "Recht", "href": "recht2018.html"}],
    }


def test_a_menu_of_the_project_file_is_read(site):
    menu = "      - text: More\n        menu:\n        - page.qmd\n        - text: Start\n          href: index.qmd\n"
    text = PROJECT.replace("      - href: page.qmd\n        text: Page\n", menu)
    (site.reports / "_quarto.yml").write_text(text)
    assert read_site(site.reports).navigation == [
        ("Home", "index.html"),
        ("More", [("Page", "page.html"), ("Start", "index.html")]),
    ]
    (site.reports / "_quarto.yml").write_text(text.replace("text: More", "href: page.qmd"))
    with pytest.raises(PageError, match=r"_quarto.yml:\d+: a menu of the navigation bar is text and menu\. "):
        read_site(site.reports)


def test_a_heading_without_words_is_no_heading(site):
    text = "---\ntitle: x\n---\n\n|  | b |\n|---|---|\n| 1 | 2 |\n"
    html = site.render(text).read_text()
    head = re.search(r"<thead>.*?</thead>", html, re.DOTALL)[0]
    assert head.count("<th") - head.count("<thead") == 1
    assert "<td></td>" in head
