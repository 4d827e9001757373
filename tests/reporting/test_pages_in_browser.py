"""Pages in headless Chromium with no network; and that its facts would tell a broken page."""

import json
import re
from html import unescape

import altair as alt
import pandas as pd
import pytest
from browser import content_width, evaluate, measure, open_page
from small_site import CHART

from surefoot.charts.curves import curve_chart, run_numbers_axis
from surefoot.charts.pictures import pictures
from surefoot.charts.theme import finish

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


BEGIN = """
const charts = document.querySelectorAll("div.chart");
const said = () => document.querySelector(".told").innerText;
const wait = (ms = 300) => new Promise((done) => setTimeout(done, ms));
const report = (text) => (document.body.dataset.report = JSON.stringify(text));
const to = (chart, Kind, name, given) => charts[chart].querySelector(".picture").dispatchEvent(
  new Kind(name, { bubbles: true, pointerType: "mouse", ...given }));
"""


def told(page, tmp_path, script):
    """What a script reports of the page's charts."""
    done = f"<script>addEventListener('load', async () => {{ {BEGIN} await wait(); {script} }});</script>"
    (tmp_path / "told.html").write_text(page.read_text().replace("</body>", f"{done}</body>"))
    dom = open_page(tmp_path / "told.html").dom
    return json.loads(unescape(re.search('data-report="([^"]*)"', dom)[1]))


def test_a_pointer_is_told_the_values_of_the_mark_that_it_is_at(page, tmp_path):
    at = "const box = charts[0].querySelectorAll('.m > *')[1].getBoundingClientRect();"
    move = "to(0, PointerEvent, 'pointermove', { clientX: box.left + 9, clientY: box.top + 9 });"
    assert told(page, tmp_path, f"{at} {move} await wait(); report(said());") == "v: 0.5"


def test_arrow_keys_tell_of_each_mark_and_then_of_the_curve(page, tmp_path):
    """The line of y = x² between x = 0 and x = 6; its numbers are read off the picture, to a tenth of a pixel."""
    step = "to(1, KeyboardEvent, 'keydown', { key: 'ArrowRight' }); await wait(60); all.push(said());"
    loop = f"const all = []; for (let at = 0; at < 18; at++) {{ {step} }} report(all);"
    found = told(page, tmp_path, f"document.querySelectorAll('.tabset > input')[1].click(); {loop}")
    assert found[:7] == [f"x: {x}\ny: {x * x}\na: {'q' if x == 1 else 'sarsa'}" for x in range(7)]
    for place, x, y in ((12, 3.0, 9.0), (17, 6.0, 36.0)):
        at, read = (float(line.rpartition(" ")[2]) for line in found[place].split("\n"))
        assert at == pytest.approx(x) and read == pytest.approx(y, abs=0.1)


def test_what_is_chosen_in_one_chart_is_highlighted_in_all_that_have_it(page, tmp_path):
    """By the list at the page's top; the marks of other names fade, charts without the name stay."""
    choose = "const list = document.querySelector('.highlight select'); list.value = 'q';"
    choose += "list.dispatchEvent(new Event('change'));"
    script = """
      await wait(600);
      const shown = (chart) =>
        [...charts[chart].querySelectorAll(".m > *")].map((mark) => +getComputedStyle(mark).opacity);
      const chosen = [shown(0), shown(1)];
      list.value = "";
      list.dispatchEvent(new Event("change"));
      await wait();
      report([[...list.options].map((one) => one.text), [shown(0), shown(1)], chosen]);
    """
    names, usual, chosen = told(page, tmp_path, choose + script)
    assert names == ["nothing", "sarsa", "q"]
    shares = [[faded / own for faded, own in zip(*pair, strict=True)] for pair in zip(chosen, usual, strict=True)]
    assert shares[0] == pytest.approx([0.35, 1.0, 0.35])
    assert shares[1][:4] == pytest.approx([1.0, 0.35, 1.0, 0.35]), "the line is nobody's"
    assert usual[1][1] < 1, "a mark that is faint already fades by the same share"


