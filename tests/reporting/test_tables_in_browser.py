"""That the tables of a page are whole at 1,280 pixels, and that what looks for faults of tables finds each of them."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from devtools import DevTools
from tables import look_at

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("browser")]

PAGE = """\
---
title: Tables
toc: true
reads: [draw/demo/wide, draw/demo/scores]
---

```{python}
#| include: false
from surefoot.reporting.page import Fragment, table
```

```{python}
#| label: tbl-wide
#| tbl-cap: "As wide as a page takes."
table("demo/wide")
```

```{python}
#| label: tbl-scores
#| tbl-cap: "A narrow one."
table("demo/scores", {"Algorithm": "algorithm", "Value": "value", "High": "high"})
```

"""
BAD = """
```{python}
Fragment('<div class="scroll" style="width: 300px; min-width: 0"><table data-quarto-disable-processing="true"><thead>'
         '<tr><th>some_key</th><th>Value</th></tr></thead><tbody>'
         '<tr><td style="min-width: 400px">mean/maze/q_learning</td><td>0.18936086395020874</td></tr>'
         '<tr><td></td><td>True</td></tr></tbody></table></div>')
```
"""
FOLDED = """
::: {.callout-note collapse="true" title="More"}

Text.

```{python}
#| label: tbl-folded
#| tbl-cap: "Wider than a fold."
table("demo/folded")
```
:::
"""


@pytest.fixture(scope="module")
def pages(make_site, browser):
    site = make_site()
    columns = [f"A heading {number}" for number in range(8)]
    rows = [",".join(columns), *[",".join(["123456.7 to 765432.1"] * 4 + ["12.5"] * 4)] * 3]
    (site.results / "draw/demo/wide.csv").write_text("\n".join(rows))
    folded = ["one,two,three,four", *[",".join(["123456.7 to 765432.1"] * 4)] * 3]
    (site.results / "draw/demo/folded.csv").write_text("\n".join(folded))
    (site.results / "draw/demo/scores.csv").write_text("algorithm,value,high\nq learning,0.61234,\nsarsa,1e-9,0.5\n")
    folds = PAGE.replace("draw/demo/scores]", "draw/demo/scores, draw/demo/folded]") + FOLDED
    return site.render(PAGE, "good"), site.render(PAGE + BAD, "bad"), site.render(folds, "folds")


def test_every_column_of_a_table_is_in_sight_below_its_caption(pages):
    with DevTools() as opened:
        wide, narrow = look_at(opened, pages[0])
        room = opened.evaluate("[...document.querySelectorAll('.scroll')].map((box) => box.clientWidth)")
    assert (wide.faults, narrow.faults) == ([], [])
    assert room[0] > room[1]  # the wide one takes more than the width of the text


def test_a_fold_is_as_wide_as_the_table_in_it(pages):
    with DevTools() as opened:
        opened.open(pages[2])
        opened.evaluate("document.querySelector('details.callout').open = true")
        fold, table, text = opened.evaluate(
            "['details.callout', '.callout table', 'main > p, main p'].map("
            "(one) => document.querySelector(one).getBoundingClientRect().right)"
        )
    assert text < table < fold  # what needs more than the width of the text has it, with the ground of its fold


def test_each_fault_of_a_table_is_found(pages):
    with DevTools() as opened:
        *good, bad = look_at(opened, pages[1])
    assert [table.faults for table in good] == [[], []]
    wrong = "; ".join(bad.faults)
    for fault in (
        "out of sight",
        "no caption",
        "a key: 'mean/maze",
        "digits: '0.1893",
        "1 empty cells",
        "keys in the head",
    ):
        assert fault in wrong, fault
