"""Sites to render, and a browser to look at their pages."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from devtools import DevTools
    from support.small_site import Site


@pytest.fixture
def site(tmp_path: Path) -> "Site":
    """A site of the test's own."""
    from support.small_site import Site

    return Site(tmp_path)


@pytest.fixture(scope="session")
def make_site(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], "Site"]:
    """Makes a site that several tests look at."""
    from support.small_site import Site

    return lambda: Site(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="session")
def chromium(browser: str) -> Iterator["DevTools"]:
    """A browser for all tests, which forgets at the end."""
    from devtools import DevTools

    with DevTools() as opened:
        yield opened
