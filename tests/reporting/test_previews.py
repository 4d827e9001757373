"""Previews of links: what the head of a page names, and the picture and the address of each figure."""

import re
import struct

import pytest
from support.html_elements import Elements
from support.small_site import CHART

from surefoot.charts.draw import pictures
from surefoot.reporting.previews import SCALE, figures_of, make_previews
from surefoot.reporting.render import render
from surefoot.workflow.runner import Task

ADDRESS = "https://example.org/a&b"
ESCAPED = "https://example.org/a&amp;b"
PAGE = """---
title: Page
---

```{python}
#| label: fig-bars
#| fig-cap: "Bars of \\"q\\" & others."
from surefoot.reporting.page import figure
figure("demo/bars", title="Sarsa is <first>")
```
"""


@pytest.fixture
def rendered(site):
    """The path of a page of a published site."""
    output = site.results / "render" / "page.html"
    render(
        site.write(PAGE),
        output,
        site.results,
        {},
        navigation=site.navigation,
        items=["draw/demo/bars"],
        address=ADDRESS,
    )
    return output


def properties(page):
    tags = [element.attributes for element in Elements(page).by_tag("meta")]
    return {tag.get("property", tag.get("name")): tag["content"] for tag in tags if "content" in tag}


def test_a_page_names_itself_and_its_first_figure(rendered):
    assert f'content="{ESCAPED}/page.html"' in rendered.read_text()
    named = properties(rendered)
    assert named["og:url"] == f"{ADDRESS}/page.html"
    assert named["og:image"] == f"{ADDRESS}/figures/demo_bars.png"
    assert named["twitter:card"] == "summary_large_image"


def test_without_an_address_a_page_has_no_preview(site):
    named = properties(site.render(PAGE.replace("title: Page", "title: Page\nreads: [draw/demo/bars]")))
    assert named.keys().isdisjoint({"og:url", "og:image", "twitter:card"})


def test_a_page_without_figures_has_no_picture(site):
    output = site.results / "render" / "page.html"
    render(site.write("---\ntitle: Page\n---\n"), output, site.results, {}, address=ADDRESS)
    named = properties(output)
    assert named["twitter:card"] == "summary" and "og:image" not in named


def test_each_figure_has_a_picture_and_an_address(rendered, tmp_path):
    svg, _ = pictures(CHART, "bars")
    (tmp_path / "bars.svg").write_text(svg)
    inputs = {"page.html": rendered, "demo_bars": tmp_path / "bars.svg"}
    outputs = {name: tmp_path / name for name in ("demo_bars.png", "demo_bars.html")}
    make_previews(Task({"address": ADDRESS}, inputs, outputs, 1, None, None, {}))
    content = outputs["demo_bars.png"].read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = map(float, re.search(r'<svg[^>]*? width="([\d.]+)" height="([\d.]+)"', svg).groups())
    assert struct.unpack(">II", content[16:24]) == (SCALE * width, SCALE * height)
    named = properties(outputs["demo_bars.html"])
    assert named["og:url"] == f"{ADDRESS}/figures/demo_bars.html"
    assert named["og:image"] == f"{ADDRESS}/figures/demo_bars.png"
    assert named["og:title"] == "Sarsa is <first>"
    assert named["og:description"] == "Figure 1: Bars of “q” & others."
    (link,) = Elements(outputs["demo_bars.html"]).by_tag("a")
    assert link.attributes["href"] == "../page.html#fig-bars"


COPY = """new Promise((copied) => {
  Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => copied(text) } });
  document.querySelector('.export a[aria-label="Link to Figure 1"]').click();
})"""


@pytest.mark.browser
def test_the_link_below_a_figure_copies_its_address(rendered, site, chromium):
    chromium.open(rendered)
    assert chromium.evaluate(COPY) == f"{ADDRESS}/figures/demo_bars.html"
    own = site.render(PAGE.replace("title: Page", "title: Page\nreads: [draw/demo/bars]"), "other")
    chromium.open(own)
    assert chromium.evaluate(COPY) == f"{own.as_uri()}#fig-bars"


def test_figures_without_an_id_have_no_address():
    page = (
        '<figure id="fig-a"><div data-source="Surefoot 1: s/a"></div></figure><div data-source="Surefoot 1: s/b"></div>'
    )
    assert [figure.name for figure in figures_of(page)] == ["s_a"]
