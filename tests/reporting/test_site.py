"""What surrounds a page: `_quarto.yml`, the links at the head of each page; and Markdown files as pages of the site."""

import re
from html import unescape

import pytest
from support.html_elements import Elements
from support.small_site import PROJECT

from surefoot.reporting.page_source import PageError
from surefoot.reporting.render import document_html
from surefoot.reporting.site import (
    LIST,
    navigation_html,
    note_made_pages,
    quarto_navbar,
    read_site,
    without_dead_links,
)

ENTRIES = [
    ("Home", "index.html"),
    ["Papers", [["Jordan & al.", "jordan2020.html"], ["Recht", "recht2018.html"]]],  # as JSON brings them back
    ("Methods", "methods.html"),
]


def test_the_project_file_is_read(site):
    (site.reports / "_quarto.yml").write_text(f"{PROJECT}format:\n  html:\n    toc: true\n    theme: cosmo\n")
    assert read_site(site.reports) == ("Tracks", "Made of `tables`.", True)
    (site.reports / "_quarto.yml").write_text("website:\n  title: x\n")
    assert read_site(site.reports) == ("x", "", False)


@pytest.mark.parametrize(
    ("current", "marked", "menu"), [("recht2018.html", "Recht", {"class": "current"}), ("methods.html", "Methods", {})]
)
def test_only_the_page_itself_and_its_menu_are_marked(tmp_path, current, marked, menu):
    (tmp_path / "page.html").write_text(f"<ul>{navigation_html(ENTRIES, current)}</ul>")
    page = Elements(tmp_path / "page.html")
    assert [link.text for link in page.by_tag("a") if link.attributes.get("aria-current") == "page"] == [marked]
    (summary,) = page.by_tag("summary")
    assert (summary.text, summary.attributes) == ("Papers", menu)


def test_an_index_is_marked_on_the_pages_that_it_lists():
    for current, mark in (("docs-index.html", ["page"]), ("docs-costs.html", ["true"]), ("docs.html", [])):
        html = navigation_html([("Documentation", "docs-index.html")], current)
        assert re.findall('aria-current="(.*?)"', html) == mark


def test_quarto_gets_the_same_entries():
    shown = quarto_navbar(ENTRIES)
    assert shown[0] == {"text": "Home", "href": "index.html"}
    assert shown[1] == {
        "text": "Papers",
        "menu": [{"text": r"Jordan \& al\.", "href": "jordan2020.html"}, {"text": "Recht", "href": "recht2018.html"}],
    }


def test_links_to_missing_pages_are_plain_text(site):
    (site.reports / "trust.qmd").touch()
    links = [
        '<a href="trust.html#sec-a" class="x">How <em>far</em></a>',
        '<a href="docs-index.html">documentation</a>',
        '<a href="https://trust.html">else</a>',
    ]
    navigation = [("Home", "index.html"), ("Studies", [("Page", "page.html")])]
    texts = ["How <em>far</em>", *links[1:]]
    assert without_dead_links("; ".join(links), site.reports, navigation) == "; ".join(texts)
    assert without_dead_links(links[0], site.reports, [*navigation, ("Trust", "trust.html")]) == links[0]


def test_the_list_of_pages_is_renewed_where_it_has_changed(tmp_path):
    note_made_pages(tmp_path / "none")
    assert not (tmp_path / "none").exists()
    for name in ("b.html", "a.html", "search.js"):
        (tmp_path / name).write_text("x")
    note_made_pages(tmp_path)
    assert (tmp_path / LIST).read_text() == 'globalThis.surefootMade = ["a.html", "b.html"];\n'
    before = (tmp_path / LIST).stat().st_mtime_ns
    note_made_pages(tmp_path)
    assert (tmp_path / LIST).stat().st_mtime_ns == before
    (tmp_path / "b.html").unlink()
    note_made_pages(tmp_path)
    assert "b.html" not in (tmp_path / LIST).read_text()


TEXT = """# Costs of `runs`

First words, [more](other.md#part) and [the page](../reports/page.qmd).

| a | b |
|---|---|
| one | two |

```console
$ surefoot check
```
"""


@pytest.fixture
def docs(site):
    """A folder of documentation beside the pages."""
    folder = site.reports.parent / "docs"
    folder.mkdir()
    (folder / "other.md").write_text("# Other\n\n## Part\n")
    return folder


def page(docs, text=TEXT, name="costs"):
    path = docs / f"{name}.md"
    path.write_text(text)
    return document_html(path, read_site(docs.parent / "reports"))


def test_a_file_is_a_page(docs):
    html = page(docs)
    assert "<h1>Costs of <code>runs</code></h1>" in html
    assert 'href="docs-other.html#part"' in html and 'href="page.html"' in html
    assert '<a href="docs-index.html">Documentation</a>' in html
    assert '<pre class="console"><code>$ surefoot check' in html
    assert html.count("<!DOCTYPE html>") == 1 and '<div class="scroll text"' in html
    assert 'class="contents"' not in html and 'class="contents"' in page(docs, f"{TEXT}\n## A section\n\nWords.\n")


@pytest.mark.parametrize("language", ["console", "csv", "text"])
def test_plain_blocks_show_their_letters(docs, language):
    letters = """<b title="x">&amp; 'a' && %1</b>"""
    (written,) = re.findall(
        rf'<pre class="{language}"><code>(.*?)</code>', page(docs, f"# A\n\n```{language}\n{letters}\n```\n")
    )
    assert "<" not in written and unescape(written) == letters


def test_mistakes_name_their_line(docs):
    for text, said in (
        (TEXT.replace("# Costs", "Costs", 1), "docs/costs.md:1: the file has no title. Hint: begin the file with"),
        (TEXT.replace("other.md", "othre.md"), 'docs/costs.md:3: there is no page "othre.md". Hint: did you mean'),
    ):
        with pytest.raises(PageError, match=re.escape(said)):
            page(docs, text)
