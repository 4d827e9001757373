"""Numba's files of compiled kernels, which prove themselves whole before they are loaded.

A damaged file is deleted and counts as missing: the kernel is compiled once more. Machine code is kept under the hash
of its content, so that no process reads another signature's code under a name that it has just looked up. Private
methods of `numba.core.caching.IndexDataCacheFile` are overridden here, hence the pinned version of numba.
"""

import atexit
import io
import logging
import pickle
from pathlib import Path

from numba.core.caching import IndexDataCacheFile

from surefoot.pipeline.errors import InputError
from surefoot.pipeline.kernels import code_name, is_code, is_index, with_hash
from surefoot.pipeline.whole_files import whole_file

logger = logging.getLogger("surefoot")
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


class ProvenCacheFile(IndexDataCacheFile):
    """The index and the machine code of one kernel's signatures."""

    def save(self, key, data):
        """Keep the machine code of a signature; where it cannot be kept, the next process compiles it again."""
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
            content = path.read_bytes()
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
        content = path.read_bytes()
        if not is_code(name, content):
            _drop(path)
            raise FileNotFoundError(path)  # which numba takes for a kernel that was never compiled
        return pickle.loads(content)


def _write(path: str, content: bytes) -> None:
    with whole_file(Path(path)) as temporary:
        temporary.write_bytes(content)


def _drop(path: Path) -> None:
    _dropped.append(path.parent)
    path.unlink(missing_ok=True)
