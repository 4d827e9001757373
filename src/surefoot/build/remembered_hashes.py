"""Hashes of files, remembered by what the file system says of them: a file that nobody wrote to is not read again."""

import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from surefoot.build.canonical import sha256_file
from surefoot.build.sealed import read_sealed, sealed
from surefoot.build.whole_files import write_whole

_RACY = 2_000_000_000
"""Nanoseconds in which a second change of a file may leave its times as they are, so its hash is not remembered yet."""


@contextmanager
def remembered_hashes(file: Path) -> Iterator[Callable[[str], str | None]]:
    """A function that gives the SHA-256 of the file at a path, or None where there is none.

    Parameters
    ----------
    file : where the hashes are kept; where it is damaged, every file is hashed again
    """
    known = read_sealed(file) or {}
    learned: dict[str, list[Any]] = {}

    def hash_of(path: str) -> str | None:
        try:
            status = Path(path).stat()
            if not stat.S_ISREG(status.st_mode):
                return None
            state = [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino]
            remembered = known.get(path)
            if remembered is not None and remembered[:-1] == state:
                return str(remembered[-1])
            digest = sha256_file(path)
        except OSError:
            return None
        if time.time_ns() - max(status.st_mtime_ns, status.st_ctime_ns) > _RACY:
            learned[path] = [*state, digest]
        return digest

    yield hash_of
    if not learned:
        return
    with suppress(OSError):  # only a cache
        write_whole(file, sealed({path: state for path, state in (known | learned).items() if Path(path).is_file()}))
