"""Folders in which numba keeps compiled kernels, one for each state of the code.

Numba's cache only checks the file of a compiled function, and would reuse a kernel after an edit of a function that is
inlined from another file. Therefore the kernels of a subpackage are in a folder named by the fingerprint of all modules
of the subpackage and of their imports. The path of the package does not matter, so all checkouts with the same code
share kernels. Kernels are grouped by subpackage instead of by module, because a module can extend the kernels of
another one (`numba.extending.overload`).

Numba executes whatever it finds there, so the folder must be writable only for its user.
"""

import contextlib
import functools
import os
import stat
import threading
from collections.abc import Iterable
from pathlib import Path
from types import CodeType, FunctionType
from typing import ClassVar, Self

from filelock import FileLock, Timeout

from surefoot.workflow.files import canonical_json, sha256_text
from surefoot.workflow.fingerprint import fingerprint, is_file, own_files, reached_modules
from surefoot.workflow.project import PACKAGE, short_path
from surefoot.workflow.store import cache_folder

_DIGITS = 32
"""Number of hexadecimal digits in the name of a folder."""
_LOCATOR = "surefoot.workflow.kernel_cache.KernelLocator"
_LOCATORS_OF_NUMBA = (
    "UserProvidedCacheLocator,InTreeCacheLocator,UserWideCacheLocator,IPythonCacheLocator,ZipCacheLocator"
)
"""Numba's default locators, for functions of other packages."""
_PATIENCE = 300.0
"""Seconds to wait for another process that is compiling."""


def kernels_of(store: Path) -> Path:
    """Return the path of the folder for compiled kernels in a store."""
    return store / "kernels"


def keep_kernels(folder: Path) -> None:
    """Store compiled kernels of this package and of users' files below a folder.

    If other users can write to that folder, the user's cache folder is used. Call this before a module with kernels is
    imported; further calls in a process have no effect.
    """
    if KernelLocator.folder is not None:
        return
    from numba.core import config

    KernelLocator.folder = private_folder(folder)
    if KernelLocator.folder is not None:
        options = vars(config)
        options["CACHE_LOCATOR_CLASSES"] = f"{_LOCATOR},{options['CACHE_LOCATOR_CLASSES'] or _LOCATORS_OF_NUMBA}"
        _compile_one_at_a_time(KernelLocator.folder / ".lock")


def private_folder(folder: Path) -> Path | None:
    """Return the folder if it is private, otherwise a private folder in the user's cache, or None."""
    return next(filter(_is_private, (folder, kernels_of(cache_folder() / PACKAGE))), None)


def _is_private(folder: Path) -> bool:
    """Create a folder if necessary, and return True if only this user and root can write there."""
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
        status = folder.stat()
    except OSError:
        return False
    is_own = status.st_uid in (0, os.geteuid())
    return is_own and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and os.access(folder, os.W_OK)


def _compile_one_at_a_time(path: Path) -> None:
    """Hold a lock while kernels are compiled, so that other processes wait for the result.

    Without the lock, two processes that save kernels of the same function at the same time could mix up their files.
    """
    from numba.core import event

    lock = FileLock(path, timeout=_PATIENCE)
    depth = threading.local()

    class Compiling(event.Listener):
        def on_start(self, event: event.Event) -> None:
            depth.value = getattr(depth, "value", 0) + 1
            if depth.value == 1:
                with contextlib.suppress(OSError, NotImplementedError, Timeout):
                    lock.acquire()

        def on_end(self, event: event.Event) -> None:
            depth.value -= 1
            if depth.value == 0:
                lock.release()

    event.register("numba:compiler_lock", Compiling())


class KernelLocator:
    """Folder of the kernels of a function, with the interface that numba expects."""

    folder: ClassVar[Path | None] = None

    def __init__(self, function: FunctionType, file: str, folder: Path) -> None:
        self._py_file = file  # shown in numba's warnings
        self._code = function.__code__
        package, *rest = function.__module__.split(".")
        is_inside = package == PACKAGE and bool(rest)
        self._state = room_folder(rest[0]) if is_inside else file_folder(file)
        self._path = folder / self._state / (".".join(rest) if is_inside else Path(file).stem)

    def get_cache_path(self) -> str:
        """Return the folder for the files of the function's module."""
        return str(self._path)

    def ensure_cache_path(self) -> None:
        """Create the folder for the files of the function's module."""
        self._path.mkdir(0o700, parents=True, exist_ok=True)

    def get_source_stamp(self) -> str:
        """Return the fingerprint of the code from which the kernels are compiled."""
        return self._state

    def get_disambiguator(self) -> str:
        """Return a digest that differs between functions with the same name."""
        return _digest(self._code)[:12]

    @classmethod
    def from_function(cls, py_func: FunctionType, py_file: str) -> Self | None:
        """Return the locator of a function; None for functions of other packages, or without a file."""
        foreign = {"site-packages", "dist-packages"}.intersection(Path(py_file).parts)
        is_inside = py_func.__module__.split(".")[0] == PACKAGE
        if cls.folder is None or (not is_inside and (foreign or not Path(py_file).is_file())):
            return None
        return cls(py_func, py_file, cls.folder)


def kernel_folders() -> set[str]:
    """Return the names of the folders for kernels of the package's current code."""
    return set(map(room_folder, _modules()))


@functools.cache
def room_folder(room: str) -> str:
    """Return the name of the folder for the kernels of a subpackage, such as ``statistics``."""
    return _name([room, *map(fingerprint, _modules()[room])])


@functools.cache
def file_folder(path: str) -> str:
    """Return the name of the folder for the kernels of a user's file, including its imports."""
    named = short_path(Path(path))
    parts = (module.split(".") for module in reached_modules(named) if not is_file(module))
    rooms = {part[1] for part in parts if len(part) > 1}
    return _name([fingerprint(named), *map(room_folder, sorted(rooms))])


def _name(texts: Iterable[str]) -> str:
    return sha256_text("\n".join(texts))[:_DIGITS]


@functools.cache
def _modules() -> dict[str, list[str]]:
    """Return the modules of each subpackage."""
    rooms: dict[str, list[str]] = {}
    for name, path in sorted(own_files().items()):
        if path.stem != "__init__":
            rooms.setdefault(name.split(".")[1], []).append(name)
    return rooms


def _digest(code: CodeType) -> str:
    """Return a digest of a function's code, independent of its location."""
    constants = [_digest(part) if isinstance(part, CodeType) else repr(part) for part in code.co_consts]
    names = [code.co_names, code.co_varnames, code.co_freevars]
    return sha256_text(canonical_json([code.co_code.hex(), constants, names]))
