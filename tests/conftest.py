"""What tests of several rooms share."""

import pytest
from browser import BROWSERS, find_browser


@pytest.fixture(scope="session")
def browser() -> str:
    """Path of a browser; a test that asks for it is skipped where there is none."""
    path = find_browser()
    if path is None:
        pytest.skip(f"no browser installed: none of {', '.join(BROWSERS)} is on the PATH")
    return path
