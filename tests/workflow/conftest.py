"""The small checkout is built once by each worker; each test works on a copy of it."""

import shutil

import pytest
from checkout import Checkout, new_checkout

from surefoot.build.kernels import kernel_folders, kernels_of
from surefoot.build.store import store_folder


@pytest.fixture(scope="session")
def place(tmp_path_factory):
    """Where the checkouts of this worker run jobs, one after the other."""
    return tmp_path_factory.mktemp("place")


@pytest.fixture(scope="session")
def built(place, tmp_path_factory):
    """A checkout whose workflow has run from a store that had compiled kernels at most; it is only looked at.

    What it compiles, the other worker and the tests of functions find as well; each copy has its own kernels.
    """
    checkout = new_checkout(place)
    shared = kernels_of(store_folder(None))
    shared.mkdir(parents=True, exist_ok=True)
    kernels_of(checkout.store).symlink_to(shared)
    did = checkout.run()
    kept = checkout.copied_to(tmp_path_factory.mktemp("built"))
    kernels_of(kept.store).unlink()
    for name in kernel_folders([]):
        if (shared / name).is_dir():
            shutil.copytree(shared / name, kernels_of(kept.store) / name)
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
