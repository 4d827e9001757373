"""What tests of several rooms share."""

import os

import pytest
from browser import BROWSERS, find_browser

from surefoot.pipeline.kernels import kernel_folder
from surefoot.pipeline.store import store_folder

# Before numba is imported anywhere: kernels are cached under the fingerprint of the code, so that no edit is tested
# with an old kernel.
ROOMS = ["surefoot.bayesian", "surefoot.simulation", "surefoot.statistics"]
os.environ["NUMBA_CACHE_DIR"] = str(kernel_folder(store_folder(None), ROOMS))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Where tests run in parallel, those of a module stay together with its fixtures, and those of the workflow too."""
    for item in items:
        room = "workflow" if item.get_closest_marker("workflow") else str(item.path)
        item.add_marker(pytest.mark.xdist_group(room))


@pytest.fixture(scope="session")
def browser() -> str:
    """Path of a browser; a test that asks for it is skipped where there is none."""
    path = find_browser()
    if path is None:
        pytest.skip(f"no browser installed: none of {', '.join(BROWSERS)} is on the PATH")
    return path
