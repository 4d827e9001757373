"""Sites to render."""

from collections.abc import Callable
from pathlib import Path

import pytest
from small_site import Site


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A site of the test's own."""
    return Site(tmp_path)


@pytest.fixture(scope="session")
def make_site(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Site]:
    """Makes a site that several tests look at."""
    return lambda: Site(tmp_path_factory.mktemp("site"))
