"""The pages of the built site in a browser with no network: charts drawn, no errors, every link leads somewhere."""

import re

import pytest
from support.browser import open_page

pytestmark = [pytest.mark.workflow, pytest.mark.browser]


@pytest.mark.parametrize(("page", "charts"), [("small", 4), ("table", 4)])
def test_pages_are_whole(built, browser, page, charts):
    facts = open_page(built.folder / f"results/render/{page}.html")
    assert len(facts.charts) == charts
    assert all(marks > 0 for marks in facts.charts)
    assert facts.console_errors == []
    assert facts.broken_links == []
    assert facts.fetched == []


def test_the_navigation_bar_leads_to_every_study(built):
    for page in ("small", "table"):
        html = (built.folder / f"results/render/{page}.html").read_text()
        for target in ("small", "table"):
            assert f'<a href="{target}.html"' in html


def test_a_published_site_has_a_preview_of_each_figure(checkout):
    done = checkout.run("--config", "address=https://example.org/tracks")
    assert done.keys() == {f"render/{name}" for name in ("small", "table", "methods", "docs", "search", "previews")}
    pages = checkout.folder / "results" / "render"
    named = set()
    for page in pages.glob("*.html"):
        named |= set(re.findall(r'"og:image" content="https://example.org/tracks/(figures/[^"]+)"', page.read_text()))
    assert {"figures/small_scores.png", "figures/table_scores.png"} <= named
    assert all((pages / path).is_file() for path in named)
