"""That the tables of a page are whole at 1,280 pixels, and sorted as people read them."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from devtools import DevTools
from tables import look_at

from surefoot.reporting.site import page_script
from surefoot.reporting.table import MINUS, MISSING

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


@pytest.fixture(scope="module")
def page(make_site, browser):
    site = make_site()
    columns = [f"A heading {number}" for number in range(8)]
    rows = [",".join(columns), *[",".join(["123456.7 to 765432.1"] * 4 + ["12.5"] * 4)] * 3]
    (site.results / "draw/demo/wide.csv").write_text("\n".join(rows))
    (site.results / "draw/demo/scores.csv").write_text("algorithm,value,high\nq learning,0.61234,\nsarsa,1e-9,0.5\n")
    return site.render(PAGE, "good")


def test_every_column_of_a_table_is_in_sight_below_its_caption(page):
    with DevTools() as opened:
        wide, narrow = look_at(opened, page)
    assert (wide.faults, narrow.faults) == ([], [])


LEAST, LESS = f"{MINUS}1,141", f"{MINUS}1,024.5"
NUMBERS = (LESS, "yes", MISSING, LEAST, "12 %", "3 (2, 4)", "", "at most 2", "no", "1,197 ± 3", "2s3z")
SORTED = [LEAST, LESS, "at most 2", "3 (2, 4)", "12 %", "1,197 ± 3", "2s3z", "no", "yes"]
TIMES = ("2 min", "12 ns", "3.5 ms", "1e-3 s")


def table_of(cells):
    """A table whose second column has these cells."""
    rows = "".join(f"<tr><th>row</th><td>{cell}</td></tr>" for cell in cells)
    head = "<tr><th>Name</th><th>Value</th></tr>"
    return f'<div class="scroll"><table><thead>{head}</thead><tbody>{rows}</tbody></table></div>'


@pytest.fixture(scope="module")
def sorting(tmp_path_factory):
    path = tmp_path_factory.mktemp("sorting") / "page.html"
    tables = "".join(map(table_of, (NUMBERS, TIMES)))
    path.write_text(f"<main>{tables}</main><script>{page_script(charts=False)}</script>", encoding="utf-8")
    with DevTools() as opened:
        opened.open(path)
        yield opened


def press(opened, table):
    """What the second column has after a press on its heading."""
    opened.evaluate(f"document.querySelectorAll('table')[{table}].querySelectorAll('thead button')[1].click()")
    found = f"[...document.querySelectorAll('table')[{table}].tBodies[0].rows].map((row) => row.cells[1].textContent)"
    return opened.evaluate(found)


def test_numbers_are_sorted_as_numbers_beside_texts_and_what_is_missing_comes_last(sorting):
    assert press(sorting, 0) == [*SORTED, MISSING, ""]
    numbers, texts = SORTED[:6], SORTED[6:]
    assert press(sorting, 0) == [*numbers[::-1], *texts[::-1], MISSING, ""]
    assert press(sorting, 0) == list(NUMBERS)


def test_times_are_sorted_by_their_units(sorting):
    assert press(sorting, 1) == ["12 ns", "1e-3 s", "3.5 ms", "2 min"]
