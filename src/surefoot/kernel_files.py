"""Let numba's cache notice that a compiled kernel is of another state of the package.

Numba compiles a kernel again after an edit of the file that defines it, but not after an edit, or an update, of another
file whose functions the kernel calls.
"""

import functools
from pathlib import Path
from types import FunctionType
from typing import Any

from numba.core import config
from numba.core.caching import InTreeCacheLocator, UserProvidedCacheLocator, UserWideCacheLocator

_PACKAGE = Path(__file__).parent
_OF_NUMBA = (
    "UserProvidedCacheLocator",
    "InTreeCacheLocator",
    "UserWideCacheLocator",
    "IPythonCacheLocator",
    "ZipCacheLocator",
)
"""In numba's order, for the functions of others."""


@functools.cache
def package_state() -> tuple[int, int, int]:
    """Return a stamp that changes with the package: number of its files, their size, and the last time of an edit."""
    files = [path.stat() for path in _PACKAGE.rglob("*.py")]
    return len(files), sum(one.st_size for one in files), max(one.st_mtime_ns for one in files)


class _OfPackage:
    """Locate the kernels of this package where numba would, but stamp them with the state of the package."""

    def get_source_stamp(self) -> tuple[int, int, int]:
        return package_state()

    @classmethod
    def from_function(cls, py_func: FunctionType, py_file: str) -> Any:
        inside = Path(py_file).is_relative_to(_PACKAGE)
        return super().from_function(py_func, py_file) if inside else None  # type: ignore[misc]


class ChosenFolder(_OfPackage, UserProvidedCacheLocator):
    """The folder that NUMBA_CACHE_DIR names."""


class PackageFolder(_OfPackage, InTreeCacheLocator):
    """The folder of the module's compiled Python code."""


class UserFolder(_OfPackage, UserWideCacheLocator):
    """The user's cache, if the package lies in a folder that is read-only."""


def stamp_kernels() -> None:
    """Let numba ask the locators of this module first, unless others were chosen already."""
    options = vars(config)
    if not options["CACHE_LOCATOR_CLASSES"]:
        ours = [f"{__name__}.{one.__name__}" for one in (ChosenFolder, PackageFolder, UserFolder)]
        options["CACHE_LOCATOR_CLASSES"] = ",".join([*ours, *_OF_NUMBA])
