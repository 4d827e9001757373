"""The small checkout is built once; each test works on a copy of it."""

import pytest
from checkout import new_checkout


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """A checkout whose workflow has run from an empty store."""
    checkout = new_checkout(tmp_path_factory.mktemp("built"))
    checkout.did = checkout.run()
    return checkout


@pytest.fixture
def checkout(built, tmp_path):
    """A copy of the built checkout."""
    return built.copied_to(tmp_path)
