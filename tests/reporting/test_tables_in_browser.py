"""Tables of a page are sorted as people read them."""

import pytest

from surefoot.reporting.site import page_script
from surefoot.reporting.table import MINUS, MISSING

pytestmark = pytest.mark.browser

LEAST, LESS = f"{MINUS}1,141", f"{MINUS}1,024.5"
NUMBERS = (LESS, "yes", MISSING, LEAST, "12 %", "3 (2, 4)", "", "at most 2", "no", "1,197 ± 3", "2s3z")
SORTED = [LEAST, LESS, "at most 2", "3 (2, 4)", "12 %", "1,197 ± 3", "2s3z", "no", "yes"]
TIMES = ("2 min", "12 ns", "3.5 ms", "1e-3 s")


def table_of(cells):
    """A table whose second column has these cells."""
    rows = "".join(f"<tr><th>row</th><td>{cell}</td></tr>" for cell in cells)
    head = "<tr><th>Name</th><th>Value</th></tr>"
    return f'<div class="scroll"><table><thead>{head}</thead><tbody>{rows}</tbody></table></div>'


@pytest.fixture
def sorting(tmp_path, chromium):
    path = tmp_path / "page.html"
    tables = "".join(map(table_of, (NUMBERS, TIMES)))
    path.write_text(f"<main>{tables}</main><script>{page_script(charts=False)}</script>", encoding="utf-8")
    chromium.open(path)
    return chromium


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
