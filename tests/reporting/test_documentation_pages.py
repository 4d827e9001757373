"""Markdown files as pages of the site: title, links, tables, and errors that name their line."""

import re

import pytest
from browser import evaluate, find_browser

from surefoot.reporting.documentation import document_html
from surefoot.reporting.site import read_site
from surefoot.reporting.source import PageError

TEXT = """# Costs of `runs`

First words, [more](other.md#part) and [the page](../reports/page.qmd).

| a | b |
|---|---|
| one | two |

```console
$ surefoot plan
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
    assert '<pre class="console"><code>$ surefoot plan' in html
    assert html.count("<!DOCTYPE html>") == 1 and '<div class="scroll text"' in html


def test_the_index_does_not_lead_to_itself(docs):
    assert '<a href="docs-index.html">Documentation</a>' not in page(docs, name="index").partition("<main")[2]


def test_a_page_without_sections_has_no_contents(docs):
    assert 'class="contents"' not in page(docs) and "with-contents" not in page(docs).partition("<body>")[2]
    assert 'class="contents"' in page(docs, f"{TEXT}\n## A section\n\nWords.\n")


BROKEN = """[...document.querySelectorAll("td code")].flatMap((code) => {
  const text = code.firstChild;
  const top = (place) => {
    const range = document.createRange();
    range.setStart(text, place);
    range.setEnd(text, place + 1);
    return range.getClientRects()[0].top;
  };
  const places = [...text.data].map((_, place) => place).slice(1);
  const within = (place) => /\\w/.test(text.data[place - 1]) && /\\w/.test(text.data[place]);
  const broken = places.filter((place) => within(place) && top(place) > top(place - 1) + 2);
  return broken.map((place) => text.data.slice(0, place));
})"""
"""Where names in cells are broken between two letters."""


@pytest.mark.browser
@pytest.mark.skipif(find_browser() is None, reason="no browser")
@pytest.mark.parametrize("width", [390, 1280])
def test_names_in_tables_are_not_broken_within_words(docs, width):
    names = "`methods.tex` | `figures/results/<name>.pdf` | `a_long_key_of_a_configuration_that_goes_on_for_long`"
    rest = "what it is, in a sentence that takes all the room that its column can have beside the others " * 3
    text = f"# Files\n\n| file | picture | key | what |\n|---|---|---|---|\n| {names} | {rest} |\n"
    path = docs / "files.html"
    path.write_text(page(docs, text))
    assert evaluate(path, width, BROKEN) == []


def neighbours(html):
    """(relation, address, text) of the links at the end of a page."""
    found = re.search(r'<nav class="neighbours" [^>]*>(.*?)</nav>', html)
    return re.findall(r'<a rel="(\w+)" href="([^"]*)">(.*?)</a>', found[1]) if found else None


def test_pages_lead_to_those_before_and_after_them_in_the_index(docs):
    (docs / "last.md").write_text("# Last & least\n")
    index = "# Index\n\n- [a](costs.md), and [part](costs.md#part)\n- [b](other.md#part), [c](last.md)\n"
    (docs / "costs.md").write_text(TEXT)
    assert neighbours(page(docs, index, "index")) == [("next", "docs-costs.html", "Costs of <code>runs</code> →")]
    middle = page(docs, "# Other\n\n## Part\n", "other")
    assert neighbours(middle) == [
        ("prev", "docs-costs.html", "← Costs of <code>runs</code>"),
        ("next", "docs-last.html", "Last &amp; least →"),
    ]
    assert middle.index("neighbours") < middle.index("</main>")
    assert neighbours(page(docs, "# Last\n", "last")) == [("prev", "docs-other.html", "← Other")]
    assert neighbours(page(docs, "# Unlisted\n", "unlisted")) is None


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "# Costs of `runs`",
            "Costs",
            r"docs/costs.md:1: no title. Hint: begin the file with a line such as `# Costs`",
        ),
        ("other.md", "othre.md", r'docs/costs.md:3: there is no page "othre.md". Hint: did you mean "other.md"?'),
        ("../reports/page.qmd", "../src/code.py", r'docs/costs.md:3: a link to "../src/code.py". Hint: link to pages'),
        ("First words", "First <b>words</b>", r'docs/costs.md:3: raw code, "<b>". Hint: write Markdown'),
    ],
)
def test_mistakes_name_their_line(docs, old, new, said):
    with pytest.raises(PageError) as error:
        page(docs, TEXT.replace(old, new))
    assert said in str(error.value)
