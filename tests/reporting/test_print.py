"""How pages are printed: pictures that a page has room for, and tables that nothing covers."""

import sys
from pathlib import Path

import pytest

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
