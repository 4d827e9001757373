"""What stands folded away below a heading: found by the search, opened by what leads to it."""

import pytest

from surefoot.reporting.site import page_texts

PAGE = """---
title: Reference
toc: true
---

```{python}
#| include: false
from surefoot.reporting.page import Markdown, folded, show
```

See [the zebra](#sec-zebra).

```{python}
#| output: asis
for name in ("ape", "zebra"):
    show(f"### The {name} {{#sec-{name}}}")
    words = Markdown(f"Formula\\n:   $x^2$ of the {name}s\\n\\nSource\\n:   [Another](#sec-ape), *1999*")
    show(*folded(f"A <{name}> & more.", words, name=f"{name}_s"))
```
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
    _, sections = page_texts(page.read_text())
    (found,) = [text for part, _, text in sections if part == "sec-ape"]
    assert "A <ape> & more." in found and "of the apes" in found and "1999" in found


@pytest.mark.browser
def test_links_and_addresses_open_the_fold_that_they_lead_to(page, chromium):
    opened = "[...document.querySelectorAll('details.entry')].map((fold) => fold.open)"
    chromium.open(page)
    assert chromium.evaluate(opened) == [False, False]
    chromium.evaluate("document.querySelector('main a[href=\"#sec-zebra\"]').click()")
    assert chromium.evaluate(opened) == [False, True]
    # From another page, or the search: the address alone.
    chromium.evaluate("new Promise((done) => { location.hash = '#sec-ape'; setTimeout(done, 200); })")
    assert chromium.evaluate(opened) == [True, True]
