"""Pages in headless Chromium with no network; and that its facts would tell a broken page."""

import base64
import gzip
import json
import re
import struct

import pytest
from browser import content_width, measure, open_page, screenshot, with_all_charts_live
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
    assert re.search('<a class="svg" download="demo_bars.svg" [^>]*href="data:image/svg', facts.dom)
    assert "<img" not in facts.dom.split("</style>", 1)[1].split("<script>\n", 1)[0]


def test_without_a_script_the_pictures_are_there(page, tmp_path):
    html = re.sub(r"<script>\n.*?</script>", "", page.read_text(), flags=re.DOTALL)
    (tmp_path / "page.html").write_text(html)
    facts = open_page(tmp_path / "page.html")
    assert facts.charts == [0, 0]
    assert facts.dom.count('<img src="data:image/svg+xml') == 2


def test_a_chart_that_cannot_be_drawn_is_told_and_keeps_its_picture(page, tmp_path):
    html = page.read_text()
    chart = re.search(r'<script type="application/gzip">(.*?)</script>', html)[1]
    wrong = gzip.decompress(base64.b64decode(chart)).replace(b'"mark":"bar"', b'"mark":"bra"')
    html = html.replace(chart, base64.b64encode(gzip.compress(wrong)).decode(), 1)
    assert html != page.read_text()
    (tmp_path / "page.html").write_text(html)
    facts = open_page(tmp_path / "page.html")
    assert facts.charts == [0, 8]
    assert len(facts.console_errors) == 1
    assert facts.dom.count('<img src="data:image/svg+xml') == 1
    assert facts.broken_links == ["index.html", "index.html", "index.html#sec-start"]


def test_a_chart_becomes_live_when_it_comes_near_the_window(page, tmp_path):
    """Of two charts the browser tells of the first alone; of a page on which both are far below, none is near."""
    first = with_all_charts_live(page.read_text()).replace("isIntersecting: true", "isIntersecting: !window.told++")
    (tmp_path / "first.html").write_text(first.replace("<head><script>", "<head><script>window.told = 0; "))
    facts = open_page(tmp_path / "first.html", all_charts=False)
    assert facts.charts == [3, 0] and facts.console_errors == []
    far = page.read_text().replace('<main id="content">', '<main id="content"><p style="height: 5000px">far</p>')
    (tmp_path / "far.html").write_text(far)
    assert open_page(tmp_path / "far.html", all_charts=False).charts == [0, 0]


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


def sorted_by(page, tmp_path, script):
    """The first and the last column of the first table of a page after a script has run."""
    html = page.read_text().replace("</body>", f"<script>{script}</script></body>")
    (tmp_path / "page.html").write_text(html)
    table = open_page(tmp_path / "page.html", all_charts=False).dom
    body = table[table.index("<tbody") : table.index("</tbody")]
    return re.findall(r'<th scope="row"[^>]*>(.*?)</th>', body), re.findall(r"<td[^>]*>([^<]*)</td></tr>", body)


def test_tables_are_sorted_by_a_click_and_a_third_one_brings_the_written_order_back(page, tmp_path):
    written, values = sorted_by(page, tmp_path, "")
    by_name = "const heading = () => document.querySelector('.scroll thead button').click();"
    assert sorted_by(page, tmp_path, f"{by_name} heading()")[0] == sorted(written) != written
    assert sorted_by(page, tmp_path, f"{by_name} heading(); heading()")[0] == sorted(written, reverse=True)
    assert sorted_by(page, tmp_path, f"{by_name} heading(); heading(); heading()") == (written, values)
    by_number = "document.querySelectorAll('.scroll thead button')[4].click()"
    assert sorted_by(page, tmp_path, by_number)[1] == sorted(values, key=float) != values


def test_boxes_that_scroll_have_a_name_and_can_be_reached(page, tmp_path):
    narrow = page.read_text().replace("</head>", "<style>.scroll { width: 3rem }</style></head>")
    (tmp_path / "page.html").write_text(narrow)
    assert 'role="region"' in open_page(tmp_path / "page.html", all_charts=False).dom
    wide = page.read_text().replace("</head>", "<style>.scroll { width: 90rem; max-width: none }</style></head>")
    (tmp_path / "page.html").write_text(wide)
    assert not re.search('<div class="scroll"[^>]*role="region"', open_page(tmp_path / "page.html", False).dom)
