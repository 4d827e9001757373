"""Pages as axe-core, a keyboard, a phone, a reader in the dark and a printer find them."""

import pytest
from accessibility import AXE, LOOKS, look_at
from test_render import EVERYTHING

from surefoot.reporting.site import LIST

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("browser")]

MENU = ("More", [("The page itself", "page.html"), ("The start", "index.html")])
MORE = """
| A heading | Another one | One that is long | And one that is longer than that |
|-----------|-------------|------------------|----------------------------------|
| a         | b           | c                | d                                |

: A wide table {#tbl-wide}

```text
a line so long that it does not fit into the window of a telephone
```

Of $P = \\frac 1 {n^2} \\sum_{i=1}^n \\sum_{j=1}^n \\left(\\mathbf 1[x_{i} > y_{j}] +
\\tfrac 1 2 \\mathbf 1[x_{i} = y_{j}]\\right)
\\left(x_i - x_j + y_i - y_j\\right)$.
"""
AXE_THERE = pytest.mark.skipif(
    not AXE.is_file(), reason="axe-core is not here: npm ci --prefix tests/accessibility brings it"
)


@pytest.fixture(scope="module")
def page(make_site):
    """A page with all of the written subset, beside a home page and below a menu."""
    site = make_site()
    site.navigation.append(MENU)
    site.render((site.reports / "index.qmd").read_text(), "index")
    return site.render(EVERYTHING + MORE, study="demo")


@AXE_THERE
@pytest.mark.parametrize("name", LOOKS)
def test_axe_finds_nothing_wrong_and_the_page_fits_its_window(chromium, page, name):
    for one in (page, page.with_name("index.html")):
        look = look_at(chromium, one, *LOOKS[name])
        assert look.violations == {}
        assert look.too_wide <= 0
        assert look.stops > 3


def test_links_to_pages_that_were_not_made_are_no_entries(chromium, page):
    page.with_name(LIST).write_text('globalThis.surefootMade = ["page.html"];')
    chromium.open(page)
    body = "document.querySelector('main').append(Object.assign(document.createElement('a'), { href: '%s' }))"
    chromium.evaluate(body % "index.html#part")
    chromium.evaluate(body % "https://example.org/none.html")
    chromium.evaluate("document.querySelector('#site-links a').focus()")
    chromium.evaluate("new Promise((done) => setTimeout(done, 300))")
    page.with_name(LIST).unlink()
    shown = "[...document.querySelectorAll('#site-links > li')].map((one) => one.checkVisibility())"
    assert chromium.evaluate(shown) == [False, True, True]
    leads = "[...document.querySelectorAll('main > a, a.name')].slice(-2).map((one) => one.hasAttribute('href'))"
    assert chromium.evaluate(leads) == [False, True]
