"""The index of the search: what is in it, and what pages find with it; and references shown beside."""

import json
import re
from types import SimpleNamespace

import pytest

from surefoot.reporting.site import MOST_OF_A_SECTION, make_search_index, page_texts

PAGE = """---
title: Page
toc: true
reads: [draw/demo/bars, draw/demo/scores]
---

```{python}
#| include: false
from surefoot.reporting import page
```

Opening words with $x^2$ and `code`.

## First part {#sec-first}

Zebras & \\<apes\\>.

```{python}
#| label: fig-bars
#| fig-cap: "A caption of bars."
page.figure("demo/bars")
```

### Below it {#sec-below}

```{python}
page.table("demo/scores")
```

Giraffes.
"""


def test_each_section_has_the_text_that_a_reader_reads(site):
    title, sections = page_texts(site.render(PAGE).read_text())
    assert title == "Page"
    opening, first, below = sections
    assert opening == ("", "", "Opening words with and code.")
    assert first[:2] == ("sec-first", "First part")
    assert "Zebras & <apes>." in first[2] and "A caption of bars." in first[2]
    # Neither numbers nor the names of downloads.
    words = "algorithm environment value low high runs sarsa chain_10 q chain_10 sarsa gridworld_5 q gridworld_5"
    assert below == ("sec-below", "Below it", f"{words} Giraffes.")


def test_what_a_page_says_of_how_it_was_made_is_not_in_it():
    fold = "<details><summary>How this page was made</summary><pre><code>studies: x</code></pre></details>"
    html = f"<main><h1>P</h1><p>One</p><pre><code>surefoot plan</code></pre>{fold}</main>"
    assert page_texts(html) == ("P", [("", "", "One surefoot plan")])


def index_beside(*pages):
    """Write the index of some pages beside the first; its path."""
    path = pages[0].parent / "search.js"
    make_search_index(SimpleNamespace(inputs={page.stem: page for page in pages}, outputs={"index": path}))
    return path


def test_all_pages_are_in_the_index_and_long_sections_keep_their_beginning(site, tmp_path):
    other = tmp_path / "other.html"
    other.write_text(f'<main><h1>Other</h1><section id="s"><h2>Part</h2>{"<p>word</p>" * 5000}</section></main>')
    script = index_beside(site.render(PAGE), other).read_text()
    index = json.loads(script.removeprefix("globalThis.surefootIndex = ").removesuffix(";\n"))
    assert [(address, title, len(parts)) for address, title, parts in index] == [
        ("page.html", "Page", 3),
        ("other.html", "Other", 1),
    ]
    ((identifier, heading, text),) = index[1][2]
    assert (identifier, heading, len(text)) == ("s", "Part", MOST_OF_A_SECTION)


def once_shown(chromium, selector):
    """The HTML of an element as soon as it has text; empty after ten seconds without."""
    element = f"document.querySelector({json.dumps(selector)})"
    return chromium.evaluate(f"""new Promise((done) => {{
      const end = Date.now() + 10_000;
      const look = () => {{
        const html = {element}?.textContent.trim() ? {element}.innerHTML : "";
        html || Date.now() > end ? done(html) : setTimeout(look, 50);
      }};
      look();
    }})""")


def searched(chromium, page, words):
    """HTML of what the search of a page finds."""
    chromium.open(page)
    field = "document.querySelector('form.search input')"
    chromium.evaluate(f"{field}.value = {json.dumps(words)}; {field}.dispatchEvent(new Event('input'))")
    return once_shown(chromium, "form.search .results")


@pytest.mark.browser
def test_a_page_from_a_disk_finds_words_of_another(chromium, site):
    start = 'See [the page](page.qmd). Okapis\' "horns" at -1. Moré, Sarsa(\u03bb), 95 %.'
    home = site.render(f"---\ntitle: Home\n---\n\n## Start {{#sec-start}}\n\n{start}\n", "index")
    page = site.render(PAGE)
    index_beside(page, home)
    for words in ("MORE lambda", "95 %", "OKAPIS\u2019", "\u201chorns\u201d -1"):
        results = searched(chromium, page, words)
        assert 'href="index.html#sec-start"' in results and "1 result<" in results, words
    for words in ("home", "start home nowhere"):  # the page before its sections; words that nothing has
        results = searched(chromium, page, words)
        assert re.findall(r'href="([^"]*)"', results)[0].startswith("index.html")
        assert ("with 2 of the 3 words" in results) == ("nowhere" in words)


@pytest.mark.browser
def test_a_page_alone_says_that_there_is_no_index(chromium, site):
    assert "made without the rest of the site" in searched(chromium, site.render(PAGE), "x")


@pytest.mark.browser
def test_a_reference_shows_what_it_leads_to(chromium, site):
    chromium.open(site.render(PAGE.replace("Giraffes.", "Giraffes, see @fig-bars.")))
    link = "document.querySelector('main a[href=\"#fig-bars\"]')"
    chromium.evaluate(f"{link}.dispatchEvent(new MouseEvent('mouseover', {{ bubbles: true }}))")
    preview = once_shown(chromium, ".preview")
    assert "<svg" in preview and "A caption of bars." in preview
