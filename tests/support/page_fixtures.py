"""Fixtures with sites to render, and a browser for their pages."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from devtools import DevTools
    from support.small_site import Site


@pytest.fixture
def site(tmp_path: Path) -> "Site":
    """Return a site for a single test."""
    from support.small_site import Site

    return Site(tmp_path)


@pytest.fixture(scope="session")
def make_site(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], "Site"]:
    """Return a function that makes a site to be shared by several tests."""
    from support.small_site import Site

    return lambda: Site(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="session")
def chromium(browser: str) -> Iterator["DevTools"]:
    """Yield a browser that is shared by all tests and has a temporary profile."""
    from devtools import DevTools

    with DevTools() as opened:
        yield opened
