"""That the tables of a page are whole at 1,280 pixels, and that what looks for faults of tables finds each of them."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from devtools import DevTools
from tables import look_at

from surefoot.reporting.charts import table_script
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
    path.write_text(f"<main>{tables}</main><script>{table_script()}</script>", encoding="utf-8")
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


HIGH = """\
---
title: High
reads: [draw/demo/high, draw/demo/numbered]
---

```{python}
#| include: false
from surefoot.reporting.page import table
```

```{python}
table("demo/high")
```

```{python}
table("demo/numbered")
```

| Name | What it is, in so many words that no window of a telephone has room for them beside a second column of words |
|------|------|
| $x^2$ | Averylongwordthatcannotbebrokenanywhereatall, averylongwordthatcannotbebrokenanywhereatall |

"""


@pytest.fixture(scope="module")
def high(make_site):
    site = make_site()
    rows = [f"q learning,{number}.5,{number}.25" for number in range(24)]
    (site.results / "draw/demo/high.csv").write_text("\n".join(["algorithm,value,high", *rows]))
    columns = ",".join(f"wide_{number}" for number in range(8))
    rows = [f"{number}" + ",123456.7" * 8 for number in (10, 30, 100)]
    (site.results / "draw/demo/numbered.csv").write_text("\n".join([f"trials,{columns}", *rows]))
    return site.render(HIGH, "high")


def test_the_headings_of_a_table_higher_than_the_window_stay_in_sight(high):
    with DevTools() as opened:
        opened.open(high, 1280, 500)
        box = "document.querySelector('.scroll:not(.long)')"
        assert opened.evaluate(f"{box}.scrollHeight") > 500
        opened.evaluate(f"{box}.scrollIntoView(); {box}.scrollTop = 300")
        top = opened.evaluate(f"{box}.querySelector('thead th').getBoundingClientRect().top")
        bottom = opened.evaluate(f"{box}.getBoundingClientRect().bottom")
    assert 0 <= top < 60 and bottom <= 500


def test_what_names_a_row_stays_in_sight_on_a_telephone(high):
    with DevTools() as opened:
        opened.open(high, 390, 800)
        names = "[...document.querySelectorAll('tbody tr')].map((row) => [row.cells[0].tagName, row.cells[0].scope])"
        *cells, formula = [tuple(name) for name in opened.evaluate(names)]
        assert set(cells) == {("TH", "row")} and formula[0] == "TD"  # a heading needs words
        for number in (1, 2):
            box = f"document.querySelectorAll('.scroll')[{number}]"
            opened.evaluate(f"{box}.scrollLeft = 150")
            assert opened.evaluate(f"{box}.scrollLeft") > 50
            left = f"{box}.querySelector('tbody tr > :first-child').getBoundingClientRect().left"
            assert opened.evaluate(f"{left} - {box}.getBoundingClientRect().left") == 0


IN_A_FOLD = """\
---
title: Folded
reads: [draw/demo/wide]
---

```{python}
#| include: false
from surefoot.reporting.page import table
```

::: {.callout-note collapse="true" title="More"}
```{python}
table("demo/wide")
```
:::

"""
COUNT = """(async () => {
  window.asked = [];
  const own = Object.getOwnPropertyDescriptor(Element.prototype, "scrollWidth");
  const get = function () { window.asked.push(this.className); return own.get.call(this); };
  Object.defineProperty(Element.prototype, "scrollWidth", { ...own, get });
  for (let times = 0; times < 5; times++) dispatchEvent(new Event("resize"));
  await new Promise((done) => setTimeout(done, 300));
  return window.asked.length;
})()"""


def test_what_a_closed_fold_hides_is_measured_when_it_opens_and_once_a_frame(make_site):
    site = make_site()
    columns = [f"A heading {number}" for number in range(8)]
    rows = [",".join(columns), *[",".join(["123456.7 to 765432.1"] * 8)] * 3]
    (site.results / "draw/demo/wide.csv").write_text("\n".join(rows))
    page = site.render(IN_A_FOLD, "folded")
    with DevTools() as opened:
        opened.open(page)
        assert opened.evaluate(COUNT) == 0
        opened.evaluate("document.querySelector('main details').open = true")
        opened.evaluate("new Promise((done) => setTimeout(done, 300))")
        assert opened.evaluate("document.querySelector('.scroll').tabIndex") == 0
        before = opened.evaluate("window.asked.length")
        opened.evaluate("for (let times = 0; times < 5; times++) dispatchEvent(new Event('resize'))")
        opened.evaluate("new Promise((done) => setTimeout(done, 300))")
        assert opened.evaluate("window.asked.length") - before == 1


WIDE_FOLD = """
::: {.callout-note collapse="true" title="Narrow"}
Text.
:::

::: {.callout-note collapse="true" title="Wide"}
Words that go on and on, and that would make a line as long as the page is wide if nothing held them to the measure of
the text around the fold, which is what a reader's eyes follow from the end of one line to the beginning of the next.

```{python}
table("demo/wide")
```
:::
"""
A4 = 718  # pixels between the margins


@pytest.fixture(scope="module")
def wide_fold(make_site, browser):
    site = make_site()
    columns = [f"A heading {number}" for number in range(8)]
    rows = [",".join(columns), *[",".join(["a long text", *["0.123 to 0.765"] * 7])] * 3]
    (site.results / "draw/demo/wide.csv").write_text("\n".join(rows))
    (site.results / "draw/demo/scores.csv").write_text("algorithm,value,high\nq learning,0.61234,0.7\n")
    return site.render(PAGE + WIDE_FOLD, "wide_fold")


def test_a_closed_fold_with_a_wide_table_is_like_any_other_and_an_open_one_keeps_the_measure(wide_fold):
    with DevTools() as opened:
        opened.open(wide_fold)
        facts = """[...document.querySelectorAll('details.callout')].map((fold) => (
          [fold.offsetWidth, getComputedStyle(fold).backgroundColor]))"""
        closed = opened.evaluate(facts)
        opened.evaluate("document.querySelectorAll('details.callout').forEach((fold) => (fold.open = true))")
        narrow, wide = (width for width, _ in opened.evaluate(facts))
        text = opened.evaluate("document.querySelectorAll('details.callout')[1].querySelector('p').offsetWidth")
    assert closed[0] == closed[1]
    assert wide > narrow >= text


def test_a_wide_table_does_not_make_a_printed_page_smaller(wide_fold):
    with DevTools() as opened:
        opened.open(wide_fold, A4)
        opened.evaluate("document.querySelectorAll('details').forEach((fold) => (fold.open = true))")
        opened.send("Emulation.setEmulatedMedia", media="print", features=[])
        assert opened.evaluate("document.documentElement.scrollWidth") <= A4
