"""The small checkout is built once by each worker; each test works on a copy of it."""

import shutil
import sys
from pathlib import Path

import pytest
from checkout import Checkout, new_checkout

sys.path.append(str(Path(__file__).parents[1] / "figures"))  # for the stand-ins of results that take long


@pytest.fixture(scope="session")
def place(tmp_path_factory):
    """Where the checkouts of this worker run jobs, one after the other: compiled kernels are tied to a path."""
    return tmp_path_factory.mktemp("place")


@pytest.fixture(scope="session")
def built(place, tmp_path_factory):
    """A checkout whose workflow has run from an empty store; it is only looked at."""
    checkout = new_checkout(place)
    did = checkout.run()
    kept = checkout.copied_to(tmp_path_factory.mktemp("built"))
    kept.did, kept.output = did, checkout.output
    return kept


@pytest.fixture
def checkout(built, place):
    """A copy of the built checkout."""
    shutil.rmtree(place, ignore_errors=True)
    return built.copied_to(place)


@pytest.fixture
def fresh(built, place) -> Checkout:
    """A checkout in which nothing has run and whose store has nothing but the compiled kernels."""
    shutil.rmtree(place, ignore_errors=True)
    checkout = new_checkout(place)
    shutil.copytree(built.store / "kernels", checkout.store / "kernels")
    return checkout
