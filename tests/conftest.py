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


@pytest.fixture(scope="session")
def browser() -> str:
    """Path of a browser; a test that asks for it is skipped where there is none."""
    path = find_browser()
    if path is None:
        pytest.skip(f"no browser installed: none of {', '.join(BROWSERS)} is on the PATH")
    return path
