"""The library: the statistics of scores of runs on tasks, on tables as people have them."""

import os
from importlib import import_module

_KERNELS = (
    "surefoot.statistics.draws",
    "surefoot.statistics.metric_kernels",
    "surefoot.statistics.resampling_kernels",
    "surefoot.statistics.profile_kernels",
    "surefoot.statistics.improvement_kernels",
    "surefoot.statistics.rank_distributions",
)


def load_kernels() -> None:
    """Import the kernels so that their compiled code is kept in a folder of the state of the code, unless the variable
    NUMBA_CACHE_DIR names another.

    Numba's own cache does not see edits in other files, and loads damaged files (see `surefoot.pipeline.kernels`). What
    is set for it is put back, since it is not ours alone.
    """
    from numba import config
    from numba.core import caching

    from surefoot.pipeline.kernels import kernel_folder
    from surefoot.pipeline.proven_kernels import ProvenCacheFile
    from surefoot.pipeline.store import store_folder

    before = config.CACHE_DIR, caching.IndexDataCacheFile
    caching.IndexDataCacheFile = ProvenCacheFile
    if not os.environ.get("NUMBA_CACHE_DIR"):
        config.CACHE_DIR = str(kernel_folder(store_folder(None), ["surefoot.statistics"]))
    try:
        for module in _KERNELS:
            import_module(module)
    finally:
        config.CACHE_DIR, caching.IndexDataCacheFile = before


load_kernels()
