"""Sites to render, and a browser to look at their pages."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from small_site import Site

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from devtools import DevTools


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A site of the test's own."""
    return Site(tmp_path)


@pytest.fixture(scope="session")
def make_site(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Site]:
    """Makes a site that several tests look at."""
    return lambda: Site(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="session")
def chromium(browser: str) -> Iterator[DevTools]:
    """A browser for all tests, which forgets at the end."""
    with DevTools() as opened:
        yield opened
