"""The index of the search: what is in it, also below folds, and what pages find with it; and previews of references."""

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
    fold = '<p class="made"><strong>How this page was made.</strong> Surefoot</p>'
    html = f"<main><h1>P</h1><p>One</p><pre><code>surefoot check</code></pre>{fold}</main>"
    assert page_texts(html) == ("P", [("", "", "One surefoot check")])


def index_beside(*pages):
    """Write the index of some pages beside the first; its path."""
    path = pages[0].parent / "search.js"
    make_search_index(SimpleNamespace(inputs={page.stem: page for page in pages}, outputs={"index": path}))
    return path


def test_all_pages_are_in_the_search_index(site, tmp_path):
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
def test_words_of_readers_find_what_pages_call_otherwise(chromium, site):
    words = "Seeds and confidence: statistical significance of many seeds, how sure a confidence interval is.\n\n"
    page = site.render(f"---\ntitle: Aside\n---\n\n{words}## Aside {{#sec-aside}}\n\n{words}", "page")
    parts = {"runs": "How many runs?", "interval": "Which interval?", "difference": "Differences in statistics"}
    text = "".join(f"## {heading} {{#sec-{part}}}\n\nText.\n\n" for part, heading in parts.items())
    index_beside(page, site.render(f"---\ntitle: Home\n---\n\n{text}", "index"))
    wanted = {"how many seeds": "runs", "seeds": "runs", "confidence interval": "interval"}
    for asked, part in (wanted | {"statistical significance": "difference"}).items():
        found = re.findall(r'href="([^"]*)"', searched(chromium, page, asked))
        assert found[0] == f"index.html#sec-{part}", asked


@pytest.mark.browser
def test_questions_find_what_they_ask_for(chromium, site):
    words = "How to do what is the which with: 5 and 26.\n\n"
    page = site.render(f"---\ntitle: Aside\n---\n\n{words}")
    text = "Animals.\n\n## Zebras {#sec-zebras}\n\nWith 26 stripes.\n\n## Okapis {#sec-okapis}\n\nText.\n\n"
    paper = site.render(
        f"---\ntitle: Stripes of animals\n---\n\n{text}## A zebra {{#sec-zebra}}\n\nText.\n", "paper2020"
    )
    appendix = site.render("---\ntitle: Appendix\n---\n\nText.\n", "paper2020_appendix")
    index_beside(page, paper, appendix)
    wanted = {
        "what do okapis do?": ["paper2020.html#sec-okapis"],
        "paper2020": ["paper2020.html", "paper2020_appendix.html"],  # the name of a study, and its page first
        "how is a zebra": ["paper2020.html#sec-zebras", "paper2020.html#sec-zebra"],
        "a zebra with 26 stripes": ["paper2020.html#sec-zebras"],
    }
    for asked, expected in wanted.items():
        found = re.findall(r'href="([^"]*)"', searched(chromium, page, asked))
        assert found[: len(expected)] == expected, asked


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


FOLDED = """---
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
    return make_site().render(FOLDED)


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