def test_curves_are_told_at_their_points_with_the_limits_of_their_bands_once(make_site, tmp_path):
    """Between two numbers of runs, at the nearer one; a second, dotted band has the name of its curve."""
    table = pd.DataFrame({"algorithm": "sarsa", "n": [2, 4, 8], "value": [3.0, 2.0, 0.5]})
    for name, by in (("low", -1), ("high", 1), ("band_low", -2), ("band_high", 2)):
        table[name] = table["value"] + by
    other = table.assign(algorithm="q", value=table["value"] + 5).drop(columns=["low", "high", "band_low", "band_high"])
    titles, both = {"sarsa": "sarsa", "q": "q"}, pd.concat([table, other], ignore_index=True)
    chart = curve_chart(both, titles, run_numbers_axis(table["n"]), alt.Y("value:Q"), outlined=True, width=300)
    site = make_site()
    drawn = site.results / "draw" / "demo"
    specification = finish(chart, "Curves").to_dict()
    for name in ("points", "bars"):
        (drawn / f"{name}.json").write_text(json.dumps(specification))
        (drawn / f"{name}.html").write_text(pictures(specification, name)[1])
        (drawn / f"{name}.csv").write_text((drawn / "bars.csv").read_text())
    site.render((site.reports / "index.qmd").read_text(), "index")
    step = "to(0, KeyboardEvent, 'keydown', { key: 'ArrowRight' }); await wait(60);"
    found = told(site.render(PAGE), tmp_path, f"for (let at = 0; at < 5; at++) {{ {step} }} report(said());")
    assert found.split("\n") == ["number of runs: 4", "q: 7.0", "sarsa: 2.0 (1.0 to 3.0)"]


def test_a_chart_whose_numbers_are_broken_is_still_a_picture(page, tmp_path):
    html = page.read_text()
    numbers = re.search(r'<script type="application/gzip">(.*?)</script>', html)[1]
    (tmp_path / "page.html").write_text(html.replace(numbers, numbers[:40], 1))
    assert open_page(tmp_path / "page.html").charts == [3, 8]


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


@pytest.mark.parametrize("width", [360, 1280])
def test_no_page_is_wider_than_its_window(page, width):
    assert content_width(page, width) <= width


@pytest.mark.parametrize(("width", "scrolls"), [(390, True), (1280, False)])
def test_a_chart_fits_the_page_and_in_a_narrow_window_it_scrolls_before_its_labels_are_too_small(page, width, scrolls):
    """The chart of 700 pixels in the second tab, whose labels are 10 pixels high."""
    box = "document.querySelectorAll('.tabset > input')[1].click() || document.querySelectorAll('.picture')[1]"
    drawn = measure(page, width, f"({box}).querySelector('svg').getBoundingClientRect().width")
    assert (drawn > width) == scrolls and drawn >= 0.75 * 700


@pytest.mark.parametrize(("width", "stop"), [(390, True), (1280, False)])
def test_the_box_of_a_chart_is_a_tab_stop_only_while_it_scrolls(page, tmp_path, width, stop):
    """A busy browser may draw no frame."""
    frames = "<script>requestAnimationFrame = (work) => setTimeout(work)</script>"
    shown = ".tabset > .tab { display: block } .chart .picture { content-visibility: visible }"
    html = page.read_text().replace("</head>", f"{frames}<style>{shown}</style></head>")
    (tmp_path / "page.html").write_text(html)
    assert evaluate(tmp_path / "page.html", width, "document.querySelectorAll('.picture')[1].tabIndex === 0") == stop


def test_a_page_that_is_too_wide_is_told(tmp_path):
    (tmp_path / "page.html").write_text('<body style="margin: 0"><p style="width: 700px">x</p>')
    assert content_width(tmp_path / "page.html", 360) == 700


def sorted_by(page, tmp_path, script):
    """The first and the last column of the first table of a page after a script has run."""
    html = page.read_text().replace("</body>", f"<script>{script}</script></body>")
    (tmp_path / "page.html").write_text(html)
    table = open_page(tmp_path / "page.html").dom
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
    assert 'role="region"' in open_page(tmp_path / "page.html").dom
    wide = page.read_text().replace("</head>", "<style>.scroll { width: 90rem; max-width: none }</style></head>")
    (tmp_path / "page.html").write_text(wide)
    assert not re.search('<div class="scroll"[^>]*role="region"', open_page(tmp_path / "page.html").dom)
