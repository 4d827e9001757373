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
    """Import the kernels so that their compiled code is kept in a folder of the state of the code.

    Numba's own cache does not see edits in other files (see `surefoot.pipeline.kernels`), and would go on using old
    kernels after an update of a checkout. Its setting is put back, since it is not ours alone.
    """
    if os.environ.get("NUMBA_CACHE_DIR"):
        return
    from numba import config

    from surefoot.pipeline.kernels import kernel_folder
    from surefoot.pipeline.store import store_folder

    before, config.CACHE_DIR = config.CACHE_DIR, str(kernel_folder(store_folder(None), ["surefoot.statistics"]))
    try:
        for module in _KERNELS:
            import_module(module)
    finally:
        config.CACHE_DIR = before


load_kernels()
