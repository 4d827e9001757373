"""Numba's files of compiled kernels, which prove themselves whole before they are loaded.

A damaged file is deleted and counts as missing: the kernel is compiled once more. Machine code is kept under the hash
of its content, so that no process reads another signature's code under a name that it has just looked up. Private
methods of `numba.core.caching` are overridden here, hence the pinned version of numba.
"""

import atexit
import contextlib
import functools
import io
import logging
import os
import pickle
import stat
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType

from numba.core import caching, config

from surefoot.build.canonical import canonical_json, sha256_text
from surefoot.build.errors import InputError
from surefoot.build.fingerprint import PACKAGE
from surefoot.build.kernels import code_name, file_folder, is_code, is_index, room_folder, with_hash
from surefoot.build.locks import give_back, take_lease
from surefoot.build.whole_files import sweep, whole_file

logger = logging.getLogger("surefoot")
PATIENCE = 300.0
"""Seconds to wait for what another process compiles: no kernel takes so long, and one that failed keeps its lease until
its process ends."""
_leases: dict[Path, int | None] = {}
"""What this process compiles: descriptors by lock files."""
_dropped: list[Path] = []
"""The folders of the damaged files that were deleted, one entry for each file."""


@atexit.register
def report_dropped() -> None:
    """Log how many damaged files were deleted since the last report, if any were: one line, however many."""
    if _dropped:
        logger.warning(
            "%s: %d damaged files of compiled kernels, which were compiled again", _dropped[0], len(_dropped)
        )
        _dropped.clear()


def use_proven_files() -> None:
    """Let kernels that are decorated from now on be kept in files that prove themselves, in the folder of their code
    below numba's `CACHE_DIR`."""
    caching.IndexDataCacheFile = ProvenCacheFile
    if CodeLocator not in caching.CacheImpl._locator_classes:
        caching.CacheImpl._locator_classes = [CodeLocator, *caching.CacheImpl._locator_classes]


@contextlib.contextmanager
def proven_files(folder: Path) -> Iterator[None]:
    """The same for what is decorated within the block; afterwards numba is as it was, since it is not ours alone."""
    before = config.CACHE_DIR, caching.IndexDataCacheFile, caching.CacheImpl._locator_classes
    config.CACHE_DIR = str(folder)
    use_proven_files()
    try:
        yield
    finally:
        config.CACHE_DIR, caching.IndexDataCacheFile, caching.CacheImpl._locator_classes = before


class CodeLocator(caching._CacheLocator):
    """Where the kernels of a function lie: below the folder of the code that can be compiled into them."""

    def __init__(self, function: FunctionType, file: str):
        self._py_file = file  # which numba's warnings name
        self._code = function.__code__
        package, *rest = function.__module__.split(".")
        inside = package == PACKAGE and bool(rest)
        self._folder = room_folder(rest[0]) if inside else file_folder(file)
        self._path = Path(config.CACHE_DIR, self._folder, ".".join(rest) if inside else Path(file).stem)
        _begin(self._path.parent)

    def get_cache_path(self):
        return str(self._path)

    def ensure_cache_path(self):
        """The folder is made when something is written to it."""

    def get_source_stamp(self):
        return self._folder

    def get_disambiguator(self):
        return _digest(self._code)[:12]

    @classmethod
    def from_function(cls, py_func, py_file):
        """None for a function of another package, and for one that is in no file."""
        foreign = {"site-packages", "dist-packages"}.intersection(Path(py_file).parts)
        inside = py_func.__module__.split(".")[0] == PACKAGE
        if not config.CACHE_DIR or (not inside and (foreign or not Path(py_file).is_file())):
            return None
        return cls(py_func, py_file)


@functools.cache
def _begin(folder: Path) -> None:
    """Tidy up a folder that is used for the first time in this process, and mark it as used: `prune` looks at that."""
    with contextlib.suppress(OSError):  # there is none yet
        os.utime(folder)
    sweep(folder.rglob("*@*"))


def _digest(code: CodeType) -> str:
    """Digest of what a function does, wherever it stands."""
    constants = [_digest(part) if isinstance(part, CodeType) else repr(part) for part in code.co_consts]
    names = [code.co_names, code.co_varnames, code.co_freevars]
    return sha256_text(canonical_json([code.co_code.hex(), constants, names]))


class ProvenCacheFile(caching.IndexDataCacheFile):
    """The index and the machine code of one kernel's signatures, each compiled by one process while others wait."""

    def load(self, key):
        """What is kept of a signature; where that is nothing, this process has the lease to compile it on return."""
        found = super().load(key)
        if found is not None or self._lock() in _leases:
            return found
        descriptor = take_lease(self._lock(), f"compiling {Path(self._index_name).stem}", PATIENCE)
        found = super().load(key)
        if found is None:
            _leases[self._lock()] = descriptor
        else:
            give_back(self._lock(), descriptor)
        return found

    def save(self, key, data):
        """Keep the machine code of a signature; where it cannot be kept, the next process compiles it again."""
        self._save(key, data)
        give_back(self._lock(), _leases.pop(self._lock(), None))

    def _lock(self):
        return Path(f"{self._index_path}.lock")

    def _save(self, key, data):
        content = self._dump(data)
        name = code_name(self._index_name.removesuffix(".nbi"), content)
        try:
            _write(self._data_path(name), content)
            self._save_index(self._load_index() | {key: name})
        except (OSError, InputError) as error:
            logger.warning("compiled kernel not kept: %s", error)

    def _load_index(self):
        path = Path(self._index_path)
        try:
            content = _trusted(path)
        except OSError:
            return {}
        if not is_index(content):
            _drop(path)
            return {}
        stream = io.BytesIO(content)
        if pickle.load(stream) != self._version:
            return {}  # the rest cannot be read by another version
        stamp, overloads = pickle.load(stream)
        return overloads if stamp == self._source_stamp else {}

    def _save_index(self, overloads):
        content = pickle.dumps(self._version, protocol=-1) + self._dump((self._source_stamp, overloads))
        _write(self._index_path, with_hash(content))

    def _load_data(self, name):
        path = Path(self._data_path(name))
        content = _trusted(path)
        if not is_code(name, content):
            _drop(path)
            raise FileNotFoundError(path)  # which numba takes for a kernel that was never compiled
        return pickle.loads(content)


def _trusted(path: Path) -> bytes:
    """The content of a file that this user or root owns and that not everybody may write to.

    The hashes prove that a file is whole, not who wrote it: anybody can compute them, and what is loaded is run.

    Raises
    ------
    FileNotFoundError
        where it is another's, which counts as missing, or there is none
    """
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        if status.st_uid not in (0, os.geteuid()) or status.st_mode & stat.S_IWOTH:
            raise FileNotFoundError(path)
        return file.read()


def _write(path: str, content: bytes) -> None:
    with whole_file(Path(path)) as temporary:
        temporary.write_bytes(content)


def _drop(path: Path) -> None:
    _dropped.append(path.parent)
    with contextlib.suppress(OSError):  # it is gone already, or the store can only be read
        path.unlink()
