"""How pages are printed: pictures that a page has room for, and tables that nothing covers."""

import sys
from pathlib import Path

import pytest

from surefoot.reporting.charts import HERE as REPORTING
from surefoot.reporting.charts import site_script

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from devtools import DevTools

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("browser")]

WIDTH, HEIGHT = 673, 986  # pixels of A4 between the margins
FIGURE = """
```{{python}}
#| label: fig-{high}
#| fig-cap: "What the picture shows, and what its marks are, in so many words that they take more than a line or two."
Fragment('<div class="chart"><p class="title">What is found</p><div class="picture" style="--high:{high}px">'
         '<svg role="img" aria-label="Found" width="650" height="{high}" viewBox="0 0 650 {high}"></svg></div></div>')
```
"""
PAGE = """\
---
title: Printed
reads: [draw/demo/scores]
---

```{python}
#| include: false
from surefoot.reporting.page import Fragment, table
```

```{python}
table("demo/scores")
```
"""
FACTS = """[...document.querySelectorAll('figure.fig')].map((figure) => {
  const { width, height } = figure.querySelector('svg').getBoundingClientRect();
  return [figure.offsetHeight, width, height];
})"""


@pytest.fixture
def printed(make_site):
    figures = "".join(FIGURE.format(high=high) for high in (300, 700, 1261, 3000))
    with DevTools() as opened:
        opened.open(make_site().render(PAGE + figures), WIDTH)
        opened.send("Emulation.setEmulatedMedia", media="print", features=[])
        yield opened


def test_a_page_has_room_for_a_picture_with_its_title_and_caption(printed):
    facts = printed.evaluate(FACTS)
    assert all(figure < HEIGHT for figure, _, _ in facts)
    small, usual, *high = [picture for _, _, picture in facts]
    assert small == pytest.approx(300, abs=1)  # no picture grows
    assert usual < 0.6 * HEIGHT  # there is room for text above it
    assert all(picture > 0.7 * HEIGHT for picture in high)  # or nothing in it could be read
    for (_, width, height), whole in zip(facts, (300, 700, 1261, 3000), strict=True):
        assert height / width == pytest.approx(whole / 650, rel=0.01)


def test_no_cell_of_a_printed_table_is_sticky(printed):
    positions = "[...document.querySelectorAll('.scroll :is(th, td)')].map((cell) => getComputedStyle(cell).position)"
    assert set(printed.evaluate(positions)) == {"static"}


QUARTO = """<!DOCTYPE html><html><head><style>.collapse:not(.show), .tab-pane:not(.active) {{ display: none }}</style>
<style>{style}</style></head><body><header id="quarto-header"><nav class="navbar"><div class="navbar-container">
<a class="nav-link dropdown-toggle" href="#">Papers</a><a class="dropdown-item" href="page.html">This page</a>
<a class="nav-link" href="other.html">Another</a></div></nav></header><div id="quarto-content"><main>
<div class="callout"><div class="callout-header collapsed">Title</div>
<div class="callout-collapse collapse">Folded</div></div>
<div class="tab-content"><div class="tab-pane active">First</div><div class="tab-pane">Second</div></div>
</main></div><script>{script}</script></body></html>"""


def test_under_quarto_folds_and_tabs_are_printed_and_the_page_alone_is_current(tmp_path):
    """With the markup of Quarto and the rules of Bootstrap that hide folds and tabs."""
    style = (REPORTING / "content.css").read_text()
    (tmp_path / "page.html").write_text(QUARTO.format(style=style, script=site_script()))
    words = "document.querySelector('main').innerText.split(/\\s+/)"
    with DevTools() as opened:
        opened.open(tmp_path / "page.html", 1280)
        assert opened.evaluate(words) == ["Title", "First"]
        current = "[...document.querySelectorAll('[aria-current], .active.nav-link')].map((link) => link.textContent)"
        assert opened.evaluate(current) == ["This page"]
        assert opened.evaluate("document.querySelector('form.search').offsetWidth") > 150
        opened.send("Emulation.setEmulatedMedia", media="print", features=[])
        assert opened.evaluate(words) == ["Title", "Folded", "First", "Second"]
