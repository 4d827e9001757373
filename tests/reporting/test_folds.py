"""What stands folded away below a heading: found by the search, opened by what leads to it."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from devtools import DevTools

from surefoot.reporting.search_index import read_page

PAGE = """---
title: Reference
toc: true
---

```{python}
#| include: false
from surefoot.reporting.page import Markdown, folded, show
```

See [the zebra](#sec-zebra) and [tables](#sec-tables).

```{python}
#| output: asis
for name in ("ape", "zebra"):
    show(f"### The {name} {{#sec-{name}}}")
    words = Markdown(f"Formula\\n:   $x^2$ of the {name}s\\n\\nSource\\n:   [Another](#sec-ape), *1999*")
    show(*folded(f"A <{name}> & more.", words, name=f"{name}_s"))
```

## Tables {#sec-tables}

| To find | Look for |
|:---|:---|
| a zebra | [stripes](#sec-zebra) |

| One | Two | Three |
|:---|:---|:---|
| a | b | c |
"""


@pytest.fixture(scope="module")
def page(make_site):
    return make_site().render(PAGE)


def test_a_fold_tells_what_it_is_about_and_has_the_rest(page):
    html = page.read_text()
    assert html.count('<details class="entry"><summary><code>') == html.count("</details>") == 2
    assert "<code>zebra_s</code> A &lt;zebra&gt; &amp; more.</summary>" in html
    assert html.count("<dt>Formula</dt>") == 2 and html.count("<math") == 2


def test_what_is_folded_is_found_below_its_heading(page):
    _, sections = read_page(page.read_text())
    (found,) = [text for part, _, text in sections if part == "sec-ape"]
    assert "A <ape> & more." in found and "of the apes" in found and "1999" in found


def test_a_table_of_two_columns_of_sentences_keeps_its_order(page):
    html = page.read_text()
    assert html.count('<div class="scroll text">') == html.count('<div class="scroll">') == 1


@pytest.mark.browser
def test_links_open_the_fold_that_they_lead_to(page, browser):
    opened = "[...document.querySelectorAll('details.entry')].map((fold) => fold.open)"
    with DevTools() as chromium:
        chromium.open(page)
        assert chromium.evaluate(opened) == [False, False]
        chromium.evaluate("document.querySelector('main a[href=\"#sec-tables\"]').click()")
        assert chromium.evaluate(opened) == [False, False]
        link = "document.querySelector('main a[href=\"#sec-zebra\"]').click()"
        chromium.evaluate(link)
        assert chromium.evaluate(opened) == [False, True]
        # The address is already that of the link.
        chromium.evaluate("document.querySelectorAll('details.entry')[1].open = false")
        chromium.evaluate(link)
        assert chromium.evaluate(opened) == [False, True]
        # From another page, or the search: the address alone.
        chromium.evaluate("new Promise((done) => { location.hash = '#sec-ape'; setTimeout(done, 200); })")
        assert chromium.evaluate(opened) == [True, True]
        # A reader who has not followed it is shown what it is about.
        chromium.evaluate("document.querySelector('main a[href=\"#sec-zebra\"]').focus()")
        assert chromium.evaluate("document.querySelector('.preview p').textContent") == "zebra_s A <zebra> & more."


@pytest.mark.browser
def test_a_page_opens_with_the_fold_that_its_address_names(page, browser, tmp_path):
    moved = tmp_path / "page.html"
    at_zebra = "<script>history.replaceState(null, '', '#sec-zebra');</script></head>"
    moved.write_text(page.read_text().replace("</head>", at_zebra, 1))
    with DevTools() as chromium:
        chromium.open(moved)
        assert chromium.evaluate("[...document.querySelectorAll('details.entry')].map((fold) => fold.open)") == [
            False,
            True,
        ]
