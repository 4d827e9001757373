"""The index of the search: what is in it, how long it gets, that pages find with it; and references shown beside."""

import json
import re

import pytest
from browser import find_browser, open_page

from surefoot.reporting import search_index
from surefoot.reporting.search_index import index_script, read_page

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


def read(script):
    """The index that a script sets."""
    return json.loads(script.removeprefix("globalThis.surefootIndex = ").removesuffix(";\n"))


def test_each_section_has_the_text_that_a_reader_reads(site):
    title, sections = read_page(site.render(PAGE).read_text())
    assert title == "Page"
    opening, first, below = sections
    assert opening == ("", "", "Opening words with and code.")
    assert first[:2] == ("sec-first", "First part")
    assert "Zebras & <apes>." in first[2] and "A caption of bars." in first[2]
    words = " \N{MIDDLE DOT} ".join(
        ("algorithm", "environment", "value", "low", "high", "runs", "sarsa", "chain_10", "q", "gridworld_5")
    )
    assert below == ("sec-below", "Below it", f"{words} Giraffes.")  # neither numbers nor the names of downloads


def test_code_and_words_of_tables_are_found_each_cell_once_and_bounded(monkeypatch):
    code = f"<pre><code>surefoot export mine\n  --venue icml_column {'0a' * 32}  a.csv</code></pre>"
    cells = "".join(f"<tr><th>Atari</th><td>CleanRL</td><td class='number'>{number}</td></tr>" for number in range(3))
    html = f"<main><h1>P</h1><p>One</p>{code}<table><caption>What</caption>{cells}</table><p>two.</p></main>"
    ((_, _, text),) = read_page(html)[1]
    assert (
        text
        == "One surefoot export mine --venue icml_column a.csv What \N{MIDDLE DOT} Atari \N{MIDDLE DOT} CleanRL two."
    )
    monkeypatch.setattr(search_index, "MOST_OF_A_BLOCK", 20)
    assert read_page(html)[1][0][2] == "One surefoot export What \N{MIDDLE DOT} Atari \N{MIDDLE DOT} two."


def test_the_configuration_and_the_files_of_a_page_are_not_in_it():
    listing = '<pre class="listing" tabindex="0"><code>gamma: 1</code></pre>'
    fold = "<details class='callout'><summary>How this page was made</summary><p>Here.</p>"
    fold += "<pre class='yaml'><code>studies: x</code></pre>"
    fold += f"<pre><code>{'0a' * 32}  f.csv</code></pre><p>When.</p></details>"
    html = f"<main><h1>P</h1><p>One</p>{listing}{fold}<h2 id='a'>A</h2><pre><code>surefoot plan</code></pre></main>"
    assert read_page(html)[1] == [
        ("", "", "One gamma: 1 How this page was made Here. When."),
        ("a", "A", "surefoot plan"),
    ]


def test_all_pages_are_in_the_script(site):
    pages = {"page.html": site.render(PAGE).read_text(), "other.html": "<main><h1>Other</h1><p>Words</p></main>"}
    found = read(index_script(pages))
    assert [(address, title, len(parts)) for address, title, parts in found] == [
        ("page.html", "Page", 3),
        ("other.html", "Other", 1),
    ]


@pytest.mark.parametrize("most", [1_000, 3_000])
def test_long_pages_keep_the_beginning_of_every_section(monkeypatch, most):
    monkeypatch.setattr(search_index, "MOST_BYTES", most)
    body = "".join(f'<h2 id="s{n}">Part {n}</h2><p>{"é word " * 200}</p>' for n in range(5))
    pages = {"long.html": f"<main><h1>Long</h1>{body}</main>"}
    script = index_script(pages)
    ((_, _, parts),) = read(script)
    lengths = [len(text) for *_, text in parts]
    assert len(script.encode()) <= most
    assert len(parts) == 5 and min(lengths) == max(lengths) > 0
    assert len(script.encode()) + 2 * len(parts) > most  # one character more a section, of up to two bytes


@pytest.mark.browser
@pytest.mark.skipif(find_browser() is None, reason="no browser")
@pytest.mark.parametrize(
    "typed",
    [
        "moré",
        "MORE lambda",
        "\u03bb",
        "95%",
        "95 %",
        "okapis the",
        "OKAPIS\u2019",
        'okapis\' "horns"',
        "\u201chorns\u201d -1",
        "\u22121",
    ],
)
def test_a_page_from_a_disk_finds_words_of_another_and_marks_where_the_reader_is(site, typed):
    path = site.render(PAGE.replace("Giraffes.", "\n\n".join(["Giraffes."] * 60)))
    start = 'See [the page](page.qmd). Okapis\' "horns" at -1. Moré, Sarsa(\u03bb), 95 %.'
    home = site.render(f"---\ntitle: Home\n---\n\n## Start {{#sec-start}}\n\n{start}\n", "index")
    pages = {name.name: name.read_text() for name in (home, path)}
    (path.parent / "search.js").write_text(index_script(pages))
    typing = (
        "<script>location.hash = '#sec-below'; setTimeout(() => {"
        "const field = document.querySelector('form.search input');"
        f"field.value = {json.dumps(typed)};"
        "field.dispatchEvent(new Event('input')); }, 500)</script></body>"
    )
    base = f'<base href="{path.parent.as_uri()}/"></head>'  # as the browser opens a copy
    path.write_text(path.read_text().replace("</body>", typing).replace("</head>", base, 1))
    dom = open_page(path).dom
    results = dom.partition('class="results"')[2].partition("</form>")[0]
    assert 'href="index.html#sec-start"' in results and "1 result<" in results
    contents = dom.partition('class="contents"')[2].partition("</nav>")[0]
    assert contents.count("aria-current") == 1
    assert 'aria-current="true">Below it' in contents


