"""Markdown files as pages of the site: title, links, tables, and errors that name their line."""

import re

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


def test_mistakes_name_their_line(docs):
    for text, said in (
        (TEXT.replace("# Costs", "Costs", 1), "docs/costs.md:1: no title. Hint: begin the file with a line such as"),
        (TEXT.replace("other.md", "othre.md"), 'docs/costs.md:3: there is no page "othre.md". Hint: did you mean'),
    ):
        with pytest.raises(PageError, match=re.escape(said)):
            page(docs, text)
