"""The index of the search: what is in it, and what pages find with it; and references shown beside."""

import json
import re

import pytest

from surefoot.reporting.search_index import MOST_OF_A_SECTION, index_script, read_page

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
    title, sections = read_page(site.render(PAGE).read_text())
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
    assert read_page(html) == ("P", [("", "", "One surefoot plan")])


def test_all_pages_are_in_the_script_and_long_sections_keep_their_beginning(site):
    other = f'<main><h1>Other</h1><section id="s"><h2>Part</h2>{"<p>word</p>" * 5000}</section></main>'
    script = index_script({"page.html": site.render(PAGE).read_text(), "other.html": other})
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


def with_index(*pages):
    """The first of some pages, beside the index of all."""
    (pages[0].parent / "search.js").write_text(index_script({path.name: path.read_text() for path in pages}))
    return pages[0]


@pytest.mark.browser
def test_a_page_from_a_disk_finds_words_of_another(chromium, site):
    start = 'See [the page](page.qmd). Okapis\' "horns" at -1. Moré, Sarsa(\u03bb), 95 %.'
    home = site.render(f"---\ntitle: Home\n---\n\n## Start {{#sec-start}}\n\n{start}\n", "index")
    page = with_index(site.render(PAGE), home)
    for words in ("MORE lambda", "95 %", "OKAPIS\u2019", "\u201chorns\u201d -1"):
        results = searched(chromium, page, words)
        assert 'href="index.html#sec-start"' in results and "1 result<" in results, words


@pytest.mark.browser
def test_questions_in_other_words_find_what_was_written(chromium, site):
    """Seeds for runs, plurals, -ing; a page by its title before the sections that have the words."""
    sections = (
        "## Many need runs {#sec-many}\n\nDo they? A seed. Trusted numbers.\n\n"
        "## Sequential comparison {#sec-sequential}\n\nTwo agents.\n\n"
        "## Pairwise differences {#sec-pairwise}\n\nTwo algorithms at a time.\n\n"
        "## Interval {#sec-bands}\n\nHow wide.\n\n"
        "## Logs {#sec-logs}\n\nReads Weights & Biases.\n\n"
    )
    other = site.render("---\ntitle: How many runs do I need?\n---\n\nThat depends.\n", "runs")
    page = with_index(site.render(f"---\ntitle: Page\n---\n\n{sections}"), other)
    for question, address in (
        ("how many seds do I need", "runs.html"),
        ("compare two algorithms", "page.html#sec-pairwise"),
        ("error bars", "page.html#sec-bands"),
        ("weights and biases", "page.html#sec-logs"),
    ):
        results = searched(chromium, page, question)
        assert re.findall(r'href="([^"]*)"', results)[0] == address
        assert ("with 2 of the 3 words: nothing has all of them" in results) == ("seds" in question)


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
