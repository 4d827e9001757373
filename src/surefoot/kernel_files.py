"""Make numba recompile a cached kernel whenever a file of the package has changed.

Numba recompiles a kernel if the file that defines it changes, but not if a function that it calls from another file
changes.
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
"""Numba's default locators, in numba's order, for functions of other packages."""


@functools.cache
def package_state() -> tuple[int, int, int]:
    """Return a stamp of the state of the package: number of files, total size, and last modification time."""
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
    """Locator of the folder named by NUMBA_CACHE_DIR."""


class PackageFolder(_OfPackage, InTreeCacheLocator):
    """Locator of the `__pycache__` folder next to the module."""


class UserFolder(_OfPackage, UserWideCacheLocator):
    """Locator of the user's cache folder, if the package is in a read-only folder."""


def stamp_kernels() -> None:
    """Make numba try the locators of this module first, unless other locators were already configured."""
    options = vars(config)
    if not options["CACHE_LOCATOR_CLASSES"]:
        ours = [f"{__name__}.{one.__name__}" for one in (ChosenFolder, PackageFolder, UserFolder)]
        options["CACHE_LOCATOR_CLASSES"] = ",".join([*ours, *_OF_NUMBA])
