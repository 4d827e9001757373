"""Pages in headless Chromium with no network; that its facts would tell a broken page; and tables sorted as people read
them."""

import json
import re

import pytest
from support.browser import open_page
from support.small_site import CHART

from surefoot.charts.draw import pictures
from surefoot.reporting.site import page_script
from surefoot.reporting.table import MISSING

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("browser")]

PAGE = """\
---
title: Charts
toc: true
reads: [draw/demo/bars, draw/demo/points, draw/demo/scores]
---

```{python}
#| include: false
from surefoot.reporting import page
```

See @fig-points and [the scores](#sec-scores), [home](index.qmd#sec-start).

```{python}
page.figure("demo/bars")
```

```{python}
#| label: fig-points
#| fig-cap: "Points and lines"
page.figure("demo/points")
```

## Scores {#sec-scores}

```{python}
page.table("demo/scores", {"A heading that is long": "algorithm", "Another that is as long": "environment",
    "One with the low": "low", "And with the high": "high", "The value itself": "value"})
```

A_word_that_is_so_long_that_it_cannot_stand_in_one_line_of_a_phone_`and_some_code_that_is_just_as_long_as_that`
"""
LAYERS = {
    "$schema": CHART["$schema"],
    "description": "Points and a line",
    "width": 700,
    "data": {"values": [{"x": x, "y": x * x, "a": "q" if x == 1 else "sarsa"} for x in range(7)]},
    "layer": [
        {"mark": {"type": "line", "tooltip": True}},
        {
            "mark": {"type": "point", "tooltip": True},
            "encoding": {"color": {"field": "a", "type": "nominal", "legend": None}},
        },
    ],
    "encoding": {"x": {"field": "x", "type": "quantitative"}, "y": {"field": "y", "type": "quantitative"}},
}


@pytest.fixture(scope="module")
def page(make_site):
    """A rendered page with two charts beside the home page."""
    site = make_site()
    drawn = site.results / "draw" / "demo"
    (drawn / "points.json").write_text(json.dumps(LAYERS))
    (drawn / "points.html").write_text(pictures(LAYERS, "points")[1])
    (drawn / "points.csv").write_text((drawn / "bars.csv").read_text())
    site.render((site.reports / "index.qmd").read_text(), "index")
    return site.render(PAGE)


def test_charts_are_drawn_and_nothing_is_wrong(page):
    facts = open_page(page)
    assert (facts.charts, facts.live) == ([3, 1 + 7], [True, True])
    assert (facts.console_errors, facts.broken_links, facts.fetched) == ([], [], [])
    assert re.search(r'<svg role="img" aria-label="Points and a line"', facts.dom)
    assert "<img" not in facts.dom.split("</style>", 1)[1].split("<script>\n", 1)[0]


def test_without_a_script_the_pictures_are_there(page, tmp_path):
    html = re.sub(r"<script>\n.*?</script>", "", page.read_text(), flags=re.DOTALL)
    (tmp_path / "page.html").write_text(html)
    facts = open_page(tmp_path / "page.html")
    assert (facts.charts, facts.live) == ([3, 8], [False, False])


def test_a_pointer_is_told_the_values_of_the_mark_that_it_is_at(page, chromium):
    chromium.open(page)
    told = chromium.evaluate("""new Promise((done) => {
      const picture = document.querySelector("div.chart .picture");
      const box = picture.querySelectorAll("path[data-tooltip^=v]")[1].getBoundingClientRect();
      const at = { bubbles: true, pointerType: "mouse", clientX: box.left + 9, clientY: box.top + 9 };
      picture.dispatchEvent(new PointerEvent("pointermove", at));
      setTimeout(() => done(document.querySelector(".chart-tooltip").innerText), 300);
    })""")
    assert told == "v: 0.5\na: q"


def test_broken_links_and_fetched_files_are_told(tmp_path):
    (tmp_path / "other.html").write_text('<p id="there">x</p>')
    (tmp_path / "page.html").write_text(
        '<a href="other.html">1</a><a href="other.html#there">2</a><a href="other.html#gone">3</a>'
        '<a href="no.html">4</a><a href="#here">5</a><a href="#nowhere">6</a><a href="https://example.org">7</a>'
        '<p id="here">x</p>'
        '<img src="https://example.org/a.png"><script>console.log("said")</script>'
    )
    facts = open_page(tmp_path / "page.html")
    assert facts.broken_links == ["other.html#gone", "no.html", "#nowhere"]
    assert facts.fetched == ["https://example.org/a.png"]
    assert facts.console_errors == ["said"]


LEAST = "\N{MINUS SIGN}1,141"
LESS = "\N{MINUS SIGN}1,024.5"
NUMBERS = (LESS, "yes", MISSING, LEAST, "12 %", "3 (2, 4)", "", "at most 2", "no", "1,197 ± 3", "2s3z")
SORTED = [LEAST, LESS, "at most 2", "3 (2, 4)", "12 %", "1,197 ± 3", "2s3z", "no", "yes"]
TIMES = ("2 min", "12 ns", "3.5 ms", "1e-3 s")


def table_of(cells):
    """A table whose second column has these cells."""
    rows = "".join(f"<tr><th>row</th><td>{cell}</td></tr>" for cell in cells)
    head = "<tr><th>Name</th><th>Value</th></tr>"
    return f'<div class="scroll"><table><thead>{head}</thead><tbody>{rows}</tbody></table></div>'


@pytest.fixture
def sorting(tmp_path, chromium):
    path = tmp_path / "page.html"
    tables = "".join(map(table_of, (NUMBERS, TIMES)))
    path.write_text(f"<main>{tables}</main><script>{page_script(charts=False)}</script>", encoding="utf-8")
    chromium.open(path)
    return chromium


def press(opened, table):
    """What the second column has after a press on its heading."""
    opened.evaluate(f"document.querySelectorAll('table')[{table}].querySelectorAll('thead button')[1].click()")
    found = f"[...document.querySelectorAll('table')[{table}].tBodies[0].rows].map((row) => row.cells[1].textContent)"
    return opened.evaluate(found)


def test_numbers_sort_as_numbers_and_missing_ones_last(sorting):
    assert press(sorting, 0) == [*SORTED, MISSING, ""]
    numbers, texts = SORTED[:6], SORTED[6:]
    assert press(sorting, 0) == [*numbers[::-1], *texts[::-1], MISSING, ""]
    assert press(sorting, 0) == list(NUMBERS)


def test_times_are_sorted_by_their_units(sorting):
    assert press(sorting, 1) == ["12 ns", "1e-3 s", "3.5 ms", "2 min"]


def test_an_address_filters_the_rows_of_a_long_table(tmp_path, chromium):
    path = tmp_path / "page.html"
    table = table_of(f"cell {number}" for number in range(20))
    path.write_text(f"<main>{table}</main><script>{page_script(charts=False)}</script>", encoding="utf-8")
    chromium.open(path, query="?filter=cell+7")
    shown = "[...document.querySelectorAll('tbody tr:not([hidden])')].map((row) => row.cells[1].textContent)"
    assert chromium.evaluate(shown) == ["cell 7", "cell 17"]
