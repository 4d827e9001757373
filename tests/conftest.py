"""All tests: kernels are cached under the fingerprint of the code, so that no edit is tested with an old kernel."""

import os

from surefoot.pipeline.kernels import kernel_folder
from surefoot.pipeline.store import store_folder

# Before numba is imported anywhere.
os.environ["NUMBA_CACHE_DIR"] = str(kernel_folder(store_folder(None), ["surefoot.simulation", "surefoot.statistics"]))
