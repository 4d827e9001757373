"""Fixtures with a small checkout that is built once; each test uses a copy in a separate folder."""

import fcntl
import json
import shutil

import pytest
from support.small_checkout import Checkout, new_checkout

from surefoot.workflow.kernel_cache import kernel_folders, kernels_of
from surefoot.workflow.store import store_folder


@pytest.fixture(scope="session")
def built(tmp_path_factory, worker_id):
    """Return a checkout whose workflow has run, starting from a store with at most compiled kernels; it is read-only.

    One worker builds the checkout, using all cores, while the others wait. Tests of functions reuse the kernels that it
    compiles; each copy has its own kernels.
    """
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "built"
    with (folder.parent / "built.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "run.json").is_file():
            build(folder)
    kept = Checkout(folder)
    kept.did, kept.output = json.loads((folder / "run.json").read_text())
    return kept


def build(folder):
    checkout = new_checkout(folder)
    shared = kernels_of(store_folder(None))
    shared.mkdir(parents=True, exist_ok=True)
    kernels_of(checkout.store).symlink_to(shared)
    did = checkout.run()
    kernels_of(checkout.store).unlink()
    for name in kernel_folders():
        if (shared / name).is_dir():
            shutil.copytree(shared / name, kernels_of(checkout.store) / name)
    (folder / "run.json").write_text(json.dumps([did, checkout.output]))


@pytest.fixture
def checkout(built, tmp_path):
    """Return a copy of the built checkout."""
    return built.copied_to(tmp_path)


@pytest.fixture
def fresh(built, tmp_path) -> Checkout:
    """Return a checkout in which nothing has run, and whose store only has the compiled kernels."""
    checkout = new_checkout(tmp_path)
    shutil.copytree(built.store / "kernels", checkout.store / "kernels")
    return checkout
