"""Pages in headless Chromium with no network; and that its facts would tell a broken page."""

import json
import re
import struct

import pytest
from browser import content_width, measure, open_page, screenshot
from small_site import CHART

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

::: {.panel-tabset}
## One

Text.

## Two

```{python}
#| label: fig-points
#| fig-cap: "Points and lines"
page.figure("demo/points")
```
:::

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
    "data": {"values": [{"x": x, "y": x * x} for x in range(7)]},
    "layer": [
        {"mark": {"type": "line", "tooltip": True}},
        {"mark": {"type": "point", "tooltip": True}},
    ],
    "encoding": {"x": {"field": "x", "type": "quantitative"}, "y": {"field": "y", "type": "quantitative"}},
}


@pytest.fixture(scope="module")
def page(make_site):
    """A rendered page with two charts beside the home page."""
    site = make_site()
    drawn = site.results / "draw" / "demo"
    (drawn / "points.json").write_text(json.dumps(LAYERS))
    for suffix in ("svg", "csv"):
        (drawn / f"points.{suffix}").write_text((drawn / f"bars.{suffix}").read_text())
    site.render((site.reports / "index.qmd").read_text(), "index")
    return site.render(PAGE)


def test_charts_are_drawn_and_nothing_is_wrong(page):
    facts = open_page(page)
    assert facts.charts == [3, 1 + 7]
    assert (facts.console_errors, facts.console_warnings, facts.broken_links, facts.fetched) == ([], [], [], [])
    assert re.search(r'<div role="img" aria-label="Points and a line">', facts.dom)
    assert '<a class="svg" download="demo_bars.svg" href="data:image/svg+xml;' in facts.dom
    assert "<img" not in facts.dom.split("</style>", 1)[1].split("<script>\n", 1)[0]


def test_without_a_script_the_pictures_are_there(page, tmp_path):
    html = re.sub(r"<script>\n.*?</script>", "", page.read_text(), flags=re.DOTALL)
    (tmp_path / "page.html").write_text(html)
    facts = open_page(tmp_path / "page.html")
    assert facts.charts == [0, 0]
    assert facts.dom.count('<img src="data:image/svg+xml') == 2


def test_a_chart_that_cannot_be_drawn_is_told_and_keeps_its_picture(page, tmp_path):
    html = page.read_text().replace('"mark":"bar"', '"mark":"bra"', 1)
    assert html != page.read_text()
    (tmp_path / "page.html").write_text(html)
    facts = open_page(tmp_path / "page.html")
    assert facts.charts == [0, 8]
    assert len(facts.console_errors) == 1
    assert facts.dom.count('<img src="data:image/svg+xml') == 1
    assert facts.broken_links == ["index.html", "index.html", "index.html#sec-start"]


def test_broken_links_and_fetched_files_are_told(tmp_path):
    (tmp_path / "other.html").write_text('<p id="there">x</p>')
    (tmp_path / "page.html").write_text(
        '<a href="other.html">1</a><a href="other.html#there">2</a><a href="other.html#gone">3</a>'
        '<a href="no.html">4</a><a href="#here">5</a><a href="#nowhere">6</a><a href="https://example.org">7</a>'
        '<p id="here">x</p>'
        '<img src="https://example.org/a.png"><script>console.log("said"); console.warn("WARN", "of Vega")</script>'
    )
    facts = open_page(tmp_path / "page.html")
    assert facts.broken_links == ["other.html#gone", "no.html", "#nowhere"]
    assert facts.fetched == ["https://example.org/a.png"]
    assert (facts.console_errors, facts.console_warnings) == (["said"], ["WARN of Vega"])


@pytest.mark.parametrize("width", [360, 1280])
def test_no_page_is_wider_than_its_window(page, width):
    assert content_width(page, width) <= width


@pytest.mark.parametrize(("width", "scrolls"), [(420, True), (1280, False)])
def test_a_wide_chart_keeps_its_size_and_scrolls_in_its_own_box(page, width, scrolls):
    """The chart of 700 pixels in the second tab; in a narrow window it was 384 wide and its labels 5 high."""
    box = "document.querySelectorAll('.tabset > input')[1].click() || document.querySelectorAll('.picture')[1]"
    assert measure(page, width, f"Math.round(({box}).querySelector('svg').getBoundingClientRect().width)") >= 672
    assert (measure(page, width, f"(box => box.scrollWidth - box.clientWidth)({box})") > 0) == scrolls


def test_a_page_that_is_too_wide_is_told(tmp_path):
    (tmp_path / "page.html").write_text('<body style="margin: 0"><p style="width: 700px">x</p>')
    assert content_width(tmp_path / "page.html", 360) == 700


def test_screenshot_has_its_size(page, tmp_path):
    screenshot(page, tmp_path / "page.png", 640, 480)
    header = (tmp_path / "page.png").read_bytes()[:24]
    assert header[1:4] == b"PNG"
    assert struct.unpack(">II", header[16:24]) == (640, 480)