@pytest.mark.browser
@pytest.mark.skipif(find_browser() is None, reason="no browser")
@pytest.mark.parametrize(
    ("asked", "address"),
    [
        ("how many seeds do I need", "runs.html"),
        ("how many seds do I need", "runs.html"),
        ("can I trust the results", "trust.html"),
        ("compare two algorithms", "page.html#sec-pairwise"),
        ("which is the best algorithm", "page.html#sec-pairwise"),
        ("confidence intervals", "page.html#sec-bands"),
        ("error bars", "page.html#sec-bands"),
        ("wandb", "page.html#sec-logs"),
        ("weights and biases", "page.html#sec-logs"),
        ("reading a log", "page.html#sec-logs"),
        ("how do I cite it", "page.html#sec-cite"),
        ("license", "page.html#sec-cite"),
    ],
)
def test_questions_in_other_words_find_what_was_written(site, asked, address):
    """Seeds for runs, plurals, -ing; a page by its title before the sections that have the words."""
    sections = (
        "## Many need runs {#sec-many}\n\nDo they? A seed. Trusted numbers.\n\n"
        "## Sequential comparison {#sec-sequential}\n\nTwo agents.\n\n"
        "## Pairwise differences {#sec-pairwise}\n\nTwo algorithms at a time.\n\n"
        "## Interval {#sec-bands}\n\nHow wide.\n\n"
        "## Logs {#sec-logs}\n\nReads Weights & Biases.\n\n"
        "## The work {#sec-cite}\n\nCitation and licence.\n"
    )
    pages = [
        site.render(f"---\ntitle: Page\n---\n\n{sections}", "page"),
        site.render("---\ntitle: How far can this be trusted?\n---\n\nSome say so.\n", "trust"),
        site.render("---\ntitle: How many runs do I need?\n---\n\nThat depends.\n", "runs"),
    ]
    results = searched(pages, asked)
    assert re.findall(r'href="([^"]*)"', results)[0] == address
    assert ("with 2 of the 3 words: nothing has all of them" in results) == ("seds" in asked)


def searched(pages, asked):
    """HTML of what the first of some pages finds in all of them."""
    page = pages[0]
    (page.parent / "search.js").write_text(index_script({name.name: name.read_text() for name in pages}))
    typing = "<script>setTimeout(() => { const field = document.querySelector('form.search input');"
    typing += f"field.value = {json.dumps(asked)}; field.dispatchEvent(new Event('input')); }}, 500)</script></body>"
    base = f'<base href="{page.parent.as_uri()}/"></head>'  # as the browser opens a copy
    page.write_text(page.read_text().replace("</body>", typing).replace("</head>", base, 1))
    return open_page(page).dom.partition('class="results"')[2].partition("</form>")[0]


@pytest.mark.browser
@pytest.mark.skipif(find_browser() is None, reason="no browser")
@pytest.mark.parametrize("question", ["How do I add my own interval?", "add interval", "what is the interval to add"])
def test_a_question_finds_first_the_page_that_is_called_so(site, question):
    """Though its first section has no heading, and another page has the words under one."""
    other = site.render("---\ntitle: Of giraffes\n---\n\n## An interval\n\nAdd one of your own to it.\n", "other")
    page = site.render("---\ntitle: Adding an interval\n---\n\nWrite your own module.\n", "wanted")
    (page.parent / "search.js").write_text(index_script({name.name: name.read_text() for name in (other, page)}))
    typing = "<script>setTimeout(() => { const field = document.querySelector('form.search input');"
    typing += f"field.value = {json.dumps(question)}; field.dispatchEvent(new Event('input')); }}, 500)</script></body>"
    base = f'<base href="{page.parent.as_uri()}/"></head>'  # as the browser opens a copy
    page.write_text(page.read_text().replace("</body>", typing).replace("</head>", base, 1))
    results = open_page(page).dom.partition('class="results"')[2].partition("</form>")[0]
    assert re.findall(r'href="(\w+\.html)', results) == ["wanted.html", "other.html"]


@pytest.mark.browser
@pytest.mark.skipif(find_browser() is None, reason="no browser")
def test_a_page_alone_asks_for_no_index_until_somebody_searches_and_then_says_that_there_is_none(site):
    path = site.render(PAGE)
    facts = open_page(path)
    assert facts.fetched == [] and facts.console_errors == []
    typing = "<script>setTimeout(() => { const field = document.querySelector('form.search input'); field.value = 'x';"
    typing += "field.dispatchEvent(new Event('input')); }, 300)</script></body>"
    path.write_text(path.read_text().replace("</body>", typing))
    assert "made without the rest of the site" in open_page(path).dom


@pytest.mark.browser
@pytest.mark.skipif(find_browser() is None, reason="no browser")
def test_a_reference_shows_what_it_leads_to(site):
    path = site.render(PAGE.replace("Giraffes.", "Giraffes, see @fig-bars and [the first](#sec-first)."))

    def preview(target):
        pointing = f"<script>setTimeout(() => document.querySelector('main a[href=\"#{target}\"]').dispatchEvent("
        pointing += "new MouseEvent('mouseover', { bubbles: true })), 300)</script></body>"
        (path.parent / "pointed.html").write_text(path.read_text().replace("</body>", pointing))
        dom = open_page(path.parent / "pointed.html").dom
        return dom.partition('class="preview"')[2].partition("</div>")[0]

    figure = preview("fig-bars")
    assert re.search("<img|<svg", figure) and "A caption of bars." in figure
    assert "<strong>First part</strong>" in preview("sec-first") and "Zebras" in preview("sec-first")
