"""What the menus of a page's figures and tables save, taken by clicking in headless Chromium."""

import base64
import re
import struct

import pytest
from small_site import TABLE

# ruff: noqa: RUF001 - characters that look like others are what is tried here
ODD = 'a_b & 50% #1 $x {y} \\ ~ ^ <q> | "z" − – — … × ± · ≤ ≥ → ↑ ↓ ∞ ’ ‘ “ ” αβγδεζηθικλμνξοπρςστυφχψω é'
NAMES = ["plain", ODD, "[first] of a row", "*star* `tick`"]
PAGE = """\
---
title: Export
reads: [draw/demo/bars, draw/demo/scores, draw/demo/odd]
---

```{python}
#| include: false
from surefoot.reporting import page
from surefoot.reporting.page import Fragment
```

```{python}
#| label: fig-bars
#| fig-cap: "Bars."
page.figure("demo/bars")
```

```{python}
#| label: tbl-odd
#| tbl-cap: "Odd names, 100 % of them."
page.table("demo/odd", {"Name": "name", "Value": "value"})
```

```{python}
page.table("demo/scores")
```

```{python}
Fragment('<script type="application/x-bibtex">@misc{key}</script>')
```
"""
# In the place of a browser that saves: what would be saved, by the name of the file. Ready when each button has saved.
CLICK = """new Promise((ready) => {
  const taken = {}, kept = new Map();
  const buttons = document.querySelectorAll("details.export button");
  URL.createObjectURL = (blob) => { const name = `blob:${kept.size}`; kept.set(name, blob); return name; };
  HTMLAnchorElement.prototype.click = function () {
    const reader = new FileReader();
    reader.onload = () => {
      taken[this.download] = reader.result;
      if (Object.keys(taken).length === buttons.length) ready(taken);
    };
    reader.readAsDataURL(kept.get(this.getAttribute("href")));
  };
  buttons.forEach((button) => button.click());
})"""


@pytest.fixture(scope="module")
def site(make_site):
    site = make_site()
    lines = "".join(f'"{name.replace(chr(34), chr(34) * 2)}",{at}.25\n' for at, name in enumerate(NAMES))
    (site.results / "draw/demo/odd.csv").write_text(f"name,value\n{lines}")
    (site.results / "draw/demo/scores.csv").write_text(TABLE)
    site.page = site.render(PAGE)
    return site


LABELS = "[...document.querySelectorAll('.export [aria-label]')].map((element) => element.ariaLabel)"


@pytest.fixture(scope="module")
def opened(site, chromium):
    """The labels of the menus, and what their buttons save, by the name of the file."""
    chromium.open(site.page)
    labels, files = chromium.evaluate(LABELS), chromium.evaluate(CLICK)
    return labels, {name: base64.b64decode(address.partition(",")[2]) for name, address in files.items()}


@pytest.fixture(scope="module")
def taken(opened):
    return opened[1]


@pytest.mark.browser
def test_menus_are_named_by_what_they_are_of(opened):
    labels, _ = opened
    figure = [f"{kind} of Figure 1" for kind in ("CSV", "SVG", "PNG", "BibTeX")]
    table = [f"{kind} of Table 1" for kind in ("CSV", "LaTeX", "Markdown", "BibTeX")]
    assert labels[:12] == ["Export Figure 1", *figure, "Link to Figure 1", "Export Table 1", *table, "Link to Table 1"]
    assert labels[12:14] == ["Export demo scores", "CSV of demo scores"]


def test_without_a_script_the_numbers_can_be_taken(site):
    before = re.sub(r"<script>\n.*?</script>", "", site.page.read_text(), flags=re.DOTALL)
    assert before.count('<details class="export"') == before.count("<summary>Export</summary>") == 3
    assert before.count('download="demo_') == 3


@pytest.mark.browser
def test_the_picture_is_saved_as_svg_and_in_three_times_its_pixels(taken):
    picture, pixels = taken["demo_bars.svg"].decode(), taken["demo_bars.png"]
    assert picture.startswith("<svg") and 'fill="#fff"' in picture and "light-dark" not in picture
    assert pixels[:8] == b"\x89PNG\r\n\x1a\n"
    size = re.search(r'width="(\d+)" height="(\d+)"', picture)
    assert struct.unpack(">II", pixels[16:24]) == (3 * int(size[1]), 3 * int(size[2]))


@pytest.mark.browser
def test_tables_are_saved_letter_for_letter(taken):
    names, caption = NAMES, "Odd names, 100 % of them."
    rows = [line for line in taken["demo_odd.tex"].decode().splitlines() if line.endswith(r"\\")]
    assert [row.replace(r"\&", "").count("&") for row in rows] == [1] * (1 + len(NAMES))
    assert rows[1] == r"plain & 0.25 \\" and rows[3] == r"{}[first] of a row & 2.25 \\"
    assert r"a\_b \& 50\% \#1 $x \{y\}" in rows[2].replace(r"\$", "$") and r"$\alpha$$\beta$" in rows[2]
    written = [re.sub(r"[\\`*_|<]", r"\\\g<0>", name) for name in names]
    cells = [f"| {name} | {at}.25 |" for at, name in enumerate(written)]
    lines = taken["demo_odd.md"].decode().splitlines()
    assert lines[0] == caption and lines[3] == "| :--- | ---: |" and lines[4:] == cells
    assert taken["demo_odd.bib"].decode() == taken["demo_bars.bib"].decode() == "@misc{key}\n"
