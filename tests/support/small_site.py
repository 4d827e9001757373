"""Small site to render: a folder of pages, and a folder of results with one figure and one table."""

import json
from pathlib import Path

from surefoot.charts.draw import pictures
from surefoot.reporting.render import render

PROJECT = """\
project:
  type: website
website:
  title: Tracks
  navbar:
    left:
      - text: Home
        href: index.qmd
      - href: page.qmd
        text: Page
  page-footer: "Made of `tables`."
execute:
  echo: false
"""
CHART = {
    "$schema": "https://vega.github.io/schema/vega-lite/v6.4.1.json",
    "description": "Bars: sarsa 0.6, q 0.5, <ac> 0.3",
    "width": 300,
    "height": 90,
    "data": {"values": [{"a": "sarsa", "v": 0.6}, {"a": "q", "v": 0.5}, {"a": "</script>", "v": 0.3}]},
    "mark": "bar",
    "encoding": {
        "x": {"field": "v", "type": "quantitative"},
        "y": {"field": "a", "type": "nominal"},
        "color": {"field": "a", "type": "nominal", "legend": None},
        "tooltip": [{"field": "v"}],
    },
}
NUMBERS = 'a,v\nsarsa,0.6\n"q, greedy",0.5\n'
TABLE = """\
algorithm,environment,value,low,high,runs
sarsa,chain_10,0.61234,0.5,0.7,100
q,chain_10,0.5,0.4,,100
sarsa,gridworld_5,0.25,-1e-3,0.5,90
q,gridworld_5,0.125,0,0.3,90
"""


class Site:
    """A small site with folders for pages and results."""

    def __init__(self, folder: Path):
        self.reports, self.results = folder / "reports", folder / "results"
        self.navigation: list = [("Home", "index.html"), ("Page", "page.html")]
        self.reports.mkdir()
        drawn = self.results / "draw" / "demo"
        drawn.mkdir(parents=True)
        (self.reports / "_quarto.yml").write_text(PROJECT)
        self.write("---\ntitle: Home\n---\n\n## Start {#sec-start}\n\nSee [the page](page.qmd).\n", "index")
        self.write("---\ntitle: Page\n---\n")
        (drawn / "bars.json").write_text(json.dumps(CHART))
        (drawn / "bars.html").write_text(pictures(CHART, "bars")[1])
        (drawn / "bars.csv").write_text(NUMBERS)
        (drawn / "scores.csv").write_text(TABLE)

    def write(self, text: str, name: str = "page") -> Path:
        """Write a page."""
        path = self.reports / f"{name}.qmd"
        path.write_text(text)
        return path

    def render(self, text: str, name: str = "page", renderer: str = "embedded", **parameters: object) -> Path:
        """Write and render a page."""
        output = self.results / "render" / f"{name}.html"
        render(self.write(text, name), output, self.results, parameters, renderer, self.navigation)
        return output


EVERYTHING = r"""---
title: "All of *{study}*"
subtitle: What is in it?
description: One line -- and no more.
toc: true
page-layout: article
reads:
  - draw/{study}/bars
  - draw/demo/scores
---

```{python}
#| tags: [parameters]
#| include: false
study = "none"
```

```{python}
#| include: false
from surefoot.reporting import page
print("never shown")
```

::: {.lead}
Sarsa has `{python} page.value("demo/scores", "value", format=".2f", algorithm="sarsa", runs=100)`,
not `{python} "*a_b* [x]"`.
See @fig-bars, @tbl-scores and [@fig-bars; @fig-again], number -@fig-again, @tbl-plain, and @sec-more.[^1]
:::

[^1]: The note.

```{python}
#| label: fig-bars
#| fig-cap: "Bars of $x_1$ in @tbl-scores."
page.figure(f"{study}/bars")
```

::: {#fig-again}

```{python}
page.figure("demo/bars", title="Again")
```

The same, of `{python} 2 + 1` algorithms.
:::

## More of it {#sec-more}

```{python}
#| label: tbl-scores
#| tbl-cap: "Scores"
page.table("demo/scores", ["algorithm", "value"], records=page.rows("demo/scores", runs=100))
```

| name | number |
|:-----|-------:|
| a    |      1 |

: Written by hand {#tbl-plain}

::: {.callout-note title="What *this* is"}
A note.
:::

::: {.callout-warning collapse="true"}
## Mind
A warning.
:::

```{python}
print("printed <b>")
3 + 4
```

$$ \bar x = \frac{1}{n} \sum_{i=1}^n x_i $$

```{python}
#| output: asis
print("**strong** words")
```

<!-- a comment, dropped -->

### Links

[Home](index.qmd), [its start](index.qmd#sec-start), [here](#sec-more), [other](mine.html), [away](https://example.org/a?b=1).

```python
shown = "`{python} not_run`"
```
"""
