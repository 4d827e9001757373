"""Quarto and the embedded renderer make the same of a page; and the comparison would tell where they do not."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from test_render import EVERYTHING

from surefoot.reporting.search_index import read_page

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from quarto import differences, facts

PROGRAM = Path(__file__).parents[2] / "benchmarks" / "quarto.py"
PAGE = """\
---
title: Scores
reads: [draw/demo/bars, draw/demo/scores]
---

```{python}
#| include: false
from surefoot.reporting import page
```

See @fig-bars and @tbl-scores of [the scores](#sec-scores).

## The scores {#sec-scores}

```{python}
#| label: fig-bars
#| fig-cap: "Bars, as in @tbl-scores."
page.figure("demo/bars")
```

| a | b |
|---|---|
| 1 | x |

: Two of them {#tbl-scores}

```{python}
page.table("demo/scores", ["algorithm"], where={"environment": "chain_10"})
```
"""
# The same with Quarto's markup: its links, captions, sections and navigation.
QUARTO = """\
<!DOCTYPE html><html><head><title>x</title><style>h2 { color: red }</style></head><body>
<nav role="doc-toc"><h2>On this page</h2><a href="#sec-scores">The scores</a></nav>
<main class="content" id="quarto-document-content"><header><h1 class="title">Scores</h1></header>
<p>See <a href="#fig-bars" class="quarto-xref"><span>Figure&nbsp;1</span></a> and
<a href="#tbl-scores" class="quarto-xref"><span>Table&nbsp;1</span></a> of <a href="#sec-scores">the scores</a>.</p>
<section id="sec-scores" class="level2">
<h2 class="anchored">The scores<a class="anchorjs-link" href="#sec-scores"></a></h2>
<div id="fig-bars" class="cell"><figure class="quarto-float quarto-float-fig figure">
<div aria-describedby="fig-bars-caption">
CHART</div><figcaption class="quarto-float-caption-bottom">Figure&nbsp;1: Bars, as in
<a href="#tbl-scores" class="quarto-xref"><span>Table&nbsp;1</span></a>.</figcaption></figure></div>
<div id="tbl-scores" class="anchored"><figure class="quarto-float quarto-float-tbl figure">
<figcaption>Table&nbsp;1: Two of them</figcaption><table class="caption-top table"><thead><tr class="header"><th>a</th>
<th>b</th></tr></thead><tbody><tr class="odd"><td>1</td><td>x</td></tr></tbody></table></figure></div>
<div id="cell-1" class="cell">TABLE</div></section></main></body></html>
"""


@pytest.fixture(scope="module")
def pages(make_site):
    """A page as the embedded renderer makes it, and as Quarto would."""
    html = make_site().render(PAGE).read_text()
    chart = html[html.index('<div class="chart"') : html.index("<figcaption>")].rstrip()
    table = html[html.rindex("<table") : html.rindex("</table>") + len("</table>")]
    return html, QUARTO.replace("CHART", chart).replace("TABLE", table)


def test_the_same_page_in_other_markup_is_the_same(pages):
    embedded, quarto = pages
    assert differences(embedded, quarto) == []
    assert facts(embedded)[:3] == [
        "reference #fig-bars: Figure 1",
        "reference #tbl-scores: Table 1",
        "reference #sec-scores: the scores",
    ]
    assert {line.partition(":")[0].partition(" ")[0] for line in facts(embedded)} == {
        *("reference", "heading", "chart", "picture", "caption", "cell")
    }


def test_the_search_finds_the_same_titles_and_sections(pages):
    embedded, quarto = (read_page(page) for page in pages)
    assert embedded[0] == quarto[0] == "Scores"
    assert [section[:2] for section in embedded[1]] == [section[:2] for section in quarto[1]]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("<span>Figure&nbsp;1</span>", "<span>Figure&nbsp;2</span>", "+reference #fig-bars: Figure 2"),
        ("of <a href=", "of <b href=", "-reference #sec-scores: the scores"),
        ('class="chart"', 'class="picture"', "-chart"),
        ("Two of them", "Two of it", "+caption: Table 1: Two of it"),
        ("<td>x</td>", "<td>y</td>", "+cell: y"),
        (">The scores<", ">Section 1<", "+heading: Section 1"),
        ("aria-label=", "data-label=", "+picture: None"),
    ],
)
def test_what_differs_is_told(pages, old, new, told):
    embedded, quarto = pages
    assert old in quarto
    assert told in differences(embedded, quarto.replace(old, new))


@pytest.mark.skipif(shutil.which("quarto") is None, reason='there is no quarto command: pip install ".[quarto]"')
@pytest.mark.parametrize("text", [PAGE, EVERYTHING])
def test_real_quarto_agrees(site, text):
    parameters = {"study": "demo"} if text is EVERYTHING else {}
    embedded = site.render(text, **parameters).read_text()
    quarto = site.render(text, renderer="quarto", **parameters).read_text()
    assert differences(embedded, quarto) == []
    assert "<code>{python}" not in quarto
    again = site.render(text, renderer="quarto", **parameters).read_text()
    assert again == quarto


@pytest.mark.skipif(shutil.which("quarto") is not None, reason="there is a quarto command")
def test_the_command_says_that_there_is_no_quarto():
    done = subprocess.run([sys.executable, str(PROGRAM)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, 'there is no quarto command. Hint: pip install ".[quarto]"\n')
