"""Markdown files as pages of the site: title, links, tables, and errors that name their line."""

import pytest

from surefoot.reporting.render import document_html
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
    assert 'class="contents"' not in html and 'class="contents"' in page(docs, f"{TEXT}\n## A section\n\nWords.\n")


def test_the_index_does_not_lead_to_itself(docs):
    assert '<a href="docs-index.html">Documentation</a>' not in page(docs, name="index").partition("<main")[2]


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
