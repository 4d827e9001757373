"""Pages as axe-core, a keyboard, a phone, a reader in the dark and a printer find them."""

import time

import pytest
from accessibility import AXE, LOOKS, look_at
from support.small_site import EVERYTHING

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


def is_background(chromium, bright):
    """Whether the page is bright, or else dark, within seconds: browsers hand on what pages remember when they can."""
    for _ in range(100):
        colour = chromium.evaluate("getComputedStyle(document.body).backgroundColor")
        brightness = max(map(int, colour.removeprefix("rgb(").removesuffix(")").split(",")[:3]))
        if brightness == 255 if bright else brightness < 40:
            return True
        time.sleep(0.1)
    return False


def test_the_theme_follows_the_system_until_chosen(chromium, page):
    for dark in (False, True):
        chromium.open(page, dark=dark)
        assert is_background(chromium, not dark)
    switch = "document.querySelector('button.theme').click()"
    chromium.evaluate(switch)  # light, where the system is dark
    assert is_background(chromium, True)
    time.sleep(0.5)  # a page hands what it remembers to the browser, which a machine that is busy does late
    chromium.open(page.with_name("index.html"), dark=True)
    assert is_background(chromium, True)
    chromium.evaluate(switch)  # as the system has it, which is followed again
    assert is_background(chromium, False)
    chromium.open(page, dark=False)
    assert is_background(chromium, True)
    chromium.open(page, dark=True)
    assert is_background(chromium, False)


def test_menus_open_and_close_by_keys(chromium, page):
    chromium.open(page)
    stops = []
    for _ in range(8):
        chromium.press("Tab", 9)
        stops.append(chromium.evaluate("document.activeElement.textContent.trim() || document.activeElement.ariaLabel"))
    bar = ["Skip to the content", "Tracks", "Home", "Page", "More", "Search all pages", "Dark theme"]
    assert stops[:7] == bar and stops[7] not in bar  # what is folded away is no stop
    chromium.evaluate("document.querySelector('#site-links summary').focus()")
    chromium.press("Enter", 13)
    is_open = "document.querySelector('#site-links details').open"
    assert chromium.evaluate(is_open)
    chromium.press("Tab", 9)
    assert chromium.evaluate("document.activeElement.textContent") == "The page itself"
    assert chromium.evaluate("document.activeElement.ariaCurrent") == "page"
    chromium.press("Escape", 27)
    assert not chromium.evaluate(is_open)
    assert chromium.evaluate("document.activeElement.textContent") == "More"
    chromium.press("Enter", 13)
    chromium.evaluate("document.querySelector('main a').focus()")
    assert not chromium.evaluate(is_open)


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
