"""Quarto and the embedded renderer make the same of a page."""

import shutil
import sys
from pathlib import Path

import pytest
from test_render import EVERYTHING

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from quarto import differences

PROGRAM = Path(__file__).parents[2] / "benchmarks" / "quarto.py"
PAGE = """\
---
title: Scores
reads: [draw/demo/bars, draw/demo/scores]
---

```{python}
#| include: false
from surefoot.reporting import page
```

See @fig-bars and @tbl-scores of [the scores](#sec-scores).

## The scores {#sec-scores}

```{python}
#| label: fig-bars
#| fig-cap: "Bars, as in @tbl-scores."
page.figure("demo/bars")
```

| a | b |
|---|---|
| 1 | x |

: Two of them {#tbl-scores}

```{python}
page.table("demo/scores", ["algorithm"], where={"environment": "chain_10"})
```
"""


@pytest.mark.skipif(shutil.which("quarto") is None, reason='there is no quarto command: pip install ".[quarto]"')
@pytest.mark.parametrize("text", [PAGE, EVERYTHING])
def test_real_quarto_agrees(site, text):
    parameters = {"study": "demo"} if text is EVERYTHING else {}
    embedded = site.render(text, **parameters).read_text()
    quarto = site.render(text, renderer="quarto", **parameters).read_text()
    assert differences(embedded, quarto) == []
    assert "<code>{python}" not in quarto
    again = site.render(text, renderer="quarto", **parameters).read_text()
    assert again == quarto
