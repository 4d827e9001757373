"""The library: the statistics of scores of runs on tasks, on tables as people have them."""

import os
from importlib import import_module
from pathlib import Path

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

    Numba's own cache does not see edits in other files, and loads damaged files (see `surefoot.pipeline.kernels`).
    """
    from surefoot.pipeline.kernels import kernels_of
    from surefoot.pipeline.proven_kernels import proven_files
    from surefoot.pipeline.store import store_folder

    with proven_files(Path(os.environ.get("NUMBA_CACHE_DIR") or kernels_of(store_folder(None)))):
        for module in _KERNELS:
            import_module(module)


load_kernels()
