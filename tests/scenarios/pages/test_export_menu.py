"""What the menus of a page's figures and tables save, taken by clicking in headless Chromium."""

import base64
import re
import struct

import pytest

import surefoot

ODD = "a_b & 50% #1 $x {y}"
PAGE = """\
---
title: Export
reads: [draw/demo/bars, draw/demo/odd]
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


LABELS = "[...document.querySelectorAll('.export [aria-label]')].map((element) => element.ariaLabel)"


@pytest.mark.browser
def test_menus_save_pictures_tables_and_the_reference(chromium, site):
    (site.results / "draw/demo/odd.csv").write_text(f'name,value\n"{ODD}",0.25\n[first] of a row,1.25\n')
    page = site.render(PAGE)
    without_script = re.sub(r"<script>\n.*?</script>", "", page.read_text(), flags=re.DOTALL)
    assert without_script.count('download="demo_') == 2  # the numbers

    chromium.open(page)
    figure = [f"{kind} of Figure 1" for kind in ("CSV", "SVG", "PNG", "BibTeX")]
    table = [f"{kind} of Table 1" for kind in ("CSV", "LaTeX", "Markdown", "BibTeX")]
    labels = ["Export Figure 1", *figure, "Link to Figure 1", "Export Table 1", *table, "Link to Table 1"]
    assert chromium.evaluate(LABELS) == labels
    saved = {name: base64.b64decode(address.partition(",")[2]) for name, address in chromium.evaluate(CLICK).items()}

    picture, pixels = saved["demo_bars.svg"].decode(), saved["demo_bars.png"]
    assert picture.startswith("<svg") and 'fill="#fff"' in picture and "light-dark" not in picture
    assert f">Surefoot {surefoot.__version__}: demo/bars. " in picture
    size = re.search(r'width="(\d+)" height="(\d+)"', picture)
    assert struct.unpack(">II", pixels[16:24]) == (3 * int(size[1]), 3 * int(size[2]))
    rows = [line for line in saved["demo_odd.tex"].decode().splitlines() if line.endswith(r"\\")]
    assert rows[1].replace(r"\$", "$") == r"a\_b \& 50\% \#1 $x \{y\} & 0.25 \\"
    assert rows[2] == r"{}[first] of a row & 1.25 \\"
    lines = saved["demo_odd.md"].decode().splitlines()
    assert lines[0] == "Odd names, 100 % of them." and lines[3] == "| :--- | ---: |"
    assert saved["demo_odd.bib"] == saved["demo_bars.bib"] == b"@misc{key}\n"
